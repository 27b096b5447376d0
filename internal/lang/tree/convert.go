package tree

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Opaque is a Starlark value that YAML cannot express, such as an IP address object. NotYAML explains
// this, and what to do instead.
type Opaque interface {
	starlark.Value
	NotYAML() error
}

// ErrDocumentSet is the error for a document set in place of a map, an array or a scalar.
var ErrDocumentSet = errors.New("a document set is not a map, an array or a scalar")

// FromStarlark converts a Starlark value that YAML can express. Mutable values (dicts, lists, sets)
// are copied, so later changes have no effect on the result; fragments are shared. Use it for
// arguments of functions: it counts as reading everything in them.
func FromStarlark(x starlark.Value) (Value, error) {
	v, err := FromStarlarkWithin(x, MaxNodes)
	v.readByCode()
	return v, err
}

// FromStarlarkWithin is like FromStarlark, but limits the number of nodes and does not count as a
// read.
func FromStarlarkWithin(x starlark.Value, maxNodes int) (Value, error) {
	var none *Literals
	return none.FromStarlarkWithin(x, maxNodes)
}

// converter counts the nodes that it creates: lists and dicts can contain each other many times, and
// even themselves.
type converter struct {
	left     int // the number of nodes it may still create
	maxNodes int

	converted map[starlark.Value]starlark.Value // the results for lists and dicts: see remember

	traced   *traced   // in a traced run
	literals *Literals // the literals of data values, if their spelling is kept
}

// Small values and their contents are not remembered: most values are small.
const (
	fewNodes   = 4096
	smallValue = 16
)

// remember records the result for a list or dict. With that, a value that contains the same list many
// times, such as one that a loop nests in itself, reaches the limit quickly.
func (c *converter) remember(x starlark.Value, v Value) {
	if nodes, _ := v.Weight(); nodes < smallValue || c.maxNodes-c.left < fewNodes {
		return
	}
	switch x.(type) {
	case *starlark.List, *starlark.Dict, *Struct:
		if c.converted == nil {
			c.converted = map[starlark.Value]starlark.Value{}
		}
		c.converted[x] = v.x
	}
}

// known returns the recorded result for x, or x.
func (c *converter) known(x starlark.Value) starlark.Value {
	if c.converted == nil {
		return x
	}
	switch x.(type) {
	case *starlark.List, *starlark.Dict, *Struct:
		if converted, ok := c.converted[x]; ok {
			return converted
		}
	}
	return x
}

func (c *converter) convert(x starlark.Value, depth int) (Value, error) {
	x = c.known(x)
	nodes, below := Value{x: x}.Weight()
	if c.left -= nodes; c.left < 0 {
		return Value{}, c.tooLarge()
	}
	if depth+below > MaxCodeDepth {
		return Value{}, &LimitError{
			Message: fmt.Sprintf(
				"a value is nested more than %d levels deep; does it contain itself?",
				MaxCodeDepth,
			),
		}
	}
	switch x := x.(type) {
	case starlark.Float, starlark.String:
		return c.literals.of(x), nil
	case starlark.NoneType, starlark.Bool, *Map, *Array:
		return Value{x: x}, nil
	case starlark.Int:
		if _, ok := x.Int64(); !ok {
			if _, ok := x.Uint64(); !ok {
				return Value{}, fmt.Errorf("integer %s is out of range: YAML takes integers from -2^63 to 2^64-1", x)
			}
		}
		return Value{x: x}, nil
	case Nothing:
		return Null, nil
	case *DocumentSet:
		return Value{}, ErrDocumentSet
	case *starlark.Dict:
		return c.pairs(x, x.Items(), depth)
	case *Struct:
		return c.pairs(x, x.Items(), depth)
	case *starlark.List, starlark.Tuple, *starlark.Set:
		return c.elements(x.(starlark.Iterable), depth)
	case Opaque:
		return Value{}, fmt.Errorf("unable to convert value: %w", x.NotYAML())
	case *starlark.Function, *starlark.Builtin:
		return Value{}, fmt.Errorf("a function (%s) cannot be converted to YAML; did you mean "+
			"to call it?", x.(starlark.Callable).Name())
	}
	if _, ok := x.(starlark.Iterable); ok {
		return Value{}, diag.Hintf(
			fmt.Errorf("unknown type %s for conversion to YAML", x.Type()),
			"convert it with list(...)",
		)
	}
	return Value{}, fmt.Errorf("unknown type %s for conversion to YAML", x.Type())
}

func (c *converter) tooLarge() error {
	return &LimitError{Message: fmt.Sprintf("a value has more than %d nodes", c.maxNodes)}
}

func (c *converter) pairs(x starlark.Value, pairs []starlark.Tuple, depth int) (Value, error) {
	items := make([]Item, len(pairs))
	for i, p := range pairs {
		key, err := c.convert(p[0], depth+1)
		if err != nil {
			return Value{}, err
		}
		value, err := c.convert(p[1], depth+1)
		if err != nil {
			return Value{}, err
		}
		key, value = c.literals.field(x, i, key, value)
		items[i] = Item{Key: c.traced.key(key), Value: c.traced.field(x, p, value)}
	}
	v := Value{x: NewMap(items, source.Pos{})}
	c.remember(x, v)
	return v, nil
}

func (c *converter) elements(x starlark.Iterable, depth int) (Value, error) {
	n := max(0, starlark.Len(x))
	if n > c.left {
		return Value{}, c.tooLarge() // each item is at least one node, so there are too many
	}
	items := make([]Item, 0, n)
	for e := range starlark.Elements(x) {
		value, err := c.convert(e, depth+1)
		if err != nil {
			return Value{}, err
		}
		items = append(items, Item{Value: c.traced.item(x, len(items), e, value)})
	}
	v := Value{x: NewArray(items, source.Pos{})}
	c.remember(x, v)
	return v, nil
}

// Place returns items with pos as the position of everything that has none, as if it had been written
// there.
func Place(items []Item, pos source.Pos) []Item {
	out := items
	for i := range items {
		if items[i].Pos.IsValid() {
			continue
		}
		if &out[0] == &items[0] {
			out = slices.Clone(items)
		}
		out[i].Pos = pos
		switch x := out[i].Value.x.(type) {
		case *Map:
			if !x.Pos.IsValid() {
				out[i].Value.x = NewMap(Place(x.items, pos), pos)
			}
		case *Array:
			if !x.Pos.IsValid() {
				out[i].Value.x = NewArray(Place(x.items, pos), pos)
			}
		}
	}
	return out
}

// ToStarlark converts v to plain Starlark values, recursively: dicts, lists and scalars, as
// yaml.decode and struct.decode return them.
func ToStarlark(v Value) (starlark.Value, error) {
	switch x := v.Starlark().(type) {
	case *Map:
		d := starlark.NewDict(len(x.items))
		for i := range x.items {
			key, err := ToStarlark(x.items[i].Key)
			if err != nil {
				return nil, err
			}
			value, err := ToStarlark(x.items[i].Value)
			if err != nil {
				return nil, err
			}
			if err := d.SetKey(key, value); err != nil {
				return nil, err
			}
		}
		return d, nil
	case *Array:
		return x.List(ToStarlark)
	default:
		return x, nil
	}
}

// List returns a Starlark list of the array's items, each converted.
func (a *Array) List(convert func(Value) (starlark.Value, error)) (starlark.Value, error) {
	elems := make([]starlark.Value, len(a.items))
	for i := range a.items {
		e, err := convert(a.items[i].Value)
		if err != nil {
			return nil, err
		}
		elems[i] = e
	}
	return starlark.NewList(elems), nil
}
