package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft"
)

// Each workload is what it says, in a small size: weft accepts it without a warning, and the same name
// gives the same bytes.
func TestWorkloads(t *testing.T) {
	names := map[string][]string{ // and what weft reads of them
		"w1-3":      {"ytt"},
		"w2-7-6":    {"docs", "overlays"},
		"w3-45":     {"."},
		"w4-3":      {"config"},
		"w5-10":     {"ytt"},
		"w6-1":      {"crds.yml"},
		"w7":        {"t.yml"},
		"w8-3":      {"."},
		"w9-20":     {"."},
		"w10-20":    {"."},
		"fleet-2-5": {"config"},
		"project-3": {"config", "overlays"},
	}
	for name, inputs := range names {
		t.Run(name, func(t *testing.T) {
			dirs := [2]string{filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), name)}
			trees := [2]map[string]string{}
			for i, dir := range dirs {
				if err := generate(dir, name); err != nil {
					t.Fatal(err)
				}
				trees[i] = contents(t, dir)
			}
			if diff := cmp.Diff(trees[0], trees[1]); diff != "" {
				t.Errorf("made twice it differs:\n%s", diff)
			}
			opts := weft.Options{Warnings: weft.WarningsError}
			for _, in := range inputs {
				opts.Inputs = append(opts.Inputs, filepath.Join(dirs[0], in))
			}
			res, err := weft.Render(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Files()) == 0 {
				t.Error("it makes no file")
			}
			if _, err := res.WriteTo(io.Discard); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFleetHasItsSize(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fleet")
	if err := generate(dir, "fleet-4-7"); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]int{"config": 7, "envs": 4, ".": 2} {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != want {
			t.Errorf("%s has %d entries, want %d", folder, len(entries), want)
		}
	}
}

func TestUnknownWorkload(t *testing.T) {
	for _, name := range []string{"w99", "w1-x", "w1-1-2-3"} {
		if err := generate(filepath.Join(t.TempDir(), name), name); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

// contents are the files below a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
