package project

import (
	"encoding/json"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// Node is a value of a project file and its place. It never changes.
type Node struct {
	At      source.Span
	Kind    yaml.Kind // Scalar, Sequence or Mapping
	Scalar  yaml.Value
	Text    string // the text of a scalar
	Items   []*Node
	Entries []Entry
}

// Entry is a key of a mapping and its value.
type Entry struct {
	Key   string
	KeyAt source.Span
	Value *Node
}

// Get returns the value of a key of a mapping, or nil.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key == key {
			return e.Value
		}
	}
	return nil
}

// texts returns the elements of a list of texts, or a single text.
func (n *Node) texts() []*Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.Sequence:
		return n.Items
	}
	return []*Node{n}
}

// isNull reports whether the value is empty.
func (n *Node) isNull() bool { return n.Kind == yaml.Scalar && n.Scalar.Kind == yaml.Null }

// isTrue reports whether the value exists and is true.
func (n *Node) isTrue() bool {
	return n != nil && n.Scalar.Kind == yaml.Bool && n.Scalar.Bool()
}

// appendJSON appends the value as JSON, which is YAML in flow style.
func (n *Node) appendJSON(b []byte) []byte {
	switch {
	case n.Kind == yaml.Sequence:
		b = append(b, '[')
		for i, x := range n.Items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = x.appendJSON(b)
		}
		return append(b, ']')
	case n.Kind == yaml.Mapping:
		b = append(b, '{')
		for i, e := range n.Entries {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(appendQuoted(b, e.Key), ": "...)
			b = e.Value.appendJSON(b)
		}
		return append(b, '}')
	case n.Scalar.Kind == yaml.String:
		return appendQuoted(b, n.Text)
	}
	return append(b, n.Text...) // a number or a word
}

func appendQuoted(b []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // which cannot fail
	return append(b, quoted...)
}

// found describes a value that is not what was expected.
func (n *Node) found() string {
	switch n.Kind {
	case yaml.Sequence:
		return "a list"
	case yaml.Mapping:
		return "a mapping"
	}
	switch n.Scalar.Kind {
	case yaml.Null:
		return "nothing"
	case yaml.String:
		if n.Text == "" {
			return "empty text"
		}
		return "'" + diag.Shortened(n.Text) + "'"
	}
	return diag.Shortened(n.Text)
}
