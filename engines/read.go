package main

import (
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"weft/internal/project/engines/wire"
)

// read returns the documents of texts as JSON with sorted keys, as Kubernetes' own reader understands them.
// It is how weft finds out whether two texts mean the same to a cluster, without its own reader. Documents
// without content are left out.
func read(texts []string) *wire.Answer {
	a := &wire.Answer{}
	for i, text := range texts {
		for _, doc := range documents(text) {
			data, err := yaml.YAMLToJSON([]byte(doc))
			if err != nil {
				return &wire.Answer{Error: &wire.Error{Message: err.Error()}}
			}
			if string(data) != "null" {
				a.Docs = append(a.Docs, wire.Doc{Source: strconv.Itoa(i + 1), Text: string(data)})
			}
		}
	}
	return a
}

// documents splits a text at the lines that begin with "---", as kubectl does.
func documents(text string) []string {
	var docs []string
	var doc strings.Builder
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "---")
		if ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n")) {
			docs = append(docs, doc.String())
			doc.Reset()
			line = rest // which may have the first line of the document
		}
		doc.WriteString(line)
	}
	return append(docs, doc.String())
}
