package weft

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCollectionKeys gives collections as keys, which Go's maps cannot have, as text.
func TestCollectionKeys(t *testing.T) {
	res, err := Render(context.Background(), Options{Files: []File{
		{Path: "a.yml", Data: []byte("? [1, x]\n: a\n? {b: 2}\n: c\n3: d\n")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for d := range res.Documents() {
		want := map[any]any{`[1,"x"]`: "a", `{"b":2}`: "c", int64(3): "d"}
		if diff := cmp.Diff(want, d.Value()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
