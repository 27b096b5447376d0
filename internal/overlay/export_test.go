package overlay

import (
	"context"

	"weft/internal/tree"
)

// Sequential applies overlays one after another, whatever the number of documents.
func Sequential(ctx context.Context, left [][]tree.Document, overlays []tree.Document, opt Options) ([][]tree.Document, error) {
	return sequential(ctx, left, plansOf(overlays, &opt), &opt)
}

// SideBySide applies overlays to documents side by side. It does not say what is wrong.
func SideBySide(ctx context.Context, left [][]tree.Document, overlays []tree.Document, opt Options) ([][]tree.Document, error) {
	return sideBySide(ctx, left, plansOf(overlays, &opt), &opt)
}

// Work applies overlays one after another and counts the entries that are looked at.
func Work(left [][]tree.Document, overlays []tree.Document) (int, error) {
	opt := Options{}
	e := newEditor(&opt)
	d := e.allDocuments(left)
	for _, p := range plansOf(overlays, &opt) {
		e.begin(p)
		if err := e.item(d, p); err != nil {
			return 0, err
		}
	}
	_, err := e.byFile(d, left)
	return d.totalWork(), err
}

func (d *draft) totalWork() int {
	n := d.work
	for i := range d.entries {
		if kid := d.entries[i].kid; kid != nil {
			n += kid.totalWork()
		}
	}
	return n
}

func plansOf(overlays []tree.Document, opt *Options) []*plan {
	c := planner{opt: opt}
	var plans []*plan
	for _, d := range overlays {
		plans = append(plans, c.document(d))
	}
	return plans
}
