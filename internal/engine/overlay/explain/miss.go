package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// This file describes near misses. It runs only after an error, and examines at most MaxCandidates.

const (
	maxShown       = 3  // near misses, and matches shown with their lines
	maxDifferences = 3  // differences of one near miss
	maxNames       = 12 // listed keys or values
)

// WrongCount implements overlay.Explainer.
func (e *explainer) WrongCount(d overlay.View, p *overlay.Plan, found []int32) error {
	n := len(found)
	x := diag.Errorf(p.At, overlay.CodeCount, "expected %s for %s, but found %d", p.Expect.String(),
		subject(p), n)
	if p.IsEmbedded && p.By.Kind == overlay.MatchAll {
		x.Message = fmt.Sprintf("expected a string with one document, but it has %d", n)
		e.showFound(x, d, found)
		return x.WithHint("choose a document with `#@overlay/inside \"yaml\", by=overlay.subset({...})`, or " +
			"change all with `by=overlay.all, expects=\"1+\"`")
	}
	x.Path = segment(p)
	if n > 0 {
		e.showFound(x, d, found)
		if p.Expect.AllowsMore(n) {
			e.explainMiss(x, d, p, found)
			if d.Len() > n || p.Expect.When {
				x.Hint = fmt.Sprintf("if fewer are fine, write `expects=%q`", "1+")
			}
			return x
		}
		x.Hint = fmt.Sprintf("to change all of them write `expects=%q`, or match fewer", "1+")
		if n == 2 && p.Expect.Counts == nil {
			x.Hint = fmt.Sprintf("to change all of them write `expects=%q` or `expects=2`, or "+
				"match fewer", "1+")
		}
		return x
	}
	e.explainMiss(x, d, p, nil)
	x.Hint += belowDash(e.opt, p, x.Hint)
	e.missed = nil
	if p.Kind == tree.MapItem && p.By == nil {
		e.missed = append(e.missed, p)
	}
	return x
}

// subject returns what p looks for, for a message.
func subject(p *overlay.Plan) string {
	if p.By == nil {
		return "key " + show(p.Key.Value)
	}
	return testSubject(p.By)
}

func testSubject(t *overlay.Test) string {
	switch t.Kind {
	case overlay.MatchAll:
		return "overlay.all"
	case overlay.MatchIndex:
		return fmt.Sprintf("overlay.index(%s)", t.Index)
	case overlay.MatchMapKey:
		if v, ok := t.Wanted(); ok {
			return fmt.Sprintf("%s: %s", t.Key.Text, show(v))
		}
		return fmt.Sprintf("overlay.map_key(%q)", t.Key.Text)
	case overlay.MatchSubset:
		return "overlay.subset(" + short(t.Whole) + ")"
	case overlay.MatchPath:
		return `overlay.path("` + strings.Join(t.Texts, `", "`) + `")`
	case overlay.MatchAnd:
		return "overlay.and_op(...)"
	case overlay.MatchOr:
		return "overlay.or_op(...)"
	case overlay.MatchNot:
		return "overlay.not_op(...)"
	}
	return "the by function"
}

// showFound adds the positions of matches: the first with their lines, the others as a list. It
// lists all, because any of them may be the unwanted one.
func (e *explainer) showFound(x *diag.Diagnostic, d overlay.View, found []int32) {
	var rest []string
	for k, i := range found {
		at := d.Span(i)
		if k < maxShown || e.opt.Files == nil {
			what := ""
			if d.Docs() {
				what = describeDocument(d.Cell(i))
			}
			relate(x, at, "match %d%s", k+1, what)
			continue
		}
		if w := where(e.opt, at.Pos); w != "" {
			rest = append(rest, w)
		}
	}
	if len(rest) > 0 && len(x.Related) > 0 {
		x.Related[len(x.Related)-1].Message += "; more at " + strings.Join(rest, ", ")
	}
}

// explainMiss explains why candidates did not match, the nearest first.
func (e *explainer) explainMiss(x *diag.Diagnostic, d overlay.View, p *overlay.Plan, found []int32) {
	if d.Len() == len(found) {
		if !d.Docs() && len(found) == 0 {
			relate(x, d.Start(), "the %s is empty", collectionName(d))
		}
		switch {
		case d.Docs() && len(found) == 0:
			x.Hint = "there are no documents to match: name their files with -f, or `-f -` for " +
				"standard input"
		case len(found) == 0:
			x.Hint = e.addHint(p)
		}
		return
	}
	switch {
	case p.By == nil:
		e.missKey(x, d, p)
	case p.By.Kind == overlay.MatchIndex && p.Kind != tree.MapItem:
		relate(x, d.Start(), "%s", lengthText(d))
		x.Hint = indexHint(p.By.N, d)
	case p.By.Kind == overlay.MatchMapKey:
		e.missMapKey(x, d, p, found)
	case p.By.Kind == overlay.MatchFunc:
		relate(x, d.Start(), "the function returned False for %s here",
			allText(d.Len()-len(found), d))
		x.Hint = e.addHint(p)
	default:
		e.missNear(x, d, p, found)
	}
}

func collectionName(d overlay.View) string {
	switch {
	case d.Docs():
		return "list of documents"
	case d.Array():
		return "array"
	}
	return "map"
}

func lengthText(d overlay.View) string {
	return fmt.Sprintf("there %s, from index 0", areText(d.Len(), d))
}

func areText(n int, d overlay.View) string {
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return verb + " " + diag.Count(n, d.Kind().String())
}

func allText(n int, d overlay.View) string {
	if n == 1 {
		return "the one " + d.Kind().String()
	}
	return "all " + diag.Count(n, d.Kind().String())
}

func indexHint(n int64, d overlay.View) string {
	if n < 0 {
		return fmt.Sprintf("negative indexes are not supported; the last is overlay.index(%d)",
			d.Len()-1)
	}
	return fmt.Sprintf("the last is overlay.index(%d)", d.Len()-1)
}

// missKey lists the keys that are similar to the missing one.
func (e *explainer) missKey(x *diag.Diagnostic, d overlay.View, p *overlay.Plan) {
	if hint := keyHint(d, p); hint != "" {
		relate(x, d.Start(), "%s", "there is no such key here")
		x.Hint = hint
		return
	}
	var names []string
	want := show(p.Key.Value)
	for i := d.First(); i != overlay.None && len(names) < overlay.MaxCandidates; i = d.Next(i) {
		k := d.Key(i)
		if k.Kind() != tree.ScalarKind {
			continue
		}
		name := k.Text()
		names = append(names, name)
		if p.Key.Value.Kind() == tree.ScalarKind && name == p.Key.Value.Text() {
			relateEntry(x, d, i, "this key is %s, not %s", diag.Article(k.TypeName()),
				diag.Article(p.Key.Value.TypeName()))
			x.Hint = fmt.Sprintf("write the key as %s: keys of different types never match",
				show(k))
			return
		}
	}
	if near := overlay.Nearest(p.Key.Text, names); near != "" {
		for i := d.First(); i != overlay.None; i = d.Next(i) {
			if k := d.Key(i); k.Kind() == tree.ScalarKind && k.Text() == near {
				relateEntry(x, d, i, "the nearest key to %s is %s", want, show(k))
				break
			}
		}
		x.WithHint("did you mean %q? %s", near, e.fallbackHint(p)).WithFix(p.Key.Text, near)
		return
	}
	relate(x, d.Start(), "the map has %s", listed(names, "key"))
	x.Hint = e.addHint(p)
	if path := deeper(d, p.Key); path != "" {
		x.Hint = fmt.Sprintf("there is one further down, at %s: write the keys that lead to it, "+
			"one below the other", path)
		if strings.Contains(path, "[]") {
			x.Hint += ", with `#@overlay/match by=overlay.all, expects=\"1+\"` above the items " +
				"of lists"
		}
		x.Hint += "; otherwise: " + e.addHint(p)
	}
}

// deeper returns the path to the first item further down that has the key, or "". Its search is
// limited.
func deeper(d overlay.View, k overlay.Key) string {
	const deepest = 8
	left := overlay.MaxCandidates
	var find func(c overlay.Cell, path string, depth int) string
	find = func(c overlay.Cell, path string, depth int) string {
		if left--; left < 0 || depth > deepest {
			return ""
		}
		switch c.Kind() {
		case tree.MapKind:
			if _, ok := c.Lookup(k); ok && depth > 0 {
				return path + "." + k.Text
			}
			for _, name := range c.Keys() {
				if below, ok := c.Lookup(overlay.KeyOf(tree.String(name))); ok &&
					below.Kind() != tree.ScalarKind {
					if found := find(below, strings.TrimPrefix(path+"."+name, "."),
						depth+1); found != "" {
						return found
					}
				}
			}
		case tree.ArrayKind:
			for item := range c.Elements() {
				if found := find(item, path+"[]", depth+1); found != "" || left < 0 {
					return found
				}
			}
		}
		return ""
	}
	if !k.IsString || d.Array() || d.Docs() {
		return ""
	}
	return find(d.Whole(), "", 0)
}

// listed returns names as a list, for a message.
func listed(names []string, noun string) string {
	n := len(names)
	more := ""
	if n > maxNames {
		more = fmt.Sprintf(" and %d more", n-maxNames)
		names = names[:maxNames]
	}
	if n != 1 {
		noun += "s"
	}
	return noun + " " + strings.Join(names, ", ") + more
}

// fallbackHint returns a short hint in case the nearest candidate was not meant.
func (e *explainer) fallbackHint(p *overlay.Plan) string {
	hint, _, _ := strings.Cut(e.addHint(p), "; ")
	return upperFirst(hint)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// missMapKey lists the existing values.
func (e *explainer) missMapKey(x *diag.Diagnostic, d overlay.View, p *overlay.Plan, found []int32) {
	t := p.By
	sought, ok := t.Wanted()
	if !ok {
		relate(x, sought.Span(), "this is %s, and only scalars are compared",
			diag.Article(sought.TypeName()))
		x.Hint = "`by=overlay.subset({...})` compares maps and arrays"
		return
	}
	want := sought.Text()
	var names []string
	seen := map[string]int32{}
	for i := d.First(); i != overlay.None && len(names) < overlay.MaxCandidates; i = d.Next(i) {
		v, ok := d.Cell(i).Lookup(t.Key)
		if !ok || v.Kind() != tree.ScalarKind || slices.Contains(found, i) {
			continue
		}
		name := v.Value().Text()
		if _, ok := seen[name]; !ok {
			seen[name] = i
			names = append(names, name)
		}
		if name == want {
			relateEntry(x, d, i, "here %s is %s, %s", t.Key.Text, diag.Article(v.Value().TypeName()), show(v.Value()))
			x.Hint = fmt.Sprintf("write `%s: %s`: values of different types never match",
				t.Key.Text, show(v.Value()))
			return
		}
	}
	if wildcard(want) && !slices.ContainsFunc(names, wildcard) {
		relate(x, d.Start(), "there are %ss with %s: %s", d.Kind(), t.Key.Text,
			strings.TrimPrefix(strings.TrimPrefix(listed(names, ""), "s"), " "))
		x.Hint = fmt.Sprintf("%s: write `by=lambda %s, left, right: %s, expects=\"1+\"`",
			noWildcard, overlay.IndexWord(p.Kind),
			globCondition("left["+starlark.String(t.Key.Text).String()+"]", want))
		return
	}
	if near := overlay.Nearest(want, names); near != "" {
		relateEntry(x, d, seen[near], "the nearest has %s: %q", t.Key.Text, near)
		x.Hint = fmt.Sprintf("did you mean %q? %s", near, e.fallbackHint(p))
		if len(found) == 0 {
			x.WithFixOn(sought.Span().Pos, want, near)
		}
		return
	}
	relate(x, d.Start(), "there are %ss with %s: %s", d.Kind(), t.Key.Text,
		strings.TrimPrefix(strings.TrimPrefix(listed(names, ""), "s"), " "))
	x.Hint = e.addHint(p)
}

// near is a candidate that did not match, and how near it came.
type near struct {
	i    int32
	cmp  comparison
	rank float64
}

// missNear shows the nearest candidates for a test, and how they differ from what it wants.
func (e *explainer) missNear(x *diag.Diagnostic, d overlay.View, p *overlay.Plan, found []int32) {
	defer e.ask.Mute()()
	var all []near
	at := overlay.Place{}
	for i := d.First(); i != overlay.None && len(all) < overlay.MaxCandidates; i = d.Next(i) {
		if p.Kind == tree.MapItem {
			at.Key = d.Key(i).Starlark()
		}
		if !slices.Contains(found, i) {
			c := comparison{}
			e.compareTest(p.By, at, d.Cell(i), d.Span(i), &c)
			all = append(all, near{i, c, c.rank()})
		}
		at.Index++
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.rank, a.rank) })
	hint := ""
	for k := range all {
		m := &all[k]
		if p.By.Kind != overlay.MatchOr {
			m.cmp.onlyMisspelled()
		}
		if k == maxShown || k > 0 && m.rank < all[0].rank/2 {
			break
		}
		what := ""
		if d.Docs() {
			what = describeDocument(d.Cell(m.i))
		}
		relateEntry(x, d, m.i, "near miss%s: %s", what, e.comparisonText(&m.cmp))
		if hint == "" {
			hint = m.cmp.spellingHint()
		}
	}
	if more := len(all) - maxShown; more > 0 && len(x.Related) > 0 {
		x.Related[len(x.Related)-1].Message += fmt.Sprintf(" (of %s)",
			diag.Count(len(all), "candidate"))
	}
	if other := subsetHint(d, p, p.By); other != "" {
		hint = other
	}
	if hint != "" {
		x.Hint = hint
		return
	}
	x.Hint = e.addHint(p)
}
