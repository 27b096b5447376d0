package overlay

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// This file decides the order in which overlays are applied to documents. applyInOrder defines the
// meaning: one overlay after another, each to all documents.
//
// If there are many documents, they are edited in parallel instead: see batch.go. If that fails,
// its results are discarded and everything is done again in order, so that errors do not depend on
// timing. This is safe because inputs never change and functions keep no state. The same happens if a
// function asks for documents: see documents.go.

// schedule applies overlays to the documents of all files.
func schedule(
	ctx context.Context, left [][]tree.Doc, plans []*Plan, opt *Options,
) ([][]tree.Doc, error) {
	if len(plans) == 0 && opt.Record == nil {
		return left, nil
	}
	n := 0
	for _, docs := range left {
		n += len(docs)
	}
	var asked atomic.Bool
	if n >= 2*chunk && opt.Trace == nil && opt.Record == nil {
		if out, err := applyParallel(ctx, left, plans, opt, &asked); err == nil {
			return out, nil
		}
	}
	if !asked.Load() && !opt.isObserved() {
		var prints []string
		first := *opt
		if opt.Print != nil {
			first.Print = func(text string) { prints = append(prints, text) }
		}
		out, err := applyInOrder(ctx, left, plans, &first, &asked)
		if !asked.Load() {
			for _, text := range prints {
				opt.Print(text)
			}
			return out, err
		}
	}
	return applyInOrder(ctx, left, plans, opt, nil)
}

// isObserved reports whether what overlays do is recorded, so that they must be applied only once.
func (o *Options) isObserved() bool {
	return o.Record != nil || o.Trace != nil || o.Matched != nil || o.Used != nil
}

// applyInOrder applies overlays one after another and explains errors. If there is a recorder, it
// stops at the first overlay that fails. If asked is nil, functions can read the documents; otherwise it
// is set if one tries, and the result is not valid.
func applyInOrder(
	ctx context.Context, left [][]tree.Doc, plans []*Plan, opt *Options, asked *atomic.Bool,
) ([][]tree.Doc, error) {
	e := newEditor(opt)
	e.print, e.asked = opt.Print, asked
	defer func() {
		if asked == nil || !asked.Load() {
			reportAll(e.remarks)
		}
	}()
	d := e.drafts.allDocuments(left)
	var wrong missed
	for _, p := range plans {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		e.begin(p)
		if asked == nil {
			e.snapshot(d, p)
		}
		if err := e.recorded(d, p, e.whole); err != nil {
			if asked != nil && asked.Load() {
				return nil, errStop
			}
			if cause := context.Cause(ctx); cause != nil {
				return nil, errors.Join(cause, diag.Of(err)) // diag.Of may say where code was stopped
			}
			if e.record == nil && wrong.add(e, p, err) && len(wrong.plans) < maxMissed {
				continue
			}
			if len(wrong.list) > 0 {
				break // perhaps a consequence of a skipped overlay
			}
			return nil, diag.Of(err)
		}
	}
	if len(wrong.list) > 0 {
		return nil, wrong.list
	}
	return e.byFile(d, left)
}

// byFile returns the documents of a draft, file by file.
func (e *editor) byFile(d *draft, left [][]tree.Doc) ([][]tree.Doc, error) {
	docs, err := e.result(d)
	if err != nil {
		return nil, diag.Of(err)
	}
	out := make([][]tree.Doc, max(len(left), 1))
	n := 0
	for i := d.head; i != None; i = d.entries[i].next {
		file := d.entries[i].file
		out[file] = append(out[file], docs[n])
		n++
	}
	return keepEmptyFiles(out, left), nil
}

// result returns the documents of a draft, or an error if one is too large.
func (e *editor) result(d *draft) ([]tree.Doc, error) {
	docs := make([]tree.Doc, 0, d.n)
	for i := d.head; i != None; i = d.entries[i].next {
		x := &d.entries[i]
		v := x.cell().Value()
		if err := e.opt.checkSize(v); err != nil {
			if e.Borrowed {
				return nil, err
			}
			return nil, diag.Errorf(e.view(d).Span(i), CodeLimit, "%s", err)
		}
		docs = append(docs, tree.Doc{Value: v, Pos: x.Pos, Annotations: x.Annotations})
	}
	return docs, nil
}

// keepEmptyFiles restores files whose documents are all empty; they still appear in the output.
func keepEmptyFiles(out, left [][]tree.Doc) [][]tree.Doc {
	full := func(d tree.Doc) bool { return !d.Value.Empty() }
	for i, docs := range left {
		if len(out[i]) == 0 && !slices.ContainsFunc(docs, full) {
			out[i] = docs
		}
	}
	return out
}
