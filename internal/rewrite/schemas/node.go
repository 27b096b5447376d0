package schemas

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// node is a type of a schema that is being written.
type node struct {
	kind     kind
	nullable bool
	required bool // it must be set
	secret   bool

	title, desc string
	deprecated  *string // why; nil if it is not
	examples    []tree.Value
	def         *tree.Value // nil if nothing says what the default is
	rules       rules

	fields []field
	index  fieldIndex
	rest   *node  // of a map: the values of other keys, or nil if there are none
	keys   string // a regular expression that other keys match, or ""
	item   *node  // of an array

	choices  []*node // of a choice
	tag      string  // of variants: the key whose value decides
	variants []variant

	at   string                 // where values are: a JSON pointer, with * for all items
	from map[string]source.Span // where the keywords are
	read string                 // where code reads the value, if nothing sets it
	lost []Loss
}

// Loss is something that a weft schema cannot say.
type Loss struct {
	What string      // a keyword, mostly
	Path string      // a JSON pointer to the values that it is about
	Why  string      // or "" if the keyword itself has no counterpart
	At   source.Span // where it is
}

// lose notes something that cannot be imported, once. If at is not valid, the place is that of the keyword.
func (n *node) lose(what, why string, at source.Span) {
	if !at.IsValid() {
		at = n.from[what]
	}
	l := Loss{What: what, Path: n.at, Why: why, At: at}
	if !slices.Contains(n.lost, l) {
		n.lost = append(n.lost, l)
	}
}

// losses returns all that is lost in a schema, in the order of its text.
func (n *node) losses() []Loss {
	list := slices.Clone(n.lost)
	for _, c := range n.children() {
		list = append(list, c.losses()...)
	}
	return list
}

// children returns the types that a type is built from.
func (n *node) children() []*node {
	var list []*node
	for _, f := range n.fields {
		list = append(list, f.typ)
	}
	for _, c := range []*node{n.rest, n.item} {
		if c != nil {
			list = append(list, c)
		}
	}
	list = append(list, n.choices...)
	for _, v := range n.variants {
		list = append(list, v.typ)
	}
	return list
}

// field is a key of a map.
type field struct {
	key string
	typ *node
}

// variant is one of several maps, chosen by the value of a key.
type variant struct {
	name string
	typ  *node
}

// rules is what @schema/validation says.
type rules struct {
	minLen, maxLen *tree.Value
	min, max       *tree.Value
	notNull        bool
	oneNotNull     []string
	oneOf          []tree.Value
	matches        string
	format         string
	multipleOf     *tree.Value
	unique         bool
}

// kind is what values of a type are.
type kind uint8

const (
	anyKind kind = iota
	mapKind
	arrayKind
	stringKind
	intKind
	floatKind
	boolKind
	choiceKind  // one of several types, none of which is a map
	variantKind // one of several maps
)

// field returns the type of a key, or nil.
func (n *node) field(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.fields[i].typ
	}
	return nil
}

// find returns the position of a key, or -1.
func (n *node) find(key string) int {
	const maxSearched = 16
	if len(n.fields) <= maxSearched {
		return slices.IndexFunc(n.fields, func(f field) bool { return f.key == key })
	}
	return n.index.find(n.fields, key)
}

// fieldIndex has the positions of the keys of a large map, so that a file of many keys is not read once
// for each. It is for one array of fields, and made again for another. Copies of a node share it.
type fieldIndex struct {
	first *field
	known int
	at    map[string]int
}

func (x *fieldIndex) find(fields []field, key string) int {
	if x.first != &fields[0] || x.known > len(fields) {
		*x = fieldIndex{first: &fields[0], at: make(map[string]int, len(fields))}
	}
	for ; x.known < len(fields); x.known++ {
		if _, has := x.at[fields[x.known].key]; !has {
			x.at[fields[x.known].key] = x.known
		}
	}
	i, ok := x.at[key]
	switch {
	case !ok:
		return -1
	case i >= len(fields) || fields[i].key != key: // a copy of the node has set it
		*x = fieldIndex{}
		return x.find(fields, key)
	}
	return i
}

// isScalar reports whether values are neither maps nor arrays.
func (n *node) isScalar() bool { return n.kind >= stringKind && n.kind <= boolKind }

// kindOf returns the kind of a value: anyKind for null, and for what only YAML has.
func kindOf(v tree.Value) kind {
	switch v.Kind() {
	case tree.MapKind:
		return mapKind
	case tree.ArrayKind:
		return arrayKind
	}
	switch v.Starlark().(type) {
	case starlark.String:
		return stringKind
	case starlark.Int:
		return intKind
	case starlark.Float:
		return floatKind
	case starlark.Bool:
		return boolKind
	}
	return anyKind
}

// fits reports whether a value has the type.
func (n *node) fits(v tree.Value) bool {
	if v.IsNull() {
		return n.nullable || n.kind == anyKind
	}
	k := kindOf(v)
	switch n.kind {
	case anyKind:
		return k != anyKind
	case mapKind:
		return k == mapKind && n.fitsMap(v)
	case arrayKind:
		if k != arrayKind {
			return false
		}
		for item := range v.Elements() {
			if !n.item.fits(item) {
				return false
			}
		}
		return true
	case floatKind:
		return k == floatKind || k == intKind
	case choiceKind:
		for _, c := range n.choices {
			if c.fits(v) {
				return true
			}
		}
		return false
	case variantKind:
		for _, x := range n.variants {
			if tag, ok := v.Lookup(n.tag); ok && tag.IsString(x.name) {
				return x.typ.fits(v)
			}
		}
		return false
	}
	return k == n.kind
}

// fitsMap reports whether the type allows all keys of a map, and the values have the types of their keys.
func (n *node) fitsMap(v tree.Value) bool {
	for _, it := range v.Entries() {
		key, ok := starlark.AsString(it.Key.Starlark())
		if !ok {
			return false
		}
		typ := n.field(key)
		if typ == nil && n.rest != nil && takesKey(n.keys, key) {
			typ = n.rest
		}
		if typ == nil || !typ.fits(it.Value) {
			return false
		}
	}
	return true
}
