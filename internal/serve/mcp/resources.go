package mcp

import (
	"encoding/json"
	"strings"

	"weft/docs"
	"weft/internal/serve/lsp/wire"
)

// scheme begins the addresses of resources.
const scheme = "weft://docs/"

// notFound is the code of the protocol for a resource that does not exist.
const notFound wire.Code = -32002

// resource is a page of the documentation.
type resource struct {
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Title    string `json:"title,omitempty"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
}

// listed returns all pages.
func listed() []resource {
	var list []resource
	for _, name := range docs.Pages() {
		text, _ := docs.Page(name) // it is listed
		list = append(list, resource{
			URI: scheme + name, Name: name, Title: title(string(text)), MimeType: "text/markdown",
		})
	}
	return list
}

func title(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(line, "# ")
}

// readResource returns the text of a page.
func readResource(params json.RawMessage) (wire.Answer, error) {
	var p struct {
		URI string `json:"uri"`
	}
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	name, ok := strings.CutPrefix(p.URI, scheme)
	text, err := docs.Page(name)
	if !ok || err != nil {
		return nil, wire.Errorf(notFound, "weft has no page %.100q; resources/list lists them", p.URI)
	}
	return result(map[string]any{"contents": []resource{
		{URI: p.URI, Name: name, MimeType: "text/markdown", Text: string(text)},
	}})
}
