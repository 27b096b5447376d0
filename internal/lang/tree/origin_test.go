package tree

import (
	"testing"
	"unsafe"

	"weft/internal/lang/source"
)

func TestOrigins(t *testing.T) {
	var set source.Set
	f, err := set.Add("a.yml", []byte("0123456789"))
	if err != nil {
		t.Fatal(err)
	}
	var table Origins
	first := table.Set(String("a"), Setting{By: ByDefault, At: f.Pos(0).To(1)})
	last := table.Set(
		String("b"),
		Setting{By: ByOverlay, At: f.Pos(4).To(5), Old: first, Before: first.Origin()},
	)
	var got []Setter
	for s := range table.History(last.Origin()) {
		got = append(got, s.By)
	}
	if len(got) != 2 || got[0] != ByOverlay || got[1] != ByDefault {
		t.Errorf("the history is %v", got)
	}
	for range table.History(String("c").Origin()) {
		t.Error("a value that nothing set has a history")
	}
	for name, v := range map[string]Value{
		"placed":    Of(NewMap([]Item{{Key: String("k")}}, source.Pos{})).WithOrigin(7).Placed(f.Pos(0)),
		"made":      String("s").WithOrigin(7).Materialized(),
		"elsewhere": NewArray([]Item{{Value: last.WithOrigin(7)}}, source.Pos{}).Entries()[0].Value,
	} {
		if v.Origin() != 7 {
			t.Errorf("%s: the origin is lost", name)
		}
	}
}

// TestNoOrigins holds the table to costing nothing where nothing asks for it.
func TestNoOrigins(t *testing.T) {
	var none *Origins
	v := none.Set(String("a"), Setting{By: ByOverlay})
	if _, ok := none.Of(v.Origin()); ok || v != String("a") {
		t.Error("a value has an origin without a table")
	}
	var without struct {
		key, value [4]uintptr
		pos        source.Pos
		notes      *Annotations
	}
	if unsafe.Sizeof(Item{}) > unsafe.Sizeof(without) {
		t.Errorf("an item takes %d bytes, want %d", unsafe.Sizeof(Item{}), unsafe.Sizeof(without))
	}
}
