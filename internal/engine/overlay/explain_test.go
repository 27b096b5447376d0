package overlay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/engine/overlay/explain"
	"weft/internal/testing/cases"
)

// TestExplain runs testdata/explain/NAME.txtar: files, and the text or the JSON that tells what
// their overlays do.
func TestExplain(t *testing.T) {
	cases.Each(t, "testdata/explain/*.txtar", func(t *testing.T, path string) {
		a := cases.Archive(t, path)
		want := &a.Files[len(a.Files)-1]
		var files []file
		for _, f := range a.Files[:len(a.Files)-1] {
			files = append(files, file{f.Name, string(f.Data)})
		}
		in := evaluate(t, files...)
		steps, docs, failure := explain.Explain(
			context.Background(),
			in.left,
			in.overlays,
			in.opt,
		)
		var got bytes.Buffer
		var err error
		switch want.Name {
		case "want.txt":
			err = explain.WriteText(&got, in.files, steps)
		case "want.json":
			err = explain.WriteJSON(&got, in.files, steps)
			if !json.Valid(got.Bytes()) {
				t.Errorf("not JSON:\n%s", got.String())
			}
		default:
			t.Fatalf("the last part is %s, want want.txt or want.json", want.Name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if failure != nil {
			got.WriteString("\n" + in.text(failure))
		} else if applied, err := in.apply(); err != nil || applied != in.yaml(docs) {
			t.Errorf("applying gives:\n%s\nexplaining gives:\n%s", applied, in.yaml(docs))
		}
		if *cases.Update {
			want.Data = got.Bytes()
			if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if diff := cmp.Diff(got.String(), string(want.Data)); diff != "" {
			t.Errorf("(-got +want):\n%s", diff)
		}
	})
}
