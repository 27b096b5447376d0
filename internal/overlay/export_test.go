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

func plansOf(overlays []tree.Document, opt *Options) []*plan {
	c := planner{opt: opt}
	var plans []*plan
	for _, d := range overlays {
		plans = append(plans, c.document(d))
	}
	return plans
}
