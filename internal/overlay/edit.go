package overlay

import (
	"errors"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
)

// editor applies plans to drafts. It is made for one goroutine.
type editor struct {
	opt     *Options
	overlay *plan            // whose functions are called
	thread  *starlark.Thread // that calls them, once the first has been called
	owned   bool             // thread is the caller's, and calls the functions of all overlays
	print   func(string)     // takes what they print
	teach   bool             // an error is told in full; otherwise it only has to be noticed
	trace   *Step            // takes what is done, if somebody wants to know
	path    []pathStep       // where in a document it is done
	chain   []*plan          // the nodes around the one that has failed, innermost first
	missed  []*plan          // the key that was not found, and the nodes around it
	now     moment           // what is done, as if overlays were applied one after another

	remarks  []remark // what is to be said besides: see whole.go
	warned   map[*plan]bool
	outcomes map[*plan]outcome

	reader reader
	items  []tree.Item // scratch
	found  []int32     // the matches of the nodes being worked on, innermost last
	used   []*draft    // drafts that are done with
}

func newEditor(opt *Options) *editor { return &editor{opt: opt} }

// children applies the items of p, in order, to d: each sees what those before it did.
func (e *editor) children(d *draft, p *plan) error {
	nodes := p.children()
	for i := range nodes {
		if err := e.item(d, &nodes[i]); err != nil {
			return err
		}
	}
	return e.checkKeys(d)
}

// item applies one node to the collection or the documents that it belongs to. Matches are found once, before the first of them is changed.
func (e *editor) item(d *draft, p *plan) error {
	switch {
	case p.bad != nil:
		return e.refuse(p)
	case p.op == opAppend:
		e.whole(d, p, putIn)
		return e.add(d, p, p.item)
	case p.kind == arrayItem && !p.hasMatch:
		if p.op == opMerge {
			e.whole(d, p, appended)
			return e.add(d, p, p.item)
		}
		return nil
	}
	base := len(e.found)
	err := e.matched(d, p, base)
	e.found = e.found[:base]
	return err
}

// matched applies a node that is matched with something.
func (e *editor) matched(d *draft, p *plan, base int) error {
	if err := e.match(d, p, 0); err != nil {
		return err
	}
	ok, err := e.expected(p, len(e.found)-base)
	if err != nil {
		return e.failed(p, err)
	}
	if len(e.found) == base && (ok || p.expect.when) {
		e.silent(d, p)
	}
	if !ok {
		if p.expect.when {
			e.traceSkip(d, p, e.found[base:])
			return nil
		}
		return e.wrongCount(d, p, e.found[base:])
	}
	e.traceMatches(d, e.found[base:])
	return e.act(d, p, base)
}

// expected reports whether a node may have n matches.
func (e *editor) expected(p *plan, n int) (bool, error) {
	if p.expect.bad != nil {
		return false, p.expect.bad
	}
	return p.expect.holds(e, n)
}

// match adds the entries of d that p matches to e.found. The first entry of d is at index offset of all candidates.
func (e *editor) match(d *draft, p *plan, offset int) error {
	t := p.by
	if t == nil {
		if i := d.find(p.key); i != none {
			e.found = append(e.found, i)
		}
		return nil
	}
	switch {
	case t.kind == matchIndex && p.kind != mapItem:
		if i := d.at(t.n - int64(offset)); i != none {
			e.found = append(e.found, i)
		}
		return nil
	case t.kind == matchMapKey && t.right.state >= collection:
		if f := d.fieldIndex(t.key); f != nil {
			if t.right.state == scalar {
				e.found = f.appendMatches(e.found, d, t.right.key)
			}
			return nil
		}
	}
	at := place{index: int64(offset)}
	d.work += d.n
	for i := d.head; i != none; i = d.entries[i].next {
		x := &d.entries[i]
		if p.kind == mapItem && (t.kind == matchIndex || t.kind >= matchAnd) {
			at.key = x.Key.Starlark()
		}
		ok, err := t.run(e, at, x.cell())
		if err != nil {
			return e.byFailed(d, i, p, err)
		}
		if ok {
			e.found = append(e.found, i)
		}
		at.index++
	}
	return nil
}

// act does what p says to its matches, which are e.found[base:]. As many as there may be, there are.
func (e *editor) act(d *draft, p *plan, base int) error {
	n := len(e.found)
	if n == base && (p.kind == document || p.op != opMerge) && !p.orAdd {
		e.traceSkip(d, p, nil)
		e.replaces(d, p, false)
		return nil
	}
	switch p.op {
	case opMerge:
		if n == base {
			e.strange(d, p)
			return e.addMissing(d, p, p.item)
		}
		for m := base; m < n; m++ {
			if err := e.merge(d, e.found[m], p); err != nil {
				return e.amongMany(err, d, p, e.found[base:n])
			}
		}
	case opRemove:
		for m := base; m < n; m++ {
			e.traceRemove(d, e.found[m], p)
			d.remove(e.found[m])
		}
	case opReplace:
		if n == base && p.orAdd {
			it, err := e.made(p, starlark.None)
			if err != nil {
				return e.addFailed(p, err)
			}
			return e.addMissing(d, p, it)
		}
		for m := base; m < n; m++ {
			if err := e.replace(d, e.found[m], p); err != nil {
				return err
			}
		}
	case opInsert:
		for m := base; m < n; m++ {
			if err := e.insert(d, e.found[m], p); err != nil {
				return err
			}
		}
	case opAssert:
		for m := base; m < n; m++ {
			if err := e.assert(d, e.found[m], p); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds an item at the end. A document goes to the last file.
func (e *editor) add(d *draft, p *plan, it tree.Item) error {
	i := d.add(it)
	d.entries[i].file = d.lastFile
	e.traceAdd(d, i, p)
	return e.checkLength(d, p)
}

// addMissing adds an item that was not found: at the end, and a document at the end of the first file.
func (e *editor) addMissing(d *draft, p *plan, it tree.Item) error {
	switch {
	case p.keepKey:
		e.traceSkip(d, p, nil)
		return nil // it has no key of its own
	}
	e.whole(d, p, wasMissing)
	switch {
	case p.kind == mapItem && p.by != nil:
		d.renamed = true // the key may be there although the matcher did not find it
	case p.kind == document:
		i := d.addToFirstFile(it)
		e.traceAdd(d, i, p)
		return e.checkLength(d, p)
	}
	return e.add(d, p, it)
}

// merge puts the value of p into entry i.
func (e *editor) merge(d *draft, i int32, p *plan) error {
	left := d.entries[i].cell()
	if p.inner == tree.ScalarKind || left.d == nil && left.v.IsNull() {
		if p.lost != nil {
			e.whole(d, p, wasNull)
		}
		e.traceSet(d, i, p)
		d.set(i, p.item.Value, p.item.Pos)
		return nil
	}
	if left.kind() != p.inner {
		return e.clash(d, i, p)
	}
	if len(p.children()) == 0 {
		return nil
	}
	e.enter(d, i)
	err := e.children(e.kid(d, i), p)
	e.leave()
	if err != nil {
		return e.within(err, d, i, p)
	}
	d.noteFields(i)
	return nil
}

// made is the item that a replace or an insert makes for a match whose value is left.
func (e *editor) made(p *plan, left starlark.Value) (tree.Item, error) {
	it := p.item
	if p.via == nil {
		return it, nil
	}
	res, err := e.call(p.via, left, p.right.Starlark())
	if err != nil {
		return it, err
	}
	v, err := tree.FromStarlarkWithin(res, max(e.opt.maxNodes(), tree.MaxNodes))
	if _, ok := errors.AsType[*tree.LimitError](err); ok {
		return it, err
	}
	if err != nil {
		return it, diag.Errorf(source.Span{}, CodeVia, "the function of via returned what cannot be a value: %s", err)
	}
	if err := e.checkSize(v); err != nil {
		return it, err
	}
	it.Value = e.reader.clean(v)
	return it, nil
}

func (e *editor) replace(d *draft, i int32, p *plan) error {
	left := starlark.Value(starlark.None)
	if p.via != nil {
		left = d.entries[i].cell().value().Starlark()
	}
	it, err := e.made(p, left)
	if err != nil {
		return e.viaFailed(d, i, p, err)
	}
	e.replaces(d, p, true)
	e.asText(d, i, p, it)
	if p.via == nil {
		e.whole(d, p, putIn)
	}
	if p.kind == mapItem {
		if p.by == nil || p.keepKey {
			it.Key = d.entries[i].Key
		} else {
			e.renames(d, i, p)
			d.rename(i)
		}
	}
	e.traceReplace(d, i, p, it)
	d.replace(i, it)
	return nil
}

func (e *editor) insert(d *draft, i int32, p *plan) error {
	left := starlark.Value(starlark.None)
	if p.via != nil && (p.before || p.after) {
		left = d.entries[i].cell().value().Starlark()
	}
	for _, after := range []bool{false, true} {
		if after && !p.after || !after && !p.before {
			continue
		}
		it, err := e.made(p, left)
		if err != nil {
			return e.viaFailed(d, i, p, err)
		}
		e.asText(d, i, p, it)
		if p.via == nil {
			e.whole(d, p, putIn)
		}
		j := d.insert(it, i, after)
		e.traceAdd(d, j, p)
	}
	return e.checkLength(d, p)
}

// assert checks entry i and changes nothing itself; what is annotated below it is done.
func (e *editor) assert(d *draft, i int32, p *plan) error {
	if p.via == nil {
		if !p.want.in(d.entries[i].cell()) {
			return e.unequal(d, i, p)
		}
	} else {
		res, err := e.call(p.via, d.entries[i].cell().value().Starlark(), p.right.Starlark())
		if err != nil {
			return e.viaFailed(d, i, p, err)
		}
		if err := verdict(res); err != nil {
			return e.failedOn(d, i, p, err)
		}
	}
	e.traceCheck(d, i, p)
	if !p.deep {
		return nil
	}
	return e.inside(d, i, p)
}

// verdict is what the function of an assert says: nil if the check has passed.
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
		return diag.Errorf(source.Span{}, CodeAssert, "the assertion failed: expected the function of via to return True, but it returned False%s", message)
	}
	return badVerdict(res)
}

func badVerdict(res starlark.Value) error {
	return diag.Errorf(source.Span{}, CodeVia, "expected the function of via to return True, False, None or a tuple (bool, message), but it returned %s", describe(res))
}

// inside does what is annotated below an assert, in the value of entry i. What is not annotated says only where to go.
func (e *editor) inside(d *draft, i int32, p *plan) error {
	if d.entries[i].cell().kind() != p.inner {
		return e.clash(d, i, p)
	}
	e.enter(d, i)
	err := e.insideChildren(e.kid(d, i), p)
	e.leave()
	if err != nil {
		return e.within(err, d, i, p)
	}
	d.noteFields(i)
	return nil
}

func (e *editor) insideChildren(d *draft, p *plan) error {
	nodes := p.children()
	for i := range nodes {
		c := &nodes[i]
		switch {
		case c.annotated:
			if err := e.item(d, c); err != nil {
				return err
			}
		case c.deep && c.kind == mapItem:
			j := d.find(c.key)
			if j == none {
				return e.wrongCount(d, c, nil)
			}
			if err := e.inside(d, j, c); err != nil {
				return err
			}
		}
	}
	return e.checkKeys(d)
}

// checkKeys sees to it that a map has each key once. Only a matcher that looks at something else than keys can bring that about.
func (e *editor) checkKeys(d *draft) error {
	if !d.renamed {
		return nil
	}
	if first, second, found := d.repeated(); found {
		return e.repeatedKey(d, first, second)
	}
	d.renamed, d.keys = false, nil
	return nil
}

// call calls a function of the user's.
func (e *editor) call(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
	if e.thread == nil {
		e.thread = e.newThread()
	}
	if !e.owned {
		e.thread.Steps = 0 // a limit is one for each call: which calls share a thread depends on the number of processors
	}
	return starlark.Call(e.thread, fn, args, nil)
}

// newThread makes a thread for the functions of the overlay at hand.
func (e *editor) newThread() *starlark.Thread {
	t := &starlark.Thread{Name: "overlay"}
	if e.opt.Thread != nil && e.overlay != nil {
		t = e.opt.Thread(e.overlay.at.Pos)
	}
	if print := e.print; print != nil {
		t.Print = func(_ *starlark.Thread, text string) { print(text) }
	}
	return t
}
