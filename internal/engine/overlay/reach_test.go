package overlay_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"weft/internal/engine/overlay"
)

// This file compares overlay.path with a second, simple walker: it lists every node of a document with
// its path, and checks for each one whether the pattern matches that path.

// place is one step of the way to a node: a key or an index, and what a list has there.
type place struct {
	key   string
	index int // -1 for a key
	item  any
}

// pathStep is one step of a pattern.
type pathStep struct{ kind, key, value string }

func (s pathStep) String() string {
	switch s.kind {
	case "index":
		return "[" + s.value + "]"
	case "named":
		return "[" + s.key + "=" + s.value + "]"
	case "like":
		return "[" + s.key + "=~" + s.value + "]"
	case "items":
		return "[*]"
	case "quoted":
		return `["` + s.key + `"]`
	case "key":
		return s.key
	}
	return s.kind // * and **
}

func patternText(steps []pathStep) string {
	var b strings.Builder
	for i, s := range steps {
		if text := s.String(); i > 0 && text[0] != '[' {
			b.WriteString("." + text)
		} else {
			b.WriteString(text)
		}
	}
	return b.String()
}

// leads says whether the steps lead along all of the way, and not further.
func leads(steps []pathStep, way []place) bool {
	if len(steps) == 0 {
		return len(way) == 0
	}
	if steps[0].kind == "**" {
		return leads(steps[1:], way) || len(way) > 0 && leads(steps, way[1:])
	}
	return len(way) > 0 && steps[0].leadsTo(way[0]) && leads(steps[1:], way[1:])
}

func (s pathStep) leadsTo(p place) bool {
	name := ""
	if m, ok := p.item.(*mapping); ok && p.index >= 0 {
		if v, ok := m.get(s.key); ok {
			name, _ = v.(string)
		}
	}
	switch s.kind {
	case "*":
		return true
	case "items":
		return p.index >= 0
	case "index":
		return fmt.Sprint(p.index) == s.value
	case "named":
		return name == s.value
	case "like":
		return name != "" && regexp.MustCompile(s.value).MatchString(name)
	}
	return p.index < 0 && p.key == s.key
}

// everyNode calls f with the way to each node below v, in order, and the nodes around it.
func everyNode(v any, way []place, f func(way []place)) {
	step := func(p place, below any) {
		way := append(way[:len(way):len(way)], p)
		f(way)
		everyNode(below, way, f)
	}
	switch v := v.(type) {
	case *mapping:
		for _, p := range v.items {
			step(place{p.key, -1, nil}, p.value)
		}
	case *sequence:
		for i, x := range v.items {
			step(place{"", i, x}, x)
		}
	}
}

// changed is v with the action applied to each node whose way is in hits. ok is false if it cannot
// be.
func changed(v any, way string, hits map[string]bool, action string) (out any, ok bool) {
	at := func(name string, x any) (any, bool, bool) {
		below := way + "/" + name
		if !hits[below] {
			y, ok := changed(x, below, hits, action)
			return y, true, ok
		}
		switch action {
		case "remove":
			return nil, false, true
		case "replace":
			return "new", true, true
		case "merge":
			m, isMap := x.(*mapping)
			if !isMap {
				return nil, true, false
			}
			return &mapping{append(m.items[:len(m.items):len(m.items)], pair{"added", "new"})}, true, true
		}
		return x, true, true // assert
	}
	switch v := v.(type) {
	case *mapping:
		m := &mapping{}
		for _, p := range v.items {
			y, kept, ok := at(p.key, p.value)
			if !ok {
				return nil, false
			}
			if kept {
				m.items = append(m.items, pair{p.key, y})
			}
		}
		return m, true
	case *sequence:
		s := &sequence{}
		for i, x := range v.items {
			y, kept, ok := at(fmt.Sprint(i), x)
			if !ok {
				return nil, false
			}
			if kept {
				s.items = append(s.items, y)
			}
		}
		return s, true
	}
	return v, true
}

func wayName(way []place) string {
	var b strings.Builder
	for _, p := range way {
		if p.index >= 0 {
			fmt.Fprintf(&b, "/%d", p.index)
		} else {
			b.WriteString("/" + p.key)
		}
	}
	return b.String()
}

// pattern makes a pattern that leads to one of the nodes of v, and often to others.
func (g *generator) pattern(v any) []pathStep {
	var ways [][]place
	everyNode(v, nil, func(way []place) { ways = append(ways, way) })
	if len(ways) == 0 {
		return []pathStep{{"key", "nothing", ""}}
	}
	way := ways[g.r.IntN(len(ways))]
	var steps []pathStep
	for i, p := range way {
		switch n := g.r.IntN(10); {
		case n == 0 && len(steps) < i:
			continue // which a ** before it makes up for
		case n == 1:
			steps = append(steps, pathStep{"**", "", ""})
			if g.r.IntN(2) == 0 {
				continue
			}
		case n == 2:
			steps = append(steps, pathStep{"*", "", ""})
			continue
		}
		m, isMap := p.item.(*mapping)
		name, _ := any(""), false
		if isMap {
			name, _ = m.get("name")
		}
		text, named := name.(string)
		switch n := g.r.IntN(4); {
		case p.index < 0 && n == 0:
			steps = append(steps, pathStep{"quoted", p.key, ""})
		case p.index < 0:
			steps = append(steps, pathStep{"key", p.key, ""})
		case named && text != "" && n == 0:
			steps = append(steps, pathStep{"named", "name", text})
		case named && text != "" && n == 1:
			steps = append(steps, pathStep{"like", "name", "^" + text[:2]})
		case n == 2:
			steps = append(steps, pathStep{"index", "", fmt.Sprint(p.index)})
		default:
			steps = append(steps, pathStep{"items", "", ""})
		}
	}
	if len(steps) == 0 {
		return []pathStep{{"**", "", ""}}
	}
	return steps
}

func FuzzPath(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { pathAgainstWalker(t, seed) })
}

func pathAgainstWalker(t *testing.T, seed uint64) {
	g := generator{rand.New(rand.NewPCG(seed, 3))}
	docs := make([]any, 1+g.r.IntN(4))
	if g.r.IntN(8) == 0 {
		docs = make([]any, 70) // which are edited in parallel
	}
	for i := range docs {
		m := g.mapping(2)
		m.items = append(m.items, pair{"top", g.sequence(2)})
		docs[i] = m
	}
	patterns := [][]pathStep{g.pattern(docs[0])}
	if g.r.IntN(3) == 0 {
		patterns = append(patterns, g.pattern(docs[len(docs)-1]))
	}
	action := pick(g.r, "replace", "remove", "merge", "assert")
	n, ok := 0, true
	want := make([]any, len(docs))
	for i, doc := range docs {
		hits := map[string]bool{}
		everyNode(doc, nil, func(way []place) {
			for _, p := range patterns {
				if leads(p, way) {
					hits[wayName(way)] = true
				}
			}
		})
		n += len(hits)
		for outer := range hits {
			for inner := range hits {
				ok = ok && !strings.HasPrefix(inner, outer+"/")
			}
		}
		v, fine := changed(doc, "", hits, action)
		want[i], ok = v, ok && fine
	}
	counts := n
	if g.r.IntN(6) == 0 {
		counts, ok = n+1, false
	}
	comparePath(t, seed, docs, want, ok, pathOverlay(patterns, action, counts))
}

// pathOverlay is an overlay that does action to what the patterns lead to in all documents.
func pathOverlay(patterns [][]pathStep, action string, n int) string {
	var quoted []string
	for _, p := range patterns {
		quoted = append(quoted, "'"+patternText(p)+"'")
	}
	below := map[string]string{
		"replace": "#@overlay/replace\n_: new\n", "remove": "#@overlay/remove\n_:\n",
		"merge":  "_:\n  #@overlay/match missing_ok=True\n  added: new\n",
		"assert": "#@overlay/assert via=lambda left, right: True\n_:\n",
	}[action]
	return fmt.Sprintf("%s#@overlay/match by=overlay.all, expects=\"1+\"\n---\n"+
		"#@overlay/match by=overlay.path(%s), expects=%d\n%s", header, strings.Join(quoted, ", "), n, below)
}

func comparePath(t *testing.T, seed uint64, docs, want []any, ok bool, right string) {
	t.Helper()
	text := func(docs []any) string {
		var b strings.Builder
		for _, doc := range docs {
			b.WriteString("---")
			write(&b, doc, 0)
		}
		return b.String()
	}
	in := evaluate(t, file{"left.yml", text(docs)}, file{"over.yml", right})
	got, err := in.apply()
	if ok != (err == nil) {
		t.Fatalf("seed %d: the walker succeeds: %t, but the error is: %v\n%s\n%s", seed, ok, err, right, text(docs))
	}
	if !ok {
		return
	}
	model := evaluate(t, file{"want.yml", text(want)})
	if want := model.yaml(model.left); got != want {
		t.Fatalf("seed %d:\ngot:\n%s\nwant:\n%s\nof: %s\n%s", seed, got, want, right, text(docs))
	}
}

// BenchmarkPath compares a pattern of any depth with the keys written out.
func BenchmarkPath(b *testing.B) {
	const plain = "#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"1+\"\n---\nspec:\n" +
		"  template:\n    spec:\n      containers:\n      #@overlay/match by=overlay.all, expects=\"1+\"\n" +
		"      - image: new\n"
	const deep = "#@overlay/match by=overlay.all, expects=\"1+\"\n---\n" +
		"#@overlay/match by=overlay.path(\"**.containers[*].image\"), expects=\"1+\"\n_: new\n"
	for name, text := range map[string]string{"plain": plain, "deep": deep} {
		b.Run(name, func(b *testing.B) {
			in := evaluate(b, file{"left.yml", manifests(10_000)}, file{"over.yml", header + text})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := overlay.Apply(context.Background(), in.left, in.overlays, in.opt); err != nil {
					b.Fatal(in.text(err))
				}
			}
		})
	}
}

// TestPathCountsDocumentsItSkips: documents that cannot match are not edited, but their overlay still is
// applied to them.
func TestPathCountsDocumentsItSkips(t *testing.T) {
	over := func(pattern, expects string) string {
		return header + "#@overlay/match by=overlay.all, expects=\"1+\"\n---\n#@overlay/match by=overlay.path(\"" +
			pattern + "\"), expects=" + expects + "\n_: new\n"
	}
	for _, x := range []struct {
		pattern, expects string
		changes          int
		ok               bool
	}{
		{"**.nothing", `"1+"`, 0, false},
		{"**.nothing", "0", 0, true},
		{"**.containers[*].image", "134", 134, true},
		{"**.containers[*].image", "133", 0, false},
		{"**.metadata.name", "200", 200, true},
	} {
		in := evaluate(t, file{"left.yml", manifests(200)}, file{"over.yml", over(x.pattern, x.expects)})
		got, err := in.apply()
		if (err == nil) != x.ok || strings.Count(got, ": new\n") != x.changes {
			t.Errorf("%s, expects=%s: %d changes, error %v", x.pattern, x.expects, strings.Count(got, ": new\n"), err)
		}
	}
}
