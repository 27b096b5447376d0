package overlay

import (
	"bytes"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// DocumentSpan returns the span of the `---` that starts a document, or of its first character.
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

// ItemSpan returns the span of a map item's key or of an array item's dash.
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

// valueSpan returns the span of an item, or of its value if another file has set it: an item that
// keeps its comments also keeps its position.
func (o *Options) valueSpan(it tree.Item) source.Span {
	at, set := o.ItemSpan(it), it.Value.Span()
	if o.Files == nil || !set.IsValid() || o.Files.File(set.Pos) == o.Files.File(at.Pos) {
		return at
	}
	return set
}
