// Package overlay applies overlays: documents whose annotations say what to change in others.
//
// It takes evaluated documents (the left) and overlays (the right) and returns new documents; its
// inputs never change, and parts that no overlay touches are shared. It does not evaluate
// templates: Starlark is called only for the functions that authors write into annotations.
//
// The files, in the order in which an overlay passes through them:
//
//	overlay.go                     options, and documents that overlays are applied to
//	plan.go, match.go, expect.go   the annotations of a document become a plan, once
//	schedule.go, batch.go          plans meet documents: in order, or in parallel if that makes no difference
//	edit.go, caller.go             a plan meets a node: match, count, act
//	missed.go                      overlays that match no document, or too many, reported together
//	draft.go, chain.go, index.go   collections while they are edited
//	cell.go                        what matchers see of them
//	matcher.go, pattern.go         overlay.subset and its like
//	origin.go, used.go             what set each value, and which values were used
//	reasons.go, spared.go          which data values decided what matches, in a traced run
//	view.go, explaining.go         what package explain sees, and its interfaces
//	errors.go, words.go            codes, and words of messages
//	limit.go, span.go              how large a document may be, and where nodes are
//
// Package explain says what is wrong, what nearly matched and what an overlay did. It reads plans,
// and drafts through a View, and changes neither; nothing here depends on what it says.
package overlay

import (
	"context"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Options is what applying overlays needs from the run around it. The zero value does for overlays
// without functions.
type Options struct {
	// Thread makes a thread to call functions of the overlay document at pos. If it is nil, a bare
	// thread is used. Threads of several goroutines run at the same time.
	Thread func(pos source.Pos) *starlark.Thread
	// Print takes what functions print, in the order of overlays and documents. If it is nil,
	// threads print as they were made to.
	Print func(text string)
	// Warn takes what is probably a mistake but is allowed. It may be nil.
	Warn func(*diag.Diagnostic)
	// Diagnose turns the error of a function into diagnostics with places. If it is nil, only its
	// message is reported.
	Diagnose func(error) diag.List
	// MaxNodes is how many nodes a document may come to have; 0 means tree.MaxNodes.
	MaxNodes int
	// Origins takes what set each value that is set. It may be nil.
	Origins *tree.Origins
	// Matched, if not nil, is called with the number of matches of the annotation at a place. It
	// must be safe for concurrent use.
	Matched func(at source.Pos, n int)
	// Used is reported each value of a document that an overlay replaces or a matcher compares. It
	// may be nil, and is called from several goroutines at a time.
	Used func(v tree.Value, how Use)
	// Trace follows the functions that overlays call, in a traced run. It may be nil.
	Trace *tree.Trace
	// Literals are those of the data values, which functions may hand on. It may be nil.
	Literals *tree.Literals
	// Here is where overlay.apply is called. In Origins, a dict is written there. It may be nil.
	Here func() source.Span
	// Explain makes what explains errors, and what warns: explain.New. They may call functions again,
	// with ask. If it is nil, an error says no more than that something is wrong.
	Explain func(o *Options, ask *Caller) (Explainer, Remarks)
	// Record makes what follows p, an overlay that is about to be applied to d. It may ask x, which
	// Explain has made. If Record is nil, nothing is recorded.
	Record func(x Explainer, d View, p *Plan) Recorder
	// Owns reports whether what is written at a place has comments of its own. If it is there, an
	// item that an overlay changes stays at its place, where its comments are; so does one that
	// is replaced by an item that brings no comments.
	Owns func(source.Pos) bool
	// By is what Document's right counts as in Origins; for all else it is an overlay.
	By tree.Setter
	// Files is where positions point into, for places inside messages. If it is nil, messages
	// have none.
	Files *source.Set
	// Inner says that the documents go on to code that may still use them as overlays, as those of
	// a library do: their annotations are not without effect yet.
	Inner bool
	// Workers is how many documents are worked on at a time.
	Workers parallel.Workers
}

// IsOverlay reports whether a document is an overlay: one that is annotated with overlay/match.
func IsOverlay(d tree.Doc) bool { return d.Annotations.Get(NoteMatch) != nil }

// Apply applies overlays, in their order, to the documents of all files: left[i] are those of file
// i. The result has the same shape: an inserted document goes to the file of the one that it is put
// beside, an appended one to the last file that was given with any. Empty documents are no
// candidates; they are left out, except where a file has no others.
//
// The functions and values of the overlays' annotations are frozen. Apply is to be called even if
// there are no overlays: that an annotation has no effect is noticed here.
//
// The error is a diag.List, or the cause of ctx's end.
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

// documents makes the plans of overlays.
func (c *planner) documents(overlays []tree.Doc) []*Plan {
	plans := make([]*Plan, len(overlays))
	for i := range overlays {
		plans[i] = c.document(overlays[i])
	}
	return plans
}

// Document applies one document to another, which it need not be annotated to match, as data values
// and their schemas are put together. The right's action counts; the result of remove is null. The
// error is a diag.List.
func Document(left, right tree.Doc, opt Options) (tree.Doc, error) {
	e := newEditor(&opt)
	e.print = opt.Print
	defer tell(e.remarks)
	c := e.planner()
	c.implied = true
	d := e.drafts.documents([]tree.Doc{left}, 0)
	p := c.document(right)
	e.begin(p)
	if err := e.item(d, p); err != nil {
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

// Values applies rights, in their order, to left, as overlay.apply does: maps to maps, arrays to
// arrays, document sets to document sets. Dicts, structs and lists are taken as fragments without
// annotations. thread calls the functions of the overlays. The error is a *diag.Diagnostic if the
// overlay is at fault.
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
	defer tell(e.remarks)
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
// which no overlay changes.
func (e *editor) target(left starlark.Value) (*draft, tree.Value, error) {
	if set, ok := left.(*tree.DocumentSet); ok {
		d := e.drafts.documents(set.Documents(), 0)
		d.given = 0 // code has made them, perhaps by the same overlay a moment ago
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
			if err := e.recorded(d, c.document(doc), e.item); err != nil {
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
		return nil // a function that made no overlay
	case v.Kind() == tree.ScalarKind && d == nil:
		return nil // the reference gives the left, and no annotation can say otherwise
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
	if nodes := root.Children(); len(nodes) > 0 {
		root.At = nodes[0].At
	}
	err = e.recorded(d, &root, e.children)
	if err != nil {
		return e.explain.Around(err)
	}
	return nil
}

// recorded applies p to d, and records what it does if that is asked for.
func (e *editor) recorded(d *draft, p *Plan, apply func(*draft, *Plan) error) error {
	if e.opt.Record == nil {
		return apply(d, p)
	}
	e.record = e.opt.Record(e.explain, e.view(d), p)
	defer e.record.End()
	return apply(d, p)
}

// argument returns an overlay among the arguments of overlay.apply, of which parts are put
// elsewhere.
func (o *Options) argument(x starlark.Value) (tree.Value, error) {
	v, err := o.value(x)
	if o.Trace != nil {
		v = v.Spread()
	}
	return v, err
}

// value returns x as a value. What of it is a data value stays as it is written, and in a traced
// run each part knows what it was made of.
func (o *Options) value(x starlark.Value) (tree.Value, error) {
	if o.Trace != nil {
		return o.traced(x)
	}
	return o.written(x)
}

// result returns what a function of an author has given, as a value. If that is data values as they
// are, each of them knows so in a traced run.
func (o *Options) result(x starlark.Value) (tree.Value, error) {
	if o.Trace != nil && o.Trace.Data(x) != nil {
		return o.traced(x)
	}
	return o.written(x)
}

// traced returns x as a value of which each part knows what it was made of.
func (o *Options) traced(x starlark.Value) (tree.Value, error) {
	o.Trace.Literals = o.Literals
	return o.Trace.Convert(x)
}

// written returns x as a value, with what is a data value as it is written.
func (o *Options) written(x starlark.Value) (tree.Value, error) {
	return o.Literals.FromStarlarkWithin(x, max(o.maxNodes(), tree.MaxNodes))
}

// addPlain adds the items of an array that has no annotations at all. They need no plans, which
// would take more memory than the items.
func (e *editor) addPlain(d *draft, c *planner, v tree.Value) (added bool, err error) {
	if e.opt.Origins != nil || c.Clean(v) != v {
		return false, nil
	}
	nodes, _ := v.Weight()
	if held := d.weight(); held+nodes > e.opt.maxNodes() {
		return true, e.opt.tooLarge()
	}
	e.drafts.items = nil // it may be as long as the left is
	a, _ := v.Array()
	items := a.Entries()
	d.entries = slices.Grow(d.entries, len(items))
	for _, it := range items {
		d.add(it)
	}
	return true, nil
}

// mismatch says that overlay.apply was given two values of different kinds.
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
