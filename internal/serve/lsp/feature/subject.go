package feature

import (
	"context"
	"slices"

	"weft/internal/lang/source"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// subject is what is at a place: a name, data values, or a path.
type subject struct {
	at     index.Range // where it is
	source *index.Source

	name   *index.Name   // a name in code
	symbol index.Symbol  // the symbol of the name, or of the keyword of a call
	values []index.Value // the data values that are read, declared or set
	key    *index.Key    // the key that declares or sets values; may be nil
	path   *index.Path   // a text that names a file, a library or an environment
}

// isSymbol reports whether the subject is a name.
func (s *subject) isSymbol() bool { return s.symbol.Source != nil }

// indexedDoc is a document with the index of all files of its project.
type indexedDoc struct {
	doc *workspace.TextDocument
	all *index.Index
	own *index.Source
	*locator
}

// lookup returns what is at a position, or nil. In a document with errors, it uses the last version
// without errors or, where the text has changed since, the current text.
func lookup(
	ctx context.Context, doc *workspace.TextDocument, at protocol.Position,
) (*indexedDoc, *subject, error) {
	off := doc.Mapper().Offset(at)
	w, err := newIndexedDoc(ctx, doc, false)
	if err != nil {
		return nil, nil, err
	}
	then, ok := workspace.NewShift(w.own.File.Text.Data(), doc.File().Data()).Then(off)
	if ok {
		if s := w.subjectAt(then); s != nil {
			return w, s, nil
		}
	}
	if w.own.File.Text.SameText(doc.File()) {
		return w, nil, nil
	}
	if w, err = newIndexedDoc(ctx, doc, true); err != nil {
		return nil, nil, err
	}
	return w, w.subjectAt(off), nil
}

func newIndexedDoc(ctx context.Context, doc *workspace.TextDocument, asIs bool) (*indexedDoc, error) {
	all, src, err := doc.Index(ctx, asIs)
	if err != nil {
		return nil, err
	}
	return &indexedDoc{doc, all, src, newLocator(doc.Snapshot())}, nil
}

// subjectAt returns what is at an offset of the document, or nil.
func (w *indexedDoc) subjectAt(off int) *subject {
	file := w.own.File
	s := &subject{source: w.own}
	if p := file.PathAt(off); p != nil {
		s.path, s.at = p, p.At
		return s
	}
	if k := file.KeyAt(off); k != nil {
		s.key, s.at, s.values = k, k.At, []index.Value{w.all.KeyValue(w.own, k)}
		return s
	}
	if w.valuesAt(off, s) {
		return s
	}
	if n := file.NameAt(off); n != nil {
		s.name, s.at, s.symbol = n, n.At, w.all.Resolve(w.own, n.Binding)
		return s
	}
	if w.keywordAt(off, s) {
		return s
	}
	return nil
}

// valuesAt finds the data values that are read at an offset.
func (w *indexedDoc) valuesAt(off int, s *subject) bool {
	for i := range w.own.File.Reads {
		r := &w.own.File.Reads[i]
		if r.Whole || r.Dynamic || !r.At.Holds(off) {
			continue
		}
		for _, v := range w.all.ValuesOf(w.own, r) {
			if !slices.ContainsFunc(s.values, v.Equal) {
				s.values, s.at = append(s.values, v), r.At
			}
		}
	}
	return len(s.values) > 0
}

// keywordAt finds the parameter that the keyword of a call at an offset names.
func (w *indexedDoc) keywordAt(off int, s *subject) bool {
	for _, c := range w.own.File.Calls {
		for _, k := range c.Keywords {
			if !k.At.Holds(off) {
				continue
			}
			fn := w.all.Resolve(w.own, c.Callee)
			if b := fn.Bound(); b.Kind == index.FunctionName {
				for _, id := range fn.Source.File.Functions[b.Function].Params {
					if id != index.None && fn.Source.File.Bindings[id].Name == k.Name {
						s.at, s.symbol = k.At, index.Symbol{Source: fn.Source, ID: id}
						return true
					}
				}
			}
		}
	}
	return false
}

// locator converts ranges of files to positions in the documents of a snapshot.
type locator struct {
	snap  *workspace.Snapshot
	texts map[*index.File]currentText
}

// currentText is the client's text of a file, with a function that converts offsets to it.
type currentText struct {
	*source.File
	shift workspace.Shift
}

func newLocator(snap *workspace.Snapshot) *locator {
	return &locator{snap, map[*index.File]currentText{}}
}

func (l *locator) textOf(src *index.Source) currentText {
	now, ok := l.texts[src.File]
	if !ok {
		now.File, now.shift = l.snap.TextNow(src.Path, src.File.Text)
		l.texts[src.File] = now
	}
	return now
}

// positions returns a range of a file in positions of the client. It returns false if the text has
// changed.
func (l *locator) positions(src *index.Source, r index.Range) (protocol.Range, bool) {
	text := l.textOf(src)
	start, okStart := text.shift.Now(r.Start)
	end, okEnd := text.shift.Now(max(r.Start, r.End-1))
	return l.snap.MapperOf(text.File).Range(start, end+min(1, r.End-r.Start)), okStart && okEnd
}

// location returns a range of a file.
func (l *locator) location(src *index.Source, r index.Range) (protocol.Location, bool) {
	at, ok := l.positions(src, r)
	return protocol.Location{URI: l.snap.URI(src.Path), Range: at}, ok
}

// locations collects places without duplicates, in the order of files and offsets.
type locations struct {
	*locator
	list []protocol.Location
	seen map[protocol.Location]bool
}

func (l *locator) newLocations() *locations {
	return &locations{l, []protocol.Location{}, map[protocol.Location]bool{}}
}

func (l *locations) add(src *index.Source, r index.Range) {
	if at, ok := l.location(src, r); ok && !l.seen[at] {
		l.seen[at] = true
		l.list = append(l.list, at)
	}
}
