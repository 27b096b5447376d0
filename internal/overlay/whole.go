package overlay

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
)

// This file is about what is put in whole: a key that was missing, an appended item, a replacement. Annotations inside of it are never looked at, which is fine for
// those that say what would have happened anyway, and a silent mistake for the others: what was to be removed is added.

// lost is an annotation inside of something that may be put in whole, and that makes a difference.
type lost struct {
	note string
	kind nodeKind
	at   source.Span
}

// lostWith is what is lost if the node is put in as a part of what is around it.
func (p *plan) lostWith() *lost {
	if note := p.matters(); note != "" && p.bad == nil {
		return &lost{note, p.kind, p.at}
	}
	return p.lost
}

// matters is the annotation of p that makes it something else than a value to put in, or "". That something may be missing, or is to be added or replaced, comes to the same.
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

// isPart reports whether p is matched with something that it is not itself: it is then a change, and nothing to add. An item with the name that it is matched by is whole.
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

// lostIn is what is lost of a value for which there are no plans, since it is put in whole whatever happens.
func (c *planner) lostIn(v tree.Value) *lost {
	if c.clean(v) == v {
		return nil
	}
	kind := mapItem
	if v.Kind() == tree.ArrayKind {
		kind = arrayItem
	}
	for _, it := range c.Items(nil, v) {
		for _, o := range []op{opRemove, opAssert, opReplace, opInsert} {
			if a := it.Annotations.Get(o.String()); a != nil && (o == opRemove || o == opAssert || hasVia(a)) {
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

// whole says that p was put into d whole, if something inside of it is lost by that.
func (e *editor) whole(d *draft, p *plan, how way) {
	if p.lost == nil || !e.once(p) {
		return
	}
	name := wholeName(p)
	var x *diag.Diagnostic
	switch how {
	case wasMissing:
		x = diag.Warningf(p.at, CodeWhole, "%s was not there and is added whole: @%s inside it has no effect", name, p.lost.note)
	case wasNull:
		x = diag.Warningf(p.at, CodeWhole, "%s was null and is put in whole: @%s inside it has no effect", name, p.lost.note)
	case appended:
		x = diag.Warningf(p.at, CodeWhole, "this item has no @overlay/match and is appended whole: @%s inside it has no effect", p.lost.note)
	default:
		x = diag.Warningf(p.at, CodeWhole, "@%s puts %s in whole: @%s inside it has no effect", p.op, name, p.lost.note)
	}
	relate(x, p.lost.at, "this %s is added as it is", p.lost.kind)
	if how == wasMissing {
		relate(x, e.container(d), "there is no match here")
	}
	e.say(p, x.WithHint("%s", e.wholeHint(p, how)))
}

func wholeName(p *plan) string {
	switch p.kind {
	case mapItem:
		return "`" + plainKey(p.key.value) + "`"
	case arrayItem:
		return "the item"
	}
	return "the document"
}

// plainKey is a key in a message.
func plainKey(v tree.Value) string {
	if v.Kind() == tree.ScalarKind {
		return plainText(v)
	}
	return show(v)
}

func (e *editor) wholeHint(p *plan, how way) string {
	empty := "{}"
	if p.inner == tree.ArrayKind {
		empty = "[]"
	}
	switch {
	case how == appended:
		return "to change an item that is there, write " + matchItem(p.right) + " above its `- `"
	case how == putIn && p.op == opReplace:
		return "remove @overlay/replace to merge, or remove the annotations inside it"
	case how == putIn:
		return "remove the annotations inside it, and what they are on if it is not to be added"
	case p.kind == mapItem && how == wasNull:
		return fmt.Sprintf("let an earlier overlay replace it with `%s: %s`, or leave it alone where it is null: `#@overlay/match by=lambda key, left, right: key == %q and left != None, when=1`", plainKey(p.key.value), empty, plainKey(p.key.value))
	case p.kind == mapItem && p.op == opMerge:
		return fmt.Sprintf("to change it only where it is there, write `#@overlay/match when=1`; to add it first, let an earlier overlay add `%s: %s`", plainKey(p.key.value), empty)
	case p.kind == mapItem:
		return fmt.Sprintf("let an earlier overlay add `%s: %s`, or remove the annotations inside it", plainKey(p.key.value), empty)
	}
	return "to change it only where it is there, write `when=1` instead of `missing_ok=True`"
}

// matchItem is an annotation that finds the item of a list that an item of an overlay means.
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
	return "`#@overlay/match by=overlay.subset({...})`, or `by=overlay.all, expects=\"1+\"` for every item,"
}

// literal is a scalar as Starlark writes it.
func literal(v tree.Value) string {
	s := v.Starlark().String()
	const enough = 60
	if len(s) > enough {
		return "..."
	}
	return s
}

// strange says that p adds an item that its own matcher does not match: it is a change for what is there, and no item to add.
func (e *editor) strange(d *draft, p *plan) {
	placeholder := p.kind == mapItem && p.key.isString && p.key.text == "_"
	if p.by == nil && !placeholder || p.keepKey || p.op != opMerge || !p.expect.takesMore(0) || !e.listening() {
		return
	}
	if !placeholder && (p.by.kind == matchIndex || e.matchesItself(p)) || !e.once(p) {
		return
	}
	x := diag.Warningf(p.at, CodeStrange, "nothing matches %s, so the item is added, which does not match it either", p.subject())
	if placeholder {
		x.Message = fmt.Sprintf("nothing matches %s, so an item with the key _ is added", p.subject())
	}
	relate(x, e.container(d), "there is no match here")
	if p.by == nil {
		x.Message = "there is no key _, so an item with the key _ is added"
		e.say(p, x.WithHint("`_` stands for any key only with a match: write `#@overlay/match by=overlay.all, expects=\"1+\"` above it"))
		return
	}
	e.say(p, x.WithHint("to change only what matches, write `when=1` (or `when=\"1+\"`) instead of `missing_ok=True` or `expects`"))
}

// matchesItself reports whether an added item will be found by the matcher that did not find it. A function that fails is given the benefit of the doubt.
func (e *editor) matchesItself(p *plan) bool {
	defer e.mute()()
	at := place{}
	if p.kind == mapItem {
		at.key = p.key.value.Starlark()
	}
	ok, err := p.by.run(e, at, cell{v: p.item.Value})
	return ok || err != nil
}

// renames says that a placeholder becomes the key of what p replaces. A function is asked for keys, too, and may mean it.
func (e *editor) renames(d *draft, i int32, p *plan) {
	if !p.key.isString || p.key.text != "_" || p.by.positional() || !e.once(p) {
		return
	}
	x := diag.Warningf(p.at, CodeStrange, "the item that is replaced gets the key _: it is a placeholder only if by is overlay.all, overlay.map_key(...) or a string")
	e.relate(x, d, i, "it had the key %s", show(d.entries[i].Key))
	if p.inner == tree.ScalarKind && p.via == nil {
		e.say(p, x.WithHint("remove `#@overlay/replace`: a scalar replaces the value anyway, and the key stays"))
		return
	}
	e.say(p, x.WithHint("match all and choose in the function: `#@overlay/match by=overlay.all, expects=\"1+\"` and `#@overlay/replace via=lambda left, right: ... if ... else left`"))
}

// outcome is what has come of a node that replaces what may be missing.
type outcome struct {
	done    bool        // it has replaced something
	missing source.Span // the first place without a match
}

// replaces notes whether p has replaced something. Whether it has nowhere is known only at the end.
func (e *editor) replaces(d *draft, p *plan, done bool) {
	if !p.quiet || e.owned || !e.listening() {
		return
	}
	if e.outcomes == nil {
		e.outcomes = map[*plan]outcome{}
	}
	o, seen := e.outcomes[p]
	if !seen && !done {
		o.missing = e.container(d)
	}
	o.done = o.done || done
	e.outcomes[p] = o
}

// idle says that p has replaced nothing.
func (o outcome) idle(p *plan) *diag.Diagnostic {
	x := diag.Warningf(p.at, CodeIdle, "%s is not there, so @overlay/replace replaces nothing, and adds nothing", wholeName(p))
	if p.kind == arrayItem {
		x.Message = fmt.Sprintf("nothing matches %s, so @overlay/replace replaces nothing, and adds nothing", p.subject())
	}
	relate(x, o.missing, "there is no match here")
	return x.WithHint("to add it write `#@overlay/replace or_add=True`; if nothing is to happen, write `when=1` instead of `missing_ok=True`")
}

// remark is a warning about a node of an overlay, said once however many documents it is applied to.
type remark struct {
	p  *plan
	at moment
	d  *diag.Diagnostic
}

func (e *editor) listening() bool { return e.opt.Warn != nil }

// once reports whether something is to be said about p, which it is the first time.
func (e *editor) once(p *plan) bool {
	if !e.listening() || e.warned[p] {
		return false
	}
	if e.warned == nil {
		e.warned = map[*plan]bool{}
	}
	e.warned[p] = true
	return true
}

func (e *editor) say(p *plan, d *diag.Diagnostic) {
	e.remarks = append(e.remarks, remark{p, e.now, d})
}

// tellRemarks gives the warnings of editors that worked side by side in the order in which one alone would have had them.
func tellRemarks(opt *Options, editors ...*editor) {
	var all []remark
	var outcomes map[*plan]outcome
	for _, e := range editors {
		all = append(all, e.remarks...)
		if outcomes == nil {
			outcomes = e.outcomes
			continue
		}
		for p, o := range e.outcomes {
			old, seen := outcomes[p]
			if seen && (!old.missing.IsValid() || o.missing.IsValid() && o.missing.Pos.Compare(old.missing.Pos) > 0) {
				o.missing = old.missing
			}
			o.done = o.done || old.done
			outcomes[p] = o
		}
	}
	if len(all) == 0 && outcomes == nil {
		return
	}
	if len(all) > 1 {
		slices.SortStableFunc(all, func(a, b remark) int { return a.at.compare(b.at) })
	}
	said := map[*plan]bool{}
	for _, r := range all {
		if !said[r.p] {
			said[r.p] = true
			opt.warning(r.d)
		}
	}
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
