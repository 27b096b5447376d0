package override

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/testing/cases"
	"weft/internal/testing/yamltest"
)

// checkLaws holds what overrides make of a text against the model, and against each other. It gives
// what is wrong, or "". The model knows no aliases, so they keep their values there.
func checkLaws(base string, overs ...string) string {
	for _, opt := range []Options{{SplitAliases: true}, {}} {
		if wrong := checkLawsWith(opt, base, overs...); wrong != "" {
			return fmt.Sprintf("%s\n(aliases are split: %t)", wrong, opt.SplitAliases)
		}
	}
	return ""
}

func checkLawsWith(opt Options, base string, overs ...string) string {
	s, err := yamltest.TryRead(base)
	if err != nil {
		return ""
	}
	if text, _, err := applied(s, opt, "{}"); err == nil && text != base {
		return fmt.Sprintf("an empty override changes the text:\n%s", text)
	}
	list, err := overrides(s, overs...)
	if err != nil {
		return ""
	}
	for _, d := range append(list, s.Docs...) {
		if yamltest.RepeatsCollection(d.Value) {
			// a mapping as a key is the same as no other, and so it is the key of several values
			return ""
		}
	}
	text, docs, err := applied(s, opt, overs...)
	if err != nil {
		return ""
	}
	one, err := Rewrite(
		context.Background(),
		[]Input{{Trees: []*yaml.Tree{s.Tree}, Docs: s.Docs}},
		list,
		opt,
		yaml.Options{},
	)
	if err != nil || string(one[0][0]) != text {
		return fmt.Sprintf("in one go it is something else (%v):\n%s\nthan\n%s", err, one, text)
	}
	if traced, _, err := applied(s, Options{Origins: &tree.Origins{}, SplitAliases: opt.SplitAliases}, overs...); err != nil ||
		traced != text {
		return fmt.Sprintf(
			"with origins it is something else (%v):\n%s\nthan\n%s",
			err,
			traced,
			text,
		)
	}
	again, err := yamltest.ReadBack(text, len(docs))
	if err != nil {
		return err.Error()
	}
	for i := range docs {
		want := mOf(s.Docs[i].Value)
		if want != mNull {
			for _, o := range list {
				want = mMerge(want, mOf(o.Value))
			}
		}
		if !opt.SplitAliases {
			want = mOf(docs[i].Value)
		}
		if got := mText(mOf(docs[i].Value)); got != mText(want) {
			return fmt.Sprintf(
				"document %d is merged wrongly:\n got %s\nwant %s",
				i,
				got,
				mText(want),
			)
		}
		if got := mText(mOf(again.Docs[i].Value)); got != mText(want) {
			return fmt.Sprintf(
				"document %d is printed wrongly:\n got %s\nwant %s\n%s",
				i,
				got,
				mText(want),
				text,
			)
		}
	}
	// One by one is the same as all at once.
	step := base
	for _, o := range overs {
		x, err := yamltest.TryRead(step)
		if err != nil {
			return fmt.Sprintf("the result of one override cannot be read: %v\n%s", err, step)
		}
		if step, _, err = applied(x, opt, o); err != nil {
			return "" // an override may leave nothing that the next can change
		}
	}
	last, err := yamltest.TryRead(step)
	if err != nil {
		return fmt.Sprintf("the result of overrides one by one cannot be read: %v\n%s", err, step)
	}
	for i := range last.Docs {
		if got, want := mText(mOf(last.Docs[i].Value)), mText(mOf(docs[i].Value)); got != want {
			return fmt.Sprintf(
				"document %d: overrides one by one give something else:\n got %s\nwant %s",
				i,
				got,
				want,
			)
		}
	}
	// Twice is the same as once.
	if len(overs) == 1 {
		if _, twice, err := applied(again, opt, overs[0]); err == nil {
			for i := range twice {
				if got, want := mText(mOf(twice[i].Value)), mText(mOf(docs[i].Value)); got != want {
					return fmt.Sprintf(
						"document %d: the second time an override gives something else:\n got %s\nwant %s",
						i,
						got,
						want,
					)
				}
			}
		}
	}
	return ""
}

// TestLaws holds generated files and overrides against the model.
func TestLaws(t *testing.T) {
	n := cases.Number(200, 2000)
	changed := 0
	for seed := range n {
		g := newGenerator(seed)
		var docs []gMap
		for range 1 + g.IntN(2) {
			docs = append(docs, g.mapping(4))
		}
		base := g.file(docs)
		var overs []string
		for range 1 + g.IntN(2) {
			o := g.override(docs[0], 4)
			if m, ok := o.(gMap); ok {
				plain := newGenerator(seed + 1)
				plain.comments, plain.aliases = false, false
				overs = append(overs, plain.flow(m))
			}
		}
		if len(overs) == 0 {
			continue
		}
		if s, err := yamltest.TryRead(base); err != nil {
			t.Fatalf("seed %d: the generator writes what cannot be read: %v\n%s", seed, err, base)
		} else if text, _, err := applied(s, Options{}, overs...); err == nil && text != base {
			changed++
		}
		if wrong := checkLaws(base, overs...); wrong != "" {
			t.Fatalf("seed %d: %s\n--- base\n%s\n--- overrides\n%q", seed, wrong, base, overs)
		}
	}
	if changed < int(n/4) {
		t.Errorf("only %d of %d overrides change anything: the generator is no good", changed, n)
	}
}

// FuzzLaws holds any two texts to the laws: no panic, and the values that the model has.
func FuzzLaws(f *testing.F) {
	for _, s := range []struct{ base, over string }{
		{"", "{a: 1}"},
		{"a: 1\n", "{}"},
		{"# c\na:   1\nlist: [ 1,2 ]\nnull_stays: ~\n", "{a: 2, list: [1, 3], b: {c: ~}}"},
		{"l:\n- name: a\n  v: 1\n- name: b\n", "l: [{name: a, v: ~}, {name: c, $remove: true}, {name: b, $replace: true, x: 1}]"},
		{"x: &a {b: 1, c: [1, 2]}\ny: *a\nz: {<<: *a, d: 3}\n", "{x: {b: 2}, z: {b: 3}}"},
		{"a: |+\n  text\n\nb: >-\n  folded\n", "{b: ~, a: [1]}"},
		{"? a\n: b\n? [c]\n: d\n", "{a: {x: y}}"},
		{"a: !!str 5\nb: &x y\nc: *x\n", "{a: 6, b: 7}"},
		{"--- {a: 1}\n---\n# nothing\n--- # c\nb: 2\n...\n", "{a: {b: [x, {y: z}]}}"},
		{"- a\n", "{a: 1}"},
		{"a: [b: 1, {c: 2}]\n", "{a: [{name: x}]}"},
		{"a:\r\n  b: 1\r\n  c: 2", "{a: {b: ~, d: \"x\\ny\"}}"},
		{"A: !0 0 #\n\"\": 0\n 0\n", ":"}, // a null key is not the empty text
	} {
		f.Add(s.base, s.over)
	}
	for seed := range uint64(20) {
		g := newGenerator(seed)
		m := g.mapping(3)
		if o, ok := g.override(m, 3).(gMap); ok {
			f.Add(g.file([]gMap{m}), g.flow(o))
		}
	}
	f.Fuzz(func(t *testing.T, base, over string) {
		if wrong := checkLaws(base, over); wrong != "" {
			t.Fatalf("%s\n--- base\n%s\n--- override\n%s", wrong, base, over)
		}
	})
}

// FuzzEntries compares three ways to say which entries of a list are changed: by their index, by what
// they have, and by a key for the whole list. All give the same text, and change nothing else.
func FuzzEntries(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		var base strings.Builder
		base.WriteString("a: 1\nlist:\n")
		n := 1 + r.IntN(6)
		for i := range n {
			fmt.Fprintf(&base, "- id: x%d # entry %d\n  v: %d\n", i, i, r.IntN(3))
		}
		base.WriteString("z: {b: c}\n")
		var byIndex, byMatch, byKey []string
		for i := range n {
			change := []string{
				"v: 7", "new: {a: 1}", "v: ~", "$remove: true", "$replace: true, id: x" + fmt.Sprint(i),
			}[r.IntN(5)]
			index := i
			if r.IntN(2) == 0 {
				index = i - n
			}
			if r.IntN(3) == 0 {
				continue
			}
			byIndex = append(byIndex, fmt.Sprintf("{$at: %d, %s}", index, change))
			byMatch = append(byMatch, fmt.Sprintf("{$match: {id: {$matches: ^x%d$}}, %s}", i, change))
			byKey = append(byKey, fmt.Sprintf("{id: x%d, %s}", i, strings.Split(change, ", id:")[0]))
		}
		if byIndex == nil {
			return
		}
		rules, err := ParseRules([]string{"list=id"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, list := range [][]string{byIndex, byMatch, byKey} {
			over := "{list: [" + strings.Join(list, ", ") + "]}"
			s := yamltest.Read(t, base.String())
			text, _, err := applied(s, Options{Rules: rules, Written: true}, over)
			if err != nil {
				t.Fatalf("%s: %s", over, message(s, err))
			}
			texts = append(texts, text)
		}
		if texts[0] != texts[2] || texts[1] != texts[2] {
			t.Errorf("the three ways differ for\n%s\n%q\n%q\n%q", base.String(), texts[0], texts[1], texts[2])
		}
	})
}
