package explain

import (
	"context"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Step is what one overlay document did.
type Step struct {
	Overlay source.Span // the document, or what overlay.apply was given
	Applied bool        // by overlay.apply
	Matched []Target
	Effects []Effect
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

// Effect is one thing that an overlay did.
type Effect struct {
	Kind   EffectKind
	Target int         // index into Matched, or -1 for a new document
	Path   string      // where in the document; "" is the document itself
	Old    tree.Value  // of Changed and Removed
	New    tree.Value  // of Changed and Added
	At     source.Span // the node of the overlay
	Was    source.Span // where Old came from
}

// EffectKind tells what an Effect is.
type EffectKind uint8

// The kinds of change.
const (
	Changed EffectKind = iota // it has another value
	Added
	Removed
	Checked // an assertion holds
)

func (k EffectKind) String() string {
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

// Explain applies overlays as Apply does, and reports each in order what it did. If one of them
// fails, the steps until then are given with the error, that of the overlay that failed included.
func Explain(
	ctx context.Context, left [][]tree.Doc, overlays []tree.Doc, opt overlay.Options,
) ([]Step, [][]tree.Doc, error) {
	var list []*Step
	opt.Explain = New
	opt.Record = func(x overlay.Explainer, _ overlay.View, p *overlay.Plan) overlay.Recorder {
		t := newTrace(x, p)
		list = append(list, &t.step)
		return t
	}
	docs, err := overlay.Apply(ctx, left, overlays, opt)
	steps := make([]Step, len(list))
	for i, s := range list {
		steps[i] = *s
	}
	return steps, docs, err
}

// Steps returns an overlay.Options.Record that passes on what each overlay of overlay.apply did, nil
// if there is none to take it. Options.Explain has to be New.
func Steps(take func(Step)) func(overlay.Explainer, overlay.View, *overlay.Plan) overlay.Recorder {
	if take == nil {
		return nil
	}
	return func(x overlay.Explainer, d overlay.View, p *overlay.Plan) overlay.Recorder {
		t := newTrace(x, p)
		t.step.Applied, t.take = true, take
		if !d.Docs() {
			t.whole = true
			t.step.Matched = []Target{{At: d.Start(), Name: documentName(d.Whole())}}
		}
		return t
	}
}

func newTrace(x overlay.Explainer, p *overlay.Plan) *trace {
	return &trace{
		step:    Step{Overlay: p.At, Acted: map[source.Pos]bool{}, targets: map[int32]int{}},
		explain: x.(*explainer),
	}
}

// PlaceAt gives an overlay and its nodes a place that have none of their own, such as a dict.
func (s *Step) PlaceAt(at source.Span) {
	s.Overlay = at
	for i := range s.Effects {
		if c := &s.Effects[i]; !c.At.IsValid() {
			c.At = at
		}
	}
	for i := range s.Skipped {
		if k := &s.Skipped[i]; !k.At.IsValid() {
			k.At = at
		}
	}
}

// trace notes what an overlay does.
type trace struct {
	step    Step
	take    func(Step) // takes the step at the end, if it is not nil
	path    []pathStep // where in a document the editor is
	whole   bool       // the overlay is applied to a map or an array: Matched has that alone
	explain *explainer // says what nearly matched
}

// pathStep is a part of the way to what is being edited.
type pathStep struct {
	d overlay.View
	i int32
}

// Enter implements overlay.Recorder.
func (t *trace) Enter(d overlay.View, i int32) { t.path = append(t.path, pathStep{d, i}) }

// Leave implements overlay.Recorder.
func (t *trace) Leave() { t.path = t.path[:len(t.path)-1] }

// End implements overlay.Recorder.
func (t *trace) End() {
	if t.take != nil {
		t.take(t.step)
	}
}

// here returns the document that the editor is in and the path in it to entry i of d.
func (t *trace) here(d overlay.View, i int32) (target int, path string) {
	for _, s := range t.path {
		path = joinPath(path, segmentOf(s.d, s.i))
	}
	if i != overlay.None {
		path = joinPath(path, segmentOf(d, i))
	}
	if t.whole {
		return 0, path
	}
	doc := i
	if len(t.path) > 0 {
		doc = t.path[0].i
	} else if !d.Docs() {
		return -1, path
	}
	if n, ok := t.step.targets[doc]; ok {
		return n, path
	}
	return -1, path
}

// Matched implements overlay.Recorder.
func (t *trace) Matched(d overlay.View, p *overlay.Plan, found []int32) {
	if len(found) == 0 {
		return
	}
	t.step.Acted[p.At.Pos] = true
	if !d.Docs() {
		return
	}
	for _, i := range found {
		t.step.targets[i] = len(t.step.Matched)
		t.step.Matched = append(t.step.Matched, Target{
			At: d.Span(i), File: d.File(i), Name: documentName(d.Cell(i)),
		})
	}
}

// change notes what was done at entry i of d.
func (t *trace) change(c Effect, d overlay.View, i int32) {
	c.Target, c.Path = t.here(d, i)
	t.step.Effects = append(t.step.Effects, c)
}

// changeTo returns what was done where v was set, as the table of origins has it.
func (t *trace) changeTo(kind EffectKind, v tree.Value) Effect {
	s, _ := t.explain.opt.Origins.Of(v.Origin())
	c := Effect{Kind: kind, New: v, At: s.At}
	if kind != Added {
		c.Old, c.Was = s.Old, s.Was
	}
	return c
}

// Set implements overlay.Recorder.
func (t *trace) Set(d overlay.View, i int32, v tree.Value) {
	if c := t.changeTo(Changed, v); !tree.SameScalar(c.Old, v) {
		t.change(c, d, i)
	}
}

// Added implements overlay.Recorder.
func (t *trace) Added(d overlay.View, i int32) {
	t.change(t.changeTo(Added, d.Cell(i).Value()), d, i)
}

// Removed implements overlay.Recorder.
func (t *trace) Removed(d overlay.View, i int32, p *overlay.Plan) {
	old := d.Cell(i).Value()
	t.change(Effect{Kind: Removed, Old: old, At: p.At, Was: d.Span(i)}, d, i)
}

// Replaced implements overlay.Recorder.
func (t *trace) Replaced(d overlay.View, i int32, it tree.Item) {
	c := t.changeTo(Changed, it.Value)
	if d.Kind() == tree.MapItem && !overlay.KeyOf(d.Key(i)).Is(it.Key) {
		t.change(Effect{Kind: Removed, Old: c.Old, At: c.At, Was: c.Was}, d, i)
		added := t.changeTo(Added, it.Value)
		added.Target, added.Path = t.here(d, overlay.None)
		added.Path = joinPath(added.Path, pathKey(it.Key))
		t.step.Effects = append(t.step.Effects, added)
		return
	}
	if same, err := starlark.Equal(c.Old.Starlark(), it.Value.Starlark()); err == nil && same {
		return
	}
	t.change(c, d, i)
}

// Checked implements overlay.Recorder.
func (t *trace) Checked(d overlay.View, i int32, p *overlay.Plan) {
	t.change(Effect{Kind: Checked, At: p.At, Was: d.Span(i)}, d, i)
}

// Skipped implements overlay.Recorder.
func (t *trace) Skipped(d overlay.View, p *overlay.Plan, found []int32) {
	s := Skip{At: p.At, When: p.Expect.When, Count: len(found), Expects: p.Expect.String()}
	s.Target, s.Path = t.here(d, overlay.None)
	s.Path = joinPath(s.Path, segment(p))
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
