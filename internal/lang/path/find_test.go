package path_test

import (
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
