package overlay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
)

// This file says what nearly matched. It runs only once something is wrong, and looks at no more than maxCandidates.

const (
	maxCandidates  = 10_000 // that are compared with what was looked for
	maxShown       = 3      // near misses, and places of matches that are shown with their lines
	maxDifferences = 3      // of one near miss
	maxNames       = 12     // keys or values that are listed
)

// wrongCount says that p has found more or fewer matches in d than it may.
func (e *editor) wrongCount(d *draft, p *plan, found []int32) error {
	if !e.teach {
		return errStop
	}
	n := len(found)
	x := diag.Errorf(p.at, CodeCount, "expected %s for %s, but found %d", p.expect.String(), p.subject(), n)
	x.Path = p.segment()
	if n > 0 {
		e.showFound(x, d, found)
		if p.expect.takesMore(n) {
			e.explainMiss(x, d, p, found)
			if d.n > n || p.expect.when {
				x.Hint = fmt.Sprintf("if fewer will do write `expects=%q`", "1+")
			}
			return x
		}
		x.Hint = fmt.Sprintf("to change all of them write `expects=%q`, or match fewer", "1+")
		if n == 2 && p.expect.counts == nil {
			x.Hint = fmt.Sprintf("to change all of them write `expects=%q` or `expects=2`, or match fewer", "1+")
		}
		return x
	}
	e.explainMiss(x, d, p, nil)
	e.missed = nil
	if p.kind == mapItem && p.by == nil {
		e.missed = append(e.missed, p)
	}
	return x
}

// subject is what p looks for, in a message.
func (p *plan) subject() string {
	if p.by == nil {
		return "key " + show(p.key.value)
	}
	return p.by.subject()
}

func (t *test) subject() string {
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
	return "the function of by"
}

// showFound adds the places of matches: the first with their lines, the others as a list. All are named, since the one too many may be any of them.
func (e *editor) showFound(x *diag.Diagnostic, d *draft, found []int32) {
	var rest []string
	for k, i := range found {
		at := d.entrySpan(e, i)
		if k < maxShown || e.opt.Files == nil {
			what := ""
			if d.docs {
				what = describeDocument(d.entries[i].cell())
			}
			relate(x, at, "match %d%s", k+1, what)
			continue
		}
		if w := e.where(at.Pos); w != "" {
			rest = append(rest, w)
		}
	}
	if len(rest) > 0 && len(x.Related) > 0 {
		x.Related[len(x.Related)-1].Message += "; more at " + strings.Join(rest, ", ")
	}
}

// explainMiss says why the candidates that did not match did not, the nearest first.
func (e *editor) explainMiss(x *diag.Diagnostic, d *draft, p *plan, found []int32) {
	if d.n == len(found) {
		if !d.docs && len(found) == 0 {
			relate(x, e.container(d), "the %s is empty", collectionName(d))
		}
		switch {
		case d.docs && len(found) == 0:
			x.Hint = "there are no documents to match: name their files with -f, or `-f -` for standard input"
		case len(found) == 0:
			x.Hint = addHint(p)
		}
		return
	}
	switch {
	case p.by == nil:
		e.missKey(x, d, p)
	case p.by.kind == matchIndex && p.kind != mapItem:
		relate(x, e.container(d), "%s", lengthText(d))
		x.Hint = indexHint(p.by.n, d)
	case p.by.kind == matchMapKey:
		e.missMapKey(x, d, p, found)
	case p.by.kind == matchFunc:
		relate(x, e.container(d), "the function returned False for %s here", allText(d.n-len(found), d))
		x.Hint = addHint(p)
	default:
		e.missNear(x, d, p, found)
	}
}

func collectionName(d *draft) string {
	switch {
	case d.docs:
		return "list of documents"
	case d.array:
		return "array"
	}
	return "map"
}

// container is where a collection is: its first item, or the brackets of an empty one.
func (e *editor) container(d *draft) source.Span {
	if d.head == none {
		return d.span
	}
	return d.entrySpan(e, d.head)
}

func lengthText(d *draft) string {
	return fmt.Sprintf("there %s, from index 0", areText(d.n, d))
}

func areText(n int, d *draft) string {
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return verb + " " + plural(n, d.itemKind().String())
}

func allText(n int, d *draft) string {
	if n == 1 {
		return "the one " + d.itemKind().String()
	}
	return "all " + plural(n, d.itemKind().String())
}

func indexHint(n int64, d *draft) string {
	if n < 0 {
		return fmt.Sprintf("a negative index has no meaning; the last is overlay.index(%d)", d.n-1)
	}
	return fmt.Sprintf("the last is overlay.index(%d)", d.n-1)
}

// missKey names the keys that are near to the one that was looked for.
func (e *editor) missKey(x *diag.Diagnostic, d *draft, p *plan) {
	if hint := keyHint(d, p); hint != "" {
		relate(x, e.container(d), "%s", "there is no such key here")
		x.Hint = hint
		return
	}
	var names []string
	want := show(p.key.value)
	for i := d.head; i != none && len(names) < maxCandidates; i = d.entries[i].next {
		k := d.entries[i].Key
		if k.Kind() != tree.ScalarKind {
			continue
		}
		name := plainText(k)
		names = append(names, name)
		if p.key.value.Kind() == tree.ScalarKind && name == plainText(p.key.value) {
			e.relate(x, d, i, "this key is %s, not %s", article(k.TypeName()), article(p.key.value.TypeName()))
			x.Hint = fmt.Sprintf("write the key as %s: keys of different types are different keys", show(k))
			return
		}
	}
	if near := nearest(p.key.text, names); near != "" {
		for i := d.head; i != none; i = d.entries[i].next {
			if k := d.entries[i].Key; k.Kind() == tree.ScalarKind && plainText(k) == near {
				e.relate(x, d, i, "the nearest key to %s is %s", want, show(k))
				break
			}
		}
		x.Hint = fmt.Sprintf("did you mean %q? %s", near, otherwise(p))
		return
	}
	relate(x, e.container(d), "the map has %s", listed(names, "key"))
	x.Hint = addHint(p)
	if path := deeper(d, p.key); path != "" {
		x.Hint = fmt.Sprintf("there is one further down, at %s: write the keys that lead to it, one below the other", path)
		if strings.Contains(path, "[]") {
			x.Hint += ", with `#@overlay/match by=overlay.all, expects=\"1+\"` above the items of lists"
		}
		x.Hint += "; otherwise: " + addHint(p)
	}
}

// deeper is the path to the first item below a map that has the key, or "". It does not look far.
func deeper(d *draft, k key) string {
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
				if below, ok := c.lookup(keyOf(tree.String(name))); ok && below.kind() != tree.ScalarKind {
					if found := find(below, strings.TrimPrefix(path+"."+name, "."), depth+1); found != "" {
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
	if !k.isString || d.array || d.docs {
		return ""
	}
	return find(cell{d: d}, "", 0)
}

// nearest is the name that s is most likely a misspelling of, or "". Of names of one or two letters any is as near as the next, and whole texts are no names: to compare them
// letter by letter would take long.
func nearest(s string, names []string) string {
	const longest = 100
	if len(s) < 3 || len(s) > longest {
		return ""
	}
	return diag.Nearest(s, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return len(n) > 2*longest }))
}

// listed is names as a list in a message.
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

// otherwise is what to do if the nearest was not meant, in short.
func otherwise(p *plan) string {
	hint, _, _ := strings.Cut(addHint(p), "; ")
	return upperFirst(hint)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// missMapKey names the values that there are.
func (e *editor) missMapKey(x *diag.Diagnostic, d *draft, p *plan, found []int32) {
	t := p.by
	if t.right.state == collection {
		relate(x, t.right.value.Span(), "this is %s, and only scalars are compared", article(t.right.value.TypeName()))
		x.Hint = "`by=overlay.subset({...})` compares maps and arrays"
		return
	}
	want := plainText(t.right.value)
	var names []string
	seen := map[string]int32{}
	for i := d.head; i != none && len(names) < maxCandidates; i = d.entries[i].next {
		v, ok := d.entries[i].cell().lookup(t.key)
		if !ok || v.kind() != tree.ScalarKind || slices.Contains(found, i) {
			continue
		}
		name := plainText(v.v)
		if _, ok := seen[name]; !ok {
			seen[name] = i
			names = append(names, name)
		}
		if name == want {
			e.relate(x, d, i, "here %s is %s, %s", t.key.text, article(v.v.TypeName()), show(v.v))
			x.Hint = fmt.Sprintf("write `%s: %s`: values of different types are different", t.key.text, show(v.v))
			return
		}
	}
	if wildcard(want) && !slices.ContainsFunc(names, wildcard) {
		relate(x, e.container(d), "there are %ss with %s: %s", d.itemKind(), t.key.text, strings.TrimPrefix(strings.TrimPrefix(listed(names, ""), "s"), " "))
		x.Hint = fmt.Sprintf("%s: write `by=lambda %s, left, right: %s, expects=\"1+\"`", noWildcard, indexWord(p.kind), likeText("left["+starlark.String(t.key.text).String()+"]", want))
		return
	}
	if near := nearest(want, names); near != "" {
		e.relate(x, d, seen[near], "the nearest has %s: %q", t.key.text, near)
		x.Hint = fmt.Sprintf("did you mean %q? %s", near, otherwise(p))
		return
	}
	relate(x, e.container(d), "there are %ss with %s: %s", d.itemKind(), t.key.text, strings.TrimPrefix(strings.TrimPrefix(listed(names, ""), "s"), " "))
	x.Hint = addHint(p)
}

// near is one candidate that did not match, and how near it came.
type near struct {
	i    int32
	cmp  comparison
	rank float64
}

// missNear shows the candidates that are nearest to what a test wants, and what is different in them.
func (e *editor) missNear(x *diag.Diagnostic, d *draft, p *plan, found []int32) {
	defer e.mute()()
	var all []near
	at := place{}
	for i := d.head; i != none && len(all) < maxCandidates; i = d.entries[i].next {
		if p.kind == mapItem {
			at.key = d.entries[i].Key.Starlark()
		}
		if !slices.Contains(found, i) {
			c := comparison{}
			e.compareTest(p.by, at, d.entries[i].cell(), d.entrySpan(e, i), &c)
			all = append(all, near{i, c, c.rank()})
		}
		at.index++
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.rank, a.rank) })
	hint := ""
	for k := range all {
		m := &all[k]
		if k == maxShown || k > 0 && m.rank < all[0].rank/2 {
			break
		}
		what := ""
		if d.docs {
			what = describeDocument(d.entries[m.i].cell())
		}
		e.relate(x, d, m.i, "near miss%s: %s", what, e.comparisonText(&m.cmp))
		if hint == "" {
			hint = m.cmp.meant()
		}
	}
	if more := len(all) - maxShown; more > 0 && len(x.Related) > 0 {
		x.Related[len(x.Related)-1].Message += fmt.Sprintf(" (of %s)", plural(len(all), "candidate"))
	}
	if other := e.subsetHint(d, p, p.by); other != "" {
		hint = other
	}
	if hint != "" {
		x.Hint = hint
		return
	}
	x.Hint = addHint(p)
}

// mute keeps functions from printing until what it returns is called: to be asked again is not their fault.
func (e *editor) mute() func() {
	if e.thread == nil {
		return func() {}
	}
	t, print := e.thread, e.thread.Print
	t.Print = func(*starlark.Thread, string) {}
	return func() { t.Print = print }
}

// comparison is how a candidate compares with what was looked for.
type comparison struct {
	same   []string // what is as it should be: `kind: "Deployment"`
	differ []difference
	close  float64
}

// difference is one thing that is not as it should be.
type difference struct {
	path string
	want string
	got  string // "" if there is nothing
	at   source.Span
	near string // what was probably meant
	text string // said instead of want and got
}

// rank is larger for a candidate that comes nearer.
func (c *comparison) rank() float64 {
	return float64(len(c.same)) + c.close
}

// meant is the hint of the difference that looks like a misspelling.
func (c *comparison) meant() string {
	for _, d := range c.differ {
		if d.near != "" {
			return fmt.Sprintf("did you mean %q?", d.near)
		}
	}
	return ""
}

// compare compares what an assert wants with a value.
func (e *editor) compare(want *pattern, c cell, at source.Span) comparison {
	var out comparison
	e.comparePattern(want, c, at, "", &out)
	return out
}

// compareTest compares what a test wants with a candidate.
func (e *editor) compareTest(t *test, at place, c cell, span source.Span, out *comparison) {
	switch t.kind {
	case matchSubset:
		e.comparePattern(&t.want, c, span, "", out)
	case matchAnd, matchOr:
		for _, x := range t.of {
			e.compareTest(x, at, c, span, out)
		}
	case matchAll:
		out.same = append(out.same, "overlay.all")
	default:
		// A test that may not be asked alone is asked all the same: and_op and or_op stop early, but somebody wants to know about all of them.
		ok, err := t.run(e, at, c)
		switch {
		case err != nil:
			out.differ = append(out.differ, difference{text: t.subject() + " cannot be asked"})
		case ok:
			out.same = append(out.same, t.subject())
		case t.kind == matchNot:
			out.differ = append(out.differ, difference{text: "what overlay.not_op excludes matches"})
		default:
			out.differ = append(out.differ, difference{text: t.subject() + " does not match"})
		}
	}
}

func (e *editor) comparePattern(want *pattern, c cell, at source.Span, path string, out *comparison) {
	if want.kind != c.kind() {
		out.differ = append(out.differ, difference{path: path, want: article(want.typeName()), got: article(c.typeName()), at: at})
		return
	}
	switch want.kind {
	case tree.MapKind:
		for i := range want.of {
			below := joinPath(path, pathKey(want.keys[i].value))
			x, span, ok := c.lookupItem(e, want.keys[i])
			if ok {
				e.comparePattern(&want.of[i], x, span, below, out)
				continue
			}
			d := difference{path: below, text: "there is no key " + below, at: at}
			if n := nearest(want.keys[i].text, c.keyTexts()); n != "" {
				d.near = n
				out.close += 0.25
			}
			out.differ = append(out.differ, d)
		}
	case tree.ArrayKind:
		n := 0
		for x := range c.elements() {
			if n == len(want.of) {
				break
			}
			e.comparePattern(&want.of[n], x, at, fmt.Sprintf("%s[%d]", path, n), out)
			n++
		}
		if n < len(want.of) {
			out.differ = append(out.differ, difference{path: path, text: fmt.Sprintf("%s has only %s of %d", orValue(path), plural(n, "item"), len(want.of)), at: at})
		}
	default:
		if tree.SameScalar(want.scalar, c.v) {
			out.same = append(out.same, strings.TrimPrefix(path+": "+show(want.scalar), ": "))
			return
		}
		d := difference{path: path, want: show(want.scalar), got: show(c.v), at: at}
		w, isString := want.scalar.Starlark().(starlark.String)
		g, wasString := c.v.Starlark().(starlark.String)
		switch {
		case isString && wildcard(string(w)) && wasString && !wildcard(string(g)):
			// A pattern is nobody's misspelling.
		case isString && wasString && nearest(string(w), []string{string(g)}) != "":
			d.near = string(g)
			out.close += 0.5
		case want.scalar.TypeName() != c.v.TypeName() && plainText(want.scalar) == plainText(c.v):
			d.got += " (" + article(c.v.TypeName()) + ")"
			d.want += " (" + article(want.scalar.TypeName()) + ")"
			out.close += 0.5
		}
		out.differ = append(out.differ, d)
	}
}

func orValue(path string) string {
	if path == "" {
		return "the array"
	}
	return path
}

func (p *pattern) typeName() string {
	switch p.kind {
	case tree.MapKind:
		return "map"
	case tree.ArrayKind:
		return "array"
	}
	return p.scalar.TypeName()
}

// lookupItem is lookup that also gives where the item is.
func (c cell) lookupItem(e *editor, k key) (cell, source.Span, bool) {
	if c.d != nil {
		i := c.d.find(k)
		if i == none {
			return cell{}, source.Span{}, false
		}
		return c.d.entries[i].cell(), c.d.entrySpan(e, i), true
	}
	m, ok := c.v.Map()
	if !ok {
		return cell{}, source.Span{}, false
	}
	i := m.Find(k.value.Starlark())
	if i < 0 {
		return cell{}, source.Span{}, false
	}
	it := m.Entries()[i]
	return cell{v: it.Value}, e.opt.itemSpan(it), true
}

// keyTexts are the string keys of a map.
func (c cell) keyTexts() []string {
	var names []string
	note := func(v tree.Value) {
		if s, ok := v.Starlark().(starlark.String); ok {
			names = append(names, string(s))
		}
	}
	if c.d != nil {
		for i := c.d.head; i != none && !c.d.array && len(names) < maxCandidates; i = c.d.entries[i].next {
			note(c.d.entries[i].Key)
		}
		return names
	}
	if m, ok := c.v.Map(); ok {
		for _, it := range m.Entries() {
			note(it.Key)
		}
	}
	return names
}

// comparisonText is a comparison in a message: `kind: "Deployment" matched, metadata.name: "web" ≠ "wep" at base.yml:4`.
func (e *editor) comparisonText(c *comparison) string {
	diff := e.differences(*c, maxDifferences)
	if len(c.same) == 0 {
		return diff
	}
	same := c.same
	more := ""
	if len(same) > maxDifferences {
		more = fmt.Sprintf(" and %d more", len(same)-maxDifferences)
		same = same[:maxDifferences]
	}
	return strings.Join(same, ", ") + more + " matched, " + diff
}

// differences is what differs, at most n of it.
func (e *editor) differences(c comparison, n int) string {
	var words []string
	for i, d := range c.differ {
		if i == n {
			words = append(words, fmt.Sprintf("and %d more", len(c.differ)-n))
			break
		}
		s := d.text
		if s == "" {
			s = strings.TrimPrefix(fmt.Sprintf("%s: %s ≠ %s", d.path, d.got, d.want), ": ")
			if w := e.where(d.at.Pos); w != "" {
				s += " at " + w
			}
		}
		if d.near != "" {
			s += fmt.Sprintf(", did you mean %q?", d.near)
		}
		words = append(words, s)
	}
	return strings.Join(words, ", ")
}
