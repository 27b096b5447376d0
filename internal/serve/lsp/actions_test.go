package lsp_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/internal/lang/unified"
	"weft/internal/serve/lsp/protocol"
)

// actionsAt are the actions at a place.
func (c *client) actionsAt(path string, at protocol.Position, only ...string) []protocol.CodeAction {
	c.t.Helper()
	var p protocol.CodeActionParams
	p.DocumentParams = c.document(path)
	p.Range = protocol.Range{Start: at, End: at}
	p.Context.Only = only
	var list []protocol.CodeAction
	c.call("textDocument/codeAction", p, &list)
	return list
}

// actions(NAME): the titles of the actions at the place.
func (r *markerRun) actions(at place, args []string) {
	var b strings.Builder
	for _, a := range r.actionsAt(at.path, at.pos) {
		fmt.Fprintf(&b, "%s: %s", a.Kind, a.Title)
		if a.IsPreferred {
			b.WriteString(" (preferred)")
		}
		for _, d := range a.Diagnostics {
			fmt.Fprintf(&b, " %s", d.Code)
		}
		b.WriteByte('\n')
	}
	r.golden(args[0], b.String())
}

// fix(NAME, CODE, TITLE): the action with a title resolves a diagnostic with a code: after its edit
// the diagnostic has gone, and there is no new error.
func (r *markerRun) fix(at place, args []string) {
	kind := protocol.QuickFix
	if args[1] == "all" {
		kind = protocol.FixAll
	}
	var titles []string
	for _, a := range r.actionsAt(at.path, at.pos, kind) {
		titles = append(titles, a.Title)
		if a.Title == args[2] && (args[1] == "all" || a.Diagnostics[0].Code == args[1]) {
			r.checkFix(a, args)
			return
		}
	}
	r.t.Errorf("%s:%d: there is no action %q among %q", at.path, at.pos.Line+1, args[2], titles)
}

func (r *markerRun) checkFix(a protocol.CodeAction, args []string) {
	texts := maps.Clone(r.texts)
	var b strings.Builder
	for _, e := range a.Edit.DocumentChanges {
		rel, err := filepath.Rel(r.root, e.TextDocument.URI.Path())
		if err != nil {
			r.t.Fatal(err)
		}
		path := filepath.ToSlash(rel)
		if v := e.TextDocument.Version; v == nil || *v != r.versions[r.uri(path)] {
			r.t.Errorf("%s: the edit is about version %v", path, v)
		}
		texts[path] = applyEdits(texts[path], e.Edits)
		fmt.Fprintf(&b, "%s:\n", path)
		old, made := strings.SplitAfter(r.texts[path], "\n"), strings.SplitAfter(texts[path], "\n")
		for _, x := range unified.CompareLines(old, made) {
			for _, l := range old[x.A0:x.A1] {
				fmt.Fprintf(&b, "-%s\n", strings.TrimRight(l, "\r\n"))
			}
			for _, l := range made[x.B0:x.B1] {
				fmt.Fprintf(&b, "+%s\n", strings.TrimRight(l, "\r\n"))
			}
		}
	}
	r.golden(args[0], b.String())
	was, now := r.codes(), r.codesAfter(texts)
	for _, d := range a.Diagnostics {
		if now[d.Code] >= was[d.Code] {
			r.t.Errorf("%s: there are %d %s, there were %d", args[0], now[d.Code], d.Code, was[d.Code])
		}
	}
	for code, n := range now {
		if n > was[code] && strings.HasPrefix(code, "error ") {
			r.t.Errorf("%s: there are %d %s, there were %d", args[0], n, code, was[code])
		}
	}
}

// codes counts the diagnostics of all files, by their codes; and errors.
func (c *client) codes() map[string]int {
	count := map[string]int{}
	for _, path := range c.files() {
		for _, d := range c.diagnostics(path) {
			count[d.Code]++
			if d.Severity == protocol.SeverityError {
				count["error "+d.Code]++
			}
		}
	}
	return count
}

// codesAfter counts the diagnostics of a project with other texts.
func (r *markerRun) codesAfter(texts map[string]string) map[string]int {
	dir := r.t.TempDir()
	write(r.t, dir, texts)
	c := dial(r.t, dir, nil)
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		c.open(path, texts[path])
	}
	c.settle()
	return c.codes()
}

// An edit is about the version that the client has: a fix that was found in an older text is at the
// place where the text is now, or there is none.
func TestActionVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\", \"assert\")\na: #@ data.values.b\n"
	files := map[string]string{"s.yml": "#@data/values-schema\n---\nb: 1\n", "a.yml": text}
	write(t, dir, files)
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
	})
	c.open("a.yml", text)
	c.settle()
	c.change("a.yml", protocol.ContentChange{Text: "#! 🙂\n" + text})
	list := c.actionsAt("a.yml", protocol.Position{Line: 2, Character: 25}, protocol.QuickFix)
	if len(list) != 1 {
		t.Fatalf("got %+v", list)
	}
	e := list[0].Edit.DocumentChanges[0]
	if *e.TextDocument.Version != 2 {
		t.Errorf("got version %d", *e.TextDocument.Version)
	}
	if got := applyEdits("#! 🙂\n"+text, e.Edits); strings.Contains(got, "assert") {
		t.Errorf("got %q", got)
	}
	c.change("a.yml", protocol.ContentChange{Text: "a: 1\n"})
	if list := c.actionsAt("a.yml", protocol.Position{}); len(list) > 0 {
		t.Errorf("got %+v", list)
	}
}

// Lines of an edit end as those of the file do, and columns count UTF-16.
func TestActionsWithCRLF(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const over = "#@ load(\"@ytt:overlay\", \"overlay\")\r\n#@overlay/match by=overlay.all\r\n---\r\n" +
		"\"🙂\":\r\n  b: 1\r\n"
	const block = "#@ if True:\r\n\"🙂\": 1"
	write(t, dir, map[string]string{"a.yml": "\"🙂\": {a: 1}\n", "over.yml": over})
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
	})
	c.open("over.yml", over)
	c.settle()
	list := c.actionsAt("over.yml", protocol.Position{Line: 4, Character: 2}, protocol.QuickFix)
	if len(list) == 0 {
		t.Fatal("there are no actions")
	}
	got := applyEdits(over, list[0].Edit.DocumentChanges[0].Edits)
	if want := strings.Replace(over, "  b", "  #@overlay/match missing_ok=True\r\n  b", 1); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.open("block.yml", block)
	c.settle()
	list = c.actionsAt("block.yml", protocol.Position{Character: 3}, protocol.QuickFix)
	if len(list) == 0 {
		t.Fatal("there are no actions")
	}
	got = applyEdits(block, list[0].Edit.DocumentChanges[0].Edits)
	if want := block + "\r\n#@ end\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Two environments report a mistake in different words. Its fix is listed once.
func TestActionsOfEnvironments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n" +
		"#@overlay/match by=overlay.subset({\"kind\": \"A\"})\n---\nb: 1\n"
	files := map[string]string{
		"weft.yml": "weft: 2026\ninputs: [schema.yml, app.yml, o.yml]\n" +
			"environments:\n  two: {values: {n: 2}}\n  three: {values: {n: 3}}\n",
		"schema.yml": "#@data/values-schema\n---\nn: 2\n",
		"app.yml": "#@ load(\"@ytt:data\", \"data\")\n" +
			"#@ for i in range(data.values.n):\n---\nkind: A\nb: 0\n#@ end\n",
		"o.yml": overlay,
	}
	write(t, dir, files)
	c := dial(t, dir, nil)
	c.open("o.yml", overlay)
	c.settle()
	var titles []string
	for _, a := range c.actionsAt("o.yml", protocol.Position{Line: 2}, protocol.QuickFix) {
		titles = append(titles, a.Title)
	}
	slices.Sort(titles)
	if len(titles) == 0 || len(slices.Compact(slices.Clone(titles))) != len(titles) {
		t.Errorf("got %q", titles)
	}
}
