package tree

import (
	"errors"
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// How Starlark sees nodes is in testdata/golden/template at the root; here are the corners.

// syntaxOf is the first document of a YAML text as a value that is still syntax.
func syntaxOf(t *testing.T, text string) Value {
	t.Helper()
	var set source.Set
	f, err := set.Add("in.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return FromSyntax(tr, tr.Root(tr.First()))
}

// A value is the same whether it is still syntax or was made by Starlark.
func TestSyntaxEqualsMade(t *testing.T) {
	s := syntaxOf(t, "a: 1\nb: [x, 2.5, null, true, {c: d}]\n3: e\n")
	plain, err := ToStarlark(s)
	if err != nil {
		t.Fatal(err)
	}
	made, err := FromStarlark(plain)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]Value{{s, made}, {made, s}, {s, s}, {made, made}} {
		eq, err := starlark.EqualDepth(pair[0].Starlark(), pair[1].Starlark(), 100)
		if err != nil || !eq {
			t.Errorf("%v and %v differ (%v)", pair[0], pair[1], err)
		}
	}
}

// Keys of different types are different keys, whatever Starlark says of their values.
func TestSameKey(t *testing.T) {
	i, f, s, b := starlark.MakeInt(1), starlark.Float(1), starlark.String("1"), starlark.Bool(true)
	tuple := func(v ...starlark.Value) starlark.Value { return starlark.Tuple(v) }
	keys := []starlark.Value{
		i,
		f,
		s,
		b,
		starlark.None,
		starlark.Bool(false),
		starlark.MakeInt(0),
		starlark.String(""),
		tuple(i, s),
	}
	for j, a := range keys {
		for k, b := range keys {
			if got, want := SameKey(a, b), j == k; got != want {
				t.Errorf("SameKey(%v, %v) = %t, want %t", a, b, got, want)
			}
		}
	}
	if !SameKey(tuple(i, s), tuple(i, s)) {
		t.Error("equal sequences are not the same key")
	}
}

func TestEmpty(t *testing.T) {
	for text, want := range map[string]bool{"null\n": true, "{}\n": true, "[]\n": true, "~\n": true, "\"\"\n": false, "0\n": false, "false\n": false, "{a: }\n": false, "[null]\n": false} {
		s := syntaxOf(t, text)
		if got := s.Empty(); got != want {
			t.Errorf("%q as syntax: got %t, want %t", text, got, want)
		}
		if got := Of(s.Starlark()).Empty(); got != want {
			t.Errorf("%q made: got %t, want %t", text, got, want)
		}
	}
	if !(Value{}).Empty() {
		t.Error("the zero Value is not empty")
	}
}

// What is shared counts as often as it is used, so that a limit can be held against it before
// anything is printed.
func TestWeight(t *testing.T) {
	nest := func(levels int) Value {
		v := Of(starlark.MakeInt(1))
		for range levels {
			v = Of(NewArray([]Item{{Value: v}, {Value: v}}, source.Pos{}))
		}
		return v
	}
	for _, tt := range []struct {
		name         string
		v            Value
		nodes, depth int
	}{
		{"null", Null, 1, 0},
		{"scalar", String("x"), 1, 0},
		{"empty map", Of(NewMap(nil, source.Pos{})), 1, 1},
		{"two levels", nest(2), 7, 2},
		{"ten levels", nest(10), 2047, 10},
		{"sixty levels", nest(60), heaviest, 60}, // which would be 2^61
		{"syntax", syntaxOf(t, "[1, [2, 3]]\n"), 5, 1},
	} {
		if nodes, depth := tt.v.Weight(); nodes < min(tt.nodes, heaviest) || depth != tt.depth ||
			nodes > tt.nodes+1 {
			t.Errorf(
				"%s: got %d nodes, %d levels, want %d and %d",
				tt.name,
				nodes,
				depth,
				tt.nodes,
				tt.depth,
			)
		}
	}
}

func TestConversionLimits(t *testing.T) {
	itself := starlark.NewList(nil)
	if err := itself.Append(itself); err != nil {
		t.Fatal(err)
	}
	wide := starlark.Value(starlark.MakeInt(1))
	for range 60 {
		wide = starlark.NewList([]starlark.Value{wide, wide})
	}
	shared := Of(starlark.MakeInt(1))
	for range 60 {
		shared = Of(NewArray([]Item{{Value: shared}, {Value: shared}}, source.Pos{}))
	}
	deep := Of(starlark.MakeInt(1))
	for range MaxDepth + 1 {
		deep = Of(NewArray([]Item{{Value: deep}}, source.Pos{}))
	}
	// as many as FromStarlark may make take a while
	c := converter{left: 1000}
	if _, err := c.convert(wide, 0); err == nil || c.left > 1 { // a pair does not fit
		t.Errorf("lists that double: got %v with %d nodes left, want an error", err, c.left)
	}
	for name, v := range map[string]starlark.Value{
		"a list that contains itself":     itself,
		"a fragment that doubles":         shared.Starlark(),
		"a fragment that is deep":         deep.Starlark(),
		"a list of a fragment that grows": starlark.NewList([]starlark.Value{shared.Starlark()}),
	} {
		_, err := FromStarlark(v)
		if _, ok := errors.AsType[*LimitError](err); !ok {
			t.Errorf("%s: got %v, want a LimitError", name, err)
		}
	}
}

func TestAnnotations(t *testing.T) {
	var none *Annotations
	if none.Get("x") != nil || none.All() != nil {
		t.Error("no annotations have something")
	}
	one := none.With(Annotation{Name: "x", Args: starlark.Tuple{starlark.MakeInt(1)}})
	two := one.With(Annotation{Name: "y"}).
		With(Annotation{Name: "x", Args: starlark.Tuple{starlark.MakeInt(2)}})
	if got := one.Get("x").Args[0]; got != starlark.MakeInt(1) {
		t.Errorf("the first was changed: %v", got)
	}
	if got := two.Get("x").Args[0]; got != starlark.MakeInt(2) || len(two.All()) != 2 {
		t.Errorf("got %v of %d, want the last x of 2", got, len(two.All()))
	}
}

// TestFromStarlarkShares counts what is made of lists and dicts that hold each other over and over.
// It is as many values as there are, until they are too heavy.
func TestFromStarlarkShares(t *testing.T) {
	list := func(levels int) starlark.Value {
		v := starlark.Value(starlark.String("x"))
		for range levels {
			v = starlark.NewList([]starlark.Value{v, v, v})
		}
		return v
	}
	dict := func(levels int) starlark.Value {
		v := starlark.Value(starlark.String("x"))
		for range levels {
			d := starlark.NewDict(2)
			d.SetKey(starlark.String("a"), v)
			d.SetKey(starlark.String("b"), v)
			v = d
		}
		return v
	}
	for name, make := range map[string]func(int) starlark.Value{"list": list, "dict": dict} {
		t.Run(name, func(t *testing.T) {
			v, err := FromStarlark(make(12))
			if err != nil {
				t.Fatal(err)
			}
			back, err := ToStarlark(v)
			if err != nil {
				t.Fatal(err)
			}
			if eq, err := starlark.EqualDepth(back, make(12), 100); err != nil || !eq {
				t.Errorf("it is another value: %v", err)
			}
			large := make(60)
			made := testing.AllocsPerRun(1, func() {
				if _, err := FromStarlark(large); err == nil {
					t.Error("there is no error")
				}
			})
			if made > 5*fewNodes {
				t.Errorf("%.0f values are made before the limit, want a few thousand", made)
			}
		})
	}
}
