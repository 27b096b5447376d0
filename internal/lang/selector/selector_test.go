package selector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// documents reads documents of files, which are separated by lines with their names.
func documents(t testing.TB, files ...string) []Selectable {
	t.Helper()
	var docs []Selectable
	set := &source.Set{}
	for i := 0; i+1 < len(files); i += 2 {
		f, err := set.Add(files[i], []byte(files[i+1]))
		if err != nil {
			t.Fatal(err)
		}
		tr, err := yaml.Parse(f, yaml.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for d := range tr.Documents() {
			docs = append(docs, Selectable{Value: tree.FromSyntax(tr, tr.Root(d)), File: files[i]})
		}
	}
	Number(docs)
	return docs
}

const shop = `
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, mode: 0644}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: prod}, on: 1}
---
{apiVersion: v1, kind: Service, metadata: {name: web}}
---
{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: web}}
---
{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: deny-all}}
---
{apiVersion: batch/v1, kind: Job, metadata: {generateName: run-}}
---
{a: 1}
---
{kind: Kustomization}
`

func TestNames(t *testing.T) {
	got := Names(documents(t, "config/shop.yml", shop))
	want := []string{
		"Deployment//web", "Deployment/prod/web", "Service.core/web", "Service.serving.knative.dev/web",
		"NetworkPolicy/deny-all", "Job/run-*", "config/shop.yml#7", "config/shop.yml#8",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	twice := "{kind: A, metadata: {name: x}}\n---\n{kind: A, metadata: {name: x}}\n---\n{b: 1}\n"
	if got := Names(documents(t, "", twice)); !slices.Equal(got, []string{"A/x#1", "A/x#2", "document#3"}) {
		t.Errorf("got %q", got)
	}
}

func TestSelect(t *testing.T) {
	docs := documents(t, "config/shop.yml", shop)
	for _, tt := range []struct {
		text string
		want string // numbers
	}{
		{"", "1 2 3 4 5 6 7 8"},
		{"Deployment/web", "1 2"},
		{"deployment/WEB", "1 2"},
		{"deploy/web", "1 2"},
		{"deployments/web", "1 2"},
		{"deployments.apps/web", "1 2"},
		{"deployments.batch/web", ""},
		{"Deployment/prod/web", "2"},
		{"Deployment/*/web", "1 2"},
		{"Deployment/*", "1 2"},
		{"*/web", "1 2 3 4"},
		{"Deployment web", "1 2"},
		{"web", "1 2 3 4"},
		{"Deployment", "1 2"},
		{"svc", "3 4"},
		{"Service.serving.knative.dev/web", "4"},
		{"Service/web", "3 4"},
		{"netpol", "5"},
		{"networkpolicies", "5"},
		{"deny-*", "5"},
		{"Job/run-*", "6"},
		{"kustomization", "8"},
		{"#2", "2"},
		{"document#2", "2"},
		{"document", "1 2 3 4 5 6 7 8"},
		{"Service/{web,deny-all}", "3 4"},
		{"{Deployment/prod,Service}/web", "2 3 4"},
		{"Deployment/web#2", "2"},
		{"config/shop.yml", "1 2 3 4 5 6 7 8"},
		{"config/shop.yml#7", "7"},
		{"kind=Deployment", "1 2"},
		{"kind=Deployment,metadata.namespace=prod", "2"},
		{"kind=Deployment, metadata.namespace!=prod", "1"},
		{"kind!=Deployment", "3 4 5 6 7 8"},
		{"metadata.name=~^de", "5"},
		{"kind=~Service|Job", "3 4 6"},
		{"spec.mode=0644", "1"},
		{"spec.mode=420", "1"},
		{"on=1", "2"},
		{`metadata.name="web"`, "1 2 3 4"},
		{".spec.replicas=3", "1"},
		{"**.name=web", "1 2 3 4"},
		{"nothing", ""},
	} {
		s, err := Parse("--select", tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var got []string
		for i, chosen := range s.Select(docs) {
			if chosen {
				got = append(got, fmt.Sprint(i+1))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %v, want %s", tt.text, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"kind=Deployment,web", "--select takes conditions PATH=VALUE, but found 'web'"},
		{"=x", "--select takes conditions PATH=VALUE, but found '=x'"},
		{"kind=~(", "--select: the regular expression in 'kind=~(' is not valid: missing closing ): `(`"},
		{`kind="x`, `--select: the quotes in 'kind="x' are not closed or not valid`},
		{"a..b=1", "--select 'a..b': expected a key next to the dot at column 2"},
	} {
		_, err := Parse("--select", tt.text)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.text, err, tt.want)
		}
	}
}

// Whatever is the name of a document selects it, and nothing else.
func TestNamesSelect(t *testing.T) {
	words := []string{"web", "a.b", "x/y", "with space", "#3", "k=v", "*", "Deployment", "é\u200b", `"q"`, "-"}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range 300 {
		var files []string
		for _, file := range []string{"a.yml", "dir/b.yml", "odd name.yml"} {
			var text strings.Builder
			for range 1 + r.IntN(4) {
				text.WriteString("---\n")
				if r.IntN(4) > 0 {
					fmt.Fprintf(&text, "kind: %q\n", pick("Deployment", "deployment", "deploy", "Service", "Odd.Kind", "web"))
				}
				fmt.Fprintf(&text, "apiVersion: %q\n", pick("v1", "apps/v1", "example.com/v2", "core/v1"))
				if r.IntN(4) > 0 {
					fmt.Fprintf(&text, "metadata: {name: %q", pick(words...))
					if r.IntN(2) > 0 {
						fmt.Fprintf(&text, ", namespace: %q", pick("prod", "x/y", "web"))
					}
					text.WriteString("}\n")
				}
			}
			files = append(files, file, text.String())
		}
		docs := documents(t, files...)
		names := Names(docs)
		for i, name := range names {
			s, err := Parse("SELECT", name)
			if err != nil {
				t.Fatalf("%q: %v\n%s", name, err, files)
			}
			chosen := s.Select(docs)
			if !chosen[i] {
				t.Fatalf("%q does not select document %d\n%s", name, i+1, files)
			}
			for j := range chosen {
				if chosen[j] != (j == i) {
					t.Fatalf("%q: document %d is selected: %t\n%s", name, j+1, chosen[j], files)
				}
			}
		}
	}
}
