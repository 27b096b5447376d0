// Package path represents places in documents: paths as people write them, JSON pointers for
// programs, and patterns that match paths.
package path

import (
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Path is the path from a document to a value in it.
type Path []Segment

// Kind is the kind of a step of a path.
type Kind uint8

// The kinds of step.
const (
	Key    Kind = iota // to the value of a map's key
	Item               // to the item of a list
	Inside             // into a string that holds YAML or JSON
)

// inside is the notation for a step into a string.
const inside = "›"

// Segment is one step of a path.
type Segment struct {
	Kind Kind
	Key  tree.Value // of a map
	// Index is the index of an item, and Was is its old index, in a path that compares two lists.
	// Either is -1 if the item is not in that list.
	Index, Was int
	By         string     // the key that identifies an item; "" if there is none
	ID         tree.Value // its value
	Item       tree.Value // the item, if it is known but no key identifies it
}

// ToKey returns the step to the value of a key.
func ToKey(key tree.Value) Segment { return Segment{Kind: Key, Key: key} }

// ToItem returns the step to an item.
func ToItem(was, index int) Segment { return Segment{Kind: Item, Was: was, Index: index} }

// ToValue returns the step to an item whose value is v.
func ToValue(i int, v tree.Value) Segment {
	return Segment{Kind: Item, Was: i, Index: i, Item: v}
}

// String formats a path for people: spec.containers[name=web].image. Ambiguous keys are quoted.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch s.Kind {
		case Key:
			if i > 0 && p[i-1].Kind != Inside {
				b.WriteByte('.')
			}
			b.WriteString(keyText(s.Key))
		case Item:
			b.WriteString("[" + s.itemText() + "]")
		case Inside:
			b.WriteString(" " + inside + " ")
		}
	}
	return b.String()
}

// Pointer returns the path as a JSON pointer (RFC 6901) up to the first step into a string, and the
// rest as further pointers. Removed items have their old index.
func (p Path) Pointer() (outer string, inner []string) {
	var b strings.Builder
	for _, s := range p {
		switch s.Kind {
		case Key:
			text := escape.Replace(scalarText(s.Key))
			b.WriteString("/" + text)
		case Item:
			b.WriteString("/" + strconv.Itoa(s.number()))
		case Inside:
			inner = append(inner, b.String())
			b.Reset()
		}
	}
	inner = append(inner, b.String())
	return inner[0], inner[1:]
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// Steps returns the path as package tree writes it. It has no steps into strings.
func (p Path) Steps() []tree.Step {
	way := make([]tree.Step, len(p))
	for i, s := range p {
		if way[i] = (tree.Step{Index: s.Index}); s.Kind == Key {
			way[i] = tree.Step{Key: tree.KeyText(s.Key), Index: -1}
		}
	}
	return way
}

// Clone returns a copy of the path.
func (p Path) Clone() Path { return append(Path(nil), p...) }

func (s Segment) number() int {
	if s.Index < 0 {
		return s.Was
	}
	return s.Index
}

func (s Segment) itemText() string {
	if s.By == "" {
		return strconv.Itoa(s.number())
	}
	id := scalarText(s.ID)
	if id == "" || strings.ContainsAny(id, `]"`) || hasControl(id) {
		id = strconv.Quote(id)
	}
	return s.By + "=" + id
}

// keyText formats a key in a path: quoted if it would be misread.
func keyText(v tree.Value) string {
	if v.Kind() != tree.ScalarKind {
		return "?"
	}
	val, text := v.Scalar()
	if val.Kind != yaml.String {
		return scalarText(v)
	}
	for _, c := range text {
		switch {
		case c == '_', c == '-', c == '/', c >= 0x80:
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		default:
			return strconv.Quote(string(text))
		}
	}
	if len(text) == 0 {
		return `""`
	}
	if hasControl(string(text)) || yaml.Core.Resolve(text).Kind != yaml.String {
		return strconv.Quote(string(text)) // "1" and 1 are different keys
	}
	return string(text)
}

func scalarText(v tree.Value) string {
	if v.Kind() != tree.ScalarKind {
		return "?"
	}
	return v.Text()
}

// hasControl reports whether a text has characters that control a terminal.
func hasControl(s string) bool {
	for _, r := range s {
		if diag.AffectsDisplay(r) {
			return true
		}
	}
	return false
}
