package lsp_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
)

// many is a project of so many templates that a rename is proved in parts. What it is given goes
// over its own files.
func many(t *testing.T, others map[string]string) string {
	files := map[string]string{
		"schema.yml": "#@data/values-schema\n---\nname: web\nguard:\n  active: false\n",
	}
	for i := range 100 {
		files[fmt.Sprintf("config/%03d.yml", i)] = fmt.Sprintf(
			"#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n"+
				"active: #@ data.values.guard.active\nn: %d\n", i)
	}
	for name, text := range others {
		files[name] = text
	}
	dir := t.TempDir()
	write(t, dir, files)
	return dir
}

// renameIn renames the data value that a line of config/000.yml reads.
func renameIn(
	t *testing.T, dir string, line int, patience time.Duration,
) (protocol.WorkspaceEdit, error) {
	c := dialWith(t, dir, lsp.Options{MaxWait: patience}, nil)
	const path = "config/000.yml"
	text := folder(t, filepath.Join(dir, "config"))["000.yml"]
	c.open(path, text)
	c.settle()
	var edit protocol.WorkspaceEdit
	p := protocol.RenameParams{NewName: "label"}
	p.TextDocument.URI = c.uri(path)
	p.Position = protocol.Position{Line: line, Character: len(strings.Split(text, "\n")[line]) - 1}
	err := c.try("textDocument/rename", p, &edit)
	return edit, err
}

// However little time there is, a rename edits everything.
func TestRenamesOfManyFiles(t *testing.T) {
	t.Parallel()
	for _, patience := range []time.Duration{time.Nanosecond, time.Minute} {
		edit, err := renameIn(t, many(t, nil), 1, patience)
		if err != nil || len(edit.Changes) != 101 {
			t.Errorf("%s: %d files are edited, %v", patience, len(edit.Changes), err)
		}
	}
}

// What the files do not show, rendering them does, in whichever part it is.
func TestRenamesOfManyFilesAreProved(t *testing.T) {
	t.Parallel()
	dir := many(t, map[string]string{
		"config/090.yml": "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n" +
			"hidden: #@ {\"d\": data}[\"d\"].values.name\n",
	})
	_, err := renameIn(t, dir, 1, time.Minute)
	if err == nil || !strings.Contains(err.Error(), "config/090.yml:3") {
		t.Errorf("the rename is not refused: %v", err)
	}
}

// Data values are looked at even if there is no time.
func TestRenamesAreAlwaysProvedForDataValues(t *testing.T) {
	t.Parallel()
	dir := many(t, map[string]string{
		"schema.yml": "#@data/values-schema\n---\nname: web\nguard:\n  active: false\n" +
			"  #@schema/validation min_len=1, when=lambda _, ctx: ctx.parent[\"active\"]\n  text: x\n",
	})
	_, err := renameIn(t, dir, 2, time.Nanosecond)
	if err == nil || !strings.Contains(err.Error(), "validating guard.text") {
		t.Errorf("the rename is not refused: %v", err)
	}
}
