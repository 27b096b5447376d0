package selector

import (
	"slices"
	"testing"
)

// TestIndexSelectsTheSame compares an index with Select, which looks at every document.
func TestIndexSelectsTheSame(t *testing.T) {
	odd := `{kind: A, metadata: {name: b/c}}
---
{kind: a/b, metadata: {name: c}}
---
{kind: A, metadata: {name: "x#1"}}
---
{kind: A, metadata: {name: "x\ty"}}
---
{kind: A, metadata: {name: x*, namespace: N}}
---
{kind: A}
`
	docs := documents(t, "config/shop.yml", shop, "A/x", odd, "config/more.yml", shop)
	x := NewIndex(docs)
	texts := []string{
		"", "web", "Deployment", "deploy/web", "Service/WEB", "svc/web", "Service.serving.knative.dev/web",
		"Deployment/prod/web", "Deployment/*/web", "*/web", "Deployment/w*", "#3", "config/shop.yml",
		"config/shop.yml#2", "config/more.yml", "A/x", "A/b/c", "a/b/c", "A/x#1", `A/x\ty`, "A/n/x*",
		"kind=Deployment", "Service/{web,other}", "Job/run-", "Job/run-*", "nothing/at-all", "A/",
	}
	texts = append(texts, Names(docs)...)
	for _, text := range texts {
		s, err := Parse("--select", text)
		if err != nil {
			t.Fatal(err)
		}
		var want []int
		for i, ok := range s.Select(docs) {
			if ok {
				want = append(want, i)
			}
		}
		if got := x.Select(s); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

// TestIndexLooksAtFew: a selector that names an object does not look at all documents.
func TestIndexLooksAtFew(t *testing.T) {
	docs := documents(t, "config/shop.yml", shop)
	for _, text := range []string{"Service/web", "Deployment/prod/web", "config/other.yml"} {
		s, _ := Parse("--select", text)
		if few, ok := NewIndex(docs).candidates(s); !ok || len(few) > 4 {
			t.Errorf("%s: got %v, %v", text, few, ok)
		}
	}
}
