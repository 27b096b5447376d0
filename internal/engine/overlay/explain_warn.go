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
	now      step // when something is said, as if overlays were applied one after another
	list     []remark
	warned   map[*plan]bool
	outcomes map[*plan]outcome
}

// remark is one warning.
type remark struct {
	p  *plan
	at step
	d  *diag.Diagnostic
}

func (r *remarks) listening() bool { return r.opt.Warn != nil }

// once reports whether something is to be said about p, which it is the first time.
func (r *remarks) once(p *plan) bool {
	if !r.listening() || r.warned[p] {
		return false
	}
	if r.warned == nil {
		r.warned = map[*plan]bool{}
	}
	r.warned[p] = true
	return true
}

func (r *remarks) say(p *plan, d *diag.Diagnostic) {
	r.list = append(r.list, remark{p, r.now, d})
}

// tell gives the warnings of editors that worked in parallel in the order in which one alone would
// have had them.
func tell(opt *Options, of ...*remarks) {
	var all []remark
	var outcomes map[*plan]outcome
	for _, r := range of {
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
	for _, r := range all {
		if !reported[r.p] {
			reported[r.p] = true
			opt.warning(r.d)
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
		opt.warning(outcomes[p].idle(p))
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

// lostWith returns what is lost if the node is put in as a part of what is around it.
func (p *plan) lostWith() *lost {
	if note := p.matters(); note != "" && p.bad == nil {
		return &lost{note, p.kind, p.at}
	}
	return p.lost
}

// matters returns the annotation of p that makes it something else than a value to put in, or "".
// That something may be missing, or is to be added or replaced, comes to the same.
func (p *plan) matters() string {
	switch {
	case !p.annotated:
		return ""
	case p.op == opRemove, p.op == opAssert, p.via != nil:
		return p.op.String()
	case p.hasMatch && p.expect.bad == nil && !p.expect.allows(0) && (p.expect.when || p.isPart()):
		return noteMatch
	}
	return ""
}

// isPart reports whether p is matched with something that it is not itself: it is then a change,
// and nothing to add. An item with the name that it is matched by is whole.
func (p *plan) isPart() bool {
	switch {
	case p.by == nil || p.by.kind == matchMapKey:
		return false
	case p.by.kind == matchSubset:
		return !p.by.want.in(cell{v: p.right})
	}
	return true
}

// allows reports whether there may be n matches. A function may always say so.
func (x *expect) allows(n int) bool {
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
func (c *planner) lostIn(v tree.Value) *lost {
	if c.clean(v) == v {
		return nil
	}
	kind := tree.MapItem
	if v.Kind() == tree.ArrayKind {
		kind = tree.ArrayItem
	}
	for _, it := range c.Items(nil, v) {
		for _, o := range []op{opRemove, opAssert, opReplace, opInsert} {
			if a := it.Annotations.Get(o.String()); a != nil &&
				(o == opRemove || o == opAssert || hasVia(a)) {
				return &lost{a.Name, kind, c.opt.itemSpan(it)}
			}
		}
		if l := c.lostIn(it.Value); l != nil {
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

// The ways in which something is put in whole.
type way uint8

const (
	wasMissing way = iota // it matched nothing, and is added
	wasNull               // it takes the place of null
	appended              // it is an array item without a match
	putIn                 // its action says so
)

// whole says that p was put into d whole, if something inside it is lost by that.
func (r *remarks) whole(d view, p *plan, how way) {
	if p.lost == nil || !r.once(p) {
		return
	}
	name := wholeName(p)
	var x *diag.Diagnostic
	switch how {
	case wasMissing:
		x = diag.Warningf(p.at, CodeWhole, "%s did not exist and is added as a whole: @%s "+
			"inside it "+
			"has no effect", name, p.lost.note)
	case wasNull:
		x = diag.Warningf(p.at, CodeWhole, "%s was null and is set as a whole: @%s inside it has "+
			"no effect", name, p.lost.note)
	case appended:
		x = diag.Warningf(p.at, CodeWhole, "this item has no @overlay/match and is appended as "+
			"a whole: @%s inside it has no effect", p.lost.note)
	default:
		x = diag.Warningf(p.at, CodeWhole, "@%s inserts %s as a whole: @%s inside it has no effect",
			p.op, name, p.lost.note)
	}
	relate(x, p.lost.at, "this %s is added as it is", p.lost.kind)
	if how == wasMissing {
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

func wholeHint(p *plan, how way) string {
	empty := "{}"
	if p.inner == tree.ArrayKind {
		empty = "[]"
	}
	switch {
	case how == appended:
		return "to change an existing item, write " + matchItem(p.right) + " above its `- `"
	case how == putIn && p.op == opReplace:
		return "remove @overlay/replace to merge, or remove the annotations inside it"
	case how == putIn:
		return "remove the annotations inside it, and the keys they annotate if those should " +
			"not be added"
	case p.kind == tree.MapItem && how == wasNull:
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

// literal returns a scalar as Starlark writes it.
func literal(v tree.Value) string {
	s := v.Starlark().String()
	const maxBytes = 60
	if len(s) > maxBytes {
		return "..."
	}
	return s
}

// strange says that p adds an item that its own matcher does not match: it is a change for what is
// there, and no item to add.
func (r *remarks) strange(d view, p *plan) {
	placeholder := p.kind == tree.MapItem && p.key.isString && p.key.text == "_"
	if p.by == nil && !placeholder || p.keepKey || p.op != opMerge || !p.expect.takesMore(0) ||
		!r.listening() {
		return
	}
	if !placeholder && (p.by.kind == matchIndex || r.matchesItself(p)) || !r.once(p) {
		return
	}
	x := diag.Warningf(p.at, CodeStrange, "nothing matches %s, so the item is added, but it "+
		"does not match either", p.subject())
	if placeholder {
		x.Message = fmt.Sprintf("nothing matches %s, so an item with the key _ is added",
			p.subject())
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

// renames says that a placeholder becomes the key of what p replaces. A function is asked for keys,
// too, and may mean it.
func (r *remarks) renames(d view, i int32, p *plan) {
	if !p.key.isString || p.key.text != "_" || p.by.positional() || !r.once(p) {
		return
	}
	x := diag.Warningf(p.at, CodeStrange, "the replaced item gets the key _: it is a "+
		"placeholder only if by is overlay.all, overlay.map_key(...) or a string")
	d.relate(x, i, "it had the key %s", show(d.key(i)))
	if p.inner == tree.ScalarKind && p.via == nil {
		r.say(p, x.WithHint("remove `#@overlay/replace`: a scalar replaces the value anyway, and "+
			"the key stays"))
		return
	}
	r.say(p, x.WithHint("match all and choose in the function: `#@overlay/match by=overlay.all, "+
		"expects=\"1+\"` and `#@overlay/replace via=lambda left, right: ... if ... else left`"))
}

// noMatch says that nothing matches a pattern with a star or a list in a text, which is
// allowed: nobody would ever know. What follows from it is next.
func (r *remarks) noMatch(d view, p *plan, next decision) {
	if !r.asksNoMatch(p) {
		return
	}
	hint, like := patternHint(d, p, p.by)
	adds := next == goOn && p.addsMissing()
	if !like || adds && r.matchesItself(p) || !r.once(p) { // a host may be `*.example.com`
		return
	}
	x := diag.Warningf(p.at, CodeNoEffect, "nothing matches %s, so nothing happens", p.by.subject())
	if adds {
		x = diag.Warningf(p.at, CodeStrange, "nothing matches %s, so the %s is added",
			p.by.subject(), p.kind)
	}
	r.say(p, relate(x, d.start(), "there is no match here").WithHint("%s", hint))
}

// asksNoMatch reports whether noMatch has something to ask of a node without a match.
func (r *remarks) asksNoMatch(p *plan) bool {
	return p.by != nil && r.listening() && p.by.star()
}

// asText says that the function of p has made a text of a collection as a whole: nobody wants to
// read `yamlfragment(...)`.
func (r *remarks) asText(d view, i int32, p *plan, it tree.Item) {
	if p.via == nil || it.Value.Kind() != tree.ScalarKind || !r.listening() {
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
	d.relate(x, i, "for this %s", d.kind())
	r.say(p, x.WithHint("%s", p.leftHint(left)))
}

// outcome is what has come of a node that replaces what may be missing.
type outcome struct {
	done    bool        // it has replaced something
	missing source.Span // the first place without a match
}

// replaces notes whether p has replaced something. Whether it has nowhere is known only at the end.
func (r *remarks) replaces(d view, p *plan, done bool) {
	if !p.quiet || r.ask.borrowed || !r.listening() {
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
			"adds nothing", p.subject())
	}
	relate(x, o.missing, "there is no match here")
	return x.WithHint("to add it write `#@overlay/replace or_add=True`; to do nothing, write " +
		"`when=1` instead of `missing_ok=True`")
}
