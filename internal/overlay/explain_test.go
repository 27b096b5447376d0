package overlay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/overlay"
)

var update = flag.Bool("update", false, "rewrite what testdata wants")

// TestExplain runs testdata/explain/NAME.txtar: files, and the text or the JSON that tells what
// their overlays do.
func TestExplain(t *testing.T) {
	paths, err := filepath.Glob("testdata/explain/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := &a.Files[len(a.Files)-1]
			var files []file
			for _, f := range a.Files[:len(a.Files)-1] {
				files = append(files, file{f.Name, string(f.Data)})
			}
			in := evaluate(t, files...)
			steps, docs, failure := overlay.Explain(
				context.Background(),
				in.left,
				in.overlays,
				in.opt,
			)
			var got bytes.Buffer
			switch want.Name {
			case "want.txt":
				err = overlay.WriteText(&got, in.files, steps)
			case "want.json":
				err = overlay.WriteJSON(&got, in.files, steps)
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
			if *update {
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
}
