package overlay_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"weft/internal/engine/overlay"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// TestOriginsInParallel holds both ways of applying to the same origins, and to the same documents
// as without.
func TestOriginsInParallel(t *testing.T) {
	for n := len(many) % 3; n <= len(many); n += 3 {
		in := evaluate(t, manyFiles(many[:n]...)...)
		plain := in.outcome(overlay.InOrder)
		inOrder := in.origins(overlay.InOrder)
		if got := in.origins(overlay.Parallel); got != inOrder {
			t.Fatalf("with %d overlays, in parallel:\n%s\nin order:\n%s", n, got, inOrder)
		}
		if got := in.outcome(overlay.InOrder); got != plain {
			t.Fatalf("with %d overlays and origins:\n%s\nwithout:\n%s", n, got, plain)
		}
	}
}

func TestOriginHistory(t *testing.T) {
	in := evaluate(
		t,
		file{"base.yml", "kind: A\nspec:\n  replicas: 1\n  image: x\n"},
		file{"one.yml", header + "#@overlay/match by=overlay.all\n---\nspec:\n  replicas: 2\n" +
			"  #@overlay/match missing_ok=True\n  labels:\n    team: a\n    tier: web\n"},
		file{"two.yml", header + "#@overlay/match by=overlay.all\n---\nspec:\n  replicas: 3\n" +
			"  labels:\n    team: b\n"},
		file{"three.yml", header + "#@overlay/match by=overlay.all\n---\nspec:\n" +
			"  #@overlay/remove\n  image:\n"},
	)
	want := `/spec/replicas: 3
  overlay two.yml:5 over 2 at one.yml:5, by the overlay at two.yml:3
  overlay one.yml:5 over 1 at base.yml:3, by the overlay at one.yml:3
/spec/labels: a collection
  overlay one.yml:7, by the overlay at one.yml:3
/spec/labels/team: "b"
  overlay two.yml:7 over "a" at one.yml:8, by the overlay at two.yml:3
  overlay one.yml:7, by the overlay at one.yml:3
`
	for name, apply := range map[string]applier{"in order": overlay.InOrder, "in parallel": overlay.Parallel} {
		if got := in.origins(apply); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

type applier = func(context.Context, [][]tree.Doc, []tree.Doc, overlay.Options) ([][]tree.Doc, error)

// origins is the history of every value that an overlay has set, as text.
func (in *input) origins(apply applier) string {
	opt := in.opt
	opt.Print, opt.Warn = nil, nil
	opt.Origins, opt.By = &tree.Origins{}, tree.ByOverlay
	files, err := apply(context.Background(), in.left, in.overlays, opt)
	if err != nil {
		panic(err)
	}
	h := historian{in: in, table: opt.Origins}
	for _, docs := range files {
		for _, d := range docs {
			h.value("", d.Value)
		}
	}
	return h.String()
}

// historian writes where values come from.
type historian struct {
	strings.Builder
	in    *input
	table *tree.Origins
}

func (h *historian) value(path string, v tree.Value) {
	if v.Origin() != 0 {
		fmt.Fprintf(h, "%s: %s\n", path, brief(v))
		for s := range h.table.History(v.Origin()) {
			fmt.Fprintf(h, "  %s %s", s.By, h.place(s.At))
			if s.Was.IsValid() {
				fmt.Fprintf(h, " over %s at %s", brief(s.Old), h.place(s.Was))
			}
			fmt.Fprintf(h, ", by the overlay at %s\n", h.place(s.Source))
		}
	}
	switch x := v.Starlark().(type) {
	case *tree.Map:
		for _, it := range x.Entries() {
			h.value(path+"/"+strings.Trim(brief(it.Key), `"`), it.Value)
		}
	case *tree.Array:
		for i, it := range x.Entries() {
			h.value(fmt.Sprintf("%s/%d", path, i), it.Value)
		}
	}
}

func (h *historian) place(at source.Span) string {
	f := h.in.files.File(at.Pos)
	if f == nil {
		return "nowhere"
	}
	return f.WhereLine(at.Offset())
}

func brief(v tree.Value) string {
	if v.Kind() != tree.ScalarKind {
		return "a collection"
	}
	return v.Starlark().String()
}
