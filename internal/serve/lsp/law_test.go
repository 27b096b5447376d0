package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
	"weft/internal/testing/cases"
)

// diagnosticSet has the severities of diagnostics, by their places, messages and codes.
type diagnosticSet map[string][]string

func (s diagnosticSet) add(path string, line, column int, message, code, severity string, more ...string) {
	key := fmt.Sprintf("%s:%d:%d: %s [%s]%s", path, line, column, message, code, strings.Join(more, "; "))
	s[key] = append(s[key], severity)
}

// weftDiagnostics returns what the command line prints about a folder: it renders all environments, and
// lints them.
func weftDiagnostics(t *testing.T, dir string, c lawCase) diagnosticSet {
	t.Helper()
	all := diagnosticSet{}
	add := func(d weft.Diagnostic, severity string) {
		_, project := c.files["weft.yml"]
		switch {
		case d.File != "" && !strings.HasPrefix(d.File, "--"):
			all.add(filepath.ToSlash(d.File), d.Line, d.Column, d.Message, d.Code, severity, c.more(d)...)
		case project: // an error of a flag, or one without a place, which an editor shows in the project file
			all.add("weft.yml", 1, 1, d.Message, d.Code, severity, c.more(d)...)
		}
	}
	type diagnosticKey struct {
		at            weft.Place
		message, code string
	}
	moved := map[diagnosticKey]weft.Place{} // the linter reports errors of rendering, too
	fail := func(err error) {
		plain := weft.ErrorOf(err).Diagnostics()
		for i, d := range marked(err) {
			moved[diagnosticKey{plain[i].Place, d.Message, d.Code}] = d.Place
			add(d, string(d.Severity))
		}
	}
	base := weft.Options{
		FS: os.DirFS(dir), Limits: weft.Limits{Steps: workspace.MaxSteps}, Env: os.Environ(),
		Marks: c.marks, DataValues: weft.DataValues{KV: c.kv, Files: c.valueFiles},
	}
	envs, labels, rules := []weft.Options{}, []string{}, weft.LintOptions{All: true}
	if _, err := os.Stat(filepath.Join(dir, "weft.yml")); err == nil {
		made, err := weft.OpenProject(t.Context(), weft.ProjectOptions{Path: "weft.yml", FS: base.FS})
		if err != nil {
			fail(err)
			return all
		}
		rules = made.LintSettings(rules)
		names := made.Names()
		if len(names) == 0 {
			names = []string{""}
		}
		for _, name := range names {
			opts, err := made.Options(name, base)
			if err != nil {
				fail(err)
				continue
			}
			envs, labels = append(envs, opts), append(labels, name)
		}
	} else {
		if base.Inputs = c.inputs; len(base.Inputs) == 0 {
			base.Inputs = []string{"."}
		}
		envs, labels = append(envs, base), append(labels, "")
	}
	for i, opts := range envs {
		res, err := weft.Render(context.Background(), opts)
		if err != nil {
			fail(err)
			continue
		}
		for _, d := range res.Warnings().Diagnostics() {
			add(d, string(d.Severity))
		}
		if c.rendered != nil {
			c.rendered(labels[i], res)
		}
	}
	linted, err := weft.Lint(t.Context(), envs, rules)
	if err != nil {
		fail(err)
	}
	if linted == nil {
		return all
	}
	for _, f := range linted.Findings() {
		if at, ok := moved[diagnosticKey{f.Place, f.Message, f.Code}]; ok {
			f.Place = at
		}
		add(f.Diagnostic, string(f.Severity))
	}
	return all
}

// marked returns the diagnostics of an error at the places that an editor marks, which have carets on the
// command line.
func marked(err error) []weft.Diagnostic {
	e := weft.ErrorOf(err)
	found := e.Diagnostics()
	failure, _ := errors.AsType[*diag.Failure](e)
	files := failure.Files
	if files == nil {
		return found
	}
	for i, d := range failure.List {
		if f := files.File(d.At.Pos); f != nil && f.Holds(d.Marked(files).Pos) {
			at := d.Marked(files).Offset()
			found[i].Line, found[i].Column = f.Line(at), f.Column(at, source.Characters)
			found[i].Start.UTF16Column = f.Column(at, source.UTF16)
		}
	}
	return found
}

const stackFull = "values or calls are nested too deeply: the stack is full"

// publishedSet returns what the server has published, in the same form.
func (c *client) publishedSet(texts map[string]string) diagnosticSet {
	all := diagnosticSet{}
	for _, path := range c.files() {
		lines := strings.Split(texts[path], "\n")
		for _, d := range c.diagnostics(path) {
			message, hint, _ := strings.Cut(d.Message, "\nhint: ")
			if message == stackFull { // the server's budget of memory ends recursion before Starlark does
				message = "endless recursion: the calls are nested too deeply"
			}
			at := d.Range.Start
			var more []string
			if c.detailed && d.Severity != protocol.SeverityError {
				more = append(more, hint)
				for _, r := range d.RelatedInformation {
					path, _ := filepath.Rel(c.root, r.Location.URI.Path())
					path = filepath.ToSlash(path)
					more = append(more, fmt.Sprintf("%s:%d: %s", path, r.Location.Range.Start.Line+1, r.Message))
				}
			}
			all.add(path, at.Line+1, columnOf(lines, at), message, d.Code, severityNames[d.Severity], more...)
		}
	}
	return all
}

var severityNames = map[protocol.DiagnosticSeverity]string{
	protocol.SeverityError: "error", protocol.SeverityWarning: "warning",
	protocol.SeverityHint: "info",
}

// columnOf is the column of a position as people count: in characters, from 1.
func columnOf(lines []string, at protocol.Position) int {
	if at.Line >= len(lines) {
		return at.Character + 1
	}
	column, units := 1, 0
	for _, r := range strings.TrimPrefix(lines[at.Line], "\ufeff") {
		if units += utf16.RuneLen(r); units > at.Character {
			break
		}
		column++
	}
	return column
}

// compare fails if the server does not say what the command line does.
func (c *client) compare(when string, want diagnosticSet, texts map[string]string) {
	c.t.Helper()
	got := c.publishedSet(texts)
	keys := func(s diagnosticSet) []string { return slices.Sorted(maps.Keys(s)) }
	trim := func(list []string) []string {
		for i, key := range list {
			list[i] = environments.ReplaceAllString(key, " [")
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	if diff := cmp.Diff(trim(keys(want)), trim(keys(got))); diff != "" {
		c.t.Errorf("%s, diagnostics (-command line +server):\n%s", when, diff)
	}
	for key, severities := range got {
		for _, s := range severities {
			if all, ok := want[key]; ok && !slices.Contains(all, s) {
				c.t.Errorf("%s: the server calls it %s, the command line %s", key, s, all)
			}
		}
	}
}

// environments are the names of environments after a message, which the command line does not
// tell.
var environments = regexp.MustCompile(` \([a-z0-9-]+(, [a-z0-9-]+)*\) \[`)

// lawCase is a project, and what the settings of the editor or the flags of the command say.
type lawCase struct {
	detailed                      bool // compare hints and related places of warnings, too
	files                         map[string]string
	inputs, kv, valueFiles, marks []string

	rendered func(env string, res *weft.Result) // is called with the results of all environments; may be nil
}

// more returns the hint and the related places of a diagnostic, if they are compared.
func (c lawCase) more(d weft.Diagnostic) (more []string) {
	if !c.detailed || d.Severity == weft.SeverityError {
		return nil
	}
	more = append(more, d.Hint)
	for _, r := range d.Related {
		if r.File != "" {
			more = append(more, fmt.Sprintf("%s:%d: %s", filepath.ToSlash(r.File), r.Line, r.Message))
		}
	}
	return more
}

// settings are those of the editor.
func (c lawCase) settings() json.RawMessage {
	text, _ := json.Marshal(map[string][]string{ // which cannot fail
		"inputs": c.inputs, "fileMarks": c.marks,
		"dataValues": append(slices.Clone(c.kv), c.valueFiles...),
	})
	return text
}

// Whatever is opened of a project, and whatever it says, the editor shows what the command line
// does: errors of all files, all environments, values, schemas, overlays and libraries, and what
// the linter finds. It does so with one file open that is typed again, with all of them open, and
// after all of them have been half typed.
func TestProjectsEndLikeTheCommandLine(t *testing.T) {
	t.Parallel()
	for name, law := range projects(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, law.files)
			want := weftDiagnostics(t, dir, law)
			c := dial(t, dir, func(p *protocol.InitializeParams) {
				p.InitializationOptions = law.settings()
			})
			first := firstTemplate(law.files)
			c.open(first, "")
			c.settle()
			c.change(first, protocol.ContentChange{Text: law.files[first]})
			c.settle()
			c.compare("one file", want, law.files)
			names := slices.Sorted(maps.Keys(law.files))
			for _, name := range names {
				if name != first {
					c.open(name, law.files[name])
				}
			}
			c.settle()
			c.compare("all files", want, law.files)
			for _, name := range names {
				c.change(name, protocol.ContentChange{Text: law.files[name][:len(law.files[name])/2]})
			}
			c.settle()
			for _, name := range names {
				c.change(name, protocol.ContentChange{Text: law.files[name]})
			}
			c.settle()
			c.compare("all files typed", want, law.files)
			c.healthy()
		})
	}
}

// Mistakes that are typed into files that were right, one or two at a time, end like the command
// line, and so does their correction.
func TestTypedMistakesEndLikeTheCommandLine(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"project-files", "project-scenarios", "project-variants", "quickstart",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := folder(t, filepath.Join("..", "..", "..", "examples", name))
			dir := t.TempDir()
			write(t, dir, files)
			right := weftDiagnostics(t, dir, lawCase{files: files})
			c := dial(t, dir, nil)
			for path, text := range files {
				c.open(path, text)
			}
			c.settle()
			random := rand.New(rand.NewPCG(1, 2))
			for range cases.Number(6, 100) {
				wrong := twoMistakes(random, files)
				other := t.TempDir()
				write(t, other, wrong)
				var edited []string
				for path, text := range wrong {
					if text != files[path] {
						edited = append(edited, path)
						c.change(path, protocol.ContentChange{Text: text})
						if random.IntN(2) == 0 {
							c.settle()
						}
					}
				}
				c.settle()
				c.compare(fmt.Sprint("wrong ", edited), weftDiagnostics(t, other, lawCase{files: wrong}), wrong)
				for _, path := range edited {
					c.change(path, protocol.ContentChange{Text: files[path]})
				}
				c.settle()
				c.compare(fmt.Sprint("right again ", edited), right, files)
				if t.Failed() {
					for _, path := range edited {
						t.Logf("%s:\n%s", path, wrong[path])
					}
					return
				}
			}
			c.healthy()
		})
	}
}

// twoMistakes are files of which up to two are wrong.
func twoMistakes(random *rand.Rand, files map[string]string) map[string]string {
	changed := maps.Clone(files)
	paths := slices.Sorted(maps.Keys(files))
	for range 2 {
		path := paths[random.IntN(len(paths))]
		list := mistakesIn(path, files[path])
		if strings.HasPrefix(path, "tests/") || len(list) == 0 {
			continue
		}
		changed[path] = list[random.IntN(len(list))]
	}
	return changed
}

// projects are the goldens and mistakes whose flags an editor has settings for, and the examples,
// each of which also with a mistake in each of its files.
func projects(t *testing.T) map[string]lawCase {
	t.Helper()
	list := map[string]lawCase{}
	step := 12
	if cases.Long() && !cases.Race {
		step = 1
	}
	n := 0
	root := filepath.Join("..", "..", "..", "testdata")
	for _, dir := range []string{"golden", "mistakes"} {
		add := func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txtar") ||
				strings.Contains(filepath.ToSlash(path), "/long/") {
				return err
			}
			law, ok := lawOf(t, path)
			if n++; ok && n%step == 0 && firstTemplate(law.files) != "" {
				rel, _ := filepath.Rel(root, path)
				list[filepath.ToSlash(rel)] = law
			}
			return nil
		}
		if err := filepath.WalkDir(filepath.Join(root, dir), add); err != nil {
			t.Fatal(err)
		}
	}
	if n < 500 {
		t.Fatalf("there are only %d goldens", n)
	}
	for _, name := range []string{
		"project-files", "project-scenarios", "project-variants", "quickstart", "vendor",
	} {
		files := folder(t, filepath.Join("..", "..", "..", "examples", name))
		list[name] = lawCase{files: files}
		for path := range files {
			if strings.HasPrefix(path, "tests/") {
				continue // which `weft test` reads
			}
			for i, wrong := range mistakesIn(path, files[path]) {
				changed := maps.Clone(files)
				changed[path] = wrong
				list[fmt.Sprintf("%s, mistake %d in %s", name, i, path)] = lawCase{files: changed}
			}
		}
	}
	return list
}

// lawOf is a golden as a project. It reports false if its flags are none that an editor has.
func lawOf(t *testing.T, path string) (lawCase, bool) {
	t.Helper()
	law := lawCase{files: map[string]string{}}
	flags := ""
	for _, f := range cases.Archive(t, path).Files {
		switch {
		case f.Name == "flags":
			flags = string(f.Data)
		case f.Name == "env" || strings.HasPrefix(f.Name, "want") || strings.HasPrefix(f.Name, "fixed/"):
		default:
			law.files[f.Name] = string(f.Data)
		}
	}
	args := strings.Fields(flags)
	for i := 0; i+1 < len(args); i += 2 {
		switch args[i] {
		case "-f":
			law.inputs = append(law.inputs, args[i+1])
		case "-v", "--data-value":
			law.kv = append(law.kv, args[i+1])
		case "--data-values-file":
			law.valueFiles = append(law.valueFiles, args[i+1])
		case "--file-mark":
			law.marks = append(law.marks, args[i+1])
		case "--edition":
			law.files["weft.yml"] = "weft: " + args[i+1] + "\ninputs: [.]\n"
		default:
			return law, false
		}
	}
	return law, len(args)%2 == 0
}

// mistakesIn are texts of a file that are wrong in different ways.
func mistakesIn(path, text string) []string {
	switch filepath.Ext(path) {
	case ".yml", ".yaml":
		list := []string{
			text + "nobody: [knows\n", text + "unknown_key: 1\n", text + "x: #@ data.values.nothing\n",
			text[:len(text)/2], "",
		}
		if before, after, ok := strings.Cut(text, "expects="); ok {
			list = append(list, before+"expects=17 if True else "+after)
		}
		return list
	case ".star":
		return []string{text + "x = (\n", text + "x = undefined_name\n"}
	}
	return nil
}

// folder is the files below a folder.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", dir, err)
	}
	return files
}

// firstTemplate is the first file that someone would open, or "".
func firstTemplate(files map[string]string) string {
	var names []string
	for name, text := range files {
		if filepath.Ext(name) == ".yml" && name != "weft.yml" && strings.Contains(text, "#@") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

// A comment in a project file or a test file is not code, although it looks like it.
func TestNoCodeInProjectFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"weft.yml":           "weft: 2026\ninputs: [app.yml]\n#@ end\ntest: {files: [checks/**]}\n",
		"app.yml":            "a: 1\n",
		"checks/a.test.yml":  "#@ end\ntests:\n- name: a\n  golden: a.yml\n",
		"tests/old.test.yml": "#@ load(\n",
	}
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, nil)
	for path, text := range files {
		c.open(path, text)
	}
	c.settle()
	for message := range c.publishedSet(files) {
		if !strings.HasPrefix(message, "tests/old.test.yml:") { // which is not a test file here
			t.Errorf("the server says: %s", message)
		}
	}
}
