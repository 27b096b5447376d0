package weft_test

import (
	"bytes"
	"testing"

	"weft"
)

// TestBytesAreNotShared changes the bytes that a caller has given and got: the result stays what it
// was.
func TestBytesAreNotShared(t *testing.T) {
	for _, keep := range []weft.Keep{0, weft.KeepAll} {
		for _, cache := range []*weft.Cache{nil, {}} {
			data := []byte("# note\nkind: A\nmetadata: {name: a}\n---\ntext: |\n  long\n  text\n")
			text, values := []byte("plain text\n"), []byte("name: value\n")
			opts := weft.Options{
				Files: []weft.File{
					{Path: "a.yml", Data: data, Plain: true},
					{Path: "b.txt", Data: text},
					{Path: "c.yml", Data: []byte("#@ load(\"@ytt:data\", \"data\")\nv: #@ data.values.name\n")},
				},
				DataValues: weft.DataValues{Texts: []weft.File{{Path: "v.yml", Data: values}}},
				Keep:       keep, Cache: cache,
			}
			res, err := weft.Render(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			want := shownOf(t, res, nil)
			for _, b := range [][]byte{data, text, values} {
				overwrite(b)
			}
			if got := shownOf(t, res, nil); got != want {
				t.Fatalf("keep %v: changed with the inputs:\n%s\nwant\n%s", keep, got, want)
			}
			for _, f := range res.Files() {
				overwrite(f.Data)
			}
			for _, f := range res.Texts() {
				overwrite(f.Data)
			}
			for d := range res.Documents() {
				overwrite(d.YAML())
			}
			if got := shownOf(t, res, nil); got != want {
				t.Fatalf("keep %v: changed with the outputs:\n%s\nwant\n%s", keep, got, want)
			}
		}
	}
}

func overwrite(b []byte) { copy(b, bytes.Repeat([]byte("x"), len(b))) }
