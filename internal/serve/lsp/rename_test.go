package lsp_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"weft"
	"weft/internal/serve/lsp/protocol"
)

// rename: the lines that change if what the marker points at gets another name. What all
// environments make must stay the same.
func (r *markerRun) rename(at place, args []string) {
	r.t.Helper()
	var what protocol.PrepareRename
	r.call("textDocument/prepareRename", r.position(at), &what)
	var edit protocol.WorkspaceEdit
	p := protocol.RenameParams{PositionParams: r.position(at), NewName: args[1]}
	if err := r.try("textDocument/rename", p, &edit); err != nil {
		r.t.Errorf("%s:%d: %v", at.path, at.pos.Line+1, err)
		return
	}
	after := r.edited(edit)
	r.golden(args[0], fmt.Sprintf("%s %s\n%s", showRange(what.Range), what.Placeholder,
		changedLines(r.texts, after)))
	want := renderWith(r.t, r.engines, r.texts)
	if got := renderWith(r.t, r.engines, after); got != want {
		r.t.Errorf("%s:%d: the output after the rename is\n%s\nbefore it was\n%s", at.path,
			at.pos.Line+1, got, want)
	}
}

// noRename: why what the marker points at cannot get another name.
func (r *markerRun) noRename(at place, args []string) {
	r.t.Helper()
	p := protocol.RenameParams{PositionParams: r.position(at), NewName: args[1]}
	err := r.try("textDocument/rename", p, nil)
	if err == nil {
		r.t.Errorf("%s:%d: the rename is not refused", at.path, at.pos.Line+1)
		return
	}
	r.golden(args[0], err.Error()+"\n")
}

// edited are the files after edits. What is open must have its version.
func (r *markerRun) edited(edit protocol.WorkspaceEdit) map[string]string {
	after := maps.Clone(r.texts)
	for _, d := range edit.DocumentChanges {
		path := r.pathOf(d.TextDocument.URI)
		if v := r.versions[d.TextDocument.URI]; v > 0 &&
			(d.TextDocument.Version == nil || *d.TextDocument.Version != v) {
			r.t.Errorf("the edits of %s are not of version %d", path, v)
		}
		after[path] = applyEdits(after[path], d.Edits)
	}
	return after
}

// changedLines shows the lines that differ.
func changedLines(before, after map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, now := strings.Split(before[name], "\n"), strings.Split(after[name], "\n")
		for i := range now {
			if i >= len(old) || old[i] != now[i] {
				fmt.Fprintf(&b, "%s:%d: %s\n", name, i+1, strings.TrimSuffix(now[i], "\r"))
			}
		}
	}
	return b.String()
}

// renderAll is what all environments of a project make.
func renderAll(t testing.TB, texts map[string]string) string { return renderWith(t, nil, texts) }

// renderWith is renderAll with a program for charts and kustomizations.
func renderWith(t testing.TB, engines *weft.Engines, texts map[string]string) string {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range texts {
		files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	base := weft.Options{FS: files, Inputs: []string{"."}}
	if _, ok := texts["weft.yml"]; !ok {
		return render(t, base)
	}
	made, err := weft.OpenProject(t.Context(), weft.ProjectOptions{
		Path: "weft.yml", FS: files, Engines: engines,
	})
	if err != nil {
		t.Fatal(err)
	}
	names := made.Names()
	if len(names) == 0 {
		names = []string{""}
	}
	var b strings.Builder
	for _, name := range names {
		opts, err := made.Options(name, weft.Options{FS: files})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "environment %s\n%s", name, render(t, opts))
	}
	return b.String()
}

func render(t testing.TB, opts weft.Options) string {
	t.Helper()
	res, err := weft.Render(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := res.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
