package overlay

import (
	"context"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Step is what one overlay document did.
type Step struct {
	Overlay source.Span // the document, or what overlay.apply was given
	Applied bool        // by overlay.apply
	Matched []Target
	Changes []Change
	Skipped []Skip

	// Acted has the nodes of the overlay that matched something, by their places. A node of a
	// function is part of several overlays.
	Acted map[source.Pos]bool

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

// Skip is a node of an overlay that did nothing: nothing matched it, which was allowed, or another
// number of nodes than its `when` asks for.
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

// Explain applies overlays as Apply does, and tells of each in order what it did. If one of them
// fails, the steps until then are given with the error, that of the overlay that failed included.
func Explain(
	ctx context.Context, left [][]tree.Document, overlays []tree.Document, opt Options,
) ([]Step, [][]tree.Document, error) {
	if opt.Origins == nil {
		opt.Origins = &tree.Origins{}
	}
	opt.By = tree.ByOverlay
	opt.lintPlain(left)
	steps := make([]Step, 0, len(overlays))
	docs, err := applyInOrder(ctx, left, plansOf(overlays, &opt), &opt, func(e *editor, p *plan) {
		steps = append(steps, newStep(p))
		e.trace = &trace{step: &steps[len(steps)-1], explain: e.explain}
	})
	return steps, docs, err
}

func newStep(p *plan) Step {
	return Step{Overlay: p.at, Acted: map[source.Pos]bool{}, targets: map[int32]int{}}
}

// PlaceAt gives an overlay and its nodes a place that have none of their own, such as a dict.
func (s *Step) PlaceAt(at source.Span) {
	s.Overlay = at
	for i := range s.Changes {
		if c := &s.Changes[i]; !c.At.IsValid() {
			c.At = at
		}
	}
	for i := range s.Skipped {
		if k := &s.Skipped[i]; !k.At.IsValid() {
			k.At = at
		}
	}
}

// explained applies p, an argument of overlay.apply, to d, and passes on what it did.
func (e *editor) explained(d *draft, p *plan, apply func() error) error {
	if e.opt.Explained == nil {
		return apply()
	}
	s := newStep(p)
	s.Applied = true
	e.trace = &trace{step: &s, explain: e.explain}
	if !d.docs {
		e.trace.whole = true
		s.Matched = []Target{{At: e.view(d).start(), Name: documentName(cell{d: d})}}
	}
	err := apply()
	e.opt.Explained(s)
	return err
}

// trace notes what an overlay does. A nil trace notes nothing.
type trace struct {
	step    *Step
	path    []pathStep // where in a document the editor is
	whole   bool       // the overlay is applied to a map or an array: Matched has that alone
	explain *explainer // says what nearly matched
}

// pathStep is a part of the way to what is being edited.
type pathStep struct {
	d view
	i int32
}

// enter and leave tell the trace where the editor is.
func (t *trace) enter(d view, i int32) {
	if t != nil {
		t.path = append(t.path, pathStep{d, i})
	}
}

func (t *trace) leave() {
	if t != nil {
		t.path = t.path[:len(t.path)-1]
	}
}

// here returns the document that the editor is in and the path in it to entry i of d.
func (t *trace) here(d view, i int32) (target int, path string) {
	for _, s := range t.path {
		path = joinPath(path, s.d.segment(s.i))
	}
	if i != none {
		path = joinPath(path, d.segment(i))
	}
	if t.whole {
		return 0, path
	}
	doc := i
	if len(t.path) > 0 {
		doc = t.path[0].i
	} else if !d.docs() {
		return -1, path
	}
	if n, ok := t.step.targets[doc]; ok {
		return n, path
	}
	return -1, path
}

// matched notes that a node of an overlay matches something, and which documents those are.
func (t *trace) matched(d view, p *plan, found []int32) {
	if t == nil || len(found) == 0 {
		return
	}
	t.step.Acted[p.at.Pos] = true
	if !d.docs() {
		return
	}
	for _, i := range found {
		t.step.targets[i] = len(t.step.Matched)
		t.step.Matched = append(t.step.Matched, Target{
			At: d.span(i), File: d.file(i), Name: documentName(d.cell(i)),
		})
	}
}

// change notes what was done at entry i of d.
func (t *trace) change(c Change, d view, i int32) {
	c.Target, c.Path = t.here(d, i)
	t.step.Changes = append(t.step.Changes, c)
}

// changeTo returns what was done where v was set, as the table of origins has it.
func (t *trace) changeTo(kind ChangeKind, v tree.Value) Change {
	s, _ := t.explain.opt.Origins.Of(v.Origin())
	c := Change{Kind: kind, New: v, At: s.At}
	if kind != Added {
		c.Old, c.Was = s.Old, s.Was
	}
	return c
}

// set notes that entry i is about to get the value v.
func (t *trace) set(d view, i int32, v tree.Value) {
	if t == nil {
		return
	}
	if c := t.changeTo(Changed, v); !tree.SameScalar(c.Old, v) {
		t.change(c, d, i)
	}
}

// added notes that entry i is new.
func (t *trace) added(d view, i int32) {
	if t != nil {
		t.change(t.changeTo(Added, d.cell(i).value()), d, i)
	}
}

// removed notes that p is about to remove entry i.
func (t *trace) removed(d view, i int32, p *plan) {
	if t != nil {
		old := d.cell(i).value()
		t.change(Change{Kind: Removed, Old: old, At: p.at, Was: d.span(i)}, d, i)
	}
}

// replaced notes that it is about to take the place of entry i.
func (t *trace) replaced(d view, i int32, it tree.Item) {
	if t == nil {
		return
	}
	c := t.changeTo(Changed, it.Value)
	if d.kind() == tree.MapItem && !keyOf(d.key(i)).is(it.Key) {
		t.change(Change{Kind: Removed, Old: c.Old, At: c.At, Was: c.Was}, d, i)
		added := t.changeTo(Added, it.Value)
		added.Target, added.Path = t.here(d, none)
		added.Path = joinPath(added.Path, pathKey(it.Key))
		t.step.Changes = append(t.step.Changes, added)
		return
	}
	if same, err := starlark.Equal(c.Old.Starlark(), it.Value.Starlark()); err == nil && same {
		return
	}
	t.change(c, d, i)
}

// checked notes that an assertion holds for entry i.
func (t *trace) checked(d view, i int32, p *plan) {
	if t != nil {
		t.change(Change{Kind: Checked, At: p.at, Was: d.span(i)}, d, i)
	}
}

// skipped notes that p does nothing.
func (t *trace) skipped(d view, p *plan, found []int32) {
	if t == nil {
		return
	}
	s := Skip{At: p.at, When: p.expect.when, Count: len(found), Expects: p.expect.String()}
	s.Target, s.Path = t.here(d, none)
	s.Path = joinPath(s.Path, p.segment())
	var x diag.Diagnostic
	if len(found) == 0 {
		t.explain.explainMiss(&x, d, p, nil)
	} else {
		t.explain.showFound(&x, d, found)
	}
	s.Near = x.Related
	if strings.HasPrefix(x.Hint, noWildcard) {
		s.Hint = x.Hint
	} else if meant, _, ok := strings.Cut(x.Hint, "?"); ok {
		s.Hint = meant + "?" // how to allow for none needs no telling: it is allowed
	}
	t.step.Skipped = append(t.step.Skipped, s)
}
