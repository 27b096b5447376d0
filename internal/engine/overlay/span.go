package overlay

import (
	"bytes"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// DocumentSpan returns the mark at which a document begins, or its first character.
func (o *Options) DocumentSpan(pos source.Pos) source.Span {
	if !pos.IsValid() {
		return source.Span{}
	}
	const mark = "---"
	if o.Files != nil {
		if f := o.Files.File(pos); f != nil &&
			bytes.HasPrefix(f.Data()[min(pos.Offset(), len(f.Data())):], []byte(mark)) {
			return pos.To(pos.Offset() + len(mark))
		}
	}
	return pos.To(pos.Offset() + 1)
}

// ItemSpan returns the key of a map item, or the mark of an array item.
func (o *Options) ItemSpan(it tree.Item) source.Span {
	if !it.Pos.IsValid() {
		return source.Span{}
	}
	n := 1
	if t, node, ok := it.Key.Syntax(); ok {
		if t.Start(node) == it.Pos {
			n = max(1, t.Span(node).End()-it.Pos.Offset())
		}
	} else if s, ok := it.Key.Starlark().(starlark.String); ok && o.Files != nil {
		if f := o.Files.File(it.Pos); f != nil &&
			bytes.HasPrefix(f.Data()[min(it.Pos.Offset(), len(f.Data())):], []byte(s)) {
			n = max(1, len(s))
		}
	}
	return it.Pos.To(it.Pos.Offset() + n)
}

// valueSpan returns where an item is, or its value if another file has set that: an item that keeps
// its comments stays where it was written.
func (o *Options) valueSpan(it tree.Item) source.Span {
	at, set := o.ItemSpan(it), it.Value.Span()
	if o.Files == nil || !set.IsValid() || o.Files.File(set.Pos) == o.Files.File(at.Pos) {
		return at
	}
	return set
}
