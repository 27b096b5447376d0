package overlay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// This file says what nearly matched. It runs only once something is wrong, and looks at no more
// than maxCandidates.

const (
	maxCandidates  = 10_000 // that are compared with what was looked for
	maxShown       = 3      // near misses, and places of matches that are shown with their lines
	maxDifferences = 3      // of one near miss
	maxNames       = 12     // keys or values that are listed
)

// WrongCount implements overlay.Explainer.
func (e *explainer) WrongCount(d view, p *plan, found []int32) error {
	n := len(found)
	x := diag.Errorf(p.at, CodeCount, "expected %s for %s, but found %d", p.expect.String(),
		subject(p), n)
	x.Path = segment(p)
	if n > 0 {
		e.showFound(x, d, found)
		if p.expect.takesMore(n) {
			e.explainMiss(x, d, p, found)
			if d.len() > n || p.expect.when {
				x.Hint = fmt.Sprintf("if fewer are fine, write `expects=%q`", "1+")
			}
			return x
		}
		x.Hint = fmt.Sprintf("to change all of them write `expects=%q`, or match fewer", "1+")
		if n == 2 && p.expect.counts == nil {
			x.Hint = fmt.Sprintf("to change all of them write `expects=%q` or `expects=2`, or "+
				"match fewer", "1+")
		}
		return x
	}
	e.explainMiss(x, d, p, nil)
	x.Hint += belowDash(e.opt, p, x.Hint)
	e.missed = nil
	if p.kind == tree.MapItem && p.by == nil {
		e.missed = append(e.missed, p)
	}
	return x
}

// subject returns what p looks for, in a message.
func subject(p *plan) string {
	if p.by == nil {
		return "key " + show(p.key.value)
	}
	return testSubject(p.by)
}

func testSubject(t *test) string {
	switch t.kind {
	case matchAll:
		return "overlay.all"
	case matchIndex:
		return fmt.Sprintf("overlay.index(%s)", t.index)
	case matchMapKey:
		if t.right.state == scalar {
			return fmt.Sprintf("%s: %s", t.key.text, show(t.right.value))
		}
		return fmt.Sprintf("overlay.map_key(%q)", t.key.text)
	case matchSubset:
		return "overlay.subset(" + short(t.whole) + ")"
	case matchAnd:
		return "overlay.and_op(...)"
	case matchOr:
		return "overlay.or_op(...)"
	case matchNot:
		return "overlay.not_op(...)"
	}
	return "the by function"
}

// showFound adds the places of matches: the first with their lines, the others as a list. All are
// named, since the one too many may be any of them.
func (e *explainer) showFound(x *diag.Diagnostic, d view, found []int32) {
	var rest []string
	for k, i := range found {
		at := d.span(i)
		if k < maxShown || e.opt.Files == nil {
			what := ""
			if d.docs() {
				what = describeDocument(d.cell(i))
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

// explainMiss says why the candidates that did not match did not, the nearest first.
func (e *explainer) explainMiss(x *diag.Diagnostic, d view, p *plan, found []int32) {
	if d.len() == len(found) {
		if !d.docs() && len(found) == 0 {
			relate(x, d.start(), "the %s is empty", collectionName(d))
		}
		switch {
		case d.docs() && len(found) == 0:
			x.Hint = "there are no documents to match: name their files with -f, or `-f -` for " +
				"standard input"
		case len(found) == 0:
			x.Hint = e.addHint(p)
		}
		return
	}
	switch {
	case p.by == nil:
		e.missKey(x, d, p)
	case p.by.kind == matchIndex && p.kind != tree.MapItem:
		relate(x, d.start(), "%s", lengthText(d))
		x.Hint = indexHint(p.by.n, d)
	case p.by.kind == matchMapKey:
		e.missMapKey(x, d, p, found)
	case p.by.kind == matchFunc:
		relate(x, d.start(), "the function returned False for %s here",
			allText(d.len()-len(found), d))
		x.Hint = e.addHint(p)
	default:
		e.missNear(x, d, p, found)
	}
}

func collectionName(d view) string {
	switch {
	case d.docs():
		return "list of documents"
	case d.array():
		return "array"
	}
	return "map"
}

func lengthText(d view) string {
	return fmt.Sprintf("there %s, from index 0", areText(d.len(), d))
}

func areText(n int, d view) string {
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return verb + " " + diag.Count(n, d.kind().String())
}

func allText(n int, d view) string {
	if n == 1 {
		return "the one " + d.kind().String()
	}
	return "all " + diag.Count(n, d.kind().String())
}

func indexHint(n int64, d view) string {
	if n < 0 {
		return fmt.Sprintf("negative indexes are not supported; the last is overlay.index(%d)",
			d.len()-1)
	}
	return fmt.Sprintf("the last is overlay.index(%d)", d.len()-1)
}

// missKey names the keys that are near to the one that was looked for.
func (e *explainer) missKey(x *diag.Diagnostic, d view, p *plan) {
	if hint := keyHint(d, p); hint != "" {
		relate(x, d.start(), "%s", "there is no such key here")
		x.Hint = hint
		return
	}
	var names []string
	want := show(p.key.value)
	for i := d.first(); i != none && len(names) < maxCandidates; i = d.next(i) {
		k := d.key(i)
		if k.Kind() != tree.ScalarKind {
			continue
		}
		name := k.Text()
		names = append(names, name)
		if p.key.value.Kind() == tree.ScalarKind && name == p.key.value.Text() {
			relateEntry(x, d, i, "this key is %s, not %s", diag.Article(k.TypeName()),
				diag.Article(p.key.value.TypeName()))
			x.Hint = fmt.Sprintf("write the key as %s: keys of different types never match",
				show(k))
			return
		}
	}
	if near := nearest(p.key.text, names); near != "" {
		for i := d.first(); i != none; i = d.next(i) {
			if k := d.key(i); k.Kind() == tree.ScalarKind && k.Text() == near {
				relateEntry(x, d, i, "the nearest key to %s is %s", want, show(k))
				break
			}
		}
		x.Hint = fmt.Sprintf("did you mean %q? %s", near, e.otherwise(p))
		return
	}
	relate(x, d.start(), "the map has %s", listed(names, "key"))
	x.Hint = e.addHint(p)
	if path := deeper(d, p.key); path != "" {
		x.Hint = fmt.Sprintf("there is one further down, at %s: write the keys that lead to it, "+
			"one below the other", path)
		if strings.Contains(path, "[]") {
			x.Hint += ", with `#@overlay/match by=overlay.all, expects=\"1+\"` above the items " +
				"of lists"
		}
		x.Hint += "; otherwise: " + e.addHint(p)
	}
}

// deeper returns the path to the first item below a map that has the key, or "". It does not look
// far.
func deeper(d view, k key) string {
	const deepest = 8
	left := maxCandidates
	var find func(c cell, path string, depth int) string
	find = func(c cell, path string, depth int) string {
		if left--; left < 0 || depth > deepest {
			return ""
		}
		switch c.kind() {
		case tree.MapKind:
			if _, ok := c.lookup(k); ok && depth > 0 {
				return path + "." + k.text
			}
			for _, name := range c.keyTexts() {
				if below, ok := c.lookup(keyOf(tree.String(name))); ok &&
					below.kind() != tree.ScalarKind {
					if found := find(below, strings.TrimPrefix(path+"."+name, "."),
						depth+1); found != "" {
						return found
					}
				}
			}
		case tree.ArrayKind:
			for item := range c.elements() {
				if found := find(item, path+"[]", depth+1); found != "" || left < 0 {
					return found
				}
			}
		}
		return ""
	}
	if !k.isString || d.array() || d.docs() {
		return ""
	}
	return find(d.whole(), "", 0)
}

// listed returns names as a list in a message.
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

// otherwise returns what to do if the nearest was not meant, in short.
func (e *explainer) otherwise(p *plan) string {
	hint, _, _ := strings.Cut(e.addHint(p), "; ")
	return upperFirst(hint)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// missMapKey names the values that there are.
func (e *explainer) missMapKey(x *diag.Diagnostic, d view, p *plan, found []int32) {
	t := p.by
	if t.right.state == collection {
		relate(x, t.right.value.Span(), "this is %s, and only scalars are compared",
			diag.Article(t.right.value.TypeName()))
		x.Hint = "`by=overlay.subset({...})` compares maps and arrays"
		return
	}
	want := t.right.value.Text()
	var names []string
	seen := map[string]int32{}
	for i := d.first(); i != none && len(names) < maxCandidates; i = d.next(i) {
		v, ok := d.cell(i).lookup(t.key)
		if !ok || v.kind() != tree.ScalarKind || slices.Contains(found, i) {
			continue
		}
		name := v.v.Text()
		if _, ok := seen[name]; !ok {
			seen[name] = i
			names = append(names, name)
		}
		if name == want {
			relateEntry(x, d, i, "here %s is %s, %s", t.key.text, diag.Article(v.v.TypeName()), show(v.v))
			x.Hint = fmt.Sprintf("write `%s: %s`: values of different types never match",
				t.key.text, show(v.v))
			return
		}
	}
	if wildcard(want) && !slices.ContainsFunc(names, wildcard) {
		relate(x, d.start(), "there are %ss with %s: %s", d.kind(), t.key.text,
			strings.TrimPrefix(strings.TrimPrefix(listed(names, ""), "s"), " "))
		x.Hint = fmt.Sprintf("%s: write `by=lambda %s, left, right: %s, expects=\"1+\"`",
			noWildcard, indexWord(p.kind),
			likeText("left["+starlark.String(t.key.text).String()+"]", want))
		return
	}
	if near := nearest(want, names); near != "" {
		relateEntry(x, d, seen[near], "the nearest has %s: %q", t.key.text, near)
		x.Hint = fmt.Sprintf("did you mean %q? %s", near, e.otherwise(p))
		return
	}
	relate(x, d.start(), "there are %ss with %s: %s", d.kind(), t.key.text,
		strings.TrimPrefix(strings.TrimPrefix(listed(names, ""), "s"), " "))
	x.Hint = e.addHint(p)
}

// near is one candidate that did not match, and how near it came.
type near struct {
	i    int32
	cmp  comparison
	rank float64
}

// missNear shows the candidates that are nearest to what a test wants, and what is different in
// them.
func (e *explainer) missNear(x *diag.Diagnostic, d view, p *plan, found []int32) {
	defer e.ask.mute()()
	var all []near
	at := place{}
	for i := d.first(); i != none && len(all) < maxCandidates; i = d.next(i) {
		if p.kind == tree.MapItem {
			at.key = d.key(i).Starlark()
		}
		if !slices.Contains(found, i) {
			c := comparison{}
			e.compareTest(p.by, at, d.cell(i), d.span(i), &c)
			all = append(all, near{i, c, c.rank()})
		}
		at.index++
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.rank, a.rank) })
	hint := ""
	for k := range all {
		m := &all[k]
		if p.by.kind != matchOr {
			m.cmp.onlyMisspelled()
		}
		if k == maxShown || k > 0 && m.rank < all[0].rank/2 {
			break
		}
		what := ""
		if d.docs() {
			what = describeDocument(d.cell(m.i))
		}
		relateEntry(x, d, m.i, "near miss%s: %s", what, e.comparisonText(&m.cmp))
		if hint == "" {
			hint = m.cmp.meant()
		}
	}
	if more := len(all) - maxShown; more > 0 && len(x.Related) > 0 {
		x.Related[len(x.Related)-1].Message += fmt.Sprintf(" (of %s)",
			diag.Count(len(all), "candidate"))
	}
	if other := subsetHint(d, p, p.by); other != "" {
		hint = other
	}
	if hint != "" {
		x.Hint = hint
		return
	}
	x.Hint = e.addHint(p)
}
