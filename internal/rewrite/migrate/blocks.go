package migrate

import (
	"bytes"

	"weft/internal/lang/edit"
	"weft/internal/lang/yaml"
)

// lastBlock removes the line break of a block scalar at the end of a file that has no final line
// break: ytt reads the scalar without a line break, but strict YAML adds one.
func lastBlock(t *yaml.Tree, opt Options) []edit.Splice {
	last := yaml.NodeID(t.Len()) - 1
	if t.Len() == 0 || opt.From.Grammar == opt.To.Grammar || t.Kind(last) != yaml.Scalar ||
		t.Style(last) != yaml.Literal && t.Style(last) != yaml.Folded {
		return nil
	}
	text := t.Text(last)
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return nil
	}
	at, raw := t.Span(last).Offset(), t.Raw(last)
	header, _, _ := bytes.Cut(raw, []byte("\n"))
	for i, c := range header[1:min(len(header), len("|2-"))] {
		switch c {
		case '-':
			return nil
		case '+':
			return []edit.Splice{{From: at + 1 + i, To: at + 2 + i, Text: "-"}}
		}
	}
	return []edit.Splice{{From: at + 1, To: at + 1, Text: "-"}}
}
