package explain

import (
	"context"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/emit"
	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Step is what one overlay document did, or one short cut of weft.yml.
type Step struct {
	Overlay  source.Span // the document, or the argument of overlay.apply
	Applied  bool        // by overlay.apply
	Shortcut string      // its path in weft.yml, such as kubernetes.replicas.web; "" for an overlay
	Matched  []Target
	Effects  []Effect
	Skipped  []Skip

	// Acted has the positions of the overlay's nodes that matched something. A node in a function
	// can be part of several overlays.
	Acted map[source.Pos]bool

	targets map[int32]int // index into Matched, by entry number of the document
}

// Target is a document that an overlay matched.
type Target struct {
	At   source.Span
	File int    // index of its file
	Name string // such as "Deployment/web", or ""

	kind   string          // also of a document without a name
	object selector.Object // what it was when it was matched
}

// targetOf returns a document that an overlay matched.
func targetOf(at source.Span, file int, c overlay.Cell) Target {
	o := objectOf(c)
	return Target{At: at, File: file, Name: o.String(), kind: textsOf(c)("kind"), object: o}
}

// TargetOf returns a document of a file as a target.
func TargetOf(d tree.Doc, file int) Target {
	o := selector.ObjectOf(d.Value)
	at := d.Pos.To(d.Pos.Offset() + 1)
	return Target{At: at, File: file, Name: o.String(), kind: d.Value.TextAt("kind"), object: o}
}

// Effect is one thing that an overlay did.
type Effect struct {
	Kind   EffectKind
	Target int         // index into Matched, or -1 for a new document
	Path   string      // path in the document; "" for the document itself
	Old    tree.Value  // for Changed and Removed
	New    tree.Value  // for Changed and Added
	At     source.Span // the overlay's node
	Was    source.Span // the position of Old
}

type EffectKind uint8

const (
	Changed EffectKind = iota // a new value
	Added
	Removed
	Checked // an assertion holds
	Found   // overlay.path matches
	Placed  // the document is written to another file; New is null if it is left out
)

func (k EffectKind) String() string {
	return [...]string{"changed", "added", "removed", "checked", "matched", "placed"}[k]
}

// Skip is a node of an overlay that did nothing: it matched nothing, which was allowed, or not as
// many nodes as its `when` requires.
type Skip struct {
	Target  int // index into Matched, or -1 for the overlay document itself
	Path    string
	At      source.Span
	When    bool   // the number of matches is not what `when` requires
	Count   int    // the number of matches
	Expects string // the allowed number of matches, or the number that `when` requires
	Near    []diag.Related
	Hint    string // what was probably meant
}

// Explain applies overlays like Apply and returns what each did, in order. If one fails, it returns
// the error and the steps so far, including that of the failed overlay.
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

// Steps returns an overlay.Options.Record that passes to take what each overlay of overlay.apply
// did. It returns nil if take is nil. Options.Explain must be New.
func Steps(take func(Step)) func(overlay.Explainer, overlay.View, *overlay.Plan) overlay.Recorder {
	if take == nil {
		return nil
	}
	return func(x overlay.Explainer, d overlay.View, p *overlay.Plan) overlay.Recorder {
		t := newTrace(x, p)
		t.step.Applied, t.take = true, take
		if !d.Docs() {
			t.whole = true
			t.step.Matched = []Target{targetOf(d.Start(), 0, d.Whole())}
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

// PlaceAt sets the position of an overlay and its nodes that have none, such as a dict.
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

// trace records what an overlay does.
type trace struct {
	step    Step
	take    func(Step) // receives the step at the end; may be nil
	path    []pathStep // path to what is being edited
	whole   bool       // the overlay is applied to a map or an array, the only element of Matched
	explain *explainer // describes near misses
}

type pathStep struct {
	d      overlay.View
	i      int32
	inside bool // the way goes on inside the string there
}

// Enter implements overlay.Recorder.
func (t *trace) Enter(d overlay.View, i int32) { t.path = append(t.path, pathStep{d: d, i: i}) }

// Inside implements overlay.Recorder.
func (t *trace) Inside() { t.path[len(t.path)-1].inside = true }

// Leave implements overlay.Recorder.
func (t *trace) Leave() { t.path = t.path[:len(t.path)-1] }

// End implements overlay.Recorder.
func (t *trace) End() {
	if t.take != nil {
		t.take(t.step)
	}
}

// here returns the current document and the path in it to entry i of d.
func (t *trace) here(d overlay.View, i int32) (target int, path string) {
	for _, s := range t.path {
		path = joinPath(path, segmentOf(s.d, s.i))
		if s.inside {
			path += intoString
		}
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
		t.step.Matched = append(t.step.Matched, targetOf(d.Span(i), d.File(i), d.Cell(i)))
	}
}

// change records an effect on entry i of d.
func (t *trace) change(c Effect, d overlay.View, i int32) {
	c.Target, c.Path = t.here(d, i)
	t.step.Effects = append(t.step.Effects, c)
}

// changeTo returns the effect of setting v, taken from the table of origins.
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

// Placed implements overlay.Recorder.
func (t *trace) Placed(d overlay.View, i int32, p *overlay.Plan, notes *tree.Annotations) {
	file, skip, problem := emit.Place(notes)
	if problem != nil || file == "" && !skip {
		return // the error is reported at the end
	}
	c := Effect{Kind: Placed, At: p.At, Was: d.Span(i), New: tree.Null}
	if !skip {
		c.New = tree.String(file)
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
		s.Hint = meant + "?" // no hint for allowing no match: it is allowed already
	}
	t.step.Skipped = append(t.step.Skipped, s)
}
