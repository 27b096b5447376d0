package krm

import (
	"bytes"
	"slices"

	"weft/internal/engine/emit"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// cutItem returns the text of item n of a list as a document: with the comments above its dash, from
// offset from on, and those below it. It also returns the offset after them. If the text would have
// another meaning by itself, for example because of an alias, the item is printed again.
func (l *list) cutItem(n yaml.NodeID, from int) (text []byte, end int) {
	t := l.tree
	span := t.Span(n)
	if t.Kind(n) == yaml.Mapping && t.Style(n) == yaml.Block {
		dash := t.Start(n).Offset()
		text = appendComments(text, t.Source()[from:dash])
		text = appendComments(text, t.Source()[min(dash+1, span.Offset()):span.Offset()])
		var body []byte
		body, end = cutBlock(t, n)
		text = append(text, body...)
	} else {
		text, end = dedented(t.Source()[span.Offset():span.End()], column(t, n)), span.End()
	}
	return l.proven(text, tree.FromSyntax(t, t.Target(n))), end
}

// cutMap returns the text of a map as a document.
func (l *list) cutMap(v tree.Value) []byte {
	t, n, ok := v.Syntax()
	if !ok || t.Kind(n) != yaml.Mapping {
		return l.proven(nil, v)
	}
	if t.Style(n) == yaml.Block {
		text, _ := cutBlock(t, n)
		return l.proven(text, v)
	}
	return l.proven(dedented(t.Source()[t.Span(n).Offset():t.Span(n).End()], column(t, n)), v)
}

// cutBlock returns the text of a map in block style, from its first key to the last comment that is
// indented as much, and the offset after that.
func cutBlock(t *yaml.Tree, n yaml.NodeID) ([]byte, int) {
	source := t.Source()
	from, column := t.Span(n).Offset(), column(t, n)
	end := lineEnd(source, t.ContentEnd(n))
	for next := end; next < len(source); {
		line := source[next:lineEnd(source, next)]
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		rest := bytes.TrimSpace(line)
		if len(rest) > 0 && (rest[0] != '#' || indent < column) {
			break
		}
		if next += len(line); len(rest) > 0 {
			end = next
		}
	}
	return dedented(source[from:end], column), end
}

// column returns how many bytes are before a node on its line.
func column(t *yaml.Tree, n yaml.NodeID) int {
	off := t.Span(n).Offset()
	return off - (bytes.LastIndexByte(t.Source()[:off], '\n') + 1)
}

// dedented returns text with all lines but the first moved to the left.
func dedented(text []byte, by int) []byte {
	first := lineEnd(text, 0)
	moved := append(make([]byte, 0, len(text)), text[:first]...)
	for line := range bytes.Lines(text[first:]) {
		for n := 0; n < by && len(line) > 0 && line[0] == ' '; n++ {
			line = line[1:]
		}
		moved = append(moved, line...)
	}
	return moved
}

// lineEnd returns the offset after the line break at or after an offset.
func lineEnd(text []byte, off int) int {
	if i := bytes.IndexByte(text[off:], '\n'); i >= 0 {
		return off + i + 1
	}
	return len(text)
}

// appendComments appends the comments in some lines, without their indentation.
func appendComments(dst, lines []byte) []byte {
	for line := range bytes.Lines(lines) {
		if line = bytes.TrimLeft(line, " \t"); len(line) > 0 && line[0] == '#' {
			dst = append(append(dst, bytes.TrimRight(line, "\n")...), '\n')
		}
	}
	return dst
}

// proven returns a text if it has the value v, and otherwise v in canonical form.
func (l *list) proven(text []byte, v tree.Value) []byte {
	if got, ok := l.parsed(text); ok && edit.Identical(got, v) {
		return text
	}
	return emit.Bytes([]tree.Doc{{Value: v}})
}

// parsed returns the only document of a text. It returns false if there is none, or more than one.
func (l *list) parsed(text []byte) (tree.Value, bool) {
	f, err := new(source.Set).Add("item", text)
	if err != nil {
		return tree.Value{}, false
	}
	t, err := yaml.Parse(f, l.yaml)
	if err != nil || t.Check(false) != nil {
		return tree.Value{}, false
	}
	docs := slices.Collect(t.Documents())
	if len(docs) != 1 {
		return tree.Value{}, false
	}
	return tree.FromSyntax(t, t.Root(docs[0])), true
}
