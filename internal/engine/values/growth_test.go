package values

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/engine/overlay/explain"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// TestGrowth lays documents and flags over values, twice as many over twice as many, and counts the
// items that are looked at. Twice the size may cost a little more than twice the work, however the
// time on the clock comes out.
func TestGrowth(t *testing.T) {
	keys := func(n int) string { return lines(n, "key%06d: \"\"\n") }
	for name, shape := range map[string]struct {
		base  func(n int) string
		flags func(n int) Flags
		docs  func(n int) []tree.Doc // merged into the flags
	}{
		"flags": {keys, func(n int) Flags { return Flags{KV: each(n, "key%06d=x")} }, nil},
		"flags that set one key time after time": {keys, func(n int) Flags {
			return Flags{KV: each(n, "key%06d=x", "key000000=%d")}
		}, nil},
		"flags for new keys": {keys, func(n int) Flags { return Flags{KV: each(n, "new%06d=x", "key000000=%d")} }, nil},
		"flags below a key": {func(n int) string { return "a:\n  b:\n" + lines(n, "    key%06d: \"\"\n") }, func(n int) Flags {
			return Flags{KV: each(n, "a.b.key%06d=x", "a.b.key000000=%d")}
		}, nil},
		"flags that do not fit":       {keys, func(n int) Flags { return Flags{KV: each(n, "key%06d.x=1")} }, nil},
		"flags that read as booleans": {keys, func(n int) Flags { return Flags{KV: each(n, "key%06d=true")} }, nil},
		"files":                       {keys, func(n int) Flags { return Flags{Files: each(n, "key%06d: x")} }, nil},
		"files that replace a map": {func(n int) string { return keys(n) + "a: {b: 1}\n" }, func(n int) Flags {
			return Flags{Files: each(n, "{key%06d: x, a: {}}")}
		}, nil},
		"documents that append to a list": {
			func(n int) string { return keys(n) + "a: {b: [0]}\n" },
			func(int) Flags { return Flags{} }, appending,
		},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) int {
				f := shape.flags(n)
				f.Files = append([]string{shape.base(n)}, f.Files...)
				docs, err := f.Documents(environment())
				if err != nil {
					t.Fatal(err)
				}
				l := layering{
					Stack: New(schema.Any(), true),
					m:     merging{all: docs[0].Doc, many: true},
				}
				lay := func(d tree.Doc) {
					if err := l.apply(d); err != nil {
						t.Fatal(err)
					}
				}
				for _, d := range docs[1:] {
					lay(d.Doc)
				}
				if shape.docs != nil {
					for _, d := range shape.docs(n) {
						lay(d)
					}
				}
				l.m.whole()
				if l.m.on == nil {
					t.Fatal("there is no ground")
				}
				return l.m.work
			}
			const n = 400
			if once, twice := work(n), work(2*n); float64(twice) > 2.2*float64(once) {
				t.Errorf("%d values take %d steps, twice as many take %d", n, once, twice)
			}
		})
	}
}

// appending are documents that each append to the list a.b.
func appending(n int) []tree.Doc {
	docs := make([]tree.Doc, n)
	notes := (*tree.Annotations)(nil).With(tree.Annotation{Name: "overlay/append"})
	for i := range docs {
		list := tree.NewArray(
			[]tree.Item{{Value: tree.String("x"), Annotations: notes}},
			source.Pos{},
		)
		b := tree.NewMap([]tree.Item{{Key: tree.String("b"), Value: tree.Of(list)}}, source.Pos{})
		a := tree.NewMap([]tree.Item{{Key: tree.String("a"), Value: tree.Of(b)}}, source.Pos{})
		docs[i].Value = tree.Of(a)
	}
	return docs
}

// each is the formats for each number, one after another.
func each(n int, formats ...string) []string {
	var out []string
	for i := range n {
		for _, format := range formats {
			out = append(out, fmt.Sprintf(format, i))
		}
	}
	return out
}

func lines(n int, format string) string { return strings.Join(each(n, format), "") }

// A law: documents that are merged into the parts that they name give what they give over all there
// is, errors and warnings too.
func TestPartsMeanTheSame(t *testing.T) {
	defer func(n int) { maxDirect = n }(maxDirect)
	rnd := rand.New(rand.NewPCG(1, 2))
	var fine, failed int
	const n = 300
	for range n {
		typ := randomType(t, rnd)
		docs := randomDocuments(t, rnd)
		var given []Given
		for _, d := range docs {
			given = append(given, Given{d, tree.ByDocument})
		}
		lay := func(most int) string {
			maxDirect = most
			var warnings []string
			s, err := New(
				typ,
				true,
			).Apply(given, overlay.Options{
				Explain: explain.New,
				Warn:    func(d *diag.Diagnostic) { warnings = append(warnings, d.Error()) },
			})
			if err == nil {
				fine++
			} else {
				failed++
			}
			var b strings.Builder
			for _, d := range append(diag.Of(err), s.Warnings...) {
				fmt.Fprintln(&b, d.Severity, d.At, d.Path, d.Message, d.Hint, d.Related)
			}
			for _, x := range s.Texts() {
				fmt.Fprintln(&b, x.Path, x.Value, x.Was)
			}
			return b.String() + strings.Join(warnings, "\n") + dump(s.Value)
		}
		if got, want := lay(0), lay(1000); got != want {
			t.Fatalf("%s\ngave\n%s\nbut over all there is\n%s", dumpAll(docs), got, want)
		}
	}
	if fine < n/4 || failed < n/4 {
		t.Errorf("%d were right and %d wrong: that does not test much", fine, failed)
	}
}

func randomType(t *testing.T, rnd *rand.Rand) *schema.Type {
	t.Helper()
	if rnd.IntN(3) == 0 {
		return schema.Any()
	}
	typ, list := schema.Build(tree.Doc{Value: randomMap(rnd, 0, 8, false)})
	if list.Failed() {
		t.Fatal(list)
	}
	return typ
}

func randomDocuments(t *testing.T, rnd *rand.Rand) []tree.Doc {
	t.Helper()
	var docs []tree.Doc
	for range 2 + rnd.IntN(12) {
		switch rnd.IntN(4) {
		case 0:
			path := "k" + fmt.Sprint(rnd.IntN(8))
			for rnd.IntN(2) == 0 {
				path += ".k" + fmt.Sprint(rnd.IntN(8))
			}
			docs = append(
				docs,
				flagDocuments(t, []string{path + []string{"=x", "=true", "=1"}[rnd.IntN(3)]})...)
		case 1:
			docs = append(docs, PlainDocument(randomMap(rnd, 0, 3, false), source.Pos{}))
		default:
			docs = append(
				docs,
				tree.Doc{Value: randomMap(rnd, 0, 3, true), Annotations: randomNotes(rnd, 20)},
			)
		}
	}
	return docs
}

func randomMap(rnd *rand.Rand, depth, most int, annotated bool) tree.Value {
	var items []tree.Item
	for _, k := range rnd.Perm(8)[:max(1, most-rnd.IntN(3)*(8-most)/5)] {
		it := tree.Item{Key: tree.String(fmt.Sprintf("k%d", k))}
		switch n := rnd.IntN(40); {
		case k < 4 && depth < 2 && n > 0:
			it.Value = randomMap(rnd, depth+1, most, annotated)
		case k == 4:
			it.Value = randomArray(rnd, annotated)
		case n == 0 && annotated:
			it.Value = tree.Null
		case k == 5 && n > 1:
			it.Value = tree.Of(starlark.Bool(true))
		default:
			it.Value = tree.String(fmt.Sprint(n))
		}
		if annotated {
			it.Annotations = randomNotes(rnd, 8)
		}
		items = append(items, it)
	}
	return tree.Of(tree.NewMap(items, source.Pos{}))
}

// randomArray has one item, or if it is annotated some that are appended, and now and then one that
// does something else.
func randomArray(rnd *rand.Rand, annotated bool) tree.Value {
	if !annotated {
		return tree.Of(tree.NewArray([]tree.Item{{Value: tree.String("x")}}, source.Pos{}))
	}
	items := make([]tree.Item, rnd.IntN(3))
	for i := range items {
		if items[i].Value = tree.String(fmt.Sprint(rnd.IntN(100))); rnd.IntN(12) == 0 {
			items[i].Value = randomMap(rnd, 2, 2, true)
		}
		switch rnd.IntN(20) {
		case 0:
			items[i].Annotations = randomNotes(rnd, 1)
		case 1, 2, 3:
		default:
			items[i].Annotations = items[i].Annotations.With(
				tree.Annotation{Name: "overlay/append"},
			)
		}
	}
	return tree.Of(tree.NewArray(items, source.Pos{}))
}

// randomNotes are annotations of which one in n does something unusual.
func randomNotes(rnd *rand.Rand, n int) *tree.Annotations {
	var notes *tree.Annotations
	with := func(name string, kwargs ...starlark.Tuple) {
		notes = notes.With(tree.Annotation{Name: "overlay/" + name, Kwargs: kwargs})
	}
	missing := starlark.Tuple{starlark.String("missing_ok"), starlark.True}
	if rnd.IntN(50) > 0 {
		with("match-child-defaults", missing)
	}
	switch rnd.IntN(n * 6) {
	case 0:
		with("remove")
		with("match", missing)
	case 1:
		with("replace")
	case 2:
		with("replace", starlark.Tuple{starlark.String("or_add"), starlark.True})
		with("match", missing)
	case 3:
		with(
			"match",
			starlark.Tuple{starlark.String("by"), starlark.String("k5")},
			starlark.Tuple{starlark.String("expects"), starlark.String("0+")},
		)
	case 4:
		with("match", starlark.Tuple{starlark.String("when"), starlark.MakeInt(1)})
	case 5:
		with("assert")
	}
	return notes
}

func dump(v tree.Value) string {
	x, err := tree.ToStarlark(v)
	if err != nil {
		return err.Error()
	}
	return x.String()
}

func dumpAll(docs []tree.Doc) string {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintln(&b, dump(d.Value))
	}
	return b.String()
}

func flagDocuments(t *testing.T, flags []string) []tree.Doc {
	t.Helper()
	docs, err := Flags{KV: flags}.Documents(Environment{Files: &source.Set{}})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]tree.Doc, len(docs))
	for i, d := range docs {
		out[i] = d.Doc
	}
	return out
}
