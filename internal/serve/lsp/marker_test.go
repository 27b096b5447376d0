package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft"
	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/testing/cases"
)

// A file of testdata is a project, with markers in its comments:
//
//	host: #@ data.values.db.host
//	#!              ^ hover(host)
//	#! "values.|db" complete(db) def(schema)
//
// A marker points at the last line above it that is none: at the column of the caret, or at the `|`
// in a quoted text of that line, or at the beginning of the text. Then come actions with arguments.
// The answer of most is compared with a golden, the entry `@NAME` of the archive, which -update
// writes. The action loc names a place for others. Each diagnostic needs an action
// diag(CODE, "PATTERN") on its line, and each such action a diagnostic.
//
// The entry settings.json is what the client says at the beginning. If the comment of the archive
// has lines `open: PATH...`, only these files are opened, those of a line once nothing is left to do
// for the line before; else all are.
//
// What the linter finds needs no action, unless the comment has a line `lint: all`.
//
// To add an action, write a function and add it to the table.
var actions = map[string]func(r *markerRun, at place, args []string){
	"diag":      (*markerRun).diag,
	"complete":  (*markerRun).complete,
	"hover":     (*markerRun).hover,
	"symbols":   (*markerRun).symbols,
	"signature": (*markerRun).signature,
	"folding":   (*markerRun).folding,
	"format":    (*markerRun).format,

	"language": (*markerRun).language,
	"preview":  (*markerRun).preview,
	"render":   (*markerRun).render,
	"explain":  (*markerRun).explain,
	"blame":    (*markerRun).blame,
	"actions":  (*markerRun).actions,
	"fix":      (*markerRun).fix,
	"tokens":   (*markerRun).semanticTokens,
	"hints":    (*markerRun).hints,
	"lenses":   (*markerRun).lenses,

	// navigation_test.go
	"calls":     (*markerRun).calls,
	"decl":      goTo("textDocument/declaration"),
	"def":       goTo("textDocument/definition"),
	"highlight": (*markerRun).highlight,
	"impl":      goTo("textDocument/implementation"),
	"links":     (*markerRun).links,
	"move":      (*markerRun).move,
	"refs":      (*markerRun).references,
	"rename":    (*markerRun).rename,
	"norename":  (*markerRun).noRename,
	"select":    (*markerRun).selection,
	"type":      goTo("textDocument/typeDefinition"),
	"workspace": (*markerRun).workspaceSymbols,
}

// values are the markers that are looked at before all others.
var values = map[string]func(r *markerRun, at place, args []string){
	"loc": func(r *markerRun, at place, args []string) { r.locations[args[0]] = at },
}

// symbols: the symbols of the file.
func (r *markerRun) symbols(at place, args []string) {
	var list []protocol.DocumentSymbol
	r.call("textDocument/documentSymbol", r.document(at.path), &list)
	var b strings.Builder
	writeSymbols(&b, list, "")
	r.golden(args[0], b.String())
}

func writeSymbols(b *strings.Builder, list []protocol.DocumentSymbol, indent string) {
	for _, s := range list {
		fmt.Fprintf(b, "%s%s: %s, kind %d", indent, showRange(s.SelectionRange), s.Name, s.Kind)
		if s.Detail != "" {
			fmt.Fprintf(b, ", %s", s.Detail)
		}
		b.WriteByte('\n')
		writeSymbols(b, s.Children, indent+"  ")
	}
}

// folding: what can be folded in the file.
func (r *markerRun) folding(at place, args []string) {
	var list []protocol.FoldingRange
	r.call("textDocument/foldingRange", r.document(at.path), &list)
	var b strings.Builder
	lines := strings.Split(r.texts[at.path], "\n")
	for _, f := range list {
		fmt.Fprintf(&b, "%d-%d %s | %s\n", f.StartLine+1, f.EndLine+1, f.Kind, lines[f.StartLine])
	}
	r.golden(args[0], b.String())
}

// format: the file as it is formatted.
func (r *markerRun) format(at place, args []string) {
	var list []protocol.TextEdit
	r.call("textDocument/formatting", r.document(at.path), &list)
	r.golden(args[0], applyEdits(r.texts[at.path], list))
}

// hover: what is known of what is at the place.
func (r *markerRun) hover(at place, args []string) {
	var h *protocol.Hover
	r.call("textDocument/hover", r.position(at), &h)
	got := "nothing\n"
	if h != nil {
		got = h.Contents.Value + "\n"
		if h.Range != nil {
			got = showRange(*h.Range) + "\n" + got
		}
	}
	r.golden(args[0], got)
}

// complete: what can be written at the place. With words after the golden, the items that begin
// with one of them.
func (r *markerRun) complete(at place, args []string) {
	var list protocol.CompletionList
	r.call("textDocument/completion", protocol.CompletionParams{PositionParams: r.position(at)}, &list)
	slices.SortStableFunc(list.Items, func(a, b protocol.CompletionItem) int {
		return strings.Compare(a.SortText, b.SortText)
	})
	var b strings.Builder
	for _, item := range list.Items {
		wanted := func(word string) bool { return strings.HasPrefix(item.Label, word) }
		if len(args) > 1 && !slices.ContainsFunc(args[1:], wanted) {
			continue
		}
		fmt.Fprintf(&b, "%s → %s %q", item.Label, showRange(item.TextEdit.Range), item.TextEdit.NewText)
		if item.Detail != "" {
			fmt.Fprintf(&b, " (%s)", item.Detail)
		}
		if len(item.Tags) > 0 {
			fmt.Fprintf(&b, " tags %v", item.Tags)
		}
		if item.Documentation != nil {
			fmt.Fprintf(&b, ": %s", strings.ReplaceAll(item.Documentation.Value, "\n", "⏎"))
		}
		b.WriteByte('\n')
		for _, e := range item.AdditionalTextEdits {
			fmt.Fprintf(&b, "  and %s %q\n", showRange(e.Range), e.NewText)
		}
	}
	r.golden(args[0], b.String())
}

// signature: the function that is called at the place, with the parameter that is written there in
// brackets.
func (r *markerRun) signature(at place, args []string) {
	var h *protocol.SignatureHelp
	r.call("textDocument/signatureHelp", protocol.SignatureHelpParams{PositionParams: r.position(at)}, &h)
	if h == nil {
		r.golden(args[0], "nothing\n")
		return
	}
	s := h.Signatures[h.ActiveSignature]
	got := s.Label + "\n"
	if h.ActiveParameter < len(s.Parameters) {
		got += s.Parameters[h.ActiveParameter].Label + "\n"
	}
	if s.Documentation != nil {
		got += s.Documentation.Value + "\n"
	}
	r.golden(args[0], got)
}

// position are parameters that name a place.
func (r *markerRun) position(at place) protocol.PositionParams {
	return protocol.PositionParams{DocumentParams: r.document(at.path), Position: at.pos}
}

// diag: a diagnostic begins on the line, with a code, and a message that a pattern matches.
func (r *markerRun) diag(at place, args []string) {
	list := r.pending[at.path]
	for i, d := range list {
		if d.Range.Start.Line == at.pos.Line && d.Code == args[0] &&
			(len(args) < 2 || regexp.MustCompile(args[1]).MatchString(d.Message)) {
			r.pending[at.path] = slices.Delete(list, i, i+1)
			if len(args) > 2 {
				r.golden(args[2], showDiagnostic(r, d))
			}
			return
		}
	}
	r.t.Errorf("%s:%d: there is no diagnostic %s", at.path, at.pos.Line+1, strings.Join(args, " "))
}

// showDiagnostic is all of a diagnostic.
func showDiagnostic(r *markerRun, d protocol.Diagnostic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, severity %d, code %s", showRange(d.Range), d.Source, d.Severity, d.Code)
	for _, tag := range d.Tags {
		fmt.Fprintf(&b, ", tag %d", tag)
	}
	fmt.Fprintf(&b, "\n%s\n", d.Message)
	for _, rel := range d.RelatedInformation {
		fmt.Fprintf(&b, "related %s: %s\n", r.showLocation(rel.Location), rel.Message)
	}
	return b.String()
}

// showLocation is a location with a path in the workspace.
func (r *markerRun) showLocation(l protocol.Location) string {
	rel, err := filepath.Rel(r.root, l.URI.Path())
	if err != nil {
		rel = string(l.URI)
	}
	return filepath.ToSlash(rel) + ":" + showRange(l.Range)
}

// place is where a marker points.
type place struct {
	path string
	pos  protocol.Position
}

// marker is an action at a place.
type marker struct {
	at   place
	name string
	args []string
}

// markerRun is one run of an archive.
type markerRun struct {
	*client
	t         *testing.T
	archive   *txtar.Archive
	texts     map[string]string
	locations map[string]place
	pending   map[string][]protocol.Diagnostic // that no action has expected yet
	used      map[string]bool                  // goldens
	engines   *weft.Engines                    // what renders charts in tests; may be nil
}

func TestMarkers(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			if !*cases.Update {
				t.Parallel()
			}
			runMarkers(t, name, "")
		})
	}
}

// runMarkers runs an archive. Program is weft-engines, or "" if the archive has no charts.
func runMarkers(t *testing.T, name, program string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := &markerRun{
		t: t, archive: archive, texts: map[string]string{}, locations: map[string]place{},
		pending: map[string][]protocol.Diagnostic{}, used: map[string]bool{},
	}
	opt := lsp.Options{MaxWait: time.Minute}
	if program != "" {
		opt, r.engines = withEngines(t, program), weft.NewEngines(program)
		t.Cleanup(r.engines.Close)
	}
	dir := t.TempDir()
	var settings json.RawMessage
	var order []string
	for _, f := range archive.Files {
		switch {
		case f.Name == "settings.json":
			settings = f.Data
		case !strings.HasPrefix(f.Name, "@"):
			r.texts[f.Name] = string(f.Data)
			order = append(order, f.Name)
		}
	}
	write(t, dir, r.texts)
	r.client = dialWith(t, dir, opt, func(p *protocol.InitializeParams) {
		p.InitializationOptions = settings
		p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges = true
	})
	for _, names := range opened(archive, order) {
		for _, name := range names {
			r.open(name, r.texts[name])
		}
		r.settle()
	}
	for _, path := range r.files() {
		r.pending[path] = slices.Clone(r.diagnostics(path))
	}
	var all []marker
	for _, path := range order {
		all = append(all, r.markers(path)...)
	}
	for _, m := range all {
		if act := values[m.name]; act != nil {
			act(r, m.at, m.args)
		}
	}
	for _, m := range all {
		if act := actions[m.name]; act != nil {
			act(r, m.at, m.args)
		} else if values[m.name] == nil {
			t.Errorf("%s:%d: there is no action %s", m.at.path, m.at.pos.Line+1, m.name)
		}
	}
	lint := strings.Contains(string(archive.Comment), "\nlint: all\n")
	for path, list := range r.pending {
		for _, d := range list {
			if d.Source == "weft lint" && !lint {
				continue
			}
			t.Errorf("%s:%s: no marker expects %s: %s", path, showRange(d.Range), d.Code, d.Message)
		}
	}
	r.finish(name)
}

// opened are the files that are opened, by the steps in which they are.
func opened(archive *txtar.Archive, all []string) (steps [][]string) {
	for line := range strings.Lines(string(archive.Comment)) {
		if rest, ok := strings.CutPrefix(line, "open:"); ok {
			steps = append(steps, strings.Fields(rest))
		}
	}
	if steps == nil {
		return [][]string{all}
	}
	return steps
}

// golden compares an answer with an entry of the archive.
func (r *markerRun) golden(name, got string) {
	r.t.Helper()
	name = "@" + name
	if r.used[name] {
		r.t.Errorf("two markers have the golden %s", name)
	}
	r.used[name] = true
	for i, f := range r.archive.Files {
		if f.Name == name {
			if *cases.Update {
				r.archive.Files[i].Data = []byte(got)
			} else if diff := cmp.Diff(string(f.Data), got); diff != "" {
				r.t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			return
		}
	}
	if !*cases.Update {
		r.t.Errorf("there is no golden %s: run the test with -update\n%s", name, got)
	}
	r.archive.Files = append(r.archive.Files, txtar.File{Name: name, Data: []byte(got)})
}

// finish writes the archive back, and reports goldens that nothing needs.
func (r *markerRun) finish(name string) {
	unused := func(f txtar.File) bool { return strings.HasPrefix(f.Name, "@") && !r.used[f.Name] }
	if *cases.Update {
		r.archive.Files = slices.DeleteFunc(r.archive.Files, unused)
		if err := os.WriteFile(name, txtar.Format(r.archive), 0o644); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	for _, f := range r.archive.Files {
		if unused(f) {
			r.t.Errorf("no marker has the golden %s", f.Name)
		}
	}
}

var (
	markerLine = regexp.MustCompile(`^\s*#!\s*(\^|"(?:[^"\\]|\\.)*")\s+(\w+\(.*)$`)
	markerCall = regexp.MustCompile(`^(\w+)\(((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)\s*`)
	markerArg  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[^,\s]+`)
)

// markers are the markers of a file.
func (r *markerRun) markers(path string) []marker {
	var list []marker
	target := -1
	lines := strings.Split(r.texts[path], "\n")
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		m := markerLine.FindStringSubmatchIndex(line)
		if m == nil {
			target = i
			continue
		}
		if target < 0 {
			r.t.Fatalf("%s:%d: there is no line above the marker", path, i+1)
		}
		at := place{path: path, pos: protocol.Position{Line: target}}
		at.pos.Character = r.column(path, lines[target], line[m[2]:m[3]], line[:m[2]])
		for rest := line[m[4]:]; strings.TrimSpace(rest) != ""; {
			call := markerCall.FindStringSubmatch(rest)
			if call == nil {
				r.t.Fatalf("%s:%d: cannot read the marker at %q", path, i+1, rest)
			}
			rest = rest[len(call[0]):]
			list = append(list, marker{at, call[1], arguments(call[2])})
		}
	}
	return list
}

// column is the column in UTF-16 that a caret or a text points at.
func (r *markerRun) column(path, line, pointer, before string) int {
	if pointer == "^" {
		return min(len([]rune(before)), len(utf16.Encode([]rune(line))))
	}
	text, err := strconv.Unquote(pointer)
	if err != nil {
		r.t.Fatalf("%s: %s: %v", path, pointer, err)
	}
	left, right, _ := strings.Cut(text, "|")
	at := strings.Index(line, left+right)
	if at < 0 {
		r.t.Fatalf("%s: %q is not in the line %q", path, left+right, line)
	}
	if strings.Contains(text, "|") {
		at += len(left)
	}
	return len(utf16.Encode([]rune(line[:at])))
}

func arguments(text string) []string {
	args := markerArg.FindAllString(text, -1)
	for i, a := range args {
		if s, err := strconv.Unquote(a); err == nil {
			args[i] = s
		}
	}
	return args
}

func showRange(r protocol.Range) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line+1, r.Start.Character+1, r.End.Line+1, r.End.Character+1)
}
