package engines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"weft/internal/project/engines/wire"
)

// TestMain makes the test's program a weft-engines that misbehaves, if it is called so: it has no variables
// that could tell it what to do.
func TestMain(m *testing.M) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if how, ok := strings.CutPrefix(name, "fake-"); ok {
		fake(how)
		return
	}
	os.Exit(m.Run())
}

// fake behaves as a weft-engines that is broken, or that a chart has taken over.
func fake(how string) {
	c := wire.NewConn(os.Stdin, os.Stdout)
	hello := wire.Hello{Version: wire.Version, Helm: "v4", Kustomize: "v5"}
	switch how {
	case "version":
		hello.Version = 99
	case "garbage":
		fmt.Println("Segmentation fault")
		return
	case "silent":
		time.Sleep(time.Hour)
	}
	_ = c.Send(hello)
	charts := fakeCharts{kept: map[int]string{}}
	for n := 1; ; n++ {
		var r wire.Request
		if c.Receive(&r) != nil {
			return
		}
		switch how {
		case "dies":
			fmt.Fprintln(os.Stderr, "out of \x1b[31mmemory")
			os.Exit(3)
		case "ends":
			os.Exit(0)
		case "hangs":
			time.Sleep(time.Hour)
		case "asks-on":
			for {
				ask(c, "x")
			}
		case "climbs":
			ask(c, "../../etc/passwd")
		case "unknown":
			fmt.Println(`{"answer": {"run": "rm -rf /"}}`)
		case "half":
			fmt.Print(`{"answer": {"docs": [`)
			os.Exit(0)
		case "escapes":
			answer(c, wire.Doc{Source: "../outside.yaml", Text: "a: 1\n"})
		case "limited":
			if r.Origins || r.Kustomization.Path == "huge" {
				_ = c.Send(wire.FromEngines{Answer: &wire.Answer{
					Error: &wire.Error{Code: wire.CodeLimit, Message: "it takes longer than 60 s"},
				}})
				os.Exit(0)
			}
		}
		text := fmt.Sprintf("request %d\n", n)
		for _, v := range os.Environ() {
			text += "variable " + v + "\n"
		}
		if r.Kustomization != nil {
			for name := range strings.SplitSeq(r.Kustomization.Path, " ") {
				text += name + ": " + ask(c, name) + "\n"
			}
		}
		if r.Chart != nil {
			text = charts.render(c, r.Chart)
		}
		answer(c, wire.Doc{Source: "a/b.yaml", Text: text})
	}
}

// fakeCharts renders charts, and loads their files once for each Source.
type fakeCharts struct {
	loads int
	kept  map[int]string
}

// render returns when the chart was loaded, its files and its values.
func (f *fakeCharts) render(c *wire.Conn, r *wire.Chart) string {
	text, ok := f.kept[r.Source]
	if !ok || r.Source == 0 {
		f.loads++
		text = fmt.Sprintf("load %d\n", f.loads)
		for _, name := range []string{"x.yml", "y.yml"} {
			text += name + ": " + ask(c, r.Path+"/"+name) + "\n"
		}
		f.kept[r.Source] = text
	}
	return text + r.Values[0].Text
}

// ask asks for a path, and returns what the reply says.
func ask(c *wire.Conn, name string) string {
	_ = c.Send(wire.FromEngines{Ask: &name})
	var r wire.Reply
	switch err := c.Receive(&r); {
	case err != nil:
		os.Exit(0)
	case r.Denied != "":
		return "denied: " + r.Denied
	case r.File != nil:
		return "file " + string(*r.File)
	case r.Dir:
		return "directory of " + strings.Join(r.Entries, " ")
	}
	return "nothing"
}

func answer(c *wire.Conn, docs ...wire.Doc) {
	_ = c.Send(wire.FromEngines{Answer: &wire.Answer{Docs: docs}})
}

// fakeProgram returns the path of a fake.
func fakeProgram(t *testing.T, how string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "fake-"+how)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if os.Link(self, path) == nil {
		return path
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// filesIn returns the files of a directory, of which secret must not be read.
func filesIn(dir string) *Files {
	return NewFiles(Repository{Root: dir, Allow: func(path string) error {
		if strings.Contains(path, "secret") {
			return errors.New("it is secret")
		}
		return nil
	}})
}

func request(paths string) *wire.Request {
	return &wire.Request{Kustomization: &wire.Kustomization{Path: paths}}
}

// Whatever weft-engines does, weft reports it, and goes on.
func TestHostileEngines(t *testing.T) {
	for how, want := range map[string]string{
		"version": "is of another release: it speaks version 99",
		"garbage": "sends what weft does not understand: not a message of this version",
		"dies":    "weft-engines failed: out of  [31mmemory",
		"ends":    "weft-engines ended without an answer",
		"half":    "weft-engines ended without an answer",
		"asks-on": "more than 200000 questions about one request",
		"climbs":  `a question about "../../etc/passwd", which is not a path`,
		"unknown": "unknown field \"run\"",
		"escapes": `"../outside.yaml" is not a path of the project`,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			e := New(fakeProgram(t, how))
			defer e.Close()
			_, err := e.Render(t.Context(), request("a"), filesIn(t.TempDir()))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
			if e.process != nil {
				t.Error("the program still runs")
			}
		})
	}
}

// A weft-engines that hangs ends with the run.
func TestHangingEnginesEnd(t *testing.T) {
	for _, how := range []string{"silent", "hangs"} {
		t.Run(how, func(t *testing.T) {
			e := New(fakeProgram(t, how))
			ctx, cancel := context.WithCancelCause(t.Context())
			stopped := errors.New("stopped")
			if how == "hangs" {
				if err := e.start(ctx); err != nil {
					t.Fatal(err)
				}
			}
			running := e.process
			time.AfterFunc(50*time.Millisecond, func() { cancel(stopped) })
			if _, err := e.Render(ctx, request("a"), filesIn(t.TempDir())); !errors.Is(err, stopped) {
				t.Errorf("got %v, want that it stopped", err)
			}
			if running != nil && runtime.GOOS != "windows" {
				if err := running.cmd.Process.Signal(syscall.Signal(0)); err == nil {
					t.Error("the program still runs")
				}
			}
		})
	}
}

func TestMissingEngines(t *testing.T) {
	for name, want := range map[string]string{
		"":                            "there is none next to weft",
		filepath.Join("no", "engine"): "cannot use",
	} {
		_, err := New(name).Render(t.Context(), request("a"), filesIn(t.TempDir()))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", name, err, want)
		}
	}
	text := filepath.Join(t.TempDir(), "text")
	write(t, text, "no program")
	if _, err := New(text).Render(t.Context(), request("a"), filesIn(t.TempDir())); err == nil ||
		!strings.Contains(err.Error(), "cannot start") {
		t.Errorf("got %v", err)
	}
}

// rendered returns the text that the fake answers.
func rendered(t *testing.T, e *Engines, paths string, f *Files) string {
	t.Helper()
	a, err := e.Render(t.Context(), request(paths), f)
	if err != nil {
		t.Fatal(err)
	}
	return a.Docs[0].Text
}

// weft-engines gets files of the repository and nothing else: no variables, nothing of git, no links that
// lead out, nothing that the project must not read.
func TestWhatEnginesSee(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a", "x.yml"), "x: 1")
	write(t, filepath.Join(dir, ".git", "config"), "password")
	write(t, filepath.Join(dir, "secret.yml"), "secret")
	e := New(fakeProgram(t, "polite"))
	defer e.Close()
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hidden")
	got := rendered(t, e, "a a/x.yml b secret.yml", filesIn(dir))
	want := `request 1
variable TZ=UTC
a: directory of x.yml
a/x.yml: file x: 1
b: nothing
secret.yml: denied: it is secret
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if reply, _ := filesIn(dir).at(""); cmp.Diff(reply.Entries, []string{"a", "secret.yml"}) != "" {
		t.Errorf("the root has %q", reply.Entries)
	}
}

// Results are kept as long as everything that they were made from is the same, and no longer.
func TestResultsAreKeptByContent(t *testing.T) {
	dir := t.TempDir()
	x := filepath.Join(dir, "x.yml")
	write(t, x, "x: 1")
	e := New(fakeProgram(t, "polite"))
	defer e.Close()
	first := rendered(t, e, "x.yml y.yml", filesIn(dir))
	if again := rendered(t, e, "x.yml y.yml", filesIn(dir)); again != first {
		t.Errorf("rendered again: %s", again)
	}
	for _, change := range []func(){
		func() { write(t, x, "x: 2") },                                   // another content
		func() { write(t, filepath.Join(dir, "y.yml"), "") },             // a file that was missing
		func() { _ = os.Remove(x) },                                      // a file that is missing
		func() { _ = os.Remove(x); write(t, filepath.Join(x, "z"), "") }, // a directory instead of a file
	} {
		change()
		if now := rendered(t, e, "x.yml y.yml", filesIn(dir)); now == first {
			t.Errorf("not rendered again: %s", now)
		}
	}
	_ = os.RemoveAll(x)
	_ = os.Remove(filepath.Join(dir, "y.yml"))
	write(t, x, "x: 1")
	if again := rendered(t, e, "x.yml y.yml", filesIn(dir)); again != first {
		t.Errorf("as at first, but rendered again: %s", again)
	}
	if other := rendered(t, e, "x.yml", filesIn(dir)); other == first {
		t.Errorf("the result of another request: %s", other)
	}
}

// Documents without origins are better than none: to find origins takes longer than to render. What reached a
// limit ends weft-engines, but not what comes after it, and the same request is not tried again.
func TestLimits(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.yml"), "x: 1")
	e := New(fakeProgram(t, "limited"))
	defer e.Close()
	r := request("x.yml")
	r.Origins = true
	for range 2 {
		res, err := e.Render(t.Context(), r, filesIn(dir))
		if err != nil || res.Error != nil {
			t.Fatal(err, res.Error)
		}
		if want := "request 1\nvariable TZ=UTC\nx.yml: file x: 1\n"; res.Docs[0].Text != want {
			t.Errorf("%s, expected %s", res.Docs[0].Text, want)
		}
	}
	res, err := e.Render(t.Context(), request("huge"), filesIn(dir))
	if err != nil || res.Error == nil || res.Error.Code != wire.CodeLimit {
		t.Errorf("%v, %v, expected a limit", res, err)
	}
	rendered(t, e, "y.yml", filesIn(dir))
}

// Old results go when there are too many.
func TestKeptResultsAreLimited(t *testing.T) {
	e := &Engines{}
	text := strings.Repeat("x", maxKept/4)
	for i := range 10 {
		e.keep(digest{byte(i % 5)}, &Result{Answer: &wire.Answer{Docs: []wire.Doc{{Text: text}}}})
		sum, n := 0, 0
		for _, list := range e.kept {
			for _, x := range list {
				sum, n = sum+x.size, n+1
			}
		}
		if sum != e.size || sum > maxKept || n != len(e.order) {
			t.Fatalf("after %d: %d bytes in %d results, but %d in %d are counted", i, sum, n, e.size, len(e.order))
		}
	}
}

// A chart is sent once, whatever its values are, and again when one of its files is another: results are made
// from the files that are there, and depend on all of them.
func TestChartsAreSentOnce(t *testing.T) {
	e := New(fakeProgram(t, "polite"))
	defer e.Close()
	a, b := t.TempDir(), t.TempDir()
	write(t, filepath.Join(a, "chart", "x.yml"), "x: 1")
	write(t, filepath.Join(b, "chart", "x.yml"), "x: 2")
	check := func(f *Files, values string, load int, x, y string) {
		t.Helper()
		r := &wire.Request{Chart: &wire.Chart{Path: "chart", Values: []wire.ValuesFile{{Name: "v", Text: values}}}}
		got, err := e.Render(t.Context(), r, f)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("load %d\nx.yml: %s\ny.yml: %s\n%s", load, x, y, values)
		if diff := cmp.Diff(want, got.Docs[0].Text); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		var asked []string
		for _, a := range got.Asked {
			asked = append(asked, a.Path)
		}
		if diff := cmp.Diff([]string{"chart/x.yml", "chart/y.yml"}, asked); diff != "" {
			t.Errorf("depends on (-want +got):\n%s", diff)
		}
	}
	files := filesIn(a)
	for i := range 1000 {
		check(files, fmt.Sprintf("v: %d", i), 1, "file x: 1", "nothing")
	}
	check(filesIn(b), "v: 0", 2, "file x: 2", "nothing") // another project with the same path
	check(filesIn(a), "v: another", 1, "file x: 1", "nothing")
	check(filesIn(b), "v: another", 2, "file x: 2", "nothing")
	write(t, filepath.Join(a, "chart", "x.yml"), "x: 3")
	check(filesIn(a), "v: 0", 3, "file x: 3", "nothing")
	check(filesIn(a), "v: 500", 3, "file x: 3", "nothing")
	write(t, filepath.Join(a, "chart", "y.yml"), "")
	check(filesIn(a), "v: 500", 4, "file x: 3", "file ")
	check(filesIn(a), "v: 501", 4, "file x: 3", "file ")

	e.Close() // the next program has nothing
	check(filesIn(a), "v: 502", 1, "file x: 3", "file ")
	check(filesIn(a), "v: 503", 1, "file x: 3", "file ")
	for i := range 2 * maxSources {
		text := fmt.Sprintf("x: many %d", i)
		write(t, filepath.Join(a, "chart", "x.yml"), text)
		check(filesIn(a), "v: 0", 2+i, "file "+text, "file ")
	}
	if n := len(e.sources["chart"]); n > maxSources {
		t.Errorf("%d sources of one chart are remembered", n)
	}
}

// Names in messages are replaced whole: the name of one directory may begin like that of another.
func TestShownPaths(t *testing.T) {
	f := NewFiles(Repository{Root: "."})
	f.outside.shown = map[string]string{
		outsideName + "/srv/chart": "../chart", outsideName + "/srv/chart2": "/srv/chart2",
	}
	for range 20 {
		got := f.Shown(outsideName + "/srv/chart2/x.yml and " + outsideName + "/srv/chart/y.yml")
		if want := "/srv/chart2/x.yml and ../chart/y.yml"; got != want {
			t.Fatalf("%s, expected %s", got, want)
		}
	}
}
