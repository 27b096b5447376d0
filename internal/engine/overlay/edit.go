package overlay

import (
	"errors"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// editor applies plans to drafts: it matches, counts and acts. It is not safe for concurrent use.
type editor struct {
	opt    *Options
	Caller             // calls the functions of overlays
	drafts drafts      // creates drafts
	found  []int32     // the matches of the current nodes, innermost last
	around tree.Origin // the origin of the collection being edited
	why    reasons     // used in a traced run
	here   source.Span // the call of overlay.apply, for setters without a position

	last     *documents   // the last snapshot, for overlay.documents
	reaching reaching     // used for overlay.path
	file     *source.File // the text of @overlay/inside that is edited; nil outside of strings

	// Observers. None of them changes the result.
	explain Explainer // explains errors
	record  Recorder  // records what is done; may be nil
	remarks Remarks   // warns of likely mistakes; may be nil
}

// newEditor returns an editor that explains errors.
func newEditor(opt *Options) *editor {
	e := &editor{opt: opt}
	e.Caller.opt = opt
	e.explain, e.remarks = opt.explaining(&e.Caller)
	return e
}

// newSilentEditor returns an editor that only detects errors.
func newSilentEditor(opt *Options) *editor {
	e := newEditor(opt)
	e.explain = silent{}
	return e
}

func (e *editor) planner() planner {
	return planner{opt: e.opt, explain: e.explain, remarks: e.remarks}
}

// view returns a read-only view of d.
func (e *editor) view(d *draft) View { return View{d, e.opt} }

// children applies the items of p to d in order. Each sees the changes of those before it.
func (e *editor) children(d *draft, p *Plan) error {
	nodes := p.Children()
	for i := range nodes {
		if err := e.item(d, &nodes[i]); err != nil {
			return err
		}
	}
	return e.checkKeys(d)
}

// item applies one node to a collection or to documents. It finds all matches before it changes
// any.
func (e *editor) item(d *draft, p *Plan) error {
	switch {
	case p.Bad != nil:
		return e.explain.Failed(p, p.Bad)
	case p.Op == OpAppend:
		e.warnLost(d, p, PutIn)
		return e.add(d, p, p.Item)
	case p.Kind == tree.ArrayItem && !p.HasMatch:
		if p.Op == OpMerge {
			e.doubles(d, p)
			e.warnLost(d, p, Appended)
			return e.add(d, p, p.Item)
		}
		return nil
	case p.By != nil && p.By.Kind == MatchPath:
		return e.reach(d, p)
	}
	base := len(e.found)
	err := e.match(d, p, 0)
	e.compared(d, p, e.found[base:])
	e.why.endSearch(e, d, p, base)
	if err == nil {
		err = e.matched(d, p, base)
	}
	e.found = e.found[:base]
	e.why.forget(base)
	return err
}

// matched applies a node to its matches, e.found[base:], if their number is allowed.
func (e *editor) matched(d *draft, p *Plan, base int) error {
	found := e.found[base:]
	next, err := e.decide(p, len(found))
	if err != nil {
		return err
	}
	if len(found) == 0 && next != fail && e.remarks != nil && p.By != nil {
		e.remarks.NoMatch(e.view(d), p, next == goOn && p.addsMissing())
	}
	switch next {
	case fail:
		return e.explain.WrongCount(e.view(d), p, found)
	case pass:
		e.skips(d, p, found)
		return nil
	}
	if e.record != nil {
		e.record.Matched(e.view(d), p, found)
	}
	return e.act(d, p, base)
}

// skips records that p does nothing.
func (e *editor) skips(d *draft, p *Plan, found []int32) {
	if e.record != nil {
		e.record.Skipped(e.view(d), p, found)
	}
}

// warnLost warns if p is added to d whole and annotations inside it are lost.
func (e *editor) warnLost(d *draft, p *Plan, how AddReason) {
	if e.remarks != nil && p.Deep {
		e.remarks.Added(e.view(d), p, how)
	}
}

// doubles warns if p is appended to a list with an item of the same name.
func (e *editor) doubles(d *draft, p *Plan) {
	if e.remarks == nil || !e.opt.Names || d.n == 0 || p.Inner != tree.MapKind {
		return
	}
	name, ok := p.Right.Lookup(itemName)
	if !ok || name.Kind() != tree.ScalarKind {
		return
	}
	key, _ := name.ScalarKey()
	if f := d.fieldIndex(KeyOf(tree.String(itemName))); f != nil {
		if same := f.appendMatches(nil, d, key); len(same) > 0 {
			e.remarks.Doubled(e.view(d), same[0], p)
		}
		return
	}
	for i := d.head; i != None; i = d.entries[i].next {
		if named, ok := d.entries[i].cell().Lookup(KeyOf(tree.String(itemName))); ok &&
			named.Kind() == tree.ScalarKind {
			if k, _ := named.Value().ScalarKey(); k == key {
				e.remarks.Doubled(e.view(d), i, p)
				return
			}
		}
	}
}

// anchored warns if entry i is where an anchor is: aliases keep the value that they had.
func (e *editor) anchored(d *draft, i int32, p *Plan) {
	if e.remarks == nil || d.entries[i].child != nil {
		return
	}
	if d.entries[i].Value.HasAnchor() && d.entries[i].Pos.Offset() <= d.entries[i].Value.Start().Offset() {
		e.remarks.Anchored(e.view(d), i, p)
	}
}

// itemName is the key that names an item of a list.
const itemName = "name"

// decision is what to do, given the number of a node's matches.
type decision uint8

const (
	goOn decision = iota // act on the matches
	pass                 // do nothing: `when` asks for another number
	fail                 // report the wrong number
)

// decide returns what to do if p has n matches.
func (e *editor) decide(p *Plan, n int) (decision, error) {
	if e.opt.Matched != nil && p.note.IsValid() {
		e.opt.Matched(p.note, n)
	}
	if p.Expect.Bad != nil {
		return fail, e.explain.Failed(p, p.Expect.Bad)
	}
	ok, err := p.Expect.holds(&e.Caller, n)
	switch {
	case err != nil:
		return fail, e.explain.Failed(p, err)
	case ok:
		return goOn, nil
	case p.Expect.When:
		return pass, nil
	}
	return fail, nil
}

// match appends the entries of d that p matches to e.found. The first entry of d has index offset
// among all candidates.
func (e *editor) match(d *draft, p *Plan, offset int) error {
	t := p.By
	if t == nil {
		if i := d.find(p.Key); i != None {
			e.found = append(e.found, i)
		}
		return nil
	}
	switch {
	case t.Kind == MatchIndex && p.Kind != tree.MapItem:
		if i := d.at(t.N - int64(offset)); i != None {
			e.found = append(e.found, i)
		}
		return nil
	case t.Kind == MatchMapKey && t.right.state >= collection:
		if f := d.fieldIndex(t.Key); f != nil {
			if t.right.state == scalar {
				e.found = f.appendMatches(e.found, d, t.right.key)
			}
			return nil
		}
	}
	at := Place{Index: int64(offset)}
	d.work += d.n
	for i := d.head; i != None; i = d.entries[i].next {
		x := &d.entries[i]
		if p.Kind == tree.MapItem && (t.Kind == MatchIndex || t.Kind >= MatchAnd) {
			at.Key = x.Key.Starlark()
		}
		outer := e.why.open(e)
		ok, err := t.Run(&e.Caller, at, x.cell())
		if err != nil {
			return e.explain.ByFailed(e.view(d), i, p, err)
		}
		if ok {
			e.found = append(e.found, i)
		}
		e.why.close(e, outer, p, i, x.cell(), ok)
		at.Index++
	}
	return nil
}

// act applies p's action to its matches, e.found[base:]. Their number has been checked.
func (e *editor) act(d *draft, p *Plan, base int) error {
	n := len(e.found)
	defer e.why.begin(e, p)()
	if n == base && !p.addsMissing() {
		e.skips(d, p, nil)
		if e.remarks != nil {
			e.remarks.Idle(e.view(d), p)
		}
		return nil
	}
	switch p.Op {
	case OpMerge:
		if n == base {
			return e.addMissing(d, p, p.Item)
		}
		for m := base; m < n; m++ {
			e.why.choose(e, m)
			if err := e.merge(d, e.found[m], p); err != nil {
				return e.explain.AmongMany(err, e.view(d), p, e.found[base:n])
			}
			e.marks(d, e.found[m], p)
		}
	case OpRemove:
		for m := base; m < n; m++ {
			e.why.choose(e, m)
			if e.record != nil {
				e.record.Removed(e.view(d), e.found[m], p)
			}
			e.removes(d, e.found[m], p)
			d.remove(e.found[m])
		}
	case OpReplace:
		if n == base && p.OrAdd {
			it, err := e.newItem(p, tree.Null)
			if err != nil {
				return e.explain.ViaFailed(e.view(d), None, p, err)
			}
			return e.addMissing(d, p, it)
		}
		for m := base; m < n; m++ {
			e.why.choose(e, m)
			if err := e.replace(d, e.found[m], p); err != nil {
				return err
			}
			e.marks(d, e.found[m], p)
		}
	case OpInsert:
		for m := base; m < n; m++ {
			e.why.choose(e, m)
			if err := e.insert(d, e.found[m], p); err != nil {
				return err
			}
		}
	case OpAssert:
		for m := base; m < n; m++ {
			e.why.choose(e, m)
			if err := e.assert(d, e.found[m], p); err != nil {
				return err
			}
			e.marks(d, e.found[m], p)
		}
	}
	return nil
}

// marks gives entry i, which p matches, the annotations about files of the output that p has, if it is a
// document.
func (e *editor) marks(d *draft, i int32, p *Plan) {
	if !p.places() {
		return
	}
	x := &d.entries[i]
	x.Annotations = withOutput(x.Annotations, p.Item.Annotations)
	if e.record != nil {
		e.record.Placed(e.view(d), i, p, x.Annotations)
	}
}

// places reports whether p is a document with annotations about files of the output.
func (p *Plan) places() bool {
	return p.Kind == tree.DocumentNode && p.Item.Annotations.Has(emit.NotePrefix)
}

// onlyPlaces reports whether that is all p has. Without such annotations, a document without content
// replaces what it matches by null.
func (p *Plan) onlyPlaces() bool { return p.Right.IsNull() && p.places() }

// withOutput returns notes with the annotations about files of the output that more has. They replace those of
// the same name.
func withOutput(notes, more *tree.Annotations) *tree.Annotations {
	for _, note := range more.All() {
		if strings.HasPrefix(note.Name, emit.NotePrefix) {
			notes = notes.Without(note.Name).With(note)
		}
	}
	return notes
}

// add adds an item at the end. A document goes to the last file.
func (e *editor) add(d *draft, p *Plan, it tree.Item) error {
	it.Value = e.sets(d, None, p, it.Value)
	i := d.add(it)
	d.entries[i].file = d.lastFile
	e.added(d, i)
	return e.checkLength(d, p)
}

// added records that entry i is new.
func (e *editor) added(d *draft, i int32) {
	if e.record != nil {
		e.record.Added(e.view(d), i)
	}
}

// addMissing adds an item that has no match: at the end, or, for a document, at the end of the
// first file.
func (e *editor) addMissing(d *draft, p *Plan, it tree.Item) error {
	if p.KeepKey {
		e.skips(d, p, nil)
		return nil // an item without a key
	}
	if e.remarks != nil {
		e.remarks.Added(e.view(d), p, WasMissing)
	}
	switch {
	case p.Kind == tree.MapItem && p.By != nil:
		d.mayRepeat = true // the matcher may have missed an item with this key
	case p.Kind == tree.DocumentNode:
		it.Value = e.sets(d, None, p, it.Value)
		e.added(d, d.addToFirstFile(it))
		return e.checkLength(d, p)
	}
	return e.add(d, p, it)
}

// checkLength returns an error if p has made d too long.
func (e *editor) checkLength(d *draft, p *Plan) error {
	if err := e.opt.checkLength(d); err != nil {
		return e.explain.Failed(p, err)
	}
	return nil
}

// merge merges the value of p into entry i.
func (e *editor) merge(d *draft, i int32, p *Plan) error {
	left := d.entries[i].cell()
	e.anchored(d, i, p)
	if p.Inside != nil {
		return e.mergeInside(d, i, p)
	}
	if p.onlyPlaces() {
		return nil
	}
	if p.Inner == tree.ScalarKind || left.d == nil && left.v.IsNull() {
		if d.docs && e.remarks != nil && e.opt.By == tree.ByOverlay && p.Item.Value.IsNull() {
			e.remarks.Emptied(e.view(d), i, p)
		}
		e.warnLost(d, p, WasNull)
		v := e.sets(d, i, p, p.Item.Value)
		if e.record != nil {
			e.record.Set(e.view(d), i, v)
		}
		d.set(i, v, e.placeOf(d, i, p.Item.Pos, e.opt.HasComments != nil))
		return nil
	}
	if left.Kind() != p.Inner {
		return e.explain.Clash(e.view(d), i, p)
	}
	if len(p.Children()) == 0 || left.d == nil && e.reachesNothing(left.v, p) {
		return nil
	}
	outside := e.enter(d, i)
	err := e.children(e.drafts.child(d, i), p)
	e.leave(outside)
	if err != nil {
		return e.explain.Within(err, e.view(d), i, p)
	}
	d.noteFields(i)
	return nil
}

// placeOf returns the position of entry i after it gets the overlay's value at right: its old
// position if that is kept and known.
func (e *editor) placeOf(d *draft, i int32, right source.Pos, kept bool) source.Pos {
	if left := d.entries[i].Pos; kept && left.IsValid() {
		return left
	}
	return right
}

// newItem returns the item that a replace or an insert creates for a match with the value left.
func (e *editor) newItem(p *Plan, left tree.Value) (tree.Item, error) {
	it := p.Item
	if p.Via == nil {
		return it, nil
	}
	outer := e.why.open(e)
	res, err := e.call(p.Via, left.ForCode(), p.Right.ForCode())
	if err != nil {
		return it, err
	}
	v, err := e.opt.result(res)
	v = e.computed(v, res, p, left, outer)
	if _, ok := errors.AsType[*tree.LimitError](err); ok {
		return it, err
	}
	if err != nil {
		return it, diag.Errorf(source.Span{}, CodeVia,
			"the via function returned something that cannot be a value: %s", err)
	}
	if err := e.opt.checkSize(v); err != nil {
		return it, err
	}
	it.Value = e.drafts.Clean(v)
	return it, nil
}

func (e *editor) replace(d *draft, i int32, p *Plan) error {
	left := tree.Null
	if p.Via != nil {
		left = d.entries[i].cell().Value()
	}
	it, err := e.newItem(p, left)
	if err != nil {
		return e.explain.ViaFailed(e.view(d), i, p, err)
	}
	if e.remarks != nil {
		e.remarks.Put(e.view(d), i, p, it)
	}
	if p.Kind == tree.MapItem {
		if p.By == nil || p.KeepKey {
			it.Key = d.entries[i].Key
		} else {
			d.rename(i)
		}
	}
	if d.docs { // what replaces a document is written to the same file
		it.Annotations = withOutput(it.Annotations, d.entries[i].Annotations)
	}
	it.Value = e.sets(d, i, p, it.Value)
	it.Pos = e.placeOf(d, i, it.Pos, e.opt.HasComments != nil && !e.opt.HasComments(it.Pos))
	if e.record != nil {
		e.record.Replaced(e.view(d), i, it)
	}
	d.replace(i, it)
	return nil
}

func (e *editor) insert(d *draft, i int32, p *Plan) error {
	left := tree.Null
	if p.Via != nil && (p.Before || p.After) {
		left = d.entries[i].cell().Value()
	}
	for _, after := range []bool{false, true} {
		if after && !p.After || !after && !p.Before {
			continue
		}
		it, err := e.newItem(p, left)
		if err != nil {
			return e.explain.ViaFailed(e.view(d), i, p, err)
		}
		if e.remarks != nil {
			e.remarks.Put(e.view(d), i, p, it)
		}
		it.Value = e.sets(d, None, p, it.Value)
		e.added(d, d.insert(it, i, after))
	}
	return e.checkLength(d, p)
}

// assert checks entry i. It changes nothing itself, but applies annotations below it.
func (e *editor) assert(d *draft, i int32, p *Plan) error {
	if p.Via == nil {
		if !p.Want.In(d.entries[i].cell()) {
			return e.explain.Unequal(e.view(d), i, p)
		}
	} else {
		left := d.entries[i].cell().Value()
		e.compares(left, p.Right)
		res, err := e.call(p.Via, left.ForCode(), p.Right.ForCode())
		if err != nil {
			return e.explain.ViaFailed(e.view(d), i, p, err)
		}
		if err := verdict(res); err != nil {
			return e.explain.ViaFailed(e.view(d), i, p, err)
		}
	}
	if e.record != nil {
		e.record.Checked(e.view(d), i, p)
	}
	if !p.Deep {
		return nil
	}
	return e.inside(d, i, p)
}

// verdict converts the result of an assert's function to an error, nil if the check passed.
func verdict(res starlark.Value) error {
	passed, message := res, ""
	if pair, ok := res.(starlark.Tuple); ok && len(pair) == 2 {
		text, ok := pair[1].(starlark.String)
		if _, isBool := pair[0].(starlark.Bool); !ok || !isBool {
			return badVerdict(res)
		}
		passed, message = pair[0], ": "+string(text)
	}
	switch passed {
	case starlark.None, starlark.True:
		return nil
	case starlark.False:
		return diag.Errorf(source.Span{}, CodeAssert,
			"the assertion failed: expected the via function to return True, but it returned "+
				"False%s", message)
	}
	return badVerdict(res)
}

func badVerdict(res starlark.Value) error {
	return diag.Errorf(source.Span{}, CodeVia, "expected the via function to return True, "+
		"False, None or a tuple (bool, message), but it returned %s", describe(res))
}

// inside applies the annotated nodes below an assert to the value of entry i. Nodes without
// annotations are only descended into.
func (e *editor) inside(d *draft, i int32, p *Plan) error {
	if d.entries[i].cell().Kind() != p.Inner {
		return e.explain.Clash(e.view(d), i, p)
	}
	outside := e.enter(d, i)
	err := e.insideChildren(e.drafts.child(d, i), p)
	e.leave(outside)
	if err != nil {
		return e.explain.Within(err, e.view(d), i, p)
	}
	d.noteFields(i)
	return nil
}

func (e *editor) insideChildren(d *draft, p *Plan) error {
	nodes := p.Children()
	for i := range nodes {
		c := &nodes[i]
		switch {
		case c.Annotated:
			if err := e.item(d, c); err != nil {
				return err
			}
		case c.Deep && c.Kind == tree.MapItem:
			j := d.find(c.Key)
			if j == None {
				return e.explain.WrongCount(e.view(d), c, nil)
			}
			if err := e.inside(d, j, c); err != nil {
				return err
			}
		}
	}
	return e.checkKeys(d)
}

// checkKeys returns an error if a map has duplicate keys. Only matchers that do not match by key
// can cause that.
func (e *editor) checkKeys(d *draft) error {
	if !d.mayRepeat {
		return nil
	}
	if first, second, found := d.repeated(); found {
		return e.explain.RepeatedKey(e.view(d), first, second)
	}
	d.mayRepeat, d.keys = false, nil
	return nil
}
