package lsp_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"weft"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
	"weft/internal/testing/cases"
)

// golden is a project of testdata/golden that is rendered without flags.
type golden struct {
	name  string
	files map[string]string
}

// goldens are the projects whose files are all in one folder: one of each step, or all of them if
// tests may take long.
func goldens(t *testing.T, step int) []golden {
	t.Helper()
	if cases.Long() && !cases.Race {
		step = 1
	}
	root := filepath.Join("..", "..", "..", "testdata", "golden")
	var list []golden
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "long":
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".txtar") {
			return nil
		}
		g := golden{strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(root)+"/"), map[string]string{}}
		for _, f := range cases.Archive(t, path).Files {
			switch {
			case f.Name == "flags", strings.Contains(f.Name, "/") && !strings.HasPrefix(f.Name, "want/"):
				return nil
			case !strings.HasPrefix(f.Name, "want"):
				g.files[f.Name] = string(f.Data)
			}
		}
		list = append(list, g)
		return nil
	})
	if err != nil || len(list) < 100 {
		t.Fatalf("%d goldens: %v", len(list), err)
	}
	var some []golden
	for i := 0; i < len(list); i += step {
		some = append(some, list[i])
	}
	return some
}

func (g golden) names() []string {
	var names []string
	for name := range g.files {
		if strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml") ||
			strings.HasSuffix(name, ".star") || strings.HasSuffix(name, ".txt") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// commandLine is what the command line says about a folder, a line each.
func commandLine(t *testing.T, dir string) []string {
	t.Helper()
	res, err := weft.Render(context.Background(), weft.Options{
		Inputs: []string{"."}, FS: os.DirFS(dir), Limits: weft.Limits{Steps: workspace.MaxSteps}, Env: os.Environ(),
	})
	var found []weft.Diagnostic
	if err != nil {
		found = marked(err)
	} else {
		found = res.Warnings().Diagnostics()
	}
	var lines []string
	for _, d := range found {
		if d.File != "" {
			lines = append(lines, fmt.Sprintf("%s:%d:%d: %s %s: %s", d.File, d.Line, d.Start.UTF16Column,
				d.Severity, d.Code, d.Message))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// published returns what the server has published, in the same form.
func (c *client) published() []string {
	var lines []string
	for _, path := range c.files() {
		for _, d := range c.diagnostics(path) {
			if d.Source != "weft" {
				continue // the linter's
			}
			severity := map[protocol.DiagnosticSeverity]string{1: "error", 2: "warning", 3: "info"}[d.Severity]
			message, _, _ := strings.Cut(d.Message, "\nhint: ")
			lines = append(lines, fmt.Sprintf("%s:%d:%d: %s %s: %s", path, d.Range.Start.Line+1,
				d.Range.Start.Character+1, severity, d.Code, message))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// healthy fails if the server has logged a bug.
func (c *client) healthy() {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range c.logged {
		if strings.Contains(line, "internal error") {
			c.t.Errorf("the log says %q", line)
		}
	}
}

// ask sends requests about a place. They may fail, but not by a bug.
func (c *client) ask(path string, pos protocol.Position) {
	c.t.Helper()
	at := protocol.PositionParams{DocumentParams: c.document(path), Position: pos}
	for _, method := range []string{
		"textDocument/hover", "textDocument/completion", "textDocument/documentSymbol",
		"textDocument/foldingRange", "textDocument/formatting",
	} {
		err := c.try(method, at, nil)
		if e, ok := errors.AsType[*wire.Error](err); ok && e.Code == wire.InternalError {
			c.t.Errorf("%s at %v: %v", method, pos, err)
		}
	}
}

// answersFit fails if an answer is about lines that a text does not have, or if completion at its end offers
// something twice.
func (c *client) answersFit(path, text string) {
	c.t.Helper()
	var folds []protocol.FoldingRange
	c.call("textDocument/foldingRange", c.document(path), &folds)
	for _, f := range folds {
		if f.StartLine < 0 || f.EndLine <= f.StartLine || f.EndLine > strings.Count(text, "\n") {
			c.t.Errorf("%s: lines %d to %d are folded of %q", path, f.StartLine, f.EndLine, text)
		}
	}
	var list protocol.CompletionList
	at := protocol.PositionParams{DocumentParams: c.document(path), Position: end(text)}
	c.call("textDocument/completion", at, &list)
	seen := map[string]bool{}
	for _, item := range list.Items {
		if key := item.Label + "\x00" + item.TextEdit.NewText; seen[key] {
			c.t.Errorf("%s: %s is offered twice at the end of %q", path, item.Label, text)
		} else {
			seen[key] = true
		}
	}
}

// Answers about the first line and about annotations fit the text, wherever it is cut.
func TestAnswersFit(t *testing.T) {
	t.Parallel()
	const text = "#! about\n#! more\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def f(missing_ok=True):\n" +
		"#@   return 1\n" +
		"#@ end\n#@overlay/match by=overlay.all, missing_ok=True, expects=\"0+\"\n---\na: #@ f(missing_ok=False)\n"
	dir := t.TempDir()
	write(t, dir, map[string]string{"weft.yml": "weft: 2026\ninputs: [app.yml]\n", "app.yml": text})
	c := dial(t, dir, nil)
	c.open("app.yml", text)
	for cut := range len(text) {
		c.change("app.yml", protocol.ContentChange{Text: text[:cut]})
		c.answersFit("app.yml", text[:cut])
	}
}

// end is the position after a text.
func end(text string) protocol.Position {
	lines := strings.Split(text, "\n")
	return protocol.Position{Line: len(lines) - 1, Character: len([]rune(lines[len(lines)-1]))}
}

// endsLike fails if the server does not publish what the command line says. Stacks are counted for the
// whole process, so another test that recurses now may end an evaluation of this one: then the files
// are evaluated once more.
func (c *client) endsLike(want []string, files map[string]string) {
	c.t.Helper()
	c.settle()
	for range 5 {
		if !strings.Contains(strings.Join(c.published(), "\n"), stackFull) {
			break
		}
		for name, text := range files {
			c.change(name, protocol.ContentChange{Text: text + "\n"}, protocol.ContentChange{Text: text})
		}
		c.settle()
	}
	if diff := cmp.Diff(want, c.published()); diff != "" {
		c.t.Errorf("diagnostics (-command line +server):\n%s", diff)
	}
	c.healthy()
}

// A project that is typed, character by character, ends with the diagnostics of the command line.
func TestTypedProjectsEndLikeTheCommandLine(t *testing.T) {
	t.Parallel()
	for _, g := range goldens(t, 25) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, g.files)
			want := commandLine(t, dir)
			c := dial(t, dir, nil)
			for _, name := range g.names() {
				c.open(name, "")
			}
			for _, name := range g.names() {
				typed := ""
				for i, r := range g.files[name] {
					at := end(typed)
					c.change(name, protocol.ContentChange{
						Range: &protocol.Range{Start: at, End: at}, Text: string(r),
					})
					if typed += string(r); i%16 == 0 {
						c.ask(name, end(typed))
					}
				}
			}
			c.endsLike(want, g.files)
		})
	}
}

// A file that is cut off anywhere does not confuse the server.
func TestFilesCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, g := range goldens(t, 60) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, g.files)
			c := dial(t, dir, nil)
			for _, name := range g.names() {
				text := g.files[name]
				c.open(name, text)
				for cut := range len(text) {
					now := strings.ToValidUTF8(text[:cut], "")
					c.change(name, protocol.ContentChange{Text: now})
					if cut%3 == 0 {
						c.ask(name, end(text[:cut]))
						c.answersFit(name, now)
					}
				}
				c.change(name, protocol.ContentChange{Text: text})
			}
			c.endsLike(commandLine(t, dir), g.files)
		})
	}
}

// After random edits, the server says what a new one says about the same text.
func TestRandomEditsEndLikeAFreshServer(t *testing.T) {
	t.Parallel()
	runs := 6
	if cases.Long() && !cases.Race {
		runs = 60
	}
	all := goldens(t, 11)
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 7))
			g := all[random.IntN(len(all))]
			dir := t.TempDir()
			write(t, dir, g.files)
			c := dial(t, dir, nil)
			texts := map[string]string{}
			for _, name := range g.names() {
				texts[name] = g.files[name]
				c.open(name, texts[name])
			}
			if len(texts) == 0 {
				t.Skip("there is no file to edit")
			}
			for range 150 {
				name := g.names()[random.IntN(len(texts))]
				texts[name] = c.edit(random, name, texts[name])
				if random.IntN(10) == 0 {
					c.settle()
				}
			}
			c.settle()
			write(t, dir, texts)
			fresh := dial(t, dir, nil)
			for _, name := range g.names() {
				fresh.open(name, texts[name])
			}
			fresh.settle()
			if a, b := commandLine(t, dir), fresh.published(); cmp.Diff(a, b) != "" {
				t.Errorf("%s: diagnostics (-command line +fresh):\n%s\n%q", g.name, cmp.Diff(a, b), texts)
			}
			// While something cannot be compiled, what was found before may still be shown.
			got, want := c.published(), fresh.published()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: diagnostics (-fresh +edited):\n%s\n%q", g.name, diff, texts)
			}
			c.healthy()
		})
	}
}

// edit makes a random edit, and gives the text after it.
func (c *client) edit(random *rand.Rand, path, text string) string {
	runes := []rune(text)
	start := random.IntN(len(runes) + 1)
	stop := min(len(runes), start+random.IntN(4))
	inBreak := func(i int) bool { return i > 0 && i < len(runes) && runes[i-1] == '\r' && runes[i] == '\n' }
	if inBreak(start) { // which is not a position
		start--
	}
	if inBreak(stop) {
		stop++
	}
	pieces := []string{
		"", "", " ", "\n", "a", "#@ ", ":", "- ", "end", "\"", "🙂", "\r\n", "data.values.x", "---\n",
	}
	piece := pieces[random.IntN(len(pieces))]
	c.change(path, protocol.ContentChange{
		Range: &protocol.Range{Start: utf16End(runes[:start]), End: utf16End(runes[:stop])}, Text: piece,
	})
	return string(runes[:start]) + piece + string(runes[stop:])
}

// utf16End is the position after a text; a line also ends at a lone carriage return.
func utf16End(text []rune) protocol.Position {
	var p protocol.Position
	for i, r := range text {
		switch {
		case r == '\r' && i+1 < len(text) && text[i+1] == '\n':
			p.Character++
		case r == '\n', r == '\r':
			p = protocol.Position{Line: p.Line + 1}
		case r > 0xffff:
			p.Character += 2
		default:
			p.Character++
		}
	}
	return p
}

// Ten thousand edits leave no more memory in use than a thousand.
func TestEditsLeaveNothingBehind(t *testing.T) {
	files := map[string]string{
		"schema.yml": "#@data/values-schema\n---\nname: app\nport: 80\n",
		"values.yml": "#@data/values\n---\nport: 8080\n",
		"lib.star":   "def f(x):\n  return {\"a\": x}\nend\n",
	}
	for i := range 40 {
		files[fmt.Sprintf("app%d.yml", i)] = fmt.Sprintf(`#@ load("@ytt:data", "data")
#@ load("lib.star", "f")
---
kind: Service
metadata:
  name: #@ data.values.name + "%d"
spec: #@ f(data.values.port)
`, i)
	}
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, nil)
	names := []string{"app1.yml", "schema.yml", "lib.star", "values.yml"}
	for _, name := range names {
		c.open(name, files[name])
	}
	c.settle()
	edits := int(cases.Number(2_000, 10_000))
	edit := func(n int) {
		for i := range n {
			name := names[i%len(names)]
			c.change(name, protocol.ContentChange{Text: files[name] + "#! " + strings.Repeat("x", i%7) + "\n"})
			if i%50 == 0 {
				c.settle()
			}
		}
		c.settle()
	}
	edit(edits / 10)
	before := inUse()
	edit(edits - edits/10)
	if after := inUse(); after > before+before/10+1<<20 {
		t.Errorf("%d bytes are in use after %d edits, %d after %d", after, edits, before, edits/10)
	}
}

// inUse returns how many bytes are in use after collections and their cleanups.
func inUse() uint64 {
	for range 3 {
		cleaned := make(chan struct{})
		runtime.AddCleanup(new([64]byte), func(c chan struct{}) { close(c) }, cleaned)
		runtime.GC()
		<-cleaned
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// What is outside of the workspace is not read, however it is named.
func TestNothingOutsideIsRead(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, map[string]string{
		"secret.yml": "#@data/values\n---\npassword: geheim\n", "lib.star": "x = \"geheim\"\n",
	})
	dir := t.TempDir()
	files := map[string]string{
		"app.yml":      "#@ load(\"../" + filepath.Base(outside) + "/lib.star\", \"x\")\na: #@ x\n",
		"sub/weft.yml": "weft: 2026\ninputs: [../../" + filepath.Base(outside) + "]\n",
		"sub/a.yml":    "a: 1\n",
	}
	write(t, dir, files)
	if err := os.Symlink(filepath.Join(outside, "secret.yml"), filepath.Join(dir, "link.yml")); err != nil {
		t.Skip(err)
	}
	c := dial(t, dir, nil)
	for name, text := range files {
		c.open(name, text)
	}
	c.settle()
	for _, uri := range []protocol.DocumentURI{
		protocol.URIOf(filepath.Join(outside, "secret.yml")),
		c.uri("../" + filepath.Base(outside) + "/secret.yml"),
		"file:///etc/passwd",
	} {
		p := protocol.DocumentParams{TextDocument: protocol.DocumentIdentifier{URI: uri}}
		err := c.try("textDocument/documentSymbol", p, nil)
		if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.InvalidParams {
			t.Errorf("%s: %v", uri, err)
		}
	}
	// A link that leads outside gives nothing, either.
	err := c.try("textDocument/documentSymbol", c.document("link.yml"), nil)
	if err == nil {
		t.Error("the link was followed")
	}
	for _, line := range c.published() {
		if strings.Contains(line, "geheim") {
			t.Error(line)
		}
	}
	if len(c.published()) == 0 {
		t.Error("nothing is wrong")
	}
	c.healthy()
}

// A workspace that is not trusted gets diagnostics of the text alone.
func TestUntrustedWorkspacesAreNotEvaluated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"a.yml": "#@ fail(\"ran\")\na: 1\n", "b.yml": "#@ x = 1 +\nb: 1\n", "c.yml": "c: [\n",
	}
	write(t, dir, files)
	c := dial(t, dir, func(p *protocol.InitializeParams) {
		p.InitializationOptions = []byte(`{"trusted": false}`)
	})
	c.open("a.yml", files["a.yml"])
	c.open("b.yml", files["b.yml"])
	c.settle()
	if got := c.files(); !slices.Equal(got, []string{"b.yml"}) {
		t.Errorf("diagnostics are in %v", got)
	}
	if err := c.try("textDocument/documentSymbol", c.document("c.yml"), nil); err == nil {
		t.Error("a file was read from disk")
	}
}

// A request about a document that changes before the answer, and one with a bug, are answered.
func TestRequestsThatFailAreAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testRequestsThatFail)
}

func testRequestsThatFail(t *testing.T) {
	c := dial(t, t.TempDir(), nil)
	c.open("a.yml", "a: 1\n")
	c.open("b.yml", "b: 1\n")
	answered := make(chan error, 1)
	go func() { answered <- c.try("test/wait", c.document("a.yml"), nil) }()
	synctest.Wait() // the server has the request
	c.change("b.yml", protocol.ContentChange{Text: "b: 2\n"})
	synctest.Wait()
	select {
	case err := <-answered:
		t.Fatalf("the edit of another document has ended it: %v", err)
	default:
	}
	c.change("a.yml", protocol.ContentChange{Text: "a: 2\n"})
	if e, ok := errors.AsType[*wire.Error](<-answered); !ok || e.Code != wire.ContentModified {
		t.Errorf("got %v", e)
	}
	err := c.try("test/panic", c.document("a.yml"), nil)
	if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.InternalError {
		t.Errorf("got %v", err)
	}
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	const bug, place = "test/panic: internal error: a bug", "export_test.go:"
	if !slices.ContainsFunc(c.sentLog, func(m string) bool { return strings.HasPrefix(m, bug) && strings.Contains(m, place) }) {
		t.Errorf("the client's log has no panic with its stack: %q", c.sentLog)
	}
}

// Odd files are no reason to fall over.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := dial(t, dir, nil)
	for name, text := range map[string]string{
		"empty.yml":    "",
		"binary.yml":   "\x00\x01\x02#@ x\n",
		"conflict.yml": "a: 1\n<<<<<<< ours\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n#@ x = 1\n",
		"bom.yml":      "\ufeff#@ x = 1\na: #@ x\n",
		"crlf.yml":     "#@ x = 1\r\na: #@ y\r\n",
		"cr.yml":       "#@ x = 1\ra: #@ x\r",
		"deep.yml":     strings.Repeat("[", 2000) + "#@ x\n",
		"large.yml":    "#@ x = 1\n" + strings.Repeat("key: value\n---\n", 10_000),
		"odd.name":     "#@ x",
		"ä ö#.star":    "def f(:\n",
	} {
		c.open(name, text)
		c.ask(name, protocol.Position{Line: 1, Character: 1})
		c.ask(name, protocol.Position{Line: 1 << 20, Character: 1 << 20})
	}
	c.settle()
	c.healthy()
}

// While the function of @schema/computed is typed, its schema has an error. The keys are those from before.
func TestComputedIsCompletedWhileItIsTyped(t *testing.T) {
	t.Parallel()
	const schema = "#@data/values-schema\n---\ndomain: example.com\nweb:\n  port: 1\n  %s\n  host: \"\"\n"
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"weft.yml":   "weft: 2026\ninputs: [schema.yml]\n",
		"schema.yml": fmt.Sprintf(schema, "#! nothing"),
	})
	c := dial(t, dir, nil)
	c.open("schema.yml", fmt.Sprintf(schema, "#! nothing"))
	c.settle()
	for line, want := range map[string][]string{
		"#@schema/computed lambda v: v.":             {"domain", "web"},
		"#@schema/computed lambda v: v.web.":         {"port", "host"},
		"#@schema/computed lambda v, it: \"\" + it.": {"port", "host"},
		"#@schema/computed lambda v, it: w.":         nil,
	} {
		c.change("schema.yml", protocol.ContentChange{Text: fmt.Sprintf(schema, line)})
		var p protocol.CompletionParams
		p.DocumentParams = c.document("schema.yml")
		p.Position.Line, p.Position.Character = 5, len("  "+line)
		var list protocol.CompletionList
		c.call("textDocument/completion", p, &list)
		var got []string
		for _, item := range list.Items {
			got = append(got, item.Label)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
