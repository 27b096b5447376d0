package path

import (
	"strings"
	"testing"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

const pathDocument = `
spec:
  containers:
  - {name: web, image: a}
  - {name: aws-1, image: b}
  - {name: aws-2, image: c}
  ports: {0: zero, "1": one}
  "a.b/c": dotted
  bracket[x]: odd
`

func parsed(t *testing.T, text string) tree.Value {
	t.Helper()
	f, err := (&source.Set{}).Add("doc.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tree.FromSyntax(tr, tr.Root(tr.First()))
}

func TestLanguage(t *testing.T) {
	doc := parsed(t, pathDocument)
	for _, tt := range []struct{ path, want string }{
		{"spec.containers[name=web].image", "a"},
		{".spec.containers[name=web].image", "a"},
		{".spec.containers[0].image", "a"},
		{"spec.containers.0.image", "a"},
		{"spec.containers.[0].image", "a"},
		{".spec.containers[].image", "a b c"},
		{"spec.containers[*].image", "a b c"},
		{"spec.containers.*.image", "a b c"},
		{"spec.containers[name=~^aws-].image", "b c"},
		{"spec.containers[name=~[0-9]$].image", "b c"},
		{`spec.containers[name=~"-1$"].image`, "b"},
		{"spec.ports.0", "zero"},
		{"spec.ports.1", "one"},
		{`spec["a.b/c"]`, "dotted"},
		{`spec['a.b/c']`, "dotted"},
		{`spec."a.b/c"`, "dotted"},
		{`spec."0"`, ""},
		{"**.image", "a b c"},
		{"spec.containers.1.name", "aws-1"},
		{"spec.containers.01.name", ""},
	} {
		p, err := Parse("PATH", tt.path)
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		var got []string
		for _, f := range p.Find(doc) {
			got = append(got, f.Value.Text())
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: got %q, want %q", tt.path, s, tt.want)
		}
	}
}

// Every hint of a path that is wrong names one that works.
func TestForeignPaths(t *testing.T) {
	for _, tt := range []struct{ path, hint string }{
		{".spec.containers[0:2]", "there are no slices: write [0] for one item, or [*] for all of them"},
		{"spec.containers[:1]", "there are no slices: write [0] for one item, or [*] for all of them"},
		{"spec.containers[-1]", "items are counted from the first: write [0] for it, or [*] for all of them"},
		{
			`.spec.containers[] | select(.name == "web") | .image`,
			"choose items by a key: write 'spec.containers[name=web].image'",
		},
		{
			`.spec.containers[] | select(.name=="web").image`,
			"choose items by a key: write 'spec.containers[name=web].image'",
		},
		{
			`spec.containers[?(@.name=="web")].image`,
			"choose items by a key: write 'spec.containers[name=web].image'",
		},
		{"spec.containers[name==web]", "write one equals sign: 'spec.containers[name=web]'"},
		{"$.spec.replicas[1:]", "leave out the $: 'spec.replicas[1:]'"},
		{"$.spec.replicas", "leave out the $: spec.replicas"},
		{".spec | .replicas", "a path has no pipes"},
		{"..image", "write ** for any number of steps: '**.image'"},
		{"spec..image", "write ** for any number of steps: 'spec.**.image'"},
		{"spec.containers[name=~(]", "write a path such as"},
	} {
		_, err := Parse("PATH", tt.path)
		if err == nil {
			t.Errorf("%s: got no error", tt.path)
			continue
		}
		if hint := diag.Of(err)[0].Hint; !strings.HasPrefix(hint, tt.hint) {
			t.Errorf("%s: got hint %q, want %q", tt.path, hint, tt.hint)
		}
	}
}
