package feature

import (
	"context"
	"errors"
	"testing"

	"weft/internal/engine/compile"
	"weft/internal/lang/tree"
)

// Printing ends between two documents when its context has ended.
func TestPrintingIsCancelled(t *testing.T) {
	docs := []tree.Doc{{Value: tree.String("a")}, {Value: tree.String("b")}}
	ctx, cancel := context.WithCancel(t.Context())
	b := awaited{ctx: ctx}
	if _, err := b.Write([]byte("a\n")); err != nil {
		t.Fatal(err)
	}
	whole := printed{text: "a\n---\nb\n"}
	whole.mapDocuments(ctx, docs, 0, compile.Options{})
	cancel()
	if _, err := b.Write([]byte("---\nb\n")); !errors.Is(err, context.Canceled) || b.String() != "a\n" {
		t.Errorf("a cancelled text took more: %q, %v", b.String(), err)
	}
	none := printed{text: whole.text}
	none.mapDocuments(ctx, docs, 0, compile.Options{})
	if len(whole.nodes) != 2 || len(none.nodes) != 0 {
		t.Errorf("mapped %d documents, and %d when cancelled; expected 2 and 0", len(whole.nodes),
			len(none.nodes))
	}
}
