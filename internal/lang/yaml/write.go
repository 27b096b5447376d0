package yaml

import (
	"bytes"
	"slices"
)

// Writer writes the values of a document in some format. The owner of the values (a syntax tree here,
// evaluated documents elsewhere) walks over them once and calls its methods. The entries of a mapping
// are its keys and values alternately, between Mapping and End.
type Writer interface {
	// Mapping begins a mapping, Sequence a sequence. An empty one is complete: no End follows.
	Mapping(empty bool)
	Sequence(empty bool)
	End()
	// Scalar writes a scalar; text is the text of a String.
	Scalar(v Value, text []byte)
}

// YAMLWriter writes canonical YAML: block style, two spaces, sequences at the indentation of their
// key. The zero value is ready to use; Bytes returns the output.
type YAMLWriter struct {
	// Drain, if not nil, receives the output so far when a string is too long to be buffered. Bytes
	// does not return that output again.
	Drain func([]byte)

	dst   []byte
	stack []yamlFrame
}

// yamlFrame is one open collection.
type yamlFrame struct {
	indent int
	state  yamlState
	first  bool // the first entry goes where the cursor is
}

type yamlState uint8

const (
	atItem yamlState = iota
	atKey
	atValue         // after a key
	atExplicitValue // after a key written with `?`
)

// Bytes returns the output so far. It is valid until the next call of a method.
func (w *YAMLWriter) Bytes() []byte { return w.dst }

// Grow makes room for n more bytes.
func (w *YAMLWriter) Grow(n int) { w.dst = slices.Grow(w.dst, n) }

// Reset discards the output and keeps the memory.
func (w *YAMLWriter) Reset() { w.dst = w.dst[:0] }

// Separator writes the line between two documents.
func (w *YAMLWriter) Separator() { w.dst = append(w.dst, "---\n"...) }

// Mapping implements Writer.
func (w *YAMLWriter) Mapping(empty bool) {
	if empty {
		w.short("{}")
		return
	}
	w.open(atKey)
}

// Sequence implements Writer.
func (w *YAMLWriter) Sequence(empty bool) {
	if empty {
		w.short("[]")
		return
	}
	w.open(atItem)
}

// End implements Writer.
func (w *YAMLWriter) End() { w.stack = w.stack[:len(w.stack)-1] }

// Scalar implements Writer.
func (w *YAMLWriter) Scalar(v Value, text []byte) {
	if len(w.stack) == 0 {
		w.scalar(v, text, 2)
		w.dst = append(w.dst, '\n')
		return
	}
	f := &w.stack[len(w.stack)-1]
	if f.state == atKey {
		w.lead(f)
		if w.key(v, text, f.indent+2) {
			f.state = atValue
			return
		}
		w.dst = append(w.dst, "? "...)
		f.state = atExplicitValue
	} else {
		w.value(f)
		if f.state == atValue {
			w.dst = append(w.dst, ' ')
		}
		f.state = nextState(f.state)
	}
	w.scalar(v, text, f.indent+2)
	w.dst = append(w.dst, '\n')
}

// key writes a simple key. It reports whether the key is one.
func (w *YAMLWriter) key(v Value, text []byte, indent int) bool {
	if v.Kind != String {
		w.dst = AppendValue(w.dst, v, nil, indent)
		return true
	}
	found := traitsOf(text)
	if !isSimpleKey(text, found) {
		return false
	}
	w.dst = appendString(w.dst, text, found, indent)
	return true
}

func (w *YAMLWriter) scalar(v Value, text []byte, indent int) {
	if len(text) >= longText && v.Kind == String {
		w.text(text, indent)
		return
	}
	w.dst = AppendValue(w.dst, v, text, indent)
}

// short writes an empty collection, which goes on the line of its key, like a scalar.
func (w *YAMLWriter) short(s string) {
	if len(w.stack) > 0 {
		f := &w.stack[len(w.stack)-1]
		if f.state == atKey {
			w.lead(f)
			w.dst = append(w.dst, s...)
			f.state = atValue
			return
		}
		w.value(f)
		if f.state == atValue {
			w.dst = append(w.dst, ' ')
		}
		f.state = nextState(f.state)
	}
	w.dst = append(append(w.dst, s...), '\n')
}

// open begins a collection with entries.
func (w *YAMLWriter) open(state yamlState) {
	child := yamlFrame{state: state, first: true}
	if len(w.stack) > 0 {
		f := &w.stack[len(w.stack)-1]
		child.indent = f.indent + 2
		switch f.state {
		case atKey:
			w.lead(f)
			w.dst = append(w.dst, "? "...)
			f.state = atExplicitValue
		case atValue:
			w.dst = append(w.dst, ":\n"...)
			child.first = false
			if state == atItem {
				child.indent = f.indent
			}
			f.state = atKey
		default:
			w.value(f)
			f.state = nextState(f.state)
		}
	}
	w.stack = append(w.stack, child)
}

// value writes what precedes a value, except the space after a `:`.
func (w *YAMLWriter) value(f *yamlFrame) {
	switch f.state {
	case atItem:
		w.lead(f)
		w.dst = append(w.dst, "- "...)
	case atValue:
		w.dst = append(w.dst, ':')
	case atExplicitValue:
		w.dst = append(appendSpaces(w.dst, f.indent), ": "...)
	}
}

// lead writes the indentation of an entry, unless the cursor is already there.
func (w *YAMLWriter) lead(f *yamlFrame) {
	if f.first {
		f.first = false
		return
	}
	w.dst = appendSpaces(w.dst, f.indent)
}

// nextState returns the state after a value.
func nextState(s yamlState) yamlState {
	if s == atItem {
		return atItem
	}
	return atKey
}

var spaces = bytes.Repeat([]byte{' '}, 64)

func appendSpaces(dst []byte, n int) []byte {
	for ; n > len(spaces); n -= len(spaces) {
		dst = append(dst, spaces...)
	}
	return append(dst, spaces[:n]...)
}

// JSONWriter writes compact JSON, with keys in the order in which they come. The zero value is
// ready to use. The caller has checked that JSON can represent the values: infinities would become
// null, and collections as keys would be invalid JSON.
type JSONWriter struct {
	// Drain is like YAMLWriter.Drain.
	Drain func([]byte)

	dst   []byte
	stack []jsonFrame
}

type jsonFrame struct {
	mapping, key, more bool
}

// Bytes returns the output so far.
func (w *JSONWriter) Bytes() []byte { return w.dst }

// Reset discards the output and keeps the memory.
func (w *JSONWriter) Reset() { w.dst = w.dst[:0] }

// Newline ends the line of a document.
func (w *JSONWriter) Newline() { w.dst = append(w.dst, '\n') }

// Mapping implements Writer.
func (w *JSONWriter) Mapping(empty bool) { w.open('{', '}', empty) }

// Sequence implements Writer.
func (w *JSONWriter) Sequence(empty bool) { w.open('[', ']', empty) }

func (w *JSONWriter) open(open, closing byte, empty bool) {
	w.before()
	w.dst = append(w.dst, open)
	if empty {
		w.dst = append(w.dst, closing)
		return
	}
	w.stack = append(w.stack, jsonFrame{mapping: open == '{', key: open == '{'})
}

// End implements Writer.
func (w *JSONWriter) End() {
	closing := byte(']')
	if w.stack[len(w.stack)-1].mapping {
		closing = '}'
	}
	w.stack = w.stack[:len(w.stack)-1]
	w.dst = append(w.dst, closing)
}

// Scalar implements Writer. A key that is not a string becomes the string that YAML would print.
func (w *JSONWriter) Scalar(v Value, text []byte) {
	key := w.before()
	if key && v.Kind != String {
		w.dst = append(w.dst, '"')
		w.dst = append(AppendValue(w.dst, v, nil, 0), '"')
		return
	}
	switch v.Kind {
	case String:
		w.text(text)
	case Float:
		var ok bool
		if w.dst, ok = AppendJSONFloat(w.dst, v.Float()); !ok {
			w.dst = append(w.dst, "null"...)
		}
	default:
		w.dst = AppendValue(w.dst, v, nil, 0)
	}
}

// before writes the separator before a value. It reports whether the value is a key.
func (w *JSONWriter) before() (key bool) {
	if len(w.stack) == 0 {
		return false
	}
	f := &w.stack[len(w.stack)-1]
	switch {
	case f.mapping && !f.key:
		w.dst = append(w.dst, ':')
	case f.more:
		w.dst = append(w.dst, ',')
	}
	key = f.key
	f.more = true
	f.key = f.mapping && !f.key
	return key
}
