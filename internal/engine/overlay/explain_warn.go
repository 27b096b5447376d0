package overlay

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// remarks are warnings about what overlays do that was hardly meant. Each node is warned of once,
// however many documents it is applied to. They are made for one goroutine.
type remarks struct {
	opt      *Options
	ask      *caller
	list     []remark
	warned   map[*plan]bool
	lost     map[*plan]*lost
	outcomes map[*plan]outcome
}

// remark is one warning.
type remark struct {
	p  *plan
	at step
	d  *diag.Diagnostic
}

// once reports whether something is to be said about p, which it is the first time.
func (r *remarks) once(p *plan) bool {
	if r.warned[p] {
		return false
	}
	if r.warned == nil {
		r.warned = map[*plan]bool{}
	}
	r.warned[p] = true
	return true
}

func (r *remarks) say(p *plan, d *diag.Diagnostic) {
	r.list = append(r.list, remark{p, r.ask.now, d})
}

// Tell implements overlay.Remarks.
func (r *remarks) Tell(others []Remarks) {
	all, outcomes := r.list, r.outcomes
	for _, other := range others {
		r := other.(*remarks)
		all = append(all, r.list...)
		if outcomes == nil {
			outcomes = r.outcomes
			continue
		}
		for p, o := range r.outcomes {
			old, seen := outcomes[p]
			if seen && old.before(o) {
				o.missing = old.missing
			}
			o.done = o.done || old.done
			outcomes[p] = o
		}
	}
	if len(all) == 0 && outcomes == nil {
		return
	}
	slices.SortStableFunc(all, func(a, b remark) int { return a.at.compare(b.at) })
	reported := map[*plan]bool{}
	opt := r.opt
	for _, of := range all {
		if !reported[of.p] {
			reported[of.p] = true
			warn(opt, of.d)
		}
	}
	tellIdle(opt, outcomes)
}

// tellIdle warns of the nodes that have replaced nothing anywhere.
func tellIdle(opt *Options, outcomes map[*plan]outcome) {
	var idle []*plan
	for p, o := range outcomes {
		if !o.done {
			idle = append(idle, p)
		}
	}
	slices.SortFunc(idle, func(a, b *plan) int { return a.at.Pos.Compare(b.at.Pos) })
	for _, p := range idle {
		warn(opt, outcomes[p].idle(p))
	}
}

// The rest of this file is what they are about. Most of it is about what is put in whole: a key
// that was missing, an appended item, a replacement. Annotations inside it are never looked at,
// which is fine for those that say what would have happened anyway, and a silent mistake for the
// others: what should be removed is added.

// lost is an annotation inside something that may be put in whole, and that makes a difference.
type lost struct {
	note string
	kind tree.NodeKind
	at   source.Span
}

// lostOf returns the first annotation that is lost if p is put in whole, or nil.
func lostOf(opt *Options, p *plan) *lost {
	switch {
	case !p.deep:
		return nil
	case p.goesInside():
		nodes := p.children()
		for i := range nodes {
			if l := lostWith(opt, &nodes[i]); l != nil {
				return l
			}
		}
		return nil
	case p.via != nil:
		return nil
	}
	return lostIn(opt, &reader{}, p.right)
}

// lostWith returns what is lost if the node is put in as a part of what is around it.
func lostWith(opt *Options, p *plan) *lost {
	if note := matters(p); note != "" && p.bad == nil {
		return &lost{note, p.kind, p.at}
	}
	return lostOf(opt, p)
}

// matters returns the annotation of p that makes it something else than a value to put in, or "".
// That something may be missing, or is to be added or replaced, comes to the same.
func matters(p *plan) string {
	switch {
	case !p.annotated:
		return ""
	case p.op == opRemove, p.op == opAssert, p.via != nil:
		return p.op.String()
	case p.hasMatch && p.expect.bad == nil && !allows(&p.expect, 0) && (p.expect.when || isPart(p)):
		return noteMatch
	}
	return ""
}

// isPart reports whether p is matched with something that it is not itself: it is then a change,
// and nothing to add. An item with the name that it is matched by is whole.
func isPart(p *plan) bool {
	switch {
	case p.by == nil || p.by.kind == matchMapKey:
		return false
	case p.by.kind == matchSubset:
		return !p.by.want.in(cell{v: p.right})
	}
	return true
}

// allows reports whether there may be n matches. A function may always say so.
func allows(x *expect, n int) bool {
	if x.counts == nil {
		return n == 1
	}
	for _, c := range x.counts {
		if c.fn != nil || c.n == n || c.atLeast && c.n < n {
			return true
		}
	}
	return false
}

// lostIn returns what is lost of a value for which there are no plans, since it is put in whole
// whatever happens.
func lostIn(opt *Options, r *reader, v tree.Value) *lost {
	if r.clean(v) == v {
		return nil
	}
	kind := tree.MapItem
	if v.Kind() == tree.ArrayKind {
		kind = tree.ArrayItem
	}
	for _, it := range r.Items(nil, v) {
		for _, o := range []op{opRemove, opAssert, opReplace, opInsert} {
			if a := it.Annotations.Get(o.String()); a != nil &&
				(o == opRemove || o == opAssert || hasVia(a)) {
				return &lost{a.Name, kind, opt.itemSpan(it)}
			}
		}
		if l := lostIn(opt, r, it.Value); l != nil {
			return l
		}
	}
	return nil
}

func hasVia(a *tree.Annotation) bool {
	for _, kv := range a.Kwargs {
		if kv[0] == starlark.String("via") {
			return true
		}
	}
	return false
}

// Added implements overlay.Remarks.
func (r *remarks) Added(d view, p *plan, how Way) {
	if how == WasMissing {
		r.strange(d, p)
	}
	r.whole(d, p, how)
}

// lostOf is that of p, which is looked for once.
func (r *remarks) lostOf(p *plan) *lost {
	if !p.deep {
		return nil
	}
	l, ok := r.lost[p]
	if !ok {
		if r.lost == nil {
			r.lost = map[*plan]*lost{}
		}
		l = lostOf(r.opt, p)
		r.lost[p] = l
	}
	return l
}

// whole says that p was put into d whole, if something inside it is lost by that.
func (r *remarks) whole(d view, p *plan, how Way) {
	l := r.lostOf(p)
	if l == nil || !r.once(p) {
		return
	}
	name := wholeName(p)
	var x *diag.Diagnostic
	switch how {
	case WasMissing:
		x = diag.Warningf(p.at, CodeWhole, "%s did not exist and is added as a whole: @%s "+
			"inside it "+
			"has no effect", name, l.note)
	case WasNull:
		x = diag.Warningf(p.at, CodeWhole, "%s was null and is set as a whole: @%s inside it has "+
			"no effect", name, l.note)
	case Appended:
		x = diag.Warningf(p.at, CodeWhole, "this item has no @overlay/match and is appended as "+
			"a whole: @%s inside it has no effect", l.note)
	default:
		x = diag.Warningf(p.at, CodeWhole, "@%s inserts %s as a whole: @%s inside it has no effect",
			p.op, name, l.note)
	}
	relate(x, l.at, "this %s is added as it is", l.kind)
	if how == WasMissing {
		relate(x, d.start(), "there is no match here")
	}
	r.say(p, x.WithHint("%s", wholeHint(p, how)))
}

func wholeName(p *plan) string {
	switch p.kind {
	case tree.MapItem:
		return "`" + plainKey(p.key.value) + "`"
	case tree.ArrayItem:
		return "the item"
	}
	return "the document"
}

// plainKey returns a key in a message.
func plainKey(v tree.Value) string {
	if v.Kind() == tree.ScalarKind {
		return v.Text()
	}
	return show(v)
}

func wholeHint(p *plan, how Way) string {
	empty := "{}"
	if p.inner == tree.ArrayKind {
		empty = "[]"
	}
	switch {
	case how == Appended:
		return "to change an existing item, write " + matchItem(p.right) + " above its `- `"
	case how == PutIn && p.op == opReplace:
		return "remove @overlay/replace to merge, or remove the annotations inside it"
	case how == PutIn:
		return "remove the annotations inside it, and the keys they annotate if those should " +
			"not be added"
	case p.kind == tree.MapItem && how == WasNull:
		return fmt.Sprintf("replace it with `%s: %s` in an earlier overlay, or skip it where "+
			"it is null: `#@overlay/match by=lambda key, left, right: key == %q and left "+
			"!= None, when=1`", plainKey(p.key.value), empty, plainKey(p.key.value))
	case p.kind == tree.MapItem && p.op == opMerge:
		return fmt.Sprintf("to change it only where it exists, write `#@overlay/match when=1`; "+
			"to add it first, let an earlier overlay add `%s: %s`", plainKey(p.key.value), empty)
	case p.kind == tree.MapItem:
		return fmt.Sprintf("let an earlier overlay add `%s: %s`, or remove the annotations "+
			"inside it", plainKey(p.key.value), empty)
	}
	return "to change it only where it exists, write `when=1` instead of `missing_ok=True`"
}

// matchItem returns an annotation that finds the item of a list that an item of an overlay means.
func matchItem(v tree.Value) string {
	switch {
	case v.Kind() == tree.MapKind:
		for _, name := range []string{"name", "id", "key"} {
			if x, ok := v.Lookup(name); ok && x.Kind() == tree.ScalarKind {
				return "`#@overlay/match by=\"" + name + "\"`"
			}
		}
	case v.Kind() == tree.ScalarKind:
		return "`#@overlay/match by=overlay.subset(" + literal(v) + ")`"
	}
	return "`#@overlay/match by=overlay.subset({...})`, or `by=overlay.all, expects=\"1+\"` for " +
		"every item,"
}

// strange says that p adds an item that its own matcher does not match: it is a change for what is
// there, and no item to add.
func (r *remarks) strange(d view, p *plan) {
	placeholder := p.kind == tree.MapItem && p.key.isString && p.key.text == "_"
	if p.by == nil && !placeholder || p.keepKey || p.op != opMerge || !p.expect.takesMore(0) {
		return
	}
	if !placeholder && (p.by.kind == matchIndex || r.matchesItself(p)) || !r.once(p) {
		return
	}
	x := diag.Warningf(p.at, CodeStrange, "nothing matches %s, so the item is added, but it "+
		"does not match either", subject(p))
	if placeholder {
		x.Message = fmt.Sprintf("nothing matches %s, so an item with the key _ is added",
			subject(p))
	}
	relate(x, d.start(), "there is no match here")
	if p.by == nil {
		x.Message = "there is no key _, so an item with the key _ is added"
		r.say(p, x.WithHint("`_` matches any key only with @overlay/match: write `#@overlay/match "+
			"by=overlay.all, expects=\"1+\"` above it"))
		return
	}
	r.say(p, x.WithHint("to change only what matches, write `when=1` (or `when=\"1+\"`) instead "+
		"of `missing_ok=True` or `expects`"))
}

// matchesItself reports whether an added item will be found by the matcher that did not find it. A
// function that fails is given the benefit of the doubt.
func (r *remarks) matchesItself(p *plan) bool {
	defer r.ask.mute()()
	at := place{}
	if p.kind == tree.MapItem {
		at.key = p.key.value.Starlark()
	}
	ok, err := p.by.run(r.ask, at, cell{v: p.item.Value})
	return ok || err != nil
}

// Put implements overlay.Remarks.
func (r *remarks) Put(d view, i int32, p *plan, it tree.Item) {
	r.outcome(d, p, true)
	r.asText(d, i, p, it)
	if p.via == nil {
		r.whole(d, p, PutIn)
	}
	if p.op == opReplace && p.kind == tree.MapItem && p.by != nil && !p.keepKey {
		r.renames(d, i, p)
	}
}

// renames says that a placeholder becomes the key of what p replaces. A function is asked for keys,
// too, and may mean it.
func (r *remarks) renames(d view, i int32, p *plan) {
	if !p.key.isString || p.key.text != "_" || p.by.positional() || !r.once(p) {
		return
	}
	x := diag.Warningf(p.at, CodeStrange, "the replaced item gets the key _: it is a "+
		"placeholder only if by is overlay.all, overlay.map_key(...) or a string")
	relateEntry(x, d, i, "it had the key %s", show(d.key(i)))
	if p.inner == tree.ScalarKind && p.via == nil {
		r.say(p, x.WithHint("remove `#@overlay/replace`: a scalar replaces the value anyway, and "+
			"the key stays"))
		return
	}
	r.say(p, x.WithHint("match all and choose in the function: `#@overlay/match by=overlay.all, "+
		"expects=\"1+\"` and `#@overlay/replace via=lambda left, right: ... if ... else left`"))
}

// NoMatch implements overlay.Remarks: it says that nothing matches a pattern with a star or a list in
// a text, which nobody would ever know.
func (r *remarks) NoMatch(d view, p *plan, adds bool) {
	if !r.Asks(p) {
		return
	}
	hint, like := patternHint(d, p, p.by)
	if !like || adds && r.matchesItself(p) || !r.once(p) { // a host may be `*.example.com`
		return
	}
	x := diag.Warningf(p.at, CodeNoEffect, "nothing matches %s, so nothing happens", testSubject(p.by))
	if adds {
		x = diag.Warningf(p.at, CodeStrange, "nothing matches %s, so the %s is added",
			testSubject(p.by), p.kind)
	}
	r.say(p, relate(x, d.start(), "there is no match here").WithHint("%s", hint))
}

// Asks implements overlay.Remarks.
func (r *remarks) Asks(p *plan) bool { return p.by != nil && star(p.by) }

// asText says that the function of p has made a text of a collection as a whole: nobody wants to
// read `yamlfragment(...)`.
func (r *remarks) asText(d view, i int32, p *plan, it tree.Item) {
	if p.via == nil || it.Value.Kind() != tree.ScalarKind {
		return
	}
	left := d.cell(i)
	text, ok := starlark.AsString(it.Value.Starlark())
	if !ok || left.kind() == tree.ScalarKind || !strings.Contains(text, "yamlfragment(") ||
		!r.once(p) {
		return
	}
	x := diag.Warningf(p.at, CodeText, "the via function converts %s to text, which only names "+
		"its type: %s", diag.Article(left.typeName()), show(it.Value))
	relateEntry(x, d, i, "for this %s", d.kind())
	r.say(p, x.WithHint("%s", leftHint(p, left)))
}

// outcome is what has come of a node that replaces what may be missing.
type outcome struct {
	done    bool        // it has replaced something
	missing source.Span // the first place without a match
}

// Idle implements overlay.Remarks.
func (r *remarks) Idle(d view, p *plan) { r.outcome(d, p, false) }

// outcome notes whether p has replaced something. Whether it has nowhere is known only at the end.
func (r *remarks) outcome(d view, p *plan, done bool) {
	if !p.quiet || r.ask.borrowed {
		return
	}
	if r.outcomes == nil {
		r.outcomes = map[*plan]outcome{}
	}
	o, seen := r.outcomes[p]
	if !seen && !done {
		o.missing = d.start()
	}
	o.done = o.done || done
	r.outcomes[p] = o
}

// before reports whether the first place without a match of o comes before that of another.
func (o outcome) before(other outcome) bool {
	a, b := o.missing, other.missing
	return !a.IsValid() || b.IsValid() && b.Pos.Compare(a.Pos) > 0
}

// idle says that p has replaced nothing.
func (o outcome) idle(p *plan) *diag.Diagnostic {
	x := diag.Warningf(p.at, CodeIdle, "%s does not exist, so @overlay/replace replaces "+
		"nothing and adds nothing", wholeName(p))
	if p.kind == tree.ArrayItem {
		x.Message = fmt.Sprintf("nothing matches %s, so @overlay/replace replaces nothing and "+
			"adds nothing", subject(p))
	}
	relate(x, o.missing, "there is no match here")
	return x.WithHint("to add it write `#@overlay/replace or_add=True`; to do nothing, write " +
		"`when=1` instead of `missing_ok=True`")
}
