package kustomization

import (
	"regexp"
	"strings"
)

// chunk is a document of a file, as kustomize splits files.
type chunk struct {
	line int // of its first line, in the file
	text string
}

var separator = regexp.MustCompile(`\n---.*\n`)

// chunksOf splits a file as kustomize does.
func chunksOf(text []byte) []chunk {
	s := strings.ReplaceAll(string(text), "\r\n", "\n")
	var list []chunk
	line, prev := 1, 0
	for _, at := range separator.FindAllStringIndex(s, -1) {
		list = append(list, chunk{line, s[prev : at[0]+1]})
		line += strings.Count(s[prev:at[1]], "\n")
		prev = at[1]
	}
	return append(list, chunk{line, s[prev:]})
}
