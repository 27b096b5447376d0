package weft_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft"
)

func ExampleResult_Files() {
	res, err := weft.Render(context.Background(), weft.Options{Files: []weft.File{
		{Path: "config.yml", Data: []byte("port: #@ 8000 + 80\n")},
		{Path: "motd.txt", Data: []byte("listening on (@= str(8080) @)\n")},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range res.Files() {
		fmt.Printf("%s: %s", f.Path, f.Data)
	}
	// Output:
	// motd.txt: listening on 8080
	// config.yml: port: 8080
}

func TestFilesInMemoryComeFirst(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yml"), []byte("on: disk\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := weft.Render(t.Context(), weft.Options{
		Inputs: []string{dir},
		Files: []weft.File{
			{Path: "z.yml", Data: []byte("z: 1\n")},
			{Path: "data", Data: []byte("x")},
			{Path: "b.yml", Data: []byte("---\n")},
		},
		Format: weft.JSON,
	})
	if err != nil {
		t.Fatal(err)
	}
	// b.yml has no document left, and data none at all. Files are YAML, whatever the format.
	want := []weft.File{
		{Path: "z.yml", Data: []byte("z: 1\n")},
		{Path: "a.yml", Data: []byte("true: disk\n")},
	}
	if diff := cmp.Diff(want, res.Files()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(res.Texts()) > 0 {
		t.Error("there is text")
	}
}

func TestWriteFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	render := func(names ...string) *weft.Result {
		var opts weft.Options
		for _, n := range names {
			opts.Files = append(opts.Files, weft.File{Path: n, Data: []byte("a: 1\n")})
		}
		res, err := weft.Render(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if _, err := render("a.yml", "b/c.yml").WriteFiles(t.Context(), weft.Dir{Path: dir, Prune: true}); err != nil {
		t.Fatal(err)
	}
	got, err := render(
		"a.yml",
	).WriteFiles(t.Context(), weft.Dir{Path: dir, Prune: true, Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	want := weft.Changes{
		Created:   []string{filepath.Join(dir, "a.yml")},
		Unchanged: []string{filepath.Join(dir, "a.yml")},
		Removed:   []string{filepath.Join(dir, "b", "c.yml")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// An emptied directory may not be the one that the inputs came from.
func TestWriteFilesKnowsItsInputs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "config")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.yml"), []byte("a: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := weft.Render(t.Context(), weft.Options{Inputs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := res.WriteFiles(t.Context(), weft.Dir{Path: dir, Emptied: true}); err == nil {
		t.Error("the inputs were emptied")
	}
}
