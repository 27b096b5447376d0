package feature

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/lazy"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/workspace"
)

// declareKey adds a key of data values to the schema, with the type of its value.
func declareKey(doc *workspace.TextDocument, x report.Finding) []repair {
	f := fileAt(x)
	a := doc.Analysis()
	if f == nil || !doc.Is(f) || a.Tree == nil || !f.SameText(a.File) {
		return nil
	}
	key := a.Tree.NodeAt(x.Of.At.Offset())
	if !a.Tree.More(key) || !a.Tree.More(a.Tree.Next(key)) {
		return nil
	}
	declared, into := schemaMap(doc, x)
	if declared == nil || into == 0 {
		return nil
	}
	edits := workspace.Edits{}
	if !addEntry(doc, declared, into, a.Tree, key, edits) {
		return nil
	}
	path := filepath.ToSlash(declared.File.Shown())
	return []repair{{title: fmt.Sprintf("declare %s in %s", a.Tree.Text(key), path), edits: edits}}
}

// missing is a data value that a template reads but nothing declares.
var missing = lazy.Regexp{Text: `has no \.(\w+) field or method`}

// declareRead adds a data value that a template reads to the schema, as a string, since its type is not
// known.
func declareRead(doc *workspace.TextDocument, x report.Finding) []repair {
	m := missing.Get().FindStringSubmatch(x.Of.Message)
	f := fileAt(x)
	if m == nil || f == nil || !doc.Is(f) || !f.SameText(doc.File()) {
		return nil
	}
	all, src, err := doc.Index(doc.Context(), true)
	if err != nil {
		return nil
	}
	for i := range src.File.Reads {
		r := &src.File.Reads[i]
		if at := x.Of.Marked(x.Files); r.At.Start != at.Offset() || r.Whole || r.Dynamic {
			continue
		}
		if of := all.ValuesOf(src, r); len(of) == 1 && of[0].Library == "" {
			return declareIn(doc, all, of[0].Path)
		}
	}
	return nil
}

// declareIn adds a data value to the schema that declares its neighbors.
func declareIn(doc *workspace.TextDocument, all *index.Index, path []string) (list []repair) {
	above, name := path[:len(path)-1], path[len(path)-1]
	for _, src := range all.Sources {
		i := slices.IndexFunc(src.File.Keys, func(k index.Key) bool {
			return k.Kind == index.Declares && len(k.Path) == len(path) && slices.Equal(k.Path[:len(above)], above) &&
				all.KeyValue(src, &k).Library == ""
		})
		other := doc.Snapshot().Document(src.Path)
		if i < 0 || other == nil || !other.File().SameText(src.File.Text) {
			continue
		}
		a, edits := other.Analysis(), workspace.Edits{}
		start, indent := lineOf(a.File, src.File.Keys[i].At.Start)
		if strings.TrimSpace(indent) != "" {
			continue // in braces
		}
		// Insert above a neighbor and its annotations.
		for line := a.File.Line(start) - 1; line > 0 && isComment(a.File.Text(line)); line-- {
			start = a.File.Offset(line, 1, 0)
		}
		text := indent + name + `: ""` + newline(a.File)
		if edits.Add(doc.Snapshot(), a.File, start, start, text) {
			return []repair{{title: fmt.Sprintf("declare %s in %s", name, src.Path), edits: edits}}
		}
	}
	return nil
}

func isComment(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(line), []byte("#@")) &&
		!bytes.Contains(line, []byte(compile.ValuesAnnotation))
}

// schemaMap returns the map of the schema in which a key is missing.
func schemaMap(doc *workspace.TextDocument, x report.Finding) (*compile.Analysis, yaml.NodeID) {
	for _, r := range x.Of.Related {
		f := x.Files.File(r.At.Pos)
		if f == nil || r.Message != "the map is declared here" {
			continue
		}
		other := doc.Snapshot().Document(filepath.ToSlash(f.Shown()))
		if other == nil || !other.File().SameText(f) {
			return nil, 0
		}
		a := other.Analysis()
		if a.Tree == nil {
			return nil, 0
		}
		return a, mapAt(a.Tree, r.At.Offset())
	}
	return nil, 0
}

// mapAt returns the map of a document or of a key that begins at an offset, or 0. A map begins at its
// first key, so it takes the last node.
func mapAt(t *yaml.Tree, off int) (found yaml.NodeID) {
	for n := t.NodeAt(off); t.More(n) && t.Start(n).Offset() == off; n++ {
		switch {
		case t.Kind(n) == yaml.Document && t.Explicit(n):
			return t.Root(n)
		case t.Kind(n) == yaml.Scalar && t.More(t.Next(n)) && t.Kind(t.Next(n)) == yaml.Mapping:
			found = t.Next(n)
		case t.Kind(n) == yaml.Mapping && found == 0:
			found = n
		}
	}
	return found
}

// addEntry adds an entry of another file to the end of a map, with the zero value of its type.
func addEntry(
	doc *workspace.TextDocument, to *compile.Analysis, into yaml.NodeID, from *yaml.Tree, key yaml.NodeID,
	edits workspace.Edits,
) bool {
	t := to.Tree
	if t.Kind(into) != yaml.Mapping || t.Style(into) == yaml.Flow || into+1 >= t.Next(into) {
		return false
	}
	_, before := lineOf(to.File, t.Start(into+1).Offset())
	if strings.TrimSpace(before) != "" {
		return false
	}
	var b strings.Builder
	if !writeZero(&b, from, key, from.Next(key), before, newline(to.File)) {
		return false
	}
	end, text := to.File.LineEnd(t.ContentEnd(into)), b.String() // after a comment at the end of the line
	if to.File.LineStart(end) != end {
		text = newline(to.File) + text
	}
	return edits.Add(doc.Snapshot(), to.File, end, end, text)
}

// writeZero writes an entry of a schema for a value: the same keys, with zero values.
func writeZero(
	b *strings.Builder, t *yaml.Tree, key, value yaml.NodeID, indent, newline string,
) bool {
	b.WriteString(indent + string(t.Raw(key)) + ":")
	switch t.Kind(value) {
	case yaml.Mapping:
		if value+1 >= t.Next(value) {
			return false // {} declares a map without keys
		}
		b.WriteString(newline)
		for k, val := range t.Pairs(value) {
			if !writeZero(b, t, k, val, indent+"  ", newline) {
				return false
			}
		}
		return true
	case yaml.Sequence:
		item := value + 1
		if item >= t.Next(value) || t.Kind(item) != yaml.Scalar {
			return false
		}
		zero := zeroOf(t, item)
		b.WriteString(newline + indent + "- " + zero + newline)
		return zero != ""
	case yaml.Scalar:
		zero := zeroOf(t, value)
		b.WriteString(" " + zero + newline)
		return zero != ""
	}
	return false
}

// zeroOf returns the zero value of the type of a scalar, or "" if the scalar has no type that a
// schema can declare.
func zeroOf(t *yaml.Tree, n yaml.NodeID) string {
	if t.Style(n) != yaml.Plain {
		return `""`
	}
	switch t.Schema().Resolve(t.Text(n)).Kind {
	case yaml.Bool:
		return "false"
	case yaml.Int, yaml.Uint:
		return "0"
	case yaml.Float:
		return "0.0"
	case yaml.String:
		return `""`
	}
	return ""
}
