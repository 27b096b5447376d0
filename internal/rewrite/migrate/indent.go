package migrate

import (
	"bytes"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/yaml"
)

// indented indents the lines of brackets and quoted text as strict YAML requires: deeper than the
// block around them. Space at the beginning of such a line has no meaning.
func indented(text []byte, opt Options) []byte {
	if opt.From.Grammar == opt.To.Grammar {
		return text
	}
	t, err := parse("", text, opt.From)
	if err != nil {
		return text // the caller reports it too
	}
	var changes []edit.Splice
	var blocks []block
	for n := yaml.NodeID(0); t.More(n); {
		for len(blocks) > 0 && n >= blocks[len(blocks)-1].end {
			blocks = blocks[:len(blocks)-1]
		}
		switch kind, next := t.Kind(n), t.Next(n); {
		case kind == yaml.Document:
			blocks = append(blocks[:0], block{end: next, column: -1})
		case t.Style(n) == yaml.Block && next > n+1:
			blocks = append(blocks, block{next, column(text, t.Start(n+1).Offset())})
		case t.Style(n) == yaml.Flow || t.Style(n) == yaml.DoubleQuoted || t.Style(n) == yaml.SingleQuoted:
			at := t.Span(n)
			indent := blocks[len(blocks)-1].column + 1
			changes = append(changes, shallow(text, at.Offset(), at.End(), indent)...)
			n = next
			continue
		}
		n++
	}
	return edit.Spliced(text, changes)
}

// block is a collection in block style, up to the node after it.
type block struct {
	end    yaml.NodeID
	column int
}

// column returns how far an offset is from the beginning of its line.
func column(text []byte, off int) int {
	line := bytes.LastIndexByte(text[:off], '\n') + 1
	if line == 0 && bytes.HasPrefix(text, []byte("\ufeff")) {
		line = len("\ufeff")
	}
	return off - line
}

// shallow indents the lines that begin between two offsets and are indented less.
func shallow(text []byte, start, end, indent int) []edit.Splice {
	var changes []edit.Splice
	for at := start; ; {
		i := bytes.IndexByte(text[at:end], '\n')
		if i < 0 {
			return changes
		}
		at += i + 1
		line := text[at:end]
		has := len(line) - len(bytes.TrimLeft(line, " "))
		if has < indent && has < len(line) && line[has] != '\n' && line[has] != '\r' {
			missing := strings.Repeat(" ", indent-has)
			changes = append(changes, edit.Splice{From: at, To: at, Text: missing})
		}
	}
}
