package tree

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"weft/internal/lang/source"
)

// Who looks at a value gets slices of its own: Starlark's dir sorts what it gets, and a template
// may change what it was given.
func TestLookingChangesNothing(t *testing.T) {
	pair := func(k string, v starlark.Value) Item { return Item{Key: Of(starlark.String(k)), Value: Of(v)} }
	var many []Item
	for _, k := range strings.Split("t s r q p o n m l k j i h g f e d c b a", " ") {
		many = append(many, pair(k, starlark.String(k)))
	}
	fields := map[string]starlark.Value{
		"b": starlark.MakeInt(1),
		"a": starlark.NewList([]starlark.Value{starlark.MakeInt(2)}),
	}
	for name, x := range map[string]starlark.Value{
		"data values":      StructOf(Of(NewMap([]Item{pair("b", starlark.MakeInt(1)), pair("a", starlark.MakeInt(2))}, source.Pos{}))),
		"many data values": StructOf(Of(NewMap(many, source.Pos{}))),
		"struct":           NewStruct([]string{"b", "a"}, fields),
		"map":              NewMap(many, source.Pos{}),
		"array":            NewArray([]Item{{Value: Of(starlark.String("b"))}, {Value: Of(starlark.String("a"))}}, source.Pos{}),
		"documents": NewDocumentSet([]Doc{
			{Value: Of(starlark.String("b"))}, {Value: Of(starlark.String("a"))},
		}),
		"nothing": Nothing{},
	} {
		t.Run(name, func(t *testing.T) {
			before := look(t, x)
			if h, ok := x.(starlark.HasAttrs); ok {
				names := h.AttrNames()
				slices.Sort(names)
				clear(names)
			}
			if m, ok := x.(starlark.IterableMapping); ok {
				for _, pair := range m.Items() {
					clear(pair)
				}
				clear(m.Items())
			}
			if diff := cmp.Diff(look(t, x), before); diff != "" {
				t.Errorf("(-after +before):\n%s", diff)
			}
		})
	}
}

// look is all that Starlark code can see of x.
func look(t *testing.T, x starlark.Value) []string {
	t.Helper()
	var seen []string
	if it, ok := x.(starlark.Iterable); ok {
		for v := range starlark.Elements(it) {
			seen = append(seen, v.String())
		}
	}
	if m, ok := x.(starlark.IterableMapping); ok {
		for _, pair := range m.Items() {
			v, found, err := m.Get(pair[0])
			if err != nil || !found {
				t.Fatal(pair, found, err)
			}
			seen = append(seen, pair.String(), v.String())
		}
	}
	if h, ok := x.(starlark.HasAttrs); ok {
		for _, name := range h.AttrNames() {
			v, err := h.Attr(name)
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, name, v.String())
		}
	}
	if s, ok := x.(*DocumentSet); ok {
		for i := range s.Documents() {
			seen = append(seen, s.value(i).String())
		}
	}
	return seen
}
