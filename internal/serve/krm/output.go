package krm

import (
	"bytes"

	"weft"
	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// document is an item of the list that is written.
type document struct {
	value tree.Value
	text  []byte
}

// unchanged returns the items as they were read.
func (l *list) unchanged() []document {
	docs := make([]document, len(l.items))
	for i, it := range l.items {
		docs[i] = document{it.value, it.text}
	}
	return docs
}

// documents returns the items of the result: the result of each item in its place, then what
// templates created. An item that is the configuration stays where it was.
func (l *list) documents(res *weft.Result) ([]document, error) {
	var docs []document
	var errs diag.List
	waiting := l.items
	for _, f := range res.Files()[len(res.Texts()):] {
		it := l.names[f.Path]
		for len(waiting) > 0 && waiting[0] != it { // files that are not items come before
			if waiting[0].own {
				docs = append(docs, document{waiting[0].value, waiting[0].text})
			}
			waiting = waiting[1:]
		}
		results, err := l.ofFile(f, it)
		docs, errs = append(docs, results...), append(errs, diag.Of(err)...)
	}
	for _, it := range waiting {
		if it.own {
			docs = append(docs, document{it.value, it.text})
		}
	}
	return docs, orNil(errs)
}

// ofFile returns the documents of a file of the result. it is the item of the file, or nil.
func (l *list) ofFile(f weft.File, it *item) (docs []document, err error) {
	file, err := new(source.Set).Add(f.Path, bytes.ReplaceAll(f.Data, []byte("\r\n"), []byte("\n")))
	if err != nil {
		return nil, diag.Failf(CodeItem, "%s", err)
	}
	t, err := yaml.Parse(file, l.yaml)
	if err != nil {
		return nil, err
	}
	for from, doc := 0, t.First(); t.More(doc); doc = t.Next(doc) {
		to := len(t.Source())
		if next := t.Next(doc); t.More(next) {
			to = t.Begin(next).Offset()
		}
		v := tree.FromSyntax(t, t.Root(doc))
		text := l.proven(withoutMark(t.Source()[from:to]), v)
		from = to
		switch {
		case v.Empty():
			continue
		case v.Kind() != tree.MapKind:
			return nil, diag.Failf(CodeItem, "%s produces %s, but a ResourceList has only resources, "+
				"which are maps", f.Path, diag.Article(v.TypeName()))
		}
		printed := document{v, text}
		if it != nil && len(docs) == 0 {
			printed = l.tracked(it, printed)
		}
		docs = append(docs, printed)
	}
	return docs, nil
}

// withoutMark returns the text of a document without the `---` before it.
func withoutMark(text []byte) []byte {
	rest, ok := bytes.CutPrefix(text, []byte("---"))
	if !ok {
		return text
	}
	line := rest[:lineEnd(rest, 0)]
	if len(bytes.TrimSpace(line)) == 0 {
		return rest[len(line):]
	}
	return bytes.TrimLeft(rest, " \t")
}

// write returns the list with other items and results. Everything else is copied. If the text would
// have another meaning, for example because of an alias into an item, it is printed again; a list in
// JSON stays JSON.
func (l *list) write(items []document, results []tree.Value) []byte {
	v := l.value(items, results)
	if t, n, ok := l.root.Syntax(); ok && t.Style(n) == yaml.Block {
		text := l.text(items, results)
		if got, ok := l.parsed(text); ok && edit.Identical(got, v) {
			return text
		}
		return emit.Bytes([]tree.Doc{{Value: v}})
	}
	var b bytes.Buffer
	_, _ = emit.JSON(&b, []tree.Doc{{Value: v}}) // writing to a buffer cannot fail
	return b.Bytes()
}

// value returns the list with other items and results.
func (l *list) value(items []document, results []tree.Value) tree.Value {
	all := make([]tree.Value, len(items))
	for i, d := range items {
		all[i] = d.value
	}
	v := set(l.root, "items", array(all))
	if len(results) > 0 {
		v = set(v, "results", array(results))
	}
	return v
}

func array(values []tree.Value) tree.Value {
	items := make([]tree.Item, len(values))
	for i, v := range values {
		items[i].Value = v
	}
	return tree.Of(tree.NewArray(items, source.Pos{}))
}

// text is like value, but returns text: the lines of each key other than items and results are
// copied.
func (l *list) text(items []document, results []tree.Value) []byte {
	t, root, _ := l.root.Syntax()
	var out []byte
	for key, value := range t.Pairs(root) {
		to := len(t.Source())
		if next := t.Next(value); next < t.Next(root) {
			to = t.Start(next).Offset()
		}
		switch k := tree.FromSyntax(t, key); {
		case k.IsString("items"):
			out = appendItems(out, items)
		case k.IsString("results") && len(results) > 0:
		default:
			out = append(out, t.Source()[t.Start(key).Offset():to]...)
			if out[len(out)-1] != '\n' {
				out = append(out, '\n')
			}
		}
	}
	if _, ok := l.root.Lookup("items"); !ok {
		out = appendItems(out, items)
	}
	if len(results) > 0 {
		more := fields{{Key: tree.String("results"), Value: array(results)}}
		out = append(out, emit.Bytes([]tree.Doc{{Value: more.value()}})...)
	}
	return out
}

// appendItems appends the items of a list, each after its dash. The comment above an item comes after
// the dash too: kustomize would treat one above the dash as another comment, and write both.
func appendItems(out []byte, items []document) []byte {
	if len(items) == 0 {
		return append(out, "items: []\n"...)
	}
	out = append(out, "items:\n"...)
	for _, d := range items {
		dash := "- "
		for line := range bytes.Lines(d.text) {
			switch {
			case dash != "" && line[0] != '\n':
				out, dash = append(out, dash...), ""
			case line[0] != '\n':
				out = append(out, "  "...)
			}
			out = append(out, line...)
		}
		if out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
	}
	return out
}
