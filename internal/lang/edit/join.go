package edit

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file concatenates the texts of several files into one stream that has the documents of all
// of them.

// Between returns what to write between the texts of two files, of which the first ends with a line
// break: a line that begins a document if the second text has none, or, before directives, a line
// that ends the document above.
func Between(above, below []byte) string {
	for line := range bytes.Lines(below) {
		text := bytes.TrimRight(line, " \t\r\n")
		switch {
		case bytes.HasPrefix(line, []byte("%")):
			if bytes.HasSuffix(bytes.TrimRight(above, "\r\n"), []byte("\n...")) {
				return ""
			}
			return "...\n"
		case len(text) > 0 && text[0] != '#':
			if begins := string(bytes.Fields(text)[0]) == "---"; begins &&
				bytes.HasPrefix(below, []byte("---")) {
				return ""
			}
			return "---\n"
		}
	}
	return "---\n"
}

// WithoutMark returns text without its byte order mark, which is allowed only at the beginning of a
// stream.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// Closed returns text with its last line ended, so that another text may follow, and with the same
// meaning: a block scalar at the end, which would gain a line break, becomes one that strips it.
func Closed(text []byte, opt yaml.Options) []byte {
	if n := len(text); n == 0 || text[n-1] == '\n' || text[n-1] == '\r' {
		return text
	}
	end := "\n"
	if EndsCRLF(text) {
		end = "\r\n"
	}
	closed := append(bytes.Clone(text), end...)
	e := &Editor{src: text, opt: opt}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		e.bom = len("\ufeff")
	}
	if e.t = e.read(text); e.t == nil || e.hasSameDocuments(closed) {
		return closed
	}
	if short := bytes.TrimRight(text, " \t"); e.hasSameDocuments(short) &&
		bytes.HasSuffix(short, []byte("\n")) {
		return short
	}
	e.stripBreak(yaml.NodeID(e.t.Len() - 1))
	if stripped := append(e.splice(nil, 0, len(text), e.edits), end...); e.hasSameDocuments(stripped) {
		return stripped
	}
	return closed
}

// Append returns text with more at its end, after Closed. All line breaks are those of text.
func Append(text []byte, more string, opt yaml.Options) []byte {
	if EndsCRLF(text) {
		more = strings.ReplaceAll(more, "\n", "\r\n")
	}
	return append(slices.Clip(Closed(text, opt)), more...)
}

// EndsCRLF reports whether the first line of a text ends with "\r\n".
func EndsCRLF(text []byte) bool {
	i := bytes.IndexByte(text, '\n')
	return i > 0 && text[i-1] == '\r'
}

// hasSameDocuments reports whether text has the same documents as the source.
func (e *Editor) hasSameDocuments(text []byte) bool {
	t := e.read(text)
	if t == nil {
		return false
	}
	docs, news := slices.Collect(e.t.Documents()), slices.Collect(t.Documents())
	if len(docs) != len(news) {
		return false
	}
	for i := range docs {
		if !Equal(tree.FromSyntax(e.t, e.t.Root(docs[i])), tree.FromSyntax(t, t.Root(news[i]))) {
			return false
		}
	}
	return true
}
