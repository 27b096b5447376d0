package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/testing/cases"
)

var shown = Options{Secrets: secret.Rules{Show: true}}

// The difference of two texts says exactly what to do to make the one into the other, each part of
// it once; of a text and itself there is none; and it is the same each time.
func FuzzCompare(f *testing.F) {
	for _, s := range [][2]string{
		{"a: 1\n", "a: 2\n"},
		{"l: [1, 2, 3]\n", "l: [3, 1, {a: b}]\n"},
		{"l: [{name: a, x: 1}, {name: b}]\n", "l: [{name: b}, {name: c, x: [1]}]\n"},
		{web, strings.ReplaceAll(web, "web", "shop")},
		{"a: 1\n---\nb: 2\n---\n[1]\n", "[1, 2]\n---\na: 3\n"},
		{"s: |\n  a: 1\n  b: 2\n", "s: |\n  a: 2\n  b: 2\n"},
		{"s: '{\"a\": [1]}'\n", "s: '{\"a\": [2]}'\n"},
		{"{[a]: 1, .nan: 2, ~: 3}\n", "{~: 3, [a]: 2, .nan: 1}\n"},
		{"l: [a, a, b, a]\n", "l: [b, a, c, a, a]\n"},
		{"l: [[1], [2], [3]]\n", "l: [[2], [], [1, 3]]\n"},
		{"kind: A\nmetadata: {name: x}\n---\nkind: A\nmetadata: {name: x}\nv: 1\n", "kind: A\nmetadata: {name: x}\nv: 2\n"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, x, y string) {
		if len(x)+len(y) > 4<<10 {
			return
		}
		a, ok := parseSide(x)
		b, also := parseSide(y)
		if !ok || !also {
			return
		}
		checkLaws(t, a, b)
		checkLaws(t, b, a)
		if d := Compare(a, a, shown); !d.Empty() {
			t.Errorf("differs from itself:\n%s", text(t, d))
		}
	})
}

// The same for texts that are made by changing others.
func TestLawsOfGenerated(t *testing.T) {
	for seed := range uint64(1000) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		x := g.documents()
		y := g.mutate(x)
		a, b := side(t, g.print(x)), side(t, g.print(y))
		checkLaws(t, a, b)
		if t.Failed() {
			t.Fatalf("seed %d\n%s\n===\n%s", seed, g.print(x), g.print(y))
		}
	}
}

func checkLaws(t *testing.T, a, b Side) {
	t.Helper()
	for _, order := range []bool{false, true} {
		opt := shown
		opt.Order = order
		d := Compare(a, b, opt)
		if again := Compare(a, b, opt); text(t, d) != text(t, again) {
			t.Errorf("not the same twice:\n%s\n%s", text(t, d), text(t, again))
		}
		checkOnce(t, d)
		checkRebuilt(t, d)
	}
}

// checkOnce finds places that two changes report.
func checkOnce(t *testing.T, d *Difference) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range d.Changes {
		if c.Op == Moved || c.Op == Renamed {
			continue
		}
		at := fmt.Sprint(c.Object.A, c.Object.B)
		steps := make([]string, 0, len(c.Path))
		for _, s := range c.Path {
			k := fmt.Sprint(s.Kind, s.Was, s.Index)
			if s.Kind == path.Key {
				k = fmt.Sprint(s.Key.TypeName(), s.Key.Go())
			}
			steps = append(steps, k)
		}
		for i := range steps {
			if above := at + "|" + strings.Join(steps[:i], "|") + "|"; seen["at "+above] {
				t.Errorf("%s is told of twice:\n%s", c.Path, text(t, d))
			}
		}
		here := at + "|" + strings.Join(append(steps, ""), "|")
		if seen["at "+here] {
			t.Errorf("%s is told of twice:\n%s", c.Path, text(t, d))
		}
		seen["at "+here] = true
	}
}

// checkRebuilt does to the documents of the first side what the difference says, without looking
// how it was found, and compares them with those of the second.
func checkRebuilt(t *testing.T, d *Difference) {
	t.Helper()
	byObject := map[*Object][]Change{}
	both := 0
	for _, c := range d.Changes {
		byObject[c.Object] = append(byObject[c.Object], c)
	}
	rebuilt := make([]bool, len(d.B.Docs))
	gone := make([]bool, len(d.A.Docs))
	for o, changes := range byObject {
		switch {
		case o.A < 0:
			rebuilt[o.B] = true
			continue
		case o.B < 0:
			gone[o.A] = true
			continue
		}
		both++
		r := rebuilder{b: d.B.Docs[o.B].Value}
		got := r.value(d.A.Docs[o.A].Value, r.b, changes, 0, o)
		if !sameUnordered(got, r.b) {
			t.Errorf("%s: the changes make\n%s\nwant\n%s\n%s", o.Name, show(got), show(r.b), text(t, d))
		}
		rebuilt[o.B], gone[o.A] = true, true
	}
	// What is not reported is the same: each document of the one side is one of the other.
	var x, y []tree.Value
	for i := range gone {
		if !gone[i] {
			x = append(x, d.A.Docs[i].Value)
		}
	}
	for j := range rebuilt {
		if !rebuilt[j] {
			y = append(y, d.B.Docs[j].Value)
		}
	}
	if len(x) != d.Same || len(y) != d.Same {
		t.Fatalf("%d and %d documents are the same, but %d are told of:\n%s", len(x), len(y), d.Same, text(t, d))
	}
	for _, v := range x {
		k := slices.IndexFunc(y, func(w tree.Value) bool { return sameUnordered(v, w) })
		if k < 0 {
			t.Fatalf("nothing is said of\n%s", show(v))
		}
		y = slices.Delete(y, k, k+1)
	}
}

type rebuilder struct{ b tree.Value }

// value is v with changes, whose paths are at the given depth. W is what it is to become: what is
// added is taken from there, since changes show it.
func (r *rebuilder) value(v, w tree.Value, changes []Change, depth int, o *Object) tree.Value {
	for _, c := range changes {
		if len(c.Path) == depth && c.Op == Changed {
			return c.After
		}
		if len(c.Path) > depth && c.Path[depth].Kind == path.Inside {
			return w // strings are checked by themselves
		}
	}
	m, isMap := v.Map()
	a, isArray := v.Array()
	switch {
	case isMap:
		return r.rebuildMap(m, w, changes, depth, o)
	case isArray:
		return r.rebuildList(a, w, changes, depth, o)
	}
	return v
}

func (r *rebuilder) rebuildMap(m *tree.Map, w tree.Value, changes []Change, depth int, o *Object) tree.Value {
	n, _ := w.Map()
	var items []tree.Item
	for _, it := range m.Entries() {
		var mine []Change
		removed := false
		for _, c := range changes {
			if len(c.Path) <= depth || !edit.Equal(c.Path[depth].Key, it.Key) {
				continue
			}
			if len(c.Path) == depth+1 && c.Op == Removed {
				removed = true
			}
			mine = append(mine, c)
		}
		if removed {
			continue
		}
		var to tree.Value
		for _, jt := range n.Entries() {
			if edit.Equal(jt.Key, it.Key) {
				to = jt.Value
			}
		}
		if o.renamed && depth == 1 && isNaming(it.Key) && mine == nil && len(changes) >= 0 {
			continue // its name is reported as a whole
		}
		it.Value = r.value(it.Value, to, mine, depth+1, o)
		items = append(items, it)
	}
	for _, c := range changes {
		if len(c.Path) == depth+1 && c.Op == Added {
			items = append(items, tree.Item{Key: c.Path[depth].Key, Value: c.After})
		}
	}
	if o.renamed && depth == 1 {
		for _, jt := range n.Entries() {
			if isNaming(jt.Key) && !slices.ContainsFunc(items, func(it tree.Item) bool { return edit.Equal(it.Key, jt.Key) }) {
				items = append(items, jt)
			}
		}
	}
	return tree.Of(tree.NewMap(items, source.Pos{}))
}

func (r *rebuilder) rebuildList(a *tree.Array, w tree.Value, changes []Change, depth int, o *Object) tree.Value {
	b, _ := w.Array()
	to := make([]*tree.Value, len(b.Entries()))
	used := make([]bool, len(a.Entries()))
	byItem := map[[2]int][]Change{}
	var order [][2]int
	for _, c := range changes {
		if len(c.Path) <= depth {
			continue
		}
		k := [2]int{c.Path[depth].Was, c.Path[depth].Index}
		if byItem[k] == nil {
			order = append(order, k)
		}
		byItem[k] = append(byItem[k], c)
	}
	for _, k := range order {
		i, j := k[0], k[1]
		if i >= 0 {
			used[i] = true
		}
		switch {
		case j < 0:
		case i < 0:
			v := byItem[k][0].After
			to[j] = &v
		default:
			v := r.value(a.Entries()[i].Value, b.Entries()[j].Value, byItem[k], depth+1, o)
			to[j] = &v
		}
	}
	var items []tree.Item
	next := 0
	for j := range to {
		if to[j] == nil {
			for next < len(used) && used[next] {
				next++
			}
			if next == len(used) {
				return tree.String("too few items are left")
			}
			to[j] = &a.Entries()[next].Value
			used[next] = true
		}
		items = append(items, tree.Item{Value: *to[j]})
	}
	if slices.Contains(used, false) {
		return tree.String("an item is left over")
	}
	return tree.Of(tree.NewArray(items, source.Pos{}))
}

// sameUnordered reports whether two values are the same, if the order of items with names does not
// count.
func sameUnordered(x, y tree.Value) bool {
	if x.Kind() != y.Kind() {
		return false
	}
	if x.Kind() == tree.ScalarKind {
		return edit.Equal(x, y)
	}
	if x.Kind() == tree.MapKind {
		m, _ := x.Map()
		n, _ := y.Map()
		if len(m.Entries()) != len(n.Entries()) {
			return false
		}
		for _, it := range m.Entries() {
			if !slices.ContainsFunc(n.Entries(), func(jt tree.Item) bool {
				return edit.Equal(it.Key, jt.Key) && sameUnordered(it.Value, jt.Value)
			}) {
				return false
			}
		}
		return true
	}
	a, _ := x.Array()
	b, _ := y.Array()
	if len(a.Entries()) != len(b.Entries()) {
		return false
	}
	named := func(l *tree.Array) bool {
		return !slices.ContainsFunc(l.Entries(), func(it tree.Item) bool {
			v, ok := it.Value.Lookup("name")
			return !ok || v.IsNull() || v.Kind() != tree.ScalarKind
		})
	}
	if named(a) && named(b) {
		rest := slices.Clone(b.Entries())
		for _, it := range a.Entries() {
			k := slices.IndexFunc(rest, func(jt tree.Item) bool { return sameUnordered(it.Value, jt.Value) })
			if k < 0 {
				return false
			}
			rest = slices.Delete(rest, k, k+1)
		}
		return true
	}
	return slices.EqualFunc(a.Entries(), b.Entries(), func(p, q tree.Item) bool { return sameUnordered(p.Value, q.Value) })
}

func show(v tree.Value) string {
	var w yaml.YAMLWriter
	var p tree.Printer
	p.Write(&w, v)
	return string(w.Bytes())
}

// generator makes documents and changes them.
type generator struct{ *rand.Rand }

func (g generator) documents() []any {
	var docs []any
	for i := range 1 + g.IntN(5) {
		if g.IntN(3) == 0 {
			docs = append(docs, g.value(0))
			continue
		}
		docs = append(docs, map[string]any{
			"kind": g.pick("Deployment", "Service"), "metadata": map[string]any{"name": fmt.Sprint("o", i, g.IntN(2))},
			"spec": g.value(1),
		})
	}
	return docs
}

func (g generator) pick(words ...string) string { return words[g.IntN(len(words))] }

func (g generator) value(depth int) any {
	switch n := g.IntN(10); {
	case depth > 3 || n < 4:
		return g.scalar()
	case n < 7:
		m := map[string]any{}
		for range g.IntN(5) {
			m[g.pick("a", "b", "c", "image", "x.y", "name")] = g.value(depth + 1)
		}
		return m
	case n < 8:
		var l []any
		for i := range g.IntN(5) {
			l = append(l, map[string]any{"name": fmt.Sprint("i", i), "v": g.value(depth + 2)})
		}
		return l
	}
	var l []any
	for range g.IntN(7) {
		l = append(l, g.value(depth+1))
	}
	return l
}

func (g generator) scalar() any {
	switch g.IntN(7) {
	case 0:
		return g.IntN(3)
	case 1:
		return g.IntN(2) == 0
	case 2:
		return nil
	case 3:
		return g.pick("one\ntwo\nthree\n", "one\n2\nthree\n", "k: 1\nl: 2\n", `{"k": 1}`)
	}
	return g.pick("x", "longer text", "longer text 2", "1", "")
}

func (g generator) mutate(x any) []any {
	docs := g.change(x, 0).([]any)
	if g.IntN(3) == 0 {
		g.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	}
	return docs
}

func (g generator) change(v any, depth int) any {
	if depth > 0 && g.IntN(12) == 0 {
		return g.value(depth)
	}
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			if g.IntN(15) != 0 {
				m[k] = g.change(x, depth+1)
			}
		}
		return m
	case []any:
		var l []any
		for _, x := range v {
			switch g.IntN(15) {
			case 0:
			case 1:
				l = append(l, g.value(depth+1), x)
			default:
				l = append(l, g.change(x, depth+1))
			}
		}
		if len(l) > 1 && g.IntN(6) == 0 {
			i, j := g.IntN(len(l)), g.IntN(len(l))
			l[i], l[j] = l[j], l[i]
		}
		return l
	}
	return v
}

func (g generator) print(docs []any) string {
	var b strings.Builder
	for _, d := range docs {
		b.WriteString("---\n" + flow(d) + "\n")
	}
	return b.String()
}

// flow is a value in YAML's flow style.
func flow(v any) string {
	var parts []string
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			parts = append(parts, fmt.Sprintf("%q: %s", k, flow(x)))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, x := range v {
			parts = append(parts, flow(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return fmt.Sprintf("%q", v)
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// Large inputs take time in proportion to their size, whatever they have in common.
func TestGrowth(t *testing.T) {
	doc := func(i int, name string) string {
		return fmt.Sprintf("---\nkind: Deployment\nmetadata: {name: %s%d}\nspec: {replicas: %d, image: 'app:%d', port: 80, a: 1, b: 2, c: 3}\n", name, i, i%7, i)
	}
	many := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	list := func(n int, f func(i int) string) string { return "l:\n" + many(n, f) }
	docs, items, most := 2_000, 20_000, 5*time.Second // for slow machines
	switch {
	case cases.Race:
		most = 20 * time.Second
	case cases.Long():
		docs, items, most = 10_000, 100_000, 20*time.Second
	}
	for _, tt := range []struct{ name, a, b string }{
		{"same names", many(docs, func(i int) string { return doc(i, "a") }), many(docs, func(i int) string { return doc(docs-i, "a") })},
		{"new names", many(docs, func(i int) string { return doc(i, "a") }), many(docs, func(i int) string { return doc(docs-i, "b") })},
		{"no names", many(docs, func(i int) string { return fmt.Sprintf("---\na: %d\nb: 1\nc: 2\n", i) }), many(docs, func(i int) string { return fmt.Sprintf("---\na: %d\nb: 1\nc: 3\n", 2*i) })},
		{"no names and nothing rare", many(docs, func(i int) string { return fmt.Sprintf("---\na: %d\nb: %d\n", i%3, i%5) }), many(docs, func(i int) string { return fmt.Sprintf("---\na: %d\nb: %d\n", i%4, i%6) })},
		{"one name", many(docs, func(i int) string { return fmt.Sprintf("---\nkind: A\nmetadata: {name: x}\nv: %d\n", i) }), many(docs, func(i int) string { return fmt.Sprintf("---\nkind: A\nmetadata: {name: x}\nv: %d\n", i+docs) })},
		{"scalars", list(items, func(i int) string { return fmt.Sprintf("- %d\n", i) }), list(items, func(i int) string { return fmt.Sprintf("- %d\n", i*2) })},
		{"other scalars", list(items, func(i int) string { return fmt.Sprintf("- a%d\n", i) }), list(items, func(i int) string { return fmt.Sprintf("- b%d\n", items-i) })},
		{"reversed", list(items, func(i int) string { return fmt.Sprintf("- %d\n", i) }), list(items, func(i int) string { return fmt.Sprintf("- %d\n", items-i) })},
		{"few scalars", list(items, func(i int) string { return fmt.Sprintf("- %d\n", i%7) }), list(items, func(i int) string { return fmt.Sprintf("- %d\n", i%8) })},
		{"items with names", list(items/4, func(i int) string { return fmt.Sprintf("- {name: a%d, v: %d}\n", i, i) }), list(items/4, func(i int) string { return fmt.Sprintf("- {name: a%d, v: %d}\n", items/4-i, i) })},
		{"items without", list(items/4, func(i int) string { return fmt.Sprintf("- {a: %d, b: 1, c: 2, d: %d}\n", i, i%3) }), list(items/4, func(i int) string { return fmt.Sprintf("- {a: %d, b: 1, c: 3, d: %d}\n", i, i%3) })},
		{"secrets", "kind: Secret\ndata:\n" + many(items/4, func(i int) string { return fmt.Sprintf("  k%d: v%d\n", i, i) }), "kind: Secret\ndata:\n" + many(items/4, func(i int) string { return fmt.Sprintf("  k%d: w%d\n", i, i) })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := side(t, tt.a), side(t, tt.b)
			began := time.Now()
			d := Compare(a, b, Options{Order: true})
			took := time.Since(began)
			printing := time.Now()
			_ = text(t, d)
			t.Logf("%d changes in %s, printed in %s", len(d.Changes), took, time.Since(printing))
			if took > most {
				t.Errorf("took %s", took)
			}
		})
	}
}
