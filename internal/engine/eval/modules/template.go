package modules

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

var templateModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("template", map[string]function{
		"replace": func(
			thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
		) (starlark.Value, error) {
			if err := exactly(1, args); err != nil {
				return nil, err
			}
			r := Replacement{Value: args[0]}
			if hook := hostOf(thread).Replace; hook != nil {
				if err := hook(thread, r); err != nil {
					return nil, err
				}
			}
			return r, nil
		},
	}, nil)
}}

// Replacement is what template.replace returns. The items of Value take the place of the replaced
// node; there may be none. Only the builder of the node knows which kind of items it accepts, so
// there is a method with its checks for each kind of node.
type Replacement struct {
	Value starlark.Value
}

var _ tree.Opaque = Replacement{}

// Convert converts a dict, a struct, a list, a tuple or a set to a tree value.
type Convert func(x starlark.Value) (tree.Value, error)

// MapItems returns the items that replace a map item. Items of a dict or a struct silently override
// existing ones with the same key; items of a fragment count as if they were written there.
func (r Replacement) MapItems(convert Convert) (items []tree.Item, overrides bool, err error) {
	switch x := r.Value.(type) {
	case *tree.Map:
		return x.Entries(), false, nil
	case tree.Nothing:
		return nil, false, nil
	case *starlark.Dict, *tree.Struct:
		v, err := convert(x)
		if err != nil {
			return nil, false, err
		}
		m, _ := v.Map()
		return m.Entries(), true, nil
	}
	return nil, false, r.unfit("map")
}

// ArrayItems returns the items that replace an array item.
func (r Replacement) ArrayItems(convert Convert) ([]tree.Item, error) {
	switch x := r.Value.(type) {
	case *tree.Array:
		return x.Entries(), nil
	case tree.Nothing:
		return nil, nil
	case *starlark.List, starlark.Tuple, *starlark.Set:
		v, err := convert(x)
		if err != nil {
			return nil, err
		}
		a, _ := v.Array()
		return a.Entries(), nil
	}
	return nil, r.unfit("array")
}

// Documents returns the documents that replace a document.
func (r Replacement) Documents(convert Convert) ([]tree.Doc, error) {
	if set, ok := r.Value.(*tree.DocumentSet); ok {
		return set.Documents(), nil
	}
	items, err := r.ArrayItems(convert)
	if err != nil {
		switch r.Value.(type) {
		case *starlark.List, starlark.Tuple, *starlark.Set:
			return nil, err
		}
		return nil, r.unfit("document set")
	}
	docs := make([]tree.Doc, len(items))
	for i := range items {
		docs[i] = tree.Doc{
			Value:       items[i].Value,
			Pos:         items[i].Pos,
			Annotations: items[i].Annotations,
		}
	}
	return docs, nil
}

func (r Replacement) unfit(want string) error {
	return fmt.Errorf("expected value to be %s, but was %s", want, r.Value.Type())
}

// Type implements starlark.Value.
func (r Replacement) Type() string { return "@ytt:template.replacement" }

// String implements starlark.Value.
func (r Replacement) String() string { return r.Type() }

// Freeze implements starlark.Value.
func (r Replacement) Freeze() { r.Value.Freeze() }

// Visit implements tree.Holder.
func (r Replacement) Visit(f func(starlark.Value) bool) { f(r.Value) }

// Truth implements starlark.Value.
func (r Replacement) Truth() starlark.Bool { return true }

// Hash implements starlark.Value.
func (r Replacement) Hash() (uint32, error) { return unhashable(r) }

// NotYAML implements tree.Opaque.
func (r Replacement) NotYAML() error {
	return errors.New("the result of template.replace() must be the whole value of a map item, " +
		"an array item or a document")
}
