package explain

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// remarks collects warnings about likely mistakes. Each node is reported once, however many
// documents it is applied to. It is not safe for concurrent use.
type remarks struct {
	opt      *overlay.Options
	ask      *overlay.Caller
	list     []remark
	warned   map[*overlay.Plan]bool
	lost     map[*overlay.Plan]*lost
	outcomes map[*overlay.Plan]outcome
}

type remark struct {
	p  *overlay.Plan
	at overlay.Moment
	d  *diag.Diagnostic
}

// once reports whether this is the first warning about p.
func (r *remarks) once(p *overlay.Plan) bool {
	if r.warned[p] {
		return false
	}
	if r.warned == nil {
		r.warned = map[*overlay.Plan]bool{}
	}
	r.warned[p] = true
	return true
}

func (r *remarks) add(p *overlay.Plan, d *diag.Diagnostic) {
	r.list = append(r.list, remark{p, r.ask.Now, d})
}

// Report implements overlay.Remarks.
func (r *remarks) Report(others []overlay.Remarks) {
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
	slices.SortStableFunc(all, func(a, b remark) int { return a.at.Compare(b.at) })
	reported := map[*overlay.Plan]bool{}
	opt := r.opt
	for _, of := range all {
		if !reported[of.p] {
			reported[of.p] = true
			warn(opt, of.d)
		}
	}
	warnIdle(opt, outcomes)
}

// warnIdle warns of the nodes that replaced nothing in any document.
func warnIdle(opt *overlay.Options, outcomes map[*overlay.Plan]outcome) {
	var idle []*overlay.Plan
	for p, o := range outcomes {
		if !o.done {
			idle = append(idle, p)
		}
	}
	slices.SortFunc(idle, func(a, b *overlay.Plan) int { return a.At.Pos.Compare(b.At.Pos) })
	for _, p := range idle {
		warn(opt, outcomes[p].idle(p))
	}
}

// The rest of this file has the warnings. Most are about values that are added whole: a missing
// key, an appended item, a replacement. Annotations inside such a value are ignored. That is
// harmless if they ask for what happens anyway, but otherwise it is a silent mistake: something
// that should be removed is added.

// lost is an annotation that is ignored because a value around it is added whole, and that matters.
type lost struct {
	note string
	kind tree.NodeKind
	at   source.Span
}

// lostOf returns the first annotation below p that is lost if p is added whole, or nil.
func lostOf(opt *overlay.Options, p *overlay.Plan) *lost {
	switch {
	case !p.Deep:
		return nil
	case p.Descends():
		nodes := p.Children()
		for i := range nodes {
			if l := lostWith(opt, &nodes[i]); l != nil {
				return l
			}
		}
		return nil
	case p.Via != nil:
		return nil
	}
	return lostIn(opt, &overlay.Reader{}, p.Right)
}

// lostWith is like lostOf, but includes the annotations of p, which is part of the added value.
func lostWith(opt *overlay.Options, p *overlay.Plan) *lost {
	if note := matters(p); note != "" && p.Bad == nil {
		return &lost{note, p.Kind, p.At}
	}
	return lostOf(opt, p)
}

// matters returns the annotation of p that makes it more than a value to add, or "". Annotations that
// allow a missing match, or that add or replace, make no difference.
func matters(p *overlay.Plan) string {
	switch {
	case !p.Annotated:
		return ""
	case p.Op == overlay.OpRemove, p.Op == overlay.OpAssert, p.Via != nil:
		return p.Op.String()
	case p.HasMatch && p.Expect.Bad == nil && !allows(&p.Expect, 0) && (p.Expect.When || isPart(p)):
		return overlay.NoteMatch
	}
	return ""
}

// isPart reports whether p does not match its own matcher. It is then a change to a match and not
// an item to add. An item that contains the name it is matched by is complete.
func isPart(p *overlay.Plan) bool {
	switch {
	case p.By == nil || p.By.Kind == overlay.MatchMapKey:
		return false
	case p.By.Kind == overlay.MatchSubset:
		return !p.By.Want.In(overlay.CellOf(p.Right))
	}
	return true
}

// allows reports whether n matches are allowed. A function is assumed to allow any number.
func allows(x *overlay.Expect, n int) bool {
	if x.Counts == nil {
		return n == 1
	}
	for _, c := range x.Counts {
		if c.Func != nil || c.N == n || c.AtLeast && c.N < n {
			return true
		}
	}
	return false
}

// lostIn is like lostOf for a value that has no plans, because it is always added whole.
func lostIn(opt *overlay.Options, r *overlay.Reader, v tree.Value) *lost {
	if r.Clean(v) == v {
		return nil
	}
	kind := tree.MapItem
	if v.Kind() == tree.ArrayKind {
		kind = tree.ArrayItem
	}
	for _, it := range r.Items(nil, v) {
		for _, o := range []overlay.Op{overlay.OpRemove, overlay.OpAssert, overlay.OpReplace, overlay.OpInsert} {
			if a := it.Annotations.Get(o.String()); a != nil &&
				(o == overlay.OpRemove || o == overlay.OpAssert || hasVia(a)) {
				return &lost{a.Name, kind, opt.ItemSpan(it)}
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
func (r *remarks) Added(d overlay.View, p *overlay.Plan, how overlay.AddReason) {
	if how == overlay.WasMissing {
		r.warnMismatch(d, p)
	}
	r.whole(d, p, how)
}

// Emptied implements overlay.Remarks. An overlay without content usually comes from an extra `---`.
func (r *remarks) Emptied(d overlay.View, i int32, p *overlay.Plan) {
	if !r.once(p) {
		return
	}
	name := documentName(d.Cell(i))
	if name == "" {
		name = "a document"
	}
	x := diag.Warningf(p.At, overlay.CodeEmpty, "this overlay is empty, so it replaces %s by nothing", name)
	relateEntry(x, d, i, "this document is lost")
	r.add(p, x.WithHint("if the overlay is below the next `---`, remove one of the two; to remove the "+
		"document, write `#@overlay/remove` above the `---`"))
}

// Anchored implements overlay.Remarks.
func (r *remarks) Anchored(d overlay.View, i int32, p *overlay.Plan) {
	v := d.Cell(i).Value()
	aliases := v.Aliases()
	if len(aliases) == 0 || !r.once(p) {
		return
	}
	anchor := v.Anchor()
	x := diag.Warningf(p.At, overlay.CodeAlias, "the overlay changes what has the anchor &%s; where *%s is "+
		"written, the old value stays", anchor, anchor)
	const shown = 3
	for _, at := range aliases[:min(len(aliases), shown)] {
		relate(x, at, "this stays as it was")
	}
	r.add(p, x.WithHint("to change these as well, change the value in its file; if they are to stay, "+
		"write them out instead of *%s", anchor))
}

// Doubled implements overlay.Remarks.
func (r *remarks) Doubled(d overlay.View, i int32, p *overlay.Plan) {
	if !r.once(p) {
		return
	}
	name, _ := p.Right.Lookup("name")
	x := diag.Warningf(p.At, overlay.CodeDoubled,
		"an item is appended to a list that has one with the name '%s'", name.Text())
	relateEntry(x, d, i, "it is here")
	r.add(p, x.WithHint("to change it, write `#@overlay/match by=\"name\"` above the item; to append "+
		"it, `#@overlay/append`"))
}

// lostOf is the function of that name with a cache.
func (r *remarks) lostOf(p *overlay.Plan) *lost {
	if !p.Deep {
		return nil
	}
	l, ok := r.lost[p]
	if !ok {
		if r.lost == nil {
			r.lost = map[*overlay.Plan]*lost{}
		}
		l = lostOf(r.opt, p)
		r.lost[p] = l
	}
	return l
}

// whole warns if p was added to d whole and an annotation inside it was lost.
func (r *remarks) whole(d overlay.View, p *overlay.Plan, how overlay.AddReason) {
	l := r.lostOf(p)
	if l == nil || !r.once(p) {
		return
	}
	name := wholeName(p)
	var x *diag.Diagnostic
	switch how {
	case overlay.WasMissing:
		x = diag.Warningf(p.At, overlay.CodeWhole, "%s did not exist and is added as a whole: @%s "+
			"inside it "+
			"has no effect", name, l.note)
	case overlay.WasNull:
		x = diag.Warningf(p.At, overlay.CodeWhole, "%s was null and is set as a whole: @%s inside it has "+
			"no effect", name, l.note)
	case overlay.Appended:
		x = diag.Warningf(p.At, overlay.CodeWhole, "this item has no @overlay/match and is appended as "+
			"a whole: @%s inside it has no effect", l.note)
	default:
		x = diag.Warningf(p.At, overlay.CodeWhole, "@%s inserts %s as a whole: @%s inside it has no effect",
			p.Op, name, l.note)
	}
	relate(x, l.at, "this %s is added as it is", l.kind)
	if how == overlay.WasMissing {
		relate(x, d.Start(), "there is no match here")
	}
	r.add(p, x.WithHint("%s", wholeHint(p, how)))
}

func wholeName(p *overlay.Plan) string {
	switch p.Kind {
	case tree.MapItem:
		return "`" + plainKey(p.Key.Value) + "`"
	case tree.ArrayItem:
		return "the item"
	}
	return "the document"
}

// plainKey returns a key for a message.
func plainKey(v tree.Value) string {
	if v.Kind() == tree.ScalarKind {
		return v.Text()
	}
	return show(v)
}

func wholeHint(p *overlay.Plan, how overlay.AddReason) string {
	empty := "{}"
	if p.Inner == tree.ArrayKind {
		empty = "[]"
	}
	switch {
	case how == overlay.Appended:
		return "to change an existing item, write " + matchItem(p.Right) + " above its `- `"
	case how == overlay.PutIn && p.Op == overlay.OpReplace:
		return "remove @overlay/replace to merge, or remove the annotations inside it"
	case how == overlay.PutIn:
		return "remove the annotations inside it, and the keys they annotate if those should " +
			"not be added"
	case p.Kind == tree.MapItem && how == overlay.WasNull:
		return fmt.Sprintf("replace it with `%s: %s` in an earlier overlay, or skip it where "+
			"it is null: `#@overlay/match by=lambda key, left, right: key == %q and left "+
			"!= None, when=1`", plainKey(p.Key.Value), empty, plainKey(p.Key.Value))
	case p.Kind == tree.MapItem && p.Op == overlay.OpMerge:
		return fmt.Sprintf("to change it only where it exists, write `#@overlay/match when=1`; "+
			"to add it first, let an earlier overlay add `%s: %s`", plainKey(p.Key.Value), empty)
	case p.Kind == tree.MapItem:
		return fmt.Sprintf("let an earlier overlay add `%s: %s`, or remove the annotations "+
			"inside it", plainKey(p.Key.Value), empty)
	}
	return "to change it only where it exists, write `when=1` instead of `missing_ok=True`"
}

// matchItem returns an annotation that matches the list item an overlay's item refers to.
func matchItem(v tree.Value) string {
	switch {
	case v.Kind() == tree.MapKind:
		for _, name := range []string{"name", "id", "key"} {
			if x, ok := v.Lookup(name); ok && x.Kind() == tree.ScalarKind {
				return "`#@overlay/match by=\"" + name + "\"`"
			}
		}
	case v.Kind() == tree.ScalarKind:
		return "`#@overlay/match by=overlay.subset(" + overlay.Literal(v) + ")`"
	}
	return "`#@overlay/match by=overlay.subset({...})`, or `by=overlay.all, expects=\"1+\"` for " +
		"every item,"
}

// warnMismatch warns if p adds an item that its own matcher does not match: it describes a change to an
// existing item.
func (r *remarks) warnMismatch(d overlay.View, p *overlay.Plan) {
	placeholder := p.Kind == tree.MapItem && p.Key.IsString && p.Key.Text == "_"
	if p.By == nil && !placeholder || p.KeepKey || p.Op != overlay.OpMerge || !p.Expect.AllowsMore(0) {
		return
	}
	if !placeholder && (p.By.Kind == overlay.MatchIndex || r.matchesItself(p)) || !r.once(p) {
		return
	}
	x := diag.Warningf(p.At, overlay.CodeOddItem, "nothing matches %s, so the item is added, but it "+
		"does not match either", subject(p))
	if placeholder {
		x.Message = fmt.Sprintf("nothing matches %s, so an item with the key _ is added",
			subject(p))
	}
	relate(x, d.Start(), "there is no match here")
	if p.By == nil {
		x.Message = "there is no key _, so an item with the key _ is added"
		r.add(p, x.WithHint("`_` matches any key only with @overlay/match: write `#@overlay/match "+
			"by=overlay.all, expects=\"1+\"` above it"))
		return
	}
	r.add(p, x.WithHint("to change only what matches, write `when=1` (or `when=\"1+\"`) instead "+
		"of `missing_ok=True` or `expects`"))
}

// matchesItself reports whether the matcher of an added item matches the item. It returns true if a
// function fails.
func (r *remarks) matchesItself(p *overlay.Plan) bool {
	defer r.ask.Mute()()
	at := overlay.Place{}
	if p.Kind == tree.MapItem {
		at.Key = p.Key.Value.Starlark()
	}
	ok, err := p.By.Run(r.ask, at, overlay.CellOf(p.Item.Value))
	return ok || err != nil
}

// Put implements overlay.Remarks.
func (r *remarks) Put(d overlay.View, i int32, p *overlay.Plan, it tree.Item) {
	r.outcome(d, p, true)
	r.asText(d, i, p, it)
	if p.Via == nil {
		r.whole(d, p, overlay.PutIn)
	}
	if p.Op == overlay.OpReplace && p.Kind == tree.MapItem && p.By != nil && !p.KeepKey {
		r.renames(d, i, p)
	}
}

// renames warns if a placeholder becomes the key of the item that p replaces. There is no warning
// for functions, which may look at keys and intend it.
func (r *remarks) renames(d overlay.View, i int32, p *overlay.Plan) {
	if !p.Key.IsString || p.Key.Text != "_" || p.By.Positional() || !r.once(p) {
		return
	}
	x := diag.Warningf(p.At, overlay.CodeOddItem, "the replaced item gets the key _: it is a "+
		"placeholder only if by is overlay.all, overlay.map_key(...) or a string")
	relateEntry(x, d, i, "it had the key %s", show(d.Key(i)))
	if p.Inner == tree.ScalarKind && p.Via == nil {
		r.add(p, x.WithHint("remove `#@overlay/replace`: a scalar replaces the value anyway, and "+
			"the key stays"))
		return
	}
	r.add(p, x.WithHint("match all and choose in the function: `#@overlay/match by=overlay.all, "+
		"expects=\"1+\"` and `#@overlay/replace via=lambda left, right: ... if ... else left`"))
}

// NoMatch implements overlay.Remarks. It warns if a text with a star or a list matches nothing,
// which would otherwise go unnoticed.
func (r *remarks) NoMatch(d overlay.View, p *overlay.Plan, adds bool) {
	if !r.Asks(p) {
		return
	}
	hint, like := patternHint(d, p, p.By)
	if !like || adds && r.matchesItself(p) || !r.once(p) { // a host may be `*.example.com`
		return
	}
	x := diag.Warningf(p.At, overlay.CodeNoEffect, "nothing matches %s, so nothing happens", testSubject(p.By))
	if adds {
		x = diag.Warningf(p.At, overlay.CodeOddItem, "nothing matches %s, so the %s is added",
			testSubject(p.By), p.Kind)
	}
	r.add(p, relate(x, d.Start(), "there is no match here").WithHint("%s", hint))
}

// Asks implements overlay.Remarks.
func (r *remarks) Asks(p *overlay.Plan) bool { return p.By != nil && star(p.By) }

// asText warns if the function of p converted a whole collection to text, which produces
// `yamlfragment(...)`.
func (r *remarks) asText(d overlay.View, i int32, p *overlay.Plan, it tree.Item) {
	if p.Via == nil || it.Value.Kind() != tree.ScalarKind {
		return
	}
	left := d.Cell(i)
	text, ok := starlark.AsString(it.Value.Starlark())
	if !ok || left.Kind() == tree.ScalarKind || !strings.Contains(text, "yamlfragment(") ||
		!r.once(p) {
		return
	}
	x := diag.Warningf(p.At, overlay.CodeText, "the via function converts %s to text, which only names "+
		"its type: %s", diag.Article(left.TypeName()), show(it.Value))
	relateEntry(x, d, i, "for this %s", d.Kind())
	r.add(p, x.WithHint("%s", leftHint(p, left)))
}

// outcome is the result of a replace that may match nothing.
type outcome struct {
	done    bool        // it has replaced something
	missing source.Span // the first place without a match
}

// Idle implements overlay.Remarks.
func (r *remarks) Idle(d overlay.View, p *overlay.Plan) { r.outcome(d, p, false) }

// outcome records whether p replaced something. Only at the end is it known whether it replaced
// nothing anywhere.
func (r *remarks) outcome(d overlay.View, p *overlay.Plan, done bool) {
	if !p.Quiet || r.ask.Borrowed {
		return
	}
	if r.outcomes == nil {
		r.outcomes = map[*overlay.Plan]outcome{}
	}
	o, seen := r.outcomes[p]
	if !seen && !done {
		o.missing = d.Start()
	}
	o.done = o.done || done
	r.outcomes[p] = o
}

// before reports whether the first place without a match in o comes before the one in other.
func (o outcome) before(other outcome) bool {
	a, b := o.missing, other.missing
	return !a.IsValid() || b.IsValid() && b.Pos.Compare(a.Pos) > 0
}

// idle returns the warning that p replaced nothing.
func (o outcome) idle(p *overlay.Plan) *diag.Diagnostic {
	x := diag.Warningf(p.At, overlay.CodeIdle, "%s does not exist, so @overlay/replace replaces "+
		"nothing and adds nothing", wholeName(p))
	if p.Kind == tree.ArrayItem {
		x.Message = fmt.Sprintf("nothing matches %s, so @overlay/replace replaces nothing and "+
			"adds nothing", subject(p))
	}
	relate(x, o.missing, "there is no match here")
	return x.WithHint("to add it write `#@overlay/replace or_add=True`; to do nothing, write " +
		"`when=1` instead of `missing_ok=True`")
}
