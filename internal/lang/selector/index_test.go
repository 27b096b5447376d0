package selector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// TestIndexLooksAtFew: a selector that names an object, a kind or a file does not look at all documents.
func TestIndexLooksAtFew(t *testing.T) {
	docs := documents(t, "config/shop.yml", shop, "config/other.yml", "{a: 1}\n---\n{b: 1}\n")
	for text, most := range map[string]int{
		"Service/web": 4, "Deployment/prod/web": 4, "config/other.yml": 2, "config/other.yml#2": 2,
		"kind=Deployment": 2, "metadata.name=deny-all,kind=Deployment": 1, "NetworkPolicy": 1, "netpol": 1,
		"jobs.batch": 1, "{netpol,Job/run-}": 2,
	} {
		s, _ := Parse("--select", text)
		if few := NewIndex(docs).candidates(s); len(few) > most {
			t.Errorf("%s: looks at %v, want at most %d", text, few, most)
		}
	}
}

// TestIndexRandom compares an index with Select for random documents and selectors that are alike, and after
// changes of documents.
func TestIndexRandom(t *testing.T) {
	word := func(rng *rand.Rand) string {
		list := []string{
			"web", "Web", "a.b", "x#1", "a/b", "Service", "service", "svc", "pods", "v1", "0x10", "16", "~", "x*",
			"core", "A", "a b", "on", `"on"`, "{}", "document", "f.yml", "",
		}
		return list[rng.IntN(len(list))]
	}
	object := func(rng *rand.Rand) string {
		text := "{"
		for _, key := range []string{"kind", "apiVersion"} {
			if rng.IntN(4) > 0 {
				text += fmt.Sprintf("%s: %s, ", key, quoted(rng, word(rng)))
			}
		}
		if rng.IntN(5) == 0 {
			return text + "metadata: [{name: x}]}"
		}
		text += "metadata: {"
		for _, key := range []string{"name", "namespace", "generateName"} {
			if rng.IntN(2) > 0 {
				text += fmt.Sprintf("%s: %s, ", key, quoted(rng, word(rng)))
			}
		}
		return text + "}, v: " + fmt.Sprint(rng.IntN(9)) + "}"
	}
	pick := func(rng *rand.Rand, names []string) string {
		w := func() string { return word(rng) }
		forms := []func() string{
			func() string { return names[rng.IntN(len(names))] },
			w,
			func() string { return w() + "/" + w() },
			func() string { return w() + "/" + w() + "/" + w() },
			func() string { return w() + "." + w() + "/" + w() },
			func() string { return w() + "#" + fmt.Sprint(1+rng.IntN(3)) },
			func() string { return w() + "/" + w() + "#" + fmt.Sprint(1+rng.IntN(3)) },
			func() string { return "kind=" + w() + ",metadata.name=" + w() },
			func() string { return "metadata.name!=" + w() + ",kind=" + w() },
			func() string { return "metadata.name=~" + "^w" },
			func() string { return w() + "/{" + w() + "," + w() + "}" },
		}
		return forms[rng.IntN(len(forms))]()
	}
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var files []string
		for range 1 + rng.IntN(3) {
			text := object(rng)
			for range rng.IntN(4) {
				text += "\n---\n" + object(rng)
			}
			files = append(files, []string{"f.yml", "web", "A/x", "a b", ""}[rng.IntN(5)], text+"\n")
		}
		docs := documents(t, files...)
		x := NewIndex(docs)
		for range 40 {
			if rng.IntN(4) == 0 {
				i := rng.IntN(len(docs))
				docs = slices.Clone(docs)
				docs[i].Value = documents(t, "f", object(rng)+"\n")[0].Value
				if !x.Set(i, docs[i].Value) {
					x = NewIndex(docs)
				}
			}
			text := pick(rng, Names(docs))
			s, err := Parse("--select", text)
			if err != nil {
				continue
			}
			var want []int
			for i, ok := range s.Select(docs) {
				if ok {
					want = append(want, i)
				}
			}
			if got := x.Select(s); !slices.Equal(got, want) || !slices.Equal(x.Names(), Names(docs)) {
				t.Fatalf("seed %d: %q selects %v, want %v of %q", seed, text, got, want, files)
			}
		}
	}
}

// quoted returns a word as YAML, sometimes in quotes.
func quoted(rng *rand.Rand, word string) string {
	if rng.IntN(2) == 0 && !strings.ContainsAny(word, "#*{} ~\"") && word != "" {
		return word
	}
	return fmt.Sprintf("%q", word)
}
