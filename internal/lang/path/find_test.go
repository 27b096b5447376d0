package path_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

func TestFind(t *testing.T) {
	v := valueOf(t, `
spec:
  replicas: 2
  containers:
  - {name: app, image: a, ports: [{name: web, image: c}]}
  - {name: side, image: b}
"a.b": 1
`)
	for _, x := range []struct{ pattern, want string }{
		{"spec.replicas", "2"},
		{"spec.containers[name=side].image", "b"},
		{"spec.containers[1].image", "b"},
		{"spec.containers[*].image", "a b"},
		{"spec.*[*].image", "a b"},
		{"**.image", "a c b"},
		{"**.**.image", "a c b"},
		{`"a.b"`, "1"},
		{"spec.missing", ""},
		{"spec.replicas.deeper", ""},
		{"spec.containers[name=none]", ""},
		{"a.b", ""},
	} {
		p, err := path.Parse("", x.pattern)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range p.Find(v) {
			got = append(got, f.Value.Text())
			if !f.At.IsValid() {
				t.Errorf("%s: %s is nowhere", x.pattern, f.Path)
			}
			if !p.Match(f.Path) {
				t.Errorf("%s finds %s, which it does not match", x.pattern, f.Path)
			}
		}
		if !slices.Equal(got, strings.Fields(x.want)) {
			t.Errorf("%s finds %q, want %q", x.pattern, got, x.want)
		}
	}
}

// Of equal keys only the last counts, in small maps and in large ones.
func TestFindRepeatedKeys(t *testing.T) {
	for _, more := range []int{0, 100} {
		text := "k: {a: 1}\nx: {a: 2}\n"
		for i := range more {
			text += fmt.Sprintf("more%d: 0\n", i)
		}
		text += "k: {a: 3}\n1: {a: 4}\n\"1\": {a: 5}\nk: {a: 6}\n1: {a: 7}\n"
		p, err := path.Parse("", "**.a")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range p.Find(valueOf(t, text)) {
			got = append(got, f.Value.Text())
		}
		if want := []string{"2", "5", "6", "7"}; !slices.Equal(got, want) {
			t.Errorf("with %d other keys: found %q, want %q", more, got, want)
		}
	}
}

// Twice as many matches below one map take twice the work: each way to a match leads through all keys
// of the map, which must not be compared each time. Comparing them allocates.
func TestFindGrowth(t *testing.T) {
	p, err := path.Parse("", "**.a")
	if err != nil {
		t.Fatal(err)
	}
	work := func(n int) float64 {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%06d0: {a: 1}\n", i)
		}
		v := valueOf(t, b.String())
		return testing.AllocsPerRun(2, func() { p.Find(v) })
	}
	if once, twice := work(400), work(800); twice > 2.5*once {
		t.Errorf("400 matches take %.0f allocations, 800 take %.0f", once, twice)
	}
}

func valueOf(t *testing.T, text string) tree.Value {
	t.Helper()
	f, err := new(source.Set).Add("a.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	y, err := yaml.Parse(f, yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core})
	if err != nil {
		t.Fatal(err)
	}
	return tree.FromSyntax(y, y.Root(y.First()))
}
