package overlay

import (
	"context"
	"sync/atomic"

	"weft/internal/lang/tree"
)

// InOrder applies overlays one after another, whatever the number of documents.
func InOrder(
	ctx context.Context,
	left [][]tree.Doc,
	overlays []tree.Doc,
	opt Options,
) ([][]tree.Doc, error) {
	return applyInOrder(ctx, left, plansOf(overlays, &opt), &opt, nil)
}

func plansOf(overlays []tree.Doc, opt *Options) []*Plan {
	c := newEditor(opt).planner()
	c.freeze = true
	return c.documents(overlays)
}

// Parallel applies overlays to documents in parallel. It does not say what is wrong.
func Parallel(
	ctx context.Context,
	left [][]tree.Doc,
	overlays []tree.Doc,
	opt Options,
) ([][]tree.Doc, error) {
	return applyParallel(ctx, left, plansOf(overlays, &opt), &opt, new(atomic.Bool))
}

// Work applies overlays one after another and counts the entries that are looked at.
func Work(left [][]tree.Doc, overlays []tree.Doc) (int, error) {
	opt := Options{}
	e := newEditor(&opt)
	d := e.drafts.allDocuments(left)
	for _, p := range plansOf(overlays, &opt) {
		e.begin(p)
		if err := e.item(d, p); err != nil {
			return 0, err
		}
	}
	_, err := e.byFile(d, left)
	return d.totalWork(), err
}

// Indexes applies overlays one after another and counts how often documents are indexed for overlay.documents.
func Indexes(left [][]tree.Doc, overlays []tree.Doc, opt Options) (int, error) {
	e := newEditor(&opt)
	d := e.drafts.allDocuments(left)
	for _, p := range plansOf(overlays, &opt) {
		e.begin(p)
		e.snapshot(d, p)
		if err := e.item(d, p); err != nil {
			return 0, err
		}
	}
	return e.last.indexes, nil
}

func (d *draft) totalWork() int {
	n := d.work
	for i := range d.entries {
		if child := d.entries[i].child; child != nil {
			n += child.totalWork()
		}
	}
	return n
}
