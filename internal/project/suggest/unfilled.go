package suggest

import (
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
)

// unfilled returns the new value of a list of data values without the defaults that a schema fills in today:
// keys of items that no file has and that stay as they are.
func (s *search) unfilled(e edited) *tree.Value {
	if e.kind != Value || e.value == nil || e.value.Kind() != tree.ArrayKind {
		return e.value
	}
	was, ok := tree.At(s.values, e.leaf)
	raw, written := s.written(e)
	if !ok || !written {
		return e.value
	}
	v := withoutDefaults(raw, was, *e.value)
	return &v
}

// written returns a data value as a file has it: the file that changes, or else the one that sets it now.
func (s *search) written(e edited) (tree.Value, bool) {
	text, err := s.read(e.at.file)
	if _, docs, fault := parse(text, e.at.file, s.syntaxOf(e.at.file)); err == nil && fault == nil && len(docs) > 0 {
		if doc, way, ok := e.at.find(docs); ok {
			if v, ok := tree.At(docs[doc], way); ok {
				return v, true
			}
		}
	}
	layers := s.blame.DataValueAt(s.own, e.leaf).Layers
	if len(layers) == 0 {
		return tree.Value{}, false
	}
	last := layers[len(layers)-1].At
	f := s.res.Files.File(last)
	if f == nil {
		return tree.Value{}, false
	}
	_, docs, err := parse(f.Data(), f.Shown(), s.syntaxOf(f.Shown()))
	if err != nil {
		return tree.Value{}, false
	}
	doc, way, ok := s.listAround(spot{file: f.Shown(), offset: last.Offset()}, *e.value).find(docs)
	if !ok {
		return tree.Value{}, false
	}
	return tree.At(docs[doc], way)
}

// withoutDefaults returns a value without keys that the file lacks, and that are the same as before.
func withoutDefaults(raw, was, now tree.Value) tree.Value {
	switch kind := now.Kind(); {
	case kind == tree.ScalarKind || raw.Kind() != kind || was.Kind() != kind:
		return now
	case kind == tree.MapKind:
		var items []tree.Item
		before, inFile := finder(was), finder(raw)
		for _, it := range now.Entries() {
			old, existed := before(it.Key)
			file, isWritten := inFile(it.Key)
			switch {
			case existed && !isWritten && edit.Equal(old, it.Value):
				continue
			case existed && isWritten:
				it.Value = withoutDefaults(file, old, it.Value)
			}
			items = append(items, it)
		}
		return tree.Of(tree.NewMap(items, now.Start()))
	case raw.Len() != was.Len():
		return now
	}
	items := append([]tree.Item(nil), now.Entries()...)
	written, before := elements(raw), elements(was)
	for j, i := range partners(before, elements(now)) {
		if i >= 0 {
			items[j].Value = withoutDefaults(written[i], before[i], items[j].Value)
		}
	}
	return tree.Of(tree.NewArray(items, now.Start()))
}
