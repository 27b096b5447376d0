package weft_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"weft"
)

// TestOverridesInMemory overrides files that are not on disk, and writes nothing back.
func TestOverridesInMemory(t *testing.T) {
	opts := weft.OverrideOptions{
		FS: fstest.MapFS{
			"base.yml": &fstest.MapFile{Data: []byte("a: 1 # one\n")},
			"ours.yml": &fstest.MapFile{Data: []byte("a: 2\n")},
		},
		Inputs: []string{"base.yml"}, Overrides: []weft.Override{{Text: "ours.yml", File: true}},
	}
	res, err := weft.ApplyOverrides(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := res.WriteTo(&out); err != nil || out.String() != "a: 2 # one\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
	opts.InPlace = true
	if _, err := weft.ApplyOverrides(t.Context(), opts); err == nil ||
		!strings.Contains(err.Error(), "not on disk") {
		t.Errorf("InPlace: %v", err)
	}
	opts.InPlace, opts.CEKit = false, true
	opts.Inputs = []string{"../base.yml"}
	if _, err := weft.ApplyOverrides(t.Context(), opts); err == nil {
		t.Error("a file outside was read")
	}
}

// TestApplyOverrides uses overrides from Go: read, override, write back.
func TestApplyOverrides(t *testing.T) {
	file := filepath.Join(t.TempDir(), "base.yml")
	if err := os.WriteFile(file, []byte("a: 1 # one\nl: [{name: x, v: 1}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opts := weft.OverrideOptions{
		Inputs:    []string{file},
		Overrides: []weft.Override{{Text: "{a: 2}"}, {Text: "-", File: true}},
		Stdin:     strings.NewReader("l: [{name: x, v: ~}]\n"),
		Explain:   true,
	}
	res, err := weft.ApplyOverrides(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	var out, changes, diff bytes.Buffer
	if _, err := res.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	if want := "a: 2 # one\nl: [{name: x}]\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	if err := res.Write(&changes, weft.ReportOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := "a: 1 → 2  by --overrides #1:1:2\n"; !strings.Contains(changes.String(), want) {
		t.Errorf("got %q, want %q in it", changes.String(), want)
	}
	if changed, err := res.Diff(&diff); len(changed) != 1 || err != nil ||
		!strings.Contains(diff.String(), "+a: 2 # one") {
		t.Errorf("got %v, %v and %q, want a difference", changed, err, diff.String())
	}
	if names, err := res.WriteInPlace(context.Background()); err != nil || len(names) != 1 {
		t.Errorf("wrote %v, %v, want one file", names, err)
	}
	if data, _ := os.ReadFile(file); string(data) != out.String() {
		t.Errorf("the file holds %q, want %q", data, out.String())
	}
}

// TestApplyOverridesFails has the place of what is wrong in the error.
func TestApplyOverridesFails(t *testing.T) {
	_, err := weft.ApplyOverrides(context.Background(), weft.OverrideOptions{
		Inputs: []string{
			"-",
		}, Stdin: strings.NewReader("a: 1\n"), Overrides: []weft.Override{{Text: "{a: 1}"}, {Text: "[]"}},
	})
	e, ok := errors.AsType[*weft.Error](err)
	if !ok || !strings.HasPrefix(e.Error(), "--overrides #2:1:1: ") {
		t.Errorf("got %v, want an error at --overrides #2:1:1", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := weft.ApplyOverrides(ctx, weft.OverrideOptions{Inputs: []string{"-"}, Stdin: strings.NewReader("a: 1\n"), Overrides: []weft.Override{{Text: "{a: 1}"}}}); !errors.Is(
		err,
		context.Canceled,
	) {
		t.Errorf("got %v, want the context's error", err)
	}
}
