package tree

import (
	"testing"

	"weft/internal/lang/source"
)

// TestPlaced sees to it that what has no place gets that of what it is in, and that all else
// stays what it was.
func TestPlaced(t *testing.T) {
	var set source.Set
	f, err := set.Add("a.yml", []byte("0123456789"))
	if err != nil {
		t.Fatal(err)
	}
	inner := NewArray([]Item{{Value: String("x")}}, source.Pos{})
	doc := Doc{Pos: f.Pos(0), Value: Of(NewMap([]Item{
		{Key: String("a"), Value: Of(inner), Pos: f.Pos(4)},
		{Key: String("b"), Value: String("z")},
	}, source.Pos{}))}
	m, _ := doc.Placed().Value.Map()
	if got := m.items[1].Pos; got != f.Pos(0) {
		t.Errorf("b is at %v, want the document's place", got)
	}
	if a, _ := m.items[0].Value.Array(); a.items[0].Pos != f.Pos(4) {
		t.Errorf("a[0] is at %v, want the place of a", a.items[0].Pos)
	}
	if nodes, depth := m.nodes, m.depth; nodes != 4 || depth != 2 {
		t.Errorf("it weighs %d nodes and %d levels, want 4 and 2", nodes, depth)
	}
	wantNodes, wantDepth := doc.Value.Weight()
	if nodes, depth := Of(m).Weight(); nodes != wantNodes || depth != wantDepth {
		t.Errorf("it has %d nodes in %d levels, want %d in %d", nodes, depth, wantNodes, wantDepth)
	}
	if inner.items[0].Pos.IsValid() {
		t.Error("the array was changed")
	}
	if again := (Doc{Pos: f.Pos(0), Value: Of(m)}).Placed(); again.Value != Of(m) {
		t.Error("what has its places was copied")
	}
}
