package overlay

import (
	"context"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
)

// Step is what one overlay document did.
type Step struct {
	Overlay source.Span // the document
	Matched []Target
	Changes []Change
	Skipped []Skip

	targets map[int32]int // index into Matched, by the number of the document's entry
}

// Target is a document that an overlay matched.
type Target struct {
	At   source.Span
	File int    // its index among the files
	Name string // what it says it is, as "Deployment web", or ""
}

// Change is one thing that an overlay did.
type Change struct {
	Kind   ChangeKind
	Target int         // index into Matched, or -1 for a new document
	Path   string      // where in the document; "" is the document itself
	Old    tree.Value  // of Changed and Removed
	New    tree.Value  // of Changed and Added
	At     source.Span // the node of the overlay
	Was    source.Span // where Old came from
}

// ChangeKind tells what a Change is.
type ChangeKind uint8

// The kinds of change.
const (
	Changed ChangeKind = iota // it has another value
	Added
	Removed
	Checked // an assertion holds
)

func (k ChangeKind) String() string {
	return [...]string{"changed", "added", "removed", "checked"}[k]
}

// Skip is a node of an overlay that did nothing: nothing matched it, which was allowed, or another number of nodes than its `when` asks for.
type Skip struct {
	Target  int // index into Matched, or -1 for the overlay document itself
	Path    string
	At      source.Span
	When    bool   // there were not as many matches as `when` asks for
	Count   int    // how many there were
	Expects string // how many there may be, or have to be for something to happen
	Near    []diag.Related
	Hint    string // what was probably meant
}

// Explain applies overlays as Apply does, and tells of each in order what it did. If one of them fails, the steps until then are given with the error, that of the overlay that
// failed included.
func Explain(ctx context.Context, left [][]tree.Document, overlays []tree.Document, opt Options) ([]Step, [][]tree.Document, error) {
	opt.lintPlain(left)
	e := newEditor(&opt)
	e.teach = true
	e.print = opt.Print
	defer tellRemarks(&opt, e)
	c := planner{opt: &opt, freeze: true}
	d := e.allDocuments(left)
	steps := make([]Step, 0, len(overlays))
	for i := range overlays {
		if err := context.Cause(ctx); err != nil {
			return steps, nil, err
		}
		p := c.document(overlays[i])
		steps = append(steps, Step{Overlay: p.at, targets: map[int32]int{}})
		e.trace = &steps[i]
		e.begin(p)
		if err := e.item(d, p); err != nil {
			return steps, nil, diag.Of(err)
		}
	}
	docs, err := e.byFile(d, left)
	return steps, docs, err
}

// pathStep is a part of the way to what is being edited.
type pathStep struct {
	d *draft
	i int32
}

// enter and leave tell the trace where the editor is.
func (e *editor) enter(d *draft, i int32) {
	if e.trace != nil {
		e.path = append(e.path, pathStep{d, i})
	}
}

func (e *editor) leave() {
	if e.trace != nil {
		e.path = e.path[:len(e.path)-1]
	}
}

// here is the document that the editor is in and the path in it to entry i of d.
func (e *editor) here(d *draft, i int32) (target int, path string) {
	for _, s := range e.path {
		path = joinPath(path, s.d.segment(s.i))
	}
	if i != none {
		path = joinPath(path, d.segment(i))
	}
	doc := i
	if len(e.path) > 0 {
		doc = e.path[0].i
	} else if !d.docs {
		return -1, path
	}
	if t, ok := e.trace.targets[doc]; ok {
		return t, path
	}
	return -1, path
}

func (e *editor) traceMatches(d *draft, found []int32) {
	if e.trace == nil || !d.docs {
		return
	}
	for _, i := range found {
		e.trace.targets[i] = len(e.trace.Matched)
		e.trace.Matched = append(e.trace.Matched, Target{At: d.entrySpan(e, i), File: int(d.entries[i].file), Name: documentName(d.entries[i].cell())})
	}
}

func (e *editor) change(c Change, d *draft, i int32, p *plan) {
	c.Target, c.Path = e.here(d, i)
	c.At = p.at
	if c.Kind != Added {
		c.Was = d.entrySpan(e, i)
	}
	e.trace.Changes = append(e.trace.Changes, c)
}

func (e *editor) traceSet(d *draft, i int32, p *plan) {
	if e.trace == nil {
		return
	}
	old := d.entries[i].cell().value()
	if !tree.SameScalar(old, p.item.Value) {
		e.change(Change{Kind: Changed, Old: old, New: p.item.Value}, d, i, p)
	}
}

func (e *editor) traceAdd(d *draft, i int32, p *plan) {
	if e.trace != nil {
		e.change(Change{Kind: Added, New: d.entries[i].Value}, d, i, p)
	}
}

func (e *editor) traceRemove(d *draft, i int32, p *plan) {
	if e.trace != nil {
		e.change(Change{Kind: Removed, Old: d.entries[i].cell().value()}, d, i, p)
	}
}

func (e *editor) traceReplace(d *draft, i int32, p *plan, it tree.Item) {
	if e.trace == nil {
		return
	}
	old := d.entries[i].cell().value()
	renamed := p.kind == mapItem && !keyOf(d.entries[i].Key).is(it.Key)
	if renamed {
		e.change(Change{Kind: Removed, Old: old}, d, i, p)
		_, path := e.here(d, none)
		e.change(Change{Kind: Added, New: it.Value}, d, i, p)
		e.trace.Changes[len(e.trace.Changes)-1].Path = joinPath(path, pathKey(it.Key))
		return
	}
	if same, err := starlark.Equal(old.Starlark(), it.Value.Starlark()); err == nil && same {
		return
	}
	e.change(Change{Kind: Changed, Old: old, New: it.Value}, d, i, p)
}

func (e *editor) traceCheck(d *draft, i int32, p *plan) {
	if e.trace != nil {
		e.change(Change{Kind: Checked}, d, i, p)
	}
}

// traceSkip notes that p does nothing.
func (e *editor) traceSkip(d *draft, p *plan, found []int32) {
	if e.trace == nil {
		return
	}
	s := Skip{At: p.at, When: p.expect.when, Count: len(found), Expects: p.expect.String()}
	s.Target, s.Path = e.here(d, none)
	s.Path = joinPath(s.Path, p.segment())
	var x diag.Diagnostic
	if len(found) == 0 {
		e.explainMiss(&x, d, p, nil)
	} else {
		e.showFound(&x, d, found)
	}
	s.Near = x.Related
	if strings.HasPrefix(x.Hint, noWildcard) {
		s.Hint = x.Hint
	} else if meant, _, ok := strings.Cut(x.Hint, "?"); ok {
		s.Hint = meant + "?" // how to allow for none needs no telling: it is allowed
	}
	e.trace.Skipped = append(e.trace.Skipped, s)
}
