package overlay_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"weft/internal/engine/overlay"
)

// This file compares overlay.documents with a model: documents are plain structs, and each overlay is a
// loop over a copy of them that was made before it.

type object struct {
	kind, name string
	v          int
	seen       []string
}

func objectsText(list []object) string {
	var b strings.Builder
	for i, o := range list {
		if i > 0 {
			b.WriteString("---\n")
		}
		fmt.Fprintf(&b, "kind: %s\nmetadata:\n  name: %s\nv: %d\n", o.kind, o.name, o.v)
		if len(o.seen) == 0 {
			b.WriteString("seen: []\n")
			continue
		}
		b.WriteString("seen:\n")
		for _, s := range o.seen {
			fmt.Fprintf(&b, "- %s\n", s)
		}
	}
	return b.String()
}

// request is a call of overlay.documents, and which objects the model chooses for it.
type request struct {
	code    string
	chooses func(o object, i int) bool
	path    bool // it asks for v, and otherwise for documents, of which it takes the name
}

func requests(rng *rand.Rand) request {
	kind := fmt.Sprintf("K%d", rng.IntN(3))
	name := fmt.Sprintf("n%d", rng.IntN(8))
	n := rng.IntN(6)
	list := []request{
		{code: "", chooses: func(object, int) bool { return true }},
		{code: "by=overlay.all", chooses: func(object, int) bool { return true }},
		{code: fmt.Sprintf("by=%q", kind), chooses: func(o object, _ int) bool { return o.kind == kind }},
		{code: fmt.Sprintf("by=%q", kind+"/"+name), chooses: func(o object, _ int) bool {
			return o.kind == kind && o.name == name
		}},
		{code: fmt.Sprintf("by=%q", "*/"+name), chooses: func(o object, _ int) bool { return o.name == name }},
		{code: fmt.Sprintf("by=%q", "kind="+kind), chooses: func(o object, _ int) bool { return o.kind == kind }},
		{code: fmt.Sprintf("by=overlay.subset({\"kind\": %q})", kind), chooses: func(o object, _ int) bool {
			return o.kind == kind
		}},
		{code: fmt.Sprintf("by=overlay.index(%d)", n), chooses: func(_ object, i int) bool { return i == n }},
		{code: "by=lambda i, left, right: left[\"v\"] % 2 == 0 and right == None", chooses: func(o object, _ int) bool {
			return o.v%2 == 0
		}},
		{
			code:    fmt.Sprintf("by=overlay.not_op(overlay.subset({\"kind\": %q}))", kind),
			chooses: func(o object, _ int) bool { return o.kind != kind },
		},
	}
	r := list[rng.IntN(len(list))]
	if r.path = rng.IntN(2) == 0; r.path {
		r.code = strings.TrimPrefix(r.code+", path=\"v\"", ", ")
	}
	return r
}

// answer is what the request finds.
func (r request) answer(before []object) []string {
	var found []string
	for i, o := range before {
		if !r.chooses(o, i) {
			continue
		}
		if found = append(found, o.name); r.path {
			found[len(found)-1] = fmt.Sprint(o.v)
		}
	}
	return found
}

// change applies one random overlay to the model, and returns its text.
func change(rng *rand.Rand, list []object) ([]object, string) {
	before := append([]object(nil), list...)
	kind := fmt.Sprintf("K%d", rng.IntN(3))
	by := fmt.Sprintf("#@overlay/match by=overlay.subset({\"kind\": %q}), expects=\"0+\"\n", kind)
	switch rng.IntN(4) {
	case 0:
		var rest []object
		for _, o := range list {
			if o.kind != kind || o.v%3 != 0 {
				rest = append(rest, o)
			}
		}
		return rest, fmt.Sprintf("#@overlay/match by=lambda i, l, r: l[\"kind\"] == %q and l[\"v\"] %% 3 == 0, "+
			"expects=\"0+\"\n#@overlay/remove\n---\n", kind)
	case 1:
		for i := range list {
			if list[i].kind == kind {
				list[i].v++
			}
		}
		return list, by + "---\n#@overlay/replace via=lambda left, right: left + 1\nv:\n"
	}
	// v changes first, so that the answer shows whether it is of the time before the overlay.
	r := requests(rng)
	item := "x[\"metadata\"][\"name\"]"
	if r.path {
		item = "x"
	}
	for i := range list {
		if list[i].kind == kind {
			list[i].v += 7
			list[i].seen = r.answer(before)
		}
	}
	return list, by + "---\n#@overlay/replace via=lambda left, right: left + 7\nv:\n" +
		fmt.Sprintf("#@overlay/replace via=lambda left, right: [%s for x in overlay.documents(%s)]\nseen:\n",
			item, r.code)
}

func TestDocumentsAreThoseBeforeTheOverlay(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 1 + rng.IntN(12)
		if seed%5 == 0 {
			n = 64 + rng.IntN(40) // edited in parallel at first
		}
		var list []object
		for i := range n {
			list = append(list, object{fmt.Sprintf("K%d", rng.IntN(3)), fmt.Sprintf("n%d", i), rng.IntN(9), nil})
		}
		files := []file{{"base.yml", objectsText(list)}}
		overlays := header
		for range 1 + rng.IntN(6) {
			var text string
			list, text = change(rng, list)
			overlays += text
		}
		files = append(files, file{"overlay.yml", overlays})
		in := evaluate(t, files...)
		got, err := in.apply()
		if err != nil {
			t.Fatalf("seed %d: %s\n%s", seed, in.text(err), overlays)
		}
		if want := objectsText(list); got != want {
			t.Fatalf("seed %d: got\n%s\nwant\n%s\nfor\n%s", seed, got, want, overlays)
		}
	}
}

// TestDocumentsDoNotRepeatMessages: the attempt that ends when a function asks leaves nothing behind, even
// if the function handles the error.
func TestDocumentsDoNotRepeatMessages(t *testing.T) {
	for _, n := range []int{3, 200} {
		in := evaluate(t, file{"base.yml", manifests(n)}, file{"overlay.yml", header + `
#@ load("@ytt:assert", "assert")
#@ def count(left, right):
#@   print("called for " + left)
#@   found, err = assert.try_to(lambda: len(overlay.documents(by="Deployment")))
#@   return str(found) if err == None else err
#@ end
#@overlay/match by=overlay.index(0)
---
metadata:
  #@overlay/replace via=count
  name:
  #@overlay/match missing_ok=True
  #@overlay/replace
  nothing: 1
`})
		got, err := in.apply()
		if err != nil {
			t.Fatal(in.text(err))
		}
		if want := fmt.Sprintf("name: \"%d\"\n", (n+2)/3); !strings.Contains(got, want) {
			t.Errorf("%d documents: got %.200s, want %s", n, got, want)
		}
		if len(in.prints) != 1 || len(in.warnings) != 1 {
			t.Errorf("%d documents: got prints %q and warnings %v, want one of each", n, in.prints, in.warnings)
		}
	}
}

// TestDocumentsTimes: asking once for each document costs what is found, not all documents each time.
func TestDocumentsTimes(t *testing.T) {
	in := evaluate(t, file{"base.yml", manifests(6000)}, file{"overlay.yml", header + `
#@ def of(left, right):
#@   return overlay.documents(by="Service/" + left, path="spec.ports[0].port")[0] + len(overlay.documents(by="Service"))
#@ end
#@overlay/match by=overlay.subset({"kind": "Service"}), expects="1+"
---
metadata:
  #@overlay/replace via=of
  name:
`})
	start := time.Now()
	got, err := in.apply()
	if err != nil {
		t.Fatal(in.text(err))
	}
	if n := strings.Count(got, "name: 2080\n"); n != 2000 {
		t.Errorf("got %d changes, want 2000", n)
	}
	// With all documents looked at for each, these are 12 million.
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

// TestDocumentsAreIndexedOnce: many overlays that ask share an index while documents keep their names.
func TestDocumentsAreIndexedOnce(t *testing.T) {
	const ask = "#@overlay/match by=overlay.index(%d)\n---\nmetadata:\n" +
		"  #@overlay/replace via=lambda left, right: overlay.documents(by=\"Service/svc-%[1]d\")[0][\"kind\"]\n" +
		"  %[2]s:\n"
	for key, want := range map[string]int{"note": 1, "name": 20} {
		over := header
		var base strings.Builder
		for i := range 20 {
			over += fmt.Sprintf(ask, i, key)
			fmt.Fprintf(&base, "---\nkind: Service\nmetadata: {name: svc-%d, note: 1}\n", i)
		}
		in := evaluate(t, file{"base.yml", base.String()}, file{"overlay.yml", over})
		got, err := overlay.Indexes(in.left, in.overlays, in.opt)
		if err != nil {
			t.Fatal(in.text(err))
		}
		if got != want {
			t.Errorf("overlays that change %s make %d indexes, want %d", key, got, want)
		}
	}
}

func TestDocumentsCannotBeChanged(t *testing.T) {
	for code, want := range map[string]string{
		`overlay.documents().append(1)`:                           "cannot append to frozen list",
		`overlay.documents(path="v").clear()`:                     "cannot clear frozen list",
		`overlay.documents()[0].update(v=3)`:                      "no .update",
		`overlay.documents(by=overlay.map_key("kind"))`:           "overlay.map_key compares with a node",
		`overlay.documents(by=overlay.path("kind"))`:              "overlay.path matches nodes in documents",
		`overlay.documents(by={"kind": "A"})`:                     "write by=overlay.subset({...})",
		`overlay.documents(by=1)`:                                 "expected by to be a selector or a matcher, but was 1 (int)",
		`overlay.documents(by="")`:                                "expected by to name documents, but it is empty",
		`overlay.documents(by="kind=~(")`:                         "the regular expression in",
		`overlay.documents(path=1)`:                               "expected path to be a string",
		`overlay.documents(path="a..b")`:                          "expected a key next to the dot",
		`overlay.documents(path="")`:                              "takes a path, but found an empty one",
		`overlay.documents(kind="A")`:                             "unexpected keyword argument",
		`overlay.documents(by=lambda i, l, r: 1)`:                 "to return True or False",
		`overlay.documents(by="A/b")[0]`:                          `overlay.documents found no document "A/b": did you mean A/a?`,
		`overlay.documents(by="A/a", path="metadata.nam")[0]`:     "did you mean metadata.name?",
		`overlay.documents(by=again)`:                             "calls overlay.documents, and so on without end",
		`overlay.documents(by=lambda i, l, r: again(i, l, r))[0]`: "calls overlay.documents, and so on without end",
	} {
		in := evaluate(t, file{"base.yml", "{kind: A, metadata: {name: a}, v: 1}"}, file{"overlay.yml", header + `
#@ def again(i, left, right):
#@   return len(overlay.documents(by=again)) > 0
#@ end
#@overlay/match by=overlay.all
---
#@overlay/replace via=lambda left, right: ` + code + `
v:
`})
		_, err := in.apply()
		if err == nil || !strings.Contains(in.text(err), want) {
			t.Errorf("%s: got %v, want %s", code, in.text(err), want)
		}
	}
}
