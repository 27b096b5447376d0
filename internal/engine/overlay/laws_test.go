package overlay_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/engine/emit"
	"weft/internal/engine/overlay"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// many is an overlay for every way in which documents are scheduled: overlays that can go together,
// that depend on the place of a document, on the number of matches, and that make documents.
var many = []string{
	"#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"1+\"\n---\nspec:\n  replicas: 9\n",
	"#@overlay/match by=overlay.map_key(\"kind\"), expects=\"1+\"\n#@overlay/remove\n---\nkind: ConfigMap\n",
	"#@overlay/match by=lambda i, l, r: i % 3 == 1, expects=\"1+\"\n---\nmetadata:\n  #@overlay/match missing_ok=True\n  third: true\n",
	"#@overlay/match by=overlay.index(5)\n#@overlay/insert before=True, after=True\n---\nkind: New\nmetadata:\n  name: new\n",
	"#@overlay/match by=overlay.all, when=\"5+\"\n---\nmetadata:\n  #@overlay/match missing_ok=True\n  when: yes\n",
	"#@overlay/match by=overlay.all, when=5\n---\nmetadata:\n  never: yes\n",
	"#@overlay/match by=overlay.subset({\"kind\": \"Nowhere\"}), expects=0\n#@overlay/replace or_add=True, via=lambda l, r: {\"kind\": \"Added\", \"metadata\": r}\n---\nname: added\n",
	"#@overlay/match by=overlay.all\n#@overlay/append\n---\nkind: Last\nmetadata:\n  name: last\n",
	"#@ def note(left, right):\n#@   print(\"replace\", left)\n#@   return left + right\n#@ end\n" +
		"#@overlay/match by=overlay.not_op(overlay.subset({\"kind\": \"Service\"})), expects=\"1+\"\n---\nmetadata:\n  #@overlay/replace via=note\n  name: \"-x\"\n",
	"#@ def odd(i, left, right):\n#@   print(\"match\", i)\n#@   return i % 2 == 1\n#@ end\n" +
		"#@overlay/match by=odd, expects=lambda n: n > 1\n#@overlay/remove\n---\n",
	"#@overlay/match by=overlay.not_op(overlay.subset({\"kind\": \"Service\"})), expects=\"1+\"\n#@overlay/remove\n---\n",
	"#@overlay/match by=lambda i, l, r: i < 12 or i > 20, expects=\"1+\"\n#@overlay/remove\n---\n",
	"#@overlay/match by=overlay.subset({\"kind\": \"Nowhere\"}), expects=0\n#@overlay/replace or_add=True\n---\nkind: First\n",
	"#@overlay/match by=overlay.all\n#@overlay/append\n---\nkind: Last\n",
	"#@overlay/match by=overlay.all, expects=\"1+\"\n#@overlay/remove\n---\n",
	"#@overlay/match by=overlay.all, expects=0\n#@overlay/replace or_add=True\n---\nkind: First\n",
	"#@overlay/match by=overlay.all\n#@overlay/append\n---\nkind: Last\n",
}

// manyFiles are documents in several files, and overlays.
func manyFiles(overlays ...string) []file {
	var files []file
	docs := strings.SplitAfter(manifests(150), "---\n")[1:]
	for part := range slices.Chunk(docs, 40) {
		files = append(
			files,
			file{fmt.Sprintf("docs%d.yml", len(files)), "---\n" + strings.Join(part, "")},
		)
	}
	for i, text := range overlays {
		files = append(files, file{fmt.Sprintf("over%02d.yml", i), header + text})
	}
	return files
}

// outcome is all that a run gives, as text.
func (in *input) outcome(
	apply func(context.Context, [][]tree.Doc, []tree.Doc, overlay.Options) ([][]tree.Doc, error),
) string {
	in.prints = nil
	docs, err := apply(context.Background(), in.left, in.overlays, in.opt)
	in.failed = err != nil
	if err != nil {
		return strings.Join(in.prints, "\n") + "\n" + in.text(err)
	}
	return strings.Join(in.prints, "\n") + "\n" + in.positions(docs)
}

// positions is documents with the places that they come from.
func (in *input) positions(files [][]tree.Doc) string {
	var b bytes.Buffer
	for i, docs := range files {
		fmt.Fprintf(&b, "file %d\n", i)
		if _, err := emit.Pos(&b, in.files, docs); err != nil {
			panic(err)
		}
	}
	return b.String()
}

func TestParallelIsInOrder(t *testing.T) {
	for n := len(many) % 3; n <= len(many); n += 3 {
		in := evaluate(t, manyFiles(many[:n]...)...)
		before := in.inputs()
		want := in.outcome(overlay.InOrder)
		got := in.outcome(overlay.Parallel)
		if got != want {
			t.Fatalf("with %d overlays, in parallel:\n%s\nin order:\n%s", n, got, want)
		}
		if after := in.inputs(); after != before {
			t.Fatalf("with %d overlays, what was given has changed", n)
		}
	}
}

// TestParallelWarnsInOrder holds both ways to the same warnings, at the same places.
func TestParallelWarnsInOrder(t *testing.T) {
	const lost = "---\nkind: New\nspec:\n  #@overlay/remove\n  old: 1\n"
	for _, text := range []string{
		"#@overlay/match by=overlay.subset({\"kind\": \"Nowhere\"}), missing_ok=True\n" +
			"#@overlay/replace or_add=True\n" + lost,
		"#@overlay/match by=overlay.all\n#@overlay/append\n" + lost,
		"#@overlay/match by=overlay.index(5)\n#@overlay/insert after=True\n" + lost,
		"#@overlay/match by=overlay.subset({\"kind\": \"Deploy*\"}), when=\"1+\"\n---\nkind: x\n",
		"#@overlay/match by=overlay.subset({\"kind\": \"Deploy*\"}), expects=\"0+\"\n---\nkind: x\n",
		"#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"}), expects=\"1+\"\n---\n" +
			"#@overlay/match missing_ok=True\nextra:\n  #@overlay/remove\n  old: 1\n",
	} {
		in := evaluate(t, manyFiles(many[1], text)...)
		warnings := func() string {
			defer func() { in.warnings = nil }()
			return in.text(in.warnings)
		}
		warnings()
		in.outcome(overlay.InOrder)
		want := warnings()
		in.outcome(overlay.Parallel)
		if got := warnings(); got != want || want == "" {
			t.Errorf("%s\nin parallel:\n%s\nin order:\n%s", text, got, want)
		}
	}
}

// inputs is what Apply is given, as text.
func (in *input) inputs() string {
	return in.positions(
		in.left,
	) + notes(
		slices.Concat(in.left...),
	) + in.positions(
		[][]tree.Doc{in.overlays},
	) + notes(
		in.overlays,
	)
}

// notes is the annotations of documents, which printing leaves out.
func notes(docs []tree.Doc) string {
	var b strings.Builder
	var walk func(v tree.Value, depth int)
	note := func(a *tree.Annotations) {
		for _, x := range a.All() {
			fmt.Fprintf(&b, "@%s %v %v\n", x.Name, x.Args, x.Kwargs)
		}
	}
	walk = func(v tree.Value, depth int) {
		for _, it := range v.Entries() {
			note(it.Annotations)
			walk(it.Value, depth+1)
		}
	}
	for _, d := range docs {
		note(d.Annotations)
		walk(d.Value, 0)
	}
	return b.String()
}

func TestSameForAnyNumberOfProcessors(t *testing.T) {
	fails := "#@overlay/match by=overlay.all, expects=\"1+\"\n---\nspec:\n  replicas: 3\n"
	for _, overlays := range [][]string{many, append(slices.Clone(many[:3]), fails)} {
		in := evaluate(t, manyFiles(overlays...)...)
		want := ""
		for _, n := range []int{1, 2, 8} {
			old := runtime.GOMAXPROCS(n)
			got := in.outcome(overlay.Apply)
			runtime.GOMAXPROCS(old)
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("on %d processors:\n%s\non 1:\n%s", n, got, want)
			}
		}
	}
}

// TestEarliestErrorIsTold has a wrong overlay after one that fails on a late document: the first
// overlay's error is told, and the first document's of it.
func TestEarliestErrorIsTold(t *testing.T) {
	in := evaluate(t, manyFiles(
		"#@overlay/match by=overlay.subset({\"kind\": \"Service\"}), expects=\"1+\"\n---\nspec:\n  replicas: 3\n",
		"#@overlay/match by=overlay.all, expects=\"1+\"\n---\nnever: 1\n",
	)...)
	got := in.outcome(overlay.Apply)
	if !strings.Contains(got, "over00.yml:5:3: error: expected 1 match for key \"replicas\"") ||
		!strings.Contains(got, "applied to this document (Service/prod/app-00001)") {
		t.Errorf("got:\n%s", got)
	}
}

func TestCancelled(t *testing.T) {
	in := evaluate(t, manyFiles(many...)...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := overlay.Apply(ctx, in.left, in.overlays, in.opt); err != context.Canceled {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

// itself is v as an overlay that says of every array item which one it means.
func itself(v tree.Value) tree.Value {
	switch x := v.Starlark().(type) {
	case *tree.Map:
		items := slices.Clone(x.Entries())
		for i := range items {
			items[i].Value = itself(items[i].Value)
		}
		return tree.Of(tree.NewMap(items, x.Pos))
	case *tree.Array:
		items := slices.Clone(x.Entries())
		for i := range items {
			by, err := overlay.Index(starlark.Tuple{starlark.MakeInt(i)}, nil)
			if err != nil {
				panic(err)
			}
			items[i].Value = itself(items[i].Value)
			items[i].Annotations = items[i].Annotations.With(tree.Annotation{Name: "overlay/match", Kwargs: []starlark.Tuple{{starlark.String("by"), by}}})
		}
		return tree.Of(tree.NewArray(items, x.Pos))
	}
	return v
}

// FuzzItself: an overlay that is equal to the document changes nothing.
func FuzzItself(f *testing.F) {
	for _, s := range []string{"a: 1\nb: [1, {c: 2}, []]\n", manifests(3), "- - x\n- y: null\n", "? [a]\n: 1\n", "x: &a {b: 1}\ny: *a\nz: {<<: *a, c: 2}\n", "1: a\n1.0: b\n\"1\": c\ntrue: d\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := tryEvaluate(file{"left.yml", text})
		if err != nil {
			t.Skip()
		}
		for _, doc := range in.left[0] {
			right := doc
			right.Value = itself(doc.Value)
			got, err := overlay.Document(doc, right, in.opt)
			if err != nil {
				t.Fatalf("%s\nof %q", in.text(err), text)
			}
			if g, w := in.yaml([][]tree.Doc{{got}}), in.yaml([][]tree.Doc{{doc}}); g != w {
				t.Fatalf("got:\n%s\nwant:\n%s", g, w)
			}
		}
	})
}

// FuzzApply: no overlay panics, changes what it was given, or gives something else side by side.
func FuzzApply(f *testing.F) {
	addOverlays(f)
	f.Fuzz(func(t *testing.T, left, right string) {
		in, err := tryEvaluate(file{"left.yml", left}, file{"over.yml", header + right})
		if err != nil {
			t.Skip()
		}
		before := in.inputs()
		one := in.outcome(overlay.InOrder)
		failed := in.failed
		if after := in.inputs(); after != before {
			t.Fatalf("what was given has changed:\n%s\nfrom:\n%s", after, before)
		}
		other := in.outcome(overlay.Parallel)
		if after := in.inputs(); after != before {
			t.Fatalf("what was given has changed:\n%s\nfrom:\n%s", after, before)
		}
		if in.failed != failed {
			t.Fatalf("side by side it fails: %t, but in order:\n%s", in.failed, one)
		}
		if !failed && one != other {
			t.Fatalf("in parallel:\n%s\nin order:\n%s", other, one)
		}
		if steps, docs, err := explain.Explain(context.Background(), in.left, in.overlays, in.opt); err == nil {
			if got, want := in.positions(docs), one[strings.Index(one, "file 0\n"):]; got != want {
				t.Fatalf("explained:\n%s\napplied:\n%s", got, want)
			}
			var b bytes.Buffer
			if err := explain.WriteText(&b, in.files, steps); err != nil {
				t.Fatal(err)
			}
			if err := explain.WriteJSON(&b, in.files, steps); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzProcessors: what Apply gives, prints and warns of, and what it says is wrong, does not depend
// on GOMAXPROCS; and what it was given is unchanged after it. There are enough documents for
// several goroutines, so that under the race detector this also finds what they share.
func FuzzProcessors(f *testing.F) {
	addOverlays(f)
	f.Fuzz(func(t *testing.T, left, right string) {
		const long, enough = 2000, 128 // characters, documents
		if len(left)+len(right) > long {
			t.Skip()
		}
		in, err := tryEvaluate(file{"left.yml", left}, file{"over.yml", header + right})
		if err != nil || len(in.overlays) == 0 {
			t.Skip()
		}
		once := slices.Concat(in.left...)
		if len(once) == 0 || len(once) > enough {
			t.Skip()
		}
		for n := len(once); n < enough; n += len(once) {
			in.left = append(in.left, once)
		}
		before := in.inputs()
		var want string
		for _, n := range []int{1, 2, 4} {
			old := runtime.GOMAXPROCS(n)
			in.warnings = nil
			got := in.outcome(overlay.Apply)
			runtime.GOMAXPROCS(old)
			got += in.text(in.warnings)
			if n == 1 {
				want = got
			}
			if got != want {
				t.Fatalf("on %d processors:\n%s\non 1:\n%s", n, got, want)
			}
			if after := in.inputs(); after != before {
				t.Fatalf(
					"on %d processors, what was given has changed:\n%s\nfrom:\n%s",
					n,
					after,
					before,
				)
			}
		}
	})
}

// addOverlays gives fuzzing documents and overlays to begin with.
func addOverlays(f *testing.F) {
	left := "kind: A\nmeta: {name: x}\nlist: [1, {name: a}, {name: b}]\n---\nkind: B\nmeta: {name: y}\nlist: []\n"
	for _, right := range append([]string{
		"#@overlay/match by=\"kind\"\n---\nkind: A\nlist:\n#@overlay/match by=overlay.index(0)\n#@overlay/replace via=lambda l, r: [l, r]\n- 2\n",
		"#@overlay/match by=overlay.all, expects=2\n#@overlay/match-child-defaults missing_ok=True\n---\nmeta:\n  #@overlay/assert\n  name: x\nlist:\n#@overlay/append\n- 3\n- 4\n",
		"#@overlay/match by=overlay.or_op(overlay.index(0), overlay.subset({\"kind\": \"B\"})), expects=[1, \"2+\"]\n---\n#@overlay/match by=lambda k, l, r: k == \"meta\"\n#@overlay/replace\nlist: 1\n",
		"#@overlay/match by=overlay.all(), when=2\n#@overlay/insert after=True\n---\nlist: {}\n",
		"#@overlay/match by=overlay.all, missing_ok=True\n---\nmeta:\n  #@overlay/match by=overlay.all, expects=\"0+\"\n  #@overlay/remove\n  _:\n",
	}, many...) {
		f.Add(left, right)
	}
}

// TestValuesLeavesItsArguments calls overlay.apply on a fragment, and looks at the fragment
// afterwards.
func TestValuesLeavesItsArguments(t *testing.T) {
	in := evaluate(
		t,
		file{
			"config.yml",
			"left:\n  a: 1\n  list: [{name: x}, {name: z}]\nright:\n  a: 2\n  list:\n  - 3\n",
		},
	)
	left, _ := in.left[0][0].Value.Lookup("left")
	right, _ := in.left[0][0].Value.Lookup("right")
	l, r := left.Starlark(), right.Starlark()
	before := in.yaml(in.left)
	got, err := overlay.Values(&starlark.Thread{}, l, []starlark.Value{r, r}, overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc := func(v starlark.Value) string {
		return in.yaml([][]tree.Doc{{{Value: tree.Of(v), Pos: source.Pos{}}}})
	}
	if g, w := doc(got), "a: 2\nlist:\n- name: x\n- name: z\n- 3\n- 3\n"; g != w {
		t.Errorf("got:\n%s\nwant:\n%s", g, w)
	}
	if after := in.yaml(in.left); after != before || doc(l) == doc(got) {
		t.Errorf("what was given has changed:\n%s", after)
	}
}

// TestFunctionsCannotRemember has a matcher that would keep a list of what it has seen, in a
// variable that no global leads to.
func TestFunctionsCannotRemember(t *testing.T) {
	in := evaluate(
		t,
		file{"left.yml", "a: 1\n---\na: 2\n"},
		file{"over.yml", header + `#@ def counter():
#@   seen = []
#@   def count(index, left, right):
#@     seen.append(left["a"])
#@     return len(seen) == 1
#@   end
#@   return count
#@ end
#@overlay/match by=counter()
---
a: 3
`},
	)
	_, err := in.apply()
	if err == nil || !strings.Contains(err.Error(), "cannot append to frozen list") {
		t.Errorf("got error %v", err)
	}
}

// TestMissesPrintNothing asks functions again to say what nearly matched.
func TestMissesPrintNothing(t *testing.T) {
	in := evaluate(
		t,
		file{"left.yml", "a: 1\n"},
		file{"over.yml", header + `#@ def loud(index, left, right):
#@   print("asked")
#@   return False
#@ end
#@overlay/match by=overlay.or_op(overlay.subset({"a": 2}), loud)
---
a: 3
`},
	)
	if _, err := in.apply(); err == nil {
		t.Error("no error")
	}
	if got := strings.Join(in.prints, ","); got != "asked" {
		t.Errorf("got %q, want it printed once", got)
	}
}
