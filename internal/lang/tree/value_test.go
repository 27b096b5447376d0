package tree

import (
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// root is the value of the first document of a text, still syntax; ok is false if there is none.
func root(text string) (v Value, ok bool) {
	var set source.Set
	f, err := set.Add("test.yml", []byte(text))
	if err != nil {
		return Value{}, false
	}
	t, err := yaml.Parse(f, yaml.Options{MaxNodes: 10_000})
	if err != nil || t.Check(false) != nil || !t.More(t.First()) {
		return Value{}, false
	}
	return FromSyntax(t, t.Root(t.First())), true
}

func TestIsString(t *testing.T) {
	for _, c := range []struct {
		text string
		s    string
		want bool
	}{
		{"abc", "abc", true},
		{"abc", "abd", false},
		{"abc", "ab", false},
		{"'abc'", "abc", true},
		{`"a\x62c"`, "abc", true},
		{"'1'", "1", true},
		{"1", "1", false},
		{"true", "true", false},
		{"!!str 1", "1", true},
		{"a\n b", "a b", true},
		{"a\n b", "a\n b", false},
		{"a\n\n b", "a\nb", true},
		{"|\n a", "a\n", true},
		{"''", "", true},
		{"", "", false},
		{"{a: b}", "a", false},
	} {
		v, ok := root("x: " + c.text + "\n")
		if !ok {
			t.Fatalf("%q cannot be read", c.text)
		}
		v, _ = v.Lookup("x")
		if got := v.IsString(c.s); got != c.want {
			t.Errorf("%q is %q: got %t, want %t", c.text, c.s, got, c.want)
		}
		if made := Of(v.Starlark()); made.Kind() == ScalarKind && made.IsString(c.s) != c.want {
			t.Errorf("%q, once made, is %q: got %t, want %t", c.text, c.s, !c.want, c.want)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: 1\nb: 2\n", "2"},
		{"b: 1\nb: 2\n", "2"}, // the last of equal keys counts
		{"x: &m {b: 3}\n<<: *m\n", "3"},
		{"'b': 4\n", "4"},
		{"a: {b: 1}\n", ""},
		{"[b]", ""},
	} {
		v, ok := root(c.text)
		if !ok {
			t.Fatalf("%q cannot be read", c.text)
		}
		for _, v := range []Value{v, Of(v.Starlark())} {
			got := ""
			if x, ok := v.Lookup("b"); ok {
				got = x.Starlark().String()
			}
			if got != c.want {
				t.Errorf("b of %q: got %s, want %s", c.text, got, c.want)
			}
		}
	}
}

func TestSameScalar(t *testing.T) {
	values := []Value{
		Null,
		Of(starlark.True),
		Of(starlark.MakeInt(1)),
		Of(starlark.MakeUint64(1 << 63)),
		Of(starlark.Float(1)),
		String("1"),
		String(""),
		String("true"),
	}
	for i, a := range values {
		for j, b := range values {
			if got := SameScalar(a, b); got != (i == j) {
				t.Errorf("%s and %s: got %t, want %t", a.Starlark(), b.Starlark(), got, i == j)
			}
		}
	}
	negative := 0.0
	negative = -negative
	if !SameScalar(Of(starlark.Float(0)), Of(starlark.Float(negative))) {
		t.Error("0.0 and -0.0 are not the same")
	}
	if m := Of(NewMap(nil, source.Pos{})); SameScalar(m, m) {
		t.Error("a map is the same as itself, but only scalars are compared")
	}
}

func TestWithout(t *testing.T) {
	var a *Annotations
	if a.Without("x/") != nil || a.Has("x/") {
		t.Error("no annotations are some")
	}
	a = a.With(Annotation{Name: "y/b"})
	if a.Without("x/") != a {
		t.Error("annotations with nothing to take away are made anew")
	}
	b := a.With(Annotation{Name: "x/a"})
	if got := b.Without("x/").All(); len(got) != 1 || got[0].Name != "y/b" || !b.Has("x/") {
		t.Errorf("got %v", got)
	}
}

// FuzzRead: what is read from syntax is what is read once it is made.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"a: 1\nb: [x, 'y', \"z\"]\n", "? a\n  b\n: |\n  c\n", "x: &a {k: v}\ny: {<<: *a, k: w}\n", "1: a\n1.0: b\n'1': c\n~: d\n", "!!str 1: !!binary aGk=\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := root(text)
		if !ok {
			t.Skip()
		}
		var r Reader
		budget := 10_000 // aliases may make a small text large
		var walk func(v Value)
		walk = func(v Value) {
			if budget--; budget < 0 {
				return
			}
			made := Of(v.Starlark())
			if v.Kind() != made.Kind() || v.Len() != made.Len() ||
				v.TypeName() != made.TypeName() ||
				v.IsNull() != made.IsNull() {
				t.Fatalf(
					"%s is %s of %d, once made %s of %d",
					text,
					v.TypeName(),
					v.Len(),
					made.TypeName(),
					made.Len(),
				)
			}
			if v.Kind() == ScalarKind {
				// NaN is not equal to itself
				if !SameScalar(v, made) && made.TypeName() != "float" {
					t.Fatalf("%v and what is made of it differ", made.Starlark())
				}
				if s, ok := made.Starlark().(starlark.String); ok {
					if !v.IsString(string(s)) {
						t.Fatalf("%q is not %q", v.Starlark(), s)
					}
					if p := v.Fingerprint(); p != 0 && p != FingerprintOf(string(s)) {
						t.Fatalf(
							"%q has fingerprint %x, and the string %x",
							text,
							p,
							FingerprintOf(string(s)),
						)
					}
				}
				return
			}
			for i, it := range r.Items(nil, v) {
				if it.Key.Kind() == ScalarKind {
					if s, ok := it.Key.Starlark().(starlark.String); ok && v.Kind() == MapKind {
						x, found := v.Lookup(string(s))
						if y, ok := made.Lookup(string(s)); !found || !ok ||
							x != y && x.TypeName() != y.TypeName() {
							t.Fatalf("item %d, %s, is not found", i, s)
						}
					}
				}
				walk(it.Key)
				walk(it.Value)
			}
		}
		walk(v)
	})
}
