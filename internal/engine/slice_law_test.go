package engine_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/lang/tree"
	"weft/internal/testing/cases"
)

// open opens a project with its data values.
func (p *generated) open(t testing.TB, traced bool) *engine.Session {
	t.Helper()
	s, err := engine.Open(context.Background(), engine.Config{
		Load:    load.Options{Memory: p.memory(p.leaves)},
		Origins: traced, Workers: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (p *generated) memory(leaves []dataLeaf) []load.Memory {
	return append([]load.Memory{valuesFile(leaves)}, p.files...)
}

// evaluate evaluates a session of a project.
func (p *generated) evaluate(t testing.TB, s *engine.Session) *engine.Result {
	t.Helper()
	res, err := s.Evaluate(context.Background(), engine.Request{})
	if err != nil {
		for _, f := range p.files {
			t.Logf("%s:\n%s", f.Path, f.Data)
		}
		t.Fatal(err)
	}
	return res
}

// render is the output with other data values.
func (p *generated) render(t testing.TB, s *engine.Session, leaves []dataLeaf) map[string]string {
	t.Helper()
	next, err := s.Reload(context.Background(), engine.FileChanges{Memory: p.memory(leaves)})
	if err != nil {
		t.Fatal(err)
	}
	return output(p.evaluate(t, next))
}

// with is the data values with some of them changed.
func (p *generated) with(change func(l dataLeaf) any) []dataLeaf {
	leaves := slices.Clone(p.leaves)
	for i := range leaves {
		leaves[i].value = change(leaves[i])
	}
	return leaves
}

// output is the nodes of a result, by kind and path, and the lines of text.
func output(res *engine.Result) map[string]string {
	out := map[string]string{}
	eachNode(res, func(name string, v tree.Value, _ []tree.Origin) {
		switch x := v.Starlark().(type) {
		case *tree.Map:
			out[name] = "map"
		case *tree.Array:
			out[name] = fmt.Sprintf("array of %d", x.Len())
		default:
			out[name] = x.String()
		}
	})
	return out
}

// eachNode calls f for each node of a result, with what set it and what is around it, and for each
// line of text.
func eachNode(res *engine.Result, f func(name string, v tree.Value, set []tree.Origin)) {
	var walk func(path string, v tree.Value, set []tree.Origin)
	walk = func(path string, v tree.Value, set []tree.Origin) {
		if v.Origin() != 0 {
			set = append(slices.Clip(set), v.Origin())
		}
		f(path, v, set)
		switch x := v.Starlark().(type) {
		case *tree.Map:
			for _, it := range x.Entries() {
				walk(path+"/"+tree.KeyText(it.Key), it.Value, set)
			}
		case *tree.Array:
			for i, it := range x.Entries() {
				walk(fmt.Sprintf("%s/%d", path, i), it.Value, set)
			}
		}
	}
	for _, d := range res.Docs {
		if m, ok := d.Value.Map(); ok && len(m.Entries()) > 0 {
			kind, _ := d.Value.Lookup("kind")
			walk(tree.KeyText(kind), d.Value, nil)
		}
	}
	for _, out := range res.Outputs {
		hosts := 0
		for i, line := range strings.SplitAfter(out.Text, "\n") {
			var set []tree.Origin
			if i < len(out.Lines) {
				set = []tree.Origin{out.Lines[i]}
			}
			if word, _, ok := strings.Cut(line, " "); ok || line != "" {
				if word == "host" { // there are several
					word = fmt.Sprintf("%s%d", word, hosts)
					hosts++
				}
				f("text/"+word, tree.String(line), set)
			}
		}
	}
}

// reader finds the data values of the project in slices.
type sliceReader struct {
	*tree.Origins
	leaves []string
	values map[tree.Leaf][]string
}

func (r *sliceReader) slice(s tree.Slice, found map[string]bool) {
	for _, l := range r.Leaves(s) {
		for _, name := range r.leaf(l) {
			found[name] = true
		}
	}
}

// leaf is the data values of the project that a leaf stands for.
func (r *sliceReader) leaf(l tree.Leaf) []string {
	if names, ok := r.values[l]; ok {
		return names
	}
	r.values[l] = nil
	info := r.Leaf(l)
	found := map[string]bool{}
	if r.DataValues()[info.Values].Library != "" {
		if v, _, by, ok := r.Find(l); ok {
			r.history(by, found)
			if info.Kind == tree.Whole {
				r.inside(v, found)
			}
		}
	} else {
		name := info.String()
		for _, leaf := range r.leaves {
			if leaf == name || info.Kind == tree.Whole && strings.HasPrefix(leaf, name) {
				found[leaf] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(found))
	r.values[l] = names
	return names
}

func (r *sliceReader) inside(v tree.Value, found map[string]bool) {
	r.history(v.Origin(), found)
	for x := range v.Elements() {
		r.inside(x, found)
	}
	if m, ok := v.Map(); ok {
		for _, it := range m.Entries() {
			r.inside(it.Value, found)
		}
	}
}

// history adds the data values of all that has set a value.
func (r *sliceReader) history(o tree.Origin, found map[string]bool) {
	for s := range r.History(o) {
		r.slice(s.Reads, found)
		r.slice(s.Matched, found)
		for _, c := range r.When(s.When) {
			r.slice(c.Reads, found)
		}
		r.history(s.From, found)
	}
}

// slices are the data values that each node depends on, by what a traced run says; absent those that
// anything depends on that is not there, and overlays those of overlays.
func (p *generated) slices(
	res *engine.Result,
) (nodes map[string]map[string]bool, absent, overlays map[string]bool) {
	r := sliceReader{Origins: res.Origins, values: map[tree.Leaf][]string{}}
	for _, l := range p.leaves {
		r.leaves = append(r.leaves, l.path)
	}
	nodes = map[string]map[string]bool{}
	absent, overlays = map[string]bool{}, map[string]bool{}
	eachNode(res, func(name string, _ tree.Value, set []tree.Origin) {
		found := map[string]bool{}
		for _, around := range set { // it is there only if what is around it is
			s, _ := r.Of(around)
			for _, c := range r.When(s.When) {
				r.slice(c.Reads, found)
			}
		}
		if n := len(set); n > 0 {
			r.history(set[n-1], found)
		}
		nodes[name] = found
	})
	for _, a := range res.Origins.Absences() {
		r.slice(a.Reads, absent)
		for _, c := range r.When(a.When) {
			r.slice(c.Reads, absent)
		}
		r.history(a.Before, absent)
		if f := res.Files.File(a.What.Pos); f != nil && f.Name() == "over.yml" {
			r.slice(a.Reads, overlays)
		}
	}
	return nodes, absent, overlays
}

// score counts pairs of a data value and a node.
type score struct {
	pairs, found     int // of nodes that change or go
	news, newsFound  int // of nodes that come
	claims, claimsOK int
	missed           []string
}

// judge changes data values of a project, one at a time, and compares what changes with what the
// slices say. Few says that it changes some of them, each in one way.
func (p *generated) judge(t testing.TB, seed uint64, few bool, s *score) {
	res := p.evaluate(t, p.open(t, true))
	base := output(res)
	session := p.open(t, false)
	p.evaluate(t, session)
	nodes, absent, overlays := p.slices(res)
	leaves := slices.Clone(p.leaves)
	if r := rand.New(rand.NewPCG(seed, 5)); few {
		r.Shuffle(len(leaves), func(i, j int) { leaves[i], leaves[j] = leaves[j], leaves[i] })
		leaves = leaves[:4]
		for i, l := range leaves {
			n := r.IntN(len(l.other))
			leaves[i].other = l.other[n : n+1]
		}
	}
	for _, l := range leaves {
		moved, came := map[string]bool{}, ""
		for _, other := range l.other {
			got := p.render(t, session, p.with(func(x dataLeaf) any {
				if x.path == l.path {
					return other
				}
				return x.value
			}))
			for name, v := range base {
				if w, ok := got[name]; !ok || w != v {
					moved[name] = true
				}
			}
			for name := range got {
				if _, ok := base[name]; !ok {
					came = name
				}
			}
		}
		for name := range moved {
			s.pairs++
			if nodes[name][l.path] || overlays[l.path] {
				s.found++
			} else {
				s.missed = append(s.missed,
					fmt.Sprintf("seed %d: %s → %s", seed, l.path, name))
			}
		}
		if came != "" {
			s.news++
			if absent[l.path] {
				s.newsFound++
			} else {
				s.missed = append(s.missed,
					fmt.Sprintf("seed %d: %s → new %s", seed, l.path, came))
			}
		}
		for name, found := range nodes {
			if found[l.path] {
				s.claims++
				if moved[name] {
					s.claimsOK++
				}
			}
		}
	}
}

var everyLeaf = flag.Bool("every-leaf", false,
	"TestSliceRecall changes every data value, in every way: for the figures of a release")

// TestSliceRecall measures slices of random projects against what changes when one data value does.
func TestSliceRecall(t *testing.T) {
	var s score
	for seed := range cases.Number(50, 300) {
		generate(seed).judge(t, seed, !*everyLeaf, &s)
	}
	percent := func(a, b int) float64 { return 100 * float64(a) / float64(max(1, b)) }
	t.Logf("recall %.2f %% of %d, of new nodes %.2f %% of %d; at least %.1f %% of %d are right",
		percent(s.found, s.pairs), s.pairs, percent(s.newsFound, s.news), s.news,
		percent(s.claimsOK, s.claims), s.claims)
	missed := strings.Join(s.missed[:min(40, len(s.missed))], "\n")
	if percent(s.found, s.pairs) < 99.5 || percent(s.newsFound, s.news) < 99 {
		t.Errorf("too few:\n%s", missed)
	} else if missed != "" {
		t.Logf("missed:\n%s", missed)
	}
	if least := 75.0; *everyLeaf && percent(s.claimsOK, s.claims) < least {
		t.Errorf("less than %.0f %% of what slices say is right", least)
	}
}

// FuzzComplement holds slices to being complete: if all other data values change at once, a node
// stays what it is.
func FuzzComplement(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint64(1))
	}
	f.Fuzz(func(t *testing.T, seed, choice uint64) {
		p := generate(seed)
		res := p.evaluate(t, p.open(t, true))
		base := output(res)
		nodes, _, overlays := p.slices(res)
		session := p.open(t, false)
		p.evaluate(t, session)
		r := rand.New(rand.NewPCG(choice, 3))
		names := slices.Sorted(maps.Keys(base))
		for range 4 {
			name := names[r.IntN(len(names))]
			got := p.render(t, session, p.with(func(l dataLeaf) any {
				if nodes[name][l.path] || overlays[l.path] {
					return l.value
				}
				return l.other[r.IntN(len(l.other))]
			}))
			if got[name] != base[name] {
				t.Errorf("%s was %s and is %s when other data values change than %s",
					name, base[name], got[name], slices.Sorted(maps.Keys(nodes[name])))
			}
		}
	})
}
