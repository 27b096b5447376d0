package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine/emit"
	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
)

// project is files in memory, by path, in an order that stays.
type project struct {
	paths []string
	files map[string]string
}

// with is the project with other content of a file, which comes last if it is new.
func (p project) with(path, text string) project {
	next := project{files: map[string]string{}}
	found := false
	for _, old := range p.paths {
		next.paths, next.files[old] = append(next.paths, old), p.files[old]
		found = found || old == path
	}
	if !found {
		next.paths = append(next.paths, path)
	}
	next.files[path] = text
	return next
}

// without is the project without a file.
func (p project) without(path string) project {
	next := project{files: map[string]string{}}
	for _, old := range p.paths {
		if old != path {
			next.paths, next.files[old] = append(next.paths, old), p.files[old]
		}
	}
	return next
}

func (p project) memory() []load.Memory {
	list := []load.Memory{}
	for _, path := range p.paths {
		list = append(list, load.Memory{Path: path, Data: []byte(p.files[path])})
	}
	return list
}

func (p project) open(t testing.TB, config Config) *Session {
	t.Helper()
	config.Load.Memory = p.memory()
	s, err := Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// outcome is all that an evaluation gives: documents, what was printed, warnings, errors.
func outcome(s *Session, req Request) string {
	var b bytes.Buffer
	req.Print = func(line string) { b.WriteString("printed: " + line + "\n") }
	res, err := s.Evaluate(context.Background(), req)
	if res != nil {
		if _, err := emit.YAML(&b, res.Docs, 0); err != nil {
			panic(err)
		}
		for _, out := range res.Outputs {
			b.WriteString(out.Text)
		}
		if res.Warnings != nil {
			_ = diag.Render(&b, res.Files, res.Warnings, diag.RenderOptions{})
		}
	}
	if f, ok := errors.AsType[*diag.Failure](err); ok {
		_ = diag.Render(&b, f.Files, f.List, diag.RenderOptions{})
	} else if err != nil {
		b.WriteString(err.Error())
	}
	return b.String()
}

// app is a project in which one thing depends on another in every way.
var app = project{}.
	with("schema.yml", "#@data/values-schema\n---\nname: app\nport: 80\n").
	with("values.yml", "#@ load(\"names.star\", \"default\")\n#@data/values\n---\nname: #@ default\n").
	with("names.star", "default = \"web\"\n").
	with("labels.lib.yml", "#@ load(\"@ytt:data\", \"data\")\n#@ def labels():\napp: #@ data.values.name\n#@ end\n").
	with("a.yml", "#@ load(\"labels.lib.yml\", \"labels\")\n#@ print(\"a\")\na: #@ labels()\n").
	with("b.yml", "#@ load(\"@ytt:data\", \"data\")\nb: #@ data.values.port\nread: #@ data.read(\"motd.bin\")\n").
	with("c.yml", "c: #@ 1 + 1\n").
	with("plain.yml", "plain: true\n").
	with("text.txt", "text: (@= \"x\" @)\n").
	with("motd.bin", "hello").
	with("list.yml", "#@ load(\"@ytt:data\", \"data\")\nall: #@ data.list()\n").
	with("lib.yml", "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"db\").eval())\n").
	with("_ytt_lib/db/db.yml", "#@ load(\"@ytt:data\", \"data\")\ndb: #@ data.values.size\n").
	with("_ytt_lib/db/schema.yml", "#@data/values-schema\n---\nsize: 1\n").
	with("overlay.yml", "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"c\": 2})\n---\n#@overlay/match missing_ok=True\nmore: 1\n")

// A session that is reported a change does the work that the change asks for, and no other.
func TestReloadCounts(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(project) project
		want   Stats // read, compiled, evaluated
	}{
		// lib.yml evaluates a library each time
		{"nothing", func(p project) project { return p }, Stats{0, 0, 2}},
		{"a template", func(p project) project { return p.with("c.yml", "c: #@ 2 + 0\n") }, Stats{1, 1, 3}},
		{"a plain file", func(p project) project { return p.with("plain.yml", "plain: 1\n") }, Stats{1, 1, 3}},
		{"text", func(p project) project { return p.with("text.txt", "other\n") }, Stats{1, 1, 3}},
		{"a module, and what loads it", func(p project) project {
			return p.with("labels.lib.yml", p.files["labels.lib.yml"]+"#! more\n")
		}, Stats{1, 1, 4}},
		{"a file that a template reads", func(p project) project { return p.with("motd.bin", "bye") }, Stats{0, 0, 3}},
		{"a values file, and what reads values", func(p project) project {
			return p.with("values.yml", p.files["values.yml"]+"port: 81\n")
		}, Stats{1, 1, 8}},
		{"a module of a values file", func(p project) project { return p.with("names.star", "default = \"x\"\n") }, Stats{1, 1, 9}},
		{"a new file, and what lists files", func(p project) project { return p.with("new.yml", "new: 1\n") }, Stats{1, 1, 4}},
		{"a file that is gone", func(p project) project { return p.without("c.yml") }, Stats{0, 0, 3}},
		{"a file of a library", func(p project) project { return p.with("_ytt_lib/db/db.yml", "db: 1\n") }, Stats{1, 1, 2}},
		{"the schema of a library", func(p project) project {
			return p.with("_ytt_lib/db/schema.yml", "#@data/values-schema\n---\nsize: 2\n")
		}, Stats{1, 1, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := app.open(t, Config{})
			outcome(s, Request{})
			if got, want := s.Stats(), (Stats{14, 14, 15}); got != want {
				t.Errorf("at first: %+v, want %+v", got, want)
			}
			changed := c.change(app)
			next, err := s.Reload(t.Context(), FileChanges{Memory: changed.memory()})
			if err != nil {
				t.Fatal(err)
			}
			got, want := outcome(next, Request{}), outcome(changed.open(t, Config{}), Request{})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-fresh +reloaded):\n%s", diff)
			}
			if got := next.Stats(); got != c.want {
				t.Errorf("after the change: %+v, want %+v", got, c.want)
			}
		})
	}
}

// A traced session, of which evaluations keep nothing, reads, compiles and analyses only what changed.
func TestReloadCountsTraced(t *testing.T) {
	s := app.open(t, Config{Origins: true, WarnUnused: true, Again: true})
	for _, want := range []struct {
		change         project
		read, compiled int
		analysed       int
	}{
		{app, 14, 14, 14},
		{app, 0, 0, 0},
		{app.with("c.yml", "c: #@ 2 + 0\n"), 1, 1, 1},
		{app.without("c.yml").with("new.yml", "new: 1\n"), 1, 1, 1},
	} {
		s = reloadedTo(t, s, want.change)
		old := s.origins
		got := outcome(s, Request{Explain: true})
		fresh := want.change.open(t, Config{Origins: true, WarnUnused: true})
		if diff := cmp.Diff(outcome(fresh, Request{Explain: true}), got); diff != "" {
			t.Errorf("(-fresh +reloaded):\n%s", diff)
		}
		s.Analyse(t.Context())
		counts := []int{s.Stats().Read, s.Stats().Compiled, s.Analysed()}
		if diff := cmp.Diff([]int{want.read, want.compiled, want.analysed}, counts); diff != "" {
			t.Errorf("read, compiled, analysed (-want +got):\n%s", diff)
		}
		if s.origins != old || len(old.DataValues()) != len(fresh.origins.DataValues()) {
			t.Errorf("the table of origins has more than one round: %d data values, want %d",
				len(old.DataValues()), len(fresh.origins.DataValues()))
		}
	}
}

// reloadedTo is a session after its files have become those of a project; at first, it is itself.
func reloadedTo(t *testing.T, s *Session, to project) *Session {
	t.Helper()
	if s.Stats().Compiled == 0 && s.Analysed() == 0 && s.Stats().Read > 0 {
		return s
	}
	next, err := s.Reload(t.Context(), FileChanges{Memory: to.memory()})
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// A sibling has other data values, and compiles nothing again.
func TestSibling(t *testing.T) {
	p := project{}.with("schema.yml", "#@data/values-schema\n---\na: 0\n").
		with("a.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\n")
	for _, origins := range []bool{false, true} {
		config := func(kv string) Config {
			return Config{Origins: origins, Values: values.Flags{KVYAML: []string{kv}}}
		}
		s := p.open(t, config("a=1"))
		before := outcome(s, Request{})
		sibling := s.Sibling(config("a=2"))
		if got, want := outcome(sibling, Request{}), outcome(p.open(t, config("a=2")), Request{}); got != want {
			t.Errorf("the sibling makes\n%s\nwant\n%s", got, want)
		}
		if n := sibling.Stats().Compiled; n != 0 {
			t.Errorf("the sibling has compiled %d files", n)
		}
		if got := outcome(s, Request{}); got != before {
			t.Errorf("the first one makes\n%s\nafter\n%s", got, before)
		}
	}
}

// A variant with other files, values and project files gives what a new session gives, and reads and compiles
// only what changed.
func TestVariant(t *testing.T) {
	files := func(b string) fstest.MapFS {
		return fstest.MapFS{
			"schema.yml": {Data: []byte("#@data/values-schema\n---\nn: 0\n")},
			"a.yml":      {Data: []byte("#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.n\n")},
			"b.yml":      {Data: []byte(b)},
			"v.yml":      {Data: []byte("n: 3\n")},
		}
	}
	config := func(b, kv string, origins bool) Config {
		return Config{
			Load:    load.Options{FS: files(b), Paths: []string{"schema.yml", "a.yml", "b.yml"}},
			Project: []load.Memory{{Path: "weft.yml", Data: []byte("#" + kv)}},
			Values:  values.Flags{Files: []string{"v.yml"}, KVYAML: []string{kv}}, Origins: origins,
		}
	}
	open := func(c Config) *Session {
		s, err := Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	base := open(config("b: #@ 1\n", "n=1", false))
	first, err := base.Variant(t.Context(), config("b: #@ 1\n", "n=1", false))
	if err != nil {
		t.Fatal(err)
	}
	outcome(first, Request{})
	outcome(base, Request{}) // a variant does not take over the results
	for _, origins := range []bool{false, true} {
		changed := config("b: #@ 2\n", "n=2", origins)
		s, err := base.Variant(t.Context(), changed, "b.yml")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := outcome(s, Request{}), outcome(open(changed), Request{}); got != want {
			t.Errorf("the variant gives\n%s\nwant\n%s", got, want)
		}
		compiled := map[bool]int{false: 1, true: 3}[origins] // a traced program is another one
		if n := named(s, "v.yml"); n != 1 {
			t.Errorf("the variant has v.yml %d times", n)
		}
		if got := s.Stats(); got.Read != 1 || got.Compiled != compiled {
			t.Errorf("the variant has read %d files and compiled %d", got.Read, got.Compiled)
		}
	}
}

// named returns how many files positions of a session may point into that have a name.
func named(s *Session, name string) (n int) {
	for _, f := range s.Files().All() {
		if f.Shown() == name {
			n++
		}
	}
	return n
}

// A session is evaluated with other data values without compiling anything again.
func TestOtherValues(t *testing.T) {
	s := app.open(t, Config{})
	outcome(s, Request{})
	before := s.Stats()
	layers, err := s.Layers(t.Context(), values.Flags{KV: []string{"name=other"}})
	if err != nil {
		t.Fatal(err)
	}
	got := outcome(s, Request{Layers: layers})
	want := outcome(
		app.open(t, Config{Values: values.Flags{KV: []string{"name=other"}}}),
		Request{},
	)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-fresh +shared):\n%s", diff)
	}
	if after := s.Stats(); after.Read != before.Read || after.Compiled != before.Compiled {
		t.Errorf("%+v, then %+v: want nothing read or compiled", before, after)
	}
}

// One file, or one library, can be evaluated alone.
func TestParts(t *testing.T) {
	s := app.open(t, Config{})
	if got, want := outcome(s, Request{Only: []string{"b.yml"}}), "b: 80\nread: hello\n"; got != want {
		t.Errorf("one file: %q, want %q", got, want)
	}
	if got := s.Stats().Evaluated; got != 4 { // with the schema, the values and their module
		t.Errorf("%d files were evaluated, want 4", got)
	}
	if got, want := outcome(s, Request{Library: "_ytt_lib/db"}), "db: 1\n"; got != want {
		t.Errorf("a library: %q, want %q", got, want)
	}
}

// What succeeds is there beside the errors of what does not.
func TestPartial(t *testing.T) {
	broken := app.with("a.yml", "a: #@ 1/0\n").with("bad.yml", "a: [\n")
	got := outcome(broken.open(t, Config{}), Request{Partial: true})
	for _, want := range []string{"b: 80\n", "c: 2\n", "plain: true\n", "bad.yml:1:4: error", "a.yml:1:8: error: floating-point division by zero"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "more: 1") {
		t.Errorf("an overlay was applied to a part of the documents:\n%s", got)
	}
	repaired, err := broken.open(t, Config{}).Reload(t.Context(), FileChanges{Memory: app.memory()})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(outcome(app.open(t, Config{}), Request{}), outcome(repaired, Request{})); diff != "" {
		t.Errorf("(-fresh +repaired):\n%s", diff)
	}
}

// An evaluation that is interrupted leaves nothing half done to the next.
func TestInterrupted(t *testing.T) {
	s := app.open(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Evaluate(ctx, Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if diff := cmp.Diff(outcome(app.open(t, Config{}), Request{}), outcome(s, Request{})); diff != "" {
		t.Errorf("(-fresh +after an interruption):\n%s", diff)
	}
}

// What a broken file fails with does not change when files load it, in any number of evaluations.
func TestBrokenFileStaysAsItIs(t *testing.T) {
	s := project{}.with("broken.star", "def f(:\n").
		with("a.yml", "#@ load(\"broken.star\", \"f\")\na: #@ f()\n").open(t, Config{})
	first := outcome(s, Request{Partial: true})
	if !strings.Contains(first, "loaded here") {
		t.Fatalf("the load is not named:\n%s", first)
	}
	if diff := cmp.Diff(first, outcome(s, Request{Partial: true})); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}

// thousand is a project of n templates with a schema, values, a module and an overlay.
func thousand(n int) project {
	p := project{}.
		with("schema.yml", "#@data/values-schema\n---\nname: app\nreplicas: 1\n").
		with("lib.lib.yml", "#@ load(\"@ytt:data\", \"data\")\n#@ def labels(n):\napp: #@ data.values.name\ntier: #@ n\n#@ end\n")
	p.paths = append([]string{}, p.paths...)
	for i := range n {
		path := fmt.Sprintf("app%04d.yml", i)
		p.paths = append(p.paths, path)
		p.files[path] = fmt.Sprintf(`#@ load("@ytt:data", "data")
#@ load("lib.lib.yml", "labels")
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: #@ data.values.name + "-%d"
  labels: #@ labels(str(%d))
spec:
  replicas: #@ data.values.replicas
  template:
    spec:
      containers:
      #@ for name in ["web", "sidecar"]:
      - name: #@ name
        image: #@ "registry/" + name + ":v1"
        args: ["--port", "80"]
        env:
        - name: NAME
          value: #@ data.values.name
        - name: LEVEL
          value: debug
      #@ end
`, i, i)
	}
	return p
}

// touched is files after someone has touched one of them.
func touched(files []load.Memory, i int) []load.Memory {
	files = slices.Clone(files)
	f := &files[len(files)/2]
	f.Data = fmt.Appendf(bytes.Clone(f.Data), "  touched: %d\n", i)
	return files
}

// BenchmarkFirst renders a project of 1,000 templates from the beginning, as BenchmarkTouch does
// after one of them changed.
func BenchmarkFirst(b *testing.B) {
	p := thousand(1000)
	for b.Loop() {
		render(b, p.open(b, Config{}))
	}
}

func BenchmarkTouch(b *testing.B) {
	p := thousand(1000)
	s, files := p.open(b, Config{}), p.memory()
	render(b, s)
	for i := 0; b.Loop(); i++ {
		next, err := s.Reload(b.Context(), FileChanges{Memory: touched(files, i)})
		if err != nil {
			b.Fatal(err)
		}
		render(b, next)
		s = next
	}
}

func render(b *testing.B, s *Session) {
	res, err := s.Evaluate(b.Context(), Request{})
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := emit.YAML(&out, res.Docs, 0); err != nil {
		b.Fatal(err)
	}
}

// An environment says that its result is kept only if the next session can use it: printed output is
// remembered for such results alone.
func TestFleetSaysWhatIsKept(t *testing.T) {
	p := project{}.with("a.yml", "a: 1\n")
	for _, again := range []bool{false, true} {
		s := p.open(t, Config{Again: again})
		env := func(int) (Environment, error) {
			return Environment{Name: "dev", Project: &values.ProjectValues{}}, nil
		}
		err := s.Fleet(t.Context(), Request{}, 1, env, func(_ int, r Rendered) {
			if r.Err != nil || r.Kept != again {
				t.Errorf("again %t: kept %t, error %v", again, r.Kept, r.Err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
