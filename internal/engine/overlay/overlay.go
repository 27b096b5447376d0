// Package overlay applies overlays: documents whose annotations describe changes to other
// documents.
//
// It takes evaluated documents (the left) and overlays (the right) and returns new documents. Its
// inputs never change, and the results share the parts that no overlay touches. It does not
// evaluate templates: Starlark runs only for the functions that authors write into annotations.
//
// The files, in the order in which an overlay passes through them:
//
//	overlay.go                     options and entry points
//	plan.go, match.go, expect.go   compile the annotations of a document into a plan
//	schedule.go, batch.go          apply plans to documents, in order or, if equivalent, in parallel
//	edit.go, caller.go             apply a plan to a node: match, count, act
//	reach.go                       overlay.path: matches at any depth
//	inside.go                      @overlay/inside: YAML and JSON in strings
//	documents.go                   overlay.documents: what functions read of other documents
//	missed.go                      overlays that match no document, or too many, reported together
//	draft.go, chain.go, index.go   collections while they are edited
//	cell.go                        values as matchers see them
//	matcher.go, pattern.go         overlay.subset and the other matchers
//	origin.go, used.go             what set each value, and which values were used
//	reasons.go, spared.go          which data values decided what matches, in a traced run
//	view.go, explaining.go         what package explain sees, and its interfaces
//	errors.go, words.go            codes and wording of messages
//	limit.go, span.go              size limits, and positions of nodes
//
// Package explain describes errors, near misses and what an overlay did. It reads plans, and drafts
// through a View, and changes neither; nothing here depends on its results.
package overlay

import (
	"context"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Options connects overlays to the run. The zero value is enough for overlays without functions.
type Options struct {
	// Thread creates a thread for the functions of the overlay document at pos. If it is nil, a
	// bare thread is used. Threads may run concurrently.
	Thread func(pos source.Pos) *starlark.Thread
	// Print receives what functions print, in the order of overlays and documents. If it is nil,
	// threads use their own print functions.
	Print func(text string)
	// Warn receives warnings about likely mistakes. It may be nil.
	Warn func(*diag.Diagnostic)
	// Diagnose turns the error of a function into diagnostics with places. If it is nil, only its
	// message is reported.
	Diagnose func(error) diag.List
	// YAML is how the strings of @overlay/inside are parsed.
	YAML yaml.Options
	// MaxNodes is the maximum number of nodes in a document; 0 means tree.MaxNodes.
	MaxNodes int
	// Origins records what set each value. It may be nil.
	Origins *tree.Origins
	// Matched, if not nil, is called with the position of an annotation and the number of its
	// matches. It must be safe for concurrent use.
	Matched func(at source.Pos, n int)
	// Used, if not nil, is called with each value of a document that an overlay replaces or a
	// matcher compares. It must be safe for concurrent use.
	Used func(v tree.Value, how Use)
	// Trace records what the functions of overlays read, in a traced run. It may be nil.
	Trace *tree.Trace
	// Literals has the literals of the data values, which functions may return unchanged. It may be
	// nil.
	Literals *tree.Literals
	// Here returns the position of the call of overlay.apply, which Origins records for dicts. It
	// may be nil.
	Here func() source.Span
	// Explain is explain.New, which returns what explains errors and what warns. Both may call
	// functions again, through ask. If it is nil, errors have no details.
	Explain func(o *Options, ask *Caller) (Explainer, Remarks)
	// Record returns the recorder for p, an overlay that is about to be applied to d. It may use x,
	// which Explain returned. If it is nil, nothing is recorded.
	Record func(x Explainer, d View, p *Plan) Recorder
	// HasComments reports whether the node at a position has comments. If it is not nil, an item that an
	// overlay changes keeps its position and so its comments. So does an item that is replaced by
	// one without comments.
	HasComments func(source.Pos) bool
	// By is the setter that Origins records for the right of Document; everything else is set by an
	// overlay.
	By tree.Setter
	// Files resolves positions in messages. If it is nil, messages have no positions.
	Files *source.Set
	// Inner means that code may still use the documents as overlays, as with those of a library.
	// Then annotations without effect are not reported.
	Inner bool
	// Names means that an item that is appended next to one of the same name is a likely mistake.
	Names bool
	// Workers limits how many documents are processed at a time.
	Workers parallel.Workers
}

// IsOverlay reports whether a document is an overlay: whether it is annotated with overlay/match.
func IsOverlay(d tree.Doc) bool { return d.Annotations.Get(NoteMatch) != nil }

// Apply applies overlays, in order, to the documents of all files: left[i] are those of file i. The
// result has the same shape: an inserted document goes to the file of its neighbor, and an appended
// one to the last file that had documents. Empty documents are not matched. They are dropped,
// except from files that have no others.
//
// Apply freezes the functions and values in the overlays' annotations. Call it even without
// overlays, because it also reports annotations that have no effect.
//
// The error is a diag.List, or the cause of ctx's cancellation.
func Apply(
	ctx context.Context, left [][]tree.Doc, overlays []tree.Doc, opt Options,
) ([][]tree.Doc, error) {
	opt.By = tree.ByOverlay
	if opt.Record != nil && opt.Origins == nil {
		opt.Origins = &tree.Origins{}
	}
	c := newEditor(&opt).planner()
	c.freeze = true
	if c.remarks != nil {
		c.remarks.Plain(left)
	}
	return schedule(ctx, left, c.documents(overlays), &opt)
}

func (c *planner) documents(overlays []tree.Doc) []*Plan {
	plans := make([]*Plan, len(overlays))
	for i := range overlays {
		plans[i] = c.document(overlays[i])
	}
	return plans
}

// Document applies right to left, whether or not right has a match annotation. Data values and
// their schemas are merged this way. The right's action applies, and the result of remove is null.
// The error is a diag.List.
func Document(left, right tree.Doc, opt Options) (tree.Doc, error) {
	e := newEditor(&opt)
	e.print = opt.Print
	defer reportAll(e.remarks)
	c := e.planner()
	c.implied = true
	d := e.drafts.documents([]tree.Doc{left}, 0)
	p := c.document(right)
	e.begin(p)
	if err := e.whole(d, p); err != nil {
		return tree.Doc{}, diag.Of(err)
	}
	if d.n == 0 {
		return tree.Doc{Value: tree.Null, Pos: left.Pos, Annotations: left.Annotations}, nil
	}
	docs, err := e.result(d)
	if err != nil {
		return tree.Doc{}, diag.Of(err)
	}
	return docs[0], nil
}

// Values applies rights, in order, to left, as overlay.apply does: maps to maps, arrays to arrays,
// document sets to document sets. Dicts, structs and lists are fragments without annotations.
// thread calls the functions of the overlays. The error is a *diag.Diagnostic if the overlay is at
// fault.
func Values(
	thread *starlark.Thread, left starlark.Value, rights []starlark.Value, opt Options,
) (starlark.Value, error) {
	opt.By = tree.ByOverlay
	if opt.Record != nil && opt.Origins == nil {
		opt.Origins = &tree.Origins{}
	}
	e := newEditor(&opt)
	e.thread, e.Borrowed = thread, true
	if opt.Origins != nil && opt.Here != nil {
		e.here = opt.Here()
	}
	defer reportAll(e.remarks)
	d, base, err := e.target(left)
	if err != nil {
		return nil, err
	}
	for _, right := range rights {
		if err := e.applyValue(d, base, right); err != nil {
			return nil, err
		}
	}
	switch {
	case d == nil:
		return base.Starlark(), nil
	case d.docs:
		docs, err := e.result(d)
		if err != nil {
			return nil, err
		}
		return tree.NewDocumentSet(docs), nil
	}
	v := d.freeze()
	if err := opt.checkSize(v); err != nil {
		return nil, err
	}
	return v.Starlark(), nil
}

// target returns what overlay.apply edits: a draft of documents or of a collection, or a scalar,
// which overlays never change.
func (e *editor) target(left starlark.Value) (*draft, tree.Value, error) {
	if set, ok := left.(*tree.DocumentSet); ok {
		d := e.drafts.documents(set.Documents(), 0)
		d.given = 0 // code created these documents, perhaps with the same overlay
		return d, tree.Value{}, nil
	}
	v, err := e.opt.value(left)
	if err != nil {
		return nil, v, err
	}
	v = e.drafts.Clean(v)
	if v.Kind() == tree.ScalarKind {
		return nil, v, nil
	}
	return e.drafts.of(v), v, nil
}

// applyValue applies one argument of overlay.apply.
func (e *editor) applyValue(d *draft, base tree.Value, right starlark.Value) error {
	c := e.planner()
	was := base.TypeName()
	if d != nil && d.docs {
		was = "document set"
	}
	if set, ok := right.(*tree.DocumentSet); ok {
		if d == nil || !d.docs {
			return mismatch("document set", was)
		}
		for _, doc := range set.Documents() {
			if err := e.recorded(d, c.document(doc), e.whole); err != nil {
				return err
			}
		}
		return nil
	}
	v, err := e.opt.argument(right)
	if err != nil {
		return err
	}
	switch {
	case v.IsNull():
		return nil // a function that returned no overlay
	case v.Kind() == tree.ScalarKind && d == nil:
		return nil // ytt returns the left, and no annotation can change that
	case d == nil || d.docs || d.array != (v.Kind() == tree.ArrayKind) || v.Kind() == tree.ScalarKind:
		return mismatch(v.TypeName(), was)
	}
	if d.array {
		if added, err := e.addPlain(d, &c, v); added {
			return err
		}
	}
	if e.opt.Origins != nil {
		v = v.Placed(source.Pos{})
	}
	root := Plan{nested: c.items(v, Settings{})}
	root.paths = c.paths
	if nodes := root.Children(); len(nodes) > 0 {
		root.At = nodes[0].At
	}
	err = e.recorded(d, &root, func(d *draft, p *Plan) error {
		if err := e.children(d, p); err != nil {
			return err
		}
		return e.checkReach(d, p)
	})
	if err != nil {
		return e.explain.Around(err)
	}
	return nil
}

// recorded applies p to d, and records what it does if there is a recorder.
func (e *editor) recorded(d *draft, p *Plan, apply func(*draft, *Plan) error) error {
	if e.opt.Record == nil {
		return apply(d, p)
	}
	e.record = e.opt.Record(e.explain, e.view(d), p)
	defer e.record.End()
	return apply(d, p)
}

// argument converts an overlay passed to overlay.apply. Parts of it may be moved elsewhere.
func (o *Options) argument(x starlark.Value) (tree.Value, error) {
	v, err := o.value(x)
	if o.Trace != nil {
		v = v.Spread()
	}
	return v, err
}

// value converts x. Data values keep their spelling, and in a traced run each part has an origin.
func (o *Options) value(x starlark.Value) (tree.Value, error) {
	if o.Trace != nil {
		return o.traced(x)
	}
	return o.written(x)
}

// result converts the result of an author's function. In a traced run, data values that it returns
// unchanged are recognized.
func (o *Options) result(x starlark.Value) (tree.Value, error) {
	if o.Trace != nil && o.Trace.Data(x) != nil {
		return o.traced(x)
	}
	return o.written(x)
}

// traced converts x, with an origin for each part.
func (o *Options) traced(x starlark.Value) (tree.Value, error) {
	o.Trace.Literals = o.Literals
	return o.Trace.Convert(x)
}

// written converts x. Data values keep their spelling.
func (o *Options) written(x starlark.Value) (tree.Value, error) {
	return o.Literals.FromStarlarkWithin(x, max(o.maxNodes(), tree.MaxNodes))
}

// addPlain adds the items of an array without any annotations. They need no plans, which would take
// more memory than the items.
func (e *editor) addPlain(d *draft, c *planner, v tree.Value) (added bool, err error) {
	if e.opt.Origins != nil || c.Clean(v) != v {
		return false, nil
	}
	nodes, _ := v.Weight()
	if held := d.weight(); held+nodes > e.opt.maxNodes() {
		return true, e.opt.tooLarge()
	}
	e.drafts.items = nil // the slice may be as long as the left
	a, _ := v.Array()
	items := a.Entries()
	d.entries = slices.Grow(d.entries, len(items))
	for _, it := range items {
		d.add(it)
	}
	return true, nil
}

// mismatch reports that overlay.apply got two values of different kinds.
func mismatch(right, left string) *diag.Diagnostic {
	d := diag.Errorf(source.Span{}, CodeType,
		"expected the value to overlay to be %s like the overlay, but was "+
			"%s", diag.Article(right), diag.Article(left))
	if left == "document set" || right == "document set" {
		return d.WithHint("a function whose YAML begins with `---` returns a document set, " +
			"others return a map or an array; both must be of the same kind")
	}
	return d
}
