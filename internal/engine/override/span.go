package override

import (
	"bytes"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// ItemSpan returns the span for messages about an item: its key, or the beginning of an entry.
func ItemSpan(it tree.Item) source.Span {
	if t, n, ok := it.Key.Syntax(); ok {
		return t.Span(n)
	}
	if t, n, ok := it.Value.Syntax(); ok {
		if s := t.Span(n); s.Len > 0 {
			first, _, _ := bytes.Cut(t.File().Data()[s.Offset():s.End()], []byte("\n"))
			return s.To(s.Offset() + len(bytes.TrimRight(first, "\r")))
		}
	}
	return it.Pos.To(it.Pos.Offset() + 1)
}

// KeyText returns a key as text.
func KeyText(key tree.Value) string {
	if key.Kind() != tree.ScalarKind {
		return Brief(key, 40)
	}
	return key.Written()
}

// KeySpan returns the span of a key of a mapping, or of the mapping if it lacks the key.
func KeySpan(v tree.Value, key string) source.Span {
	var r tree.Reader
	if it, ok := lookup(r.Items(nil, v), key); ok {
		return ItemSpan(it)
	}
	return v.Start().To(v.Start().Offset() + 1)
}
