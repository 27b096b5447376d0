package engine_test

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"weft/internal/engine"
	"weft/internal/engine/override"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// opening is a file system that calls a function before a file is opened.
type opening struct {
	fs.FS
	call func(name string)
}

func (o opening) Open(name string) (fs.File, error) {
	o.call(name)
	return o.FS.Open(name)
}

// A session may be evaluated while it is reloaded, and reads files then that the next session does not have.
// The errors of the next session are about the same places as those of a new one.
func TestReloadWhileEvaluated(t *testing.T) {
	t.Parallel()
	evaluate := func(ctx context.Context, s *engine.Session) error {
		_, err := s.Evaluate(ctx, engine.Request{})
		return err
	}
	values := func(c *engine.Config) { c.Values.Files = []string{"more/values.yml"} }
	for name, x := range map[string]struct {
		config   func(c *engine.Config)
		evaluate func(ctx context.Context, s *engine.Session) error
	}{
		"data values": {values, evaluate},
		"overrides": {func(c *engine.Config) {
			c.Overrides = []override.Argument{{Text: "more/overrides.yml", File: true}}
		}, evaluate},
		"environments": {values, func(ctx context.Context, s *engine.Session) (err error) {
			failed := s.Fleet(ctx, engine.Request{}, 1, func(int) (engine.Environment, error) {
				return engine.Environment{Name: "prod", Values: "more/prod.yml"}, nil
			}, func(_ int, r engine.Rendered) { err = r.Err })
			if failed != nil {
				t.Error(failed)
			}
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{
				"config/schema.yml":  {Data: []byte("#@data/values-schema\n---\nname: a\n")},
				"config/app.yml":     {Data: []byte("steps: [{run: a}]\n")},
				"more/values.yml":    {Data: []byte("name: {}\n")},
				"more/prod.yml":      {Data: []byte("{}\n")},
				"more/overrides.yml": {Data: []byte("steps: [{$at: 5, run: b}]\n")},
			}
			var config engine.Config
			config.Load.FS, config.Load.Paths = files, []string{"config"}
			x.config(&config)
			open := func() *engine.Session {
				s, err := engine.Open(t.Context(), config)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			s := open()
			files["config/new.yml"] = &fstest.MapFile{Data: []byte("kind: New\n")}
			read := false
			next, err := s.Reload(t.Context(), engine.FileChanges{FS: opening{files, func(name string) {
				if !read && name == "config/new.yml" {
					read = true
					_ = x.evaluate(t.Context(), s)
				}
			}}})
			if err != nil || !read {
				t.Fatal(err, read)
			}
			got, want := x.evaluate(t.Context(), next), x.evaluate(t.Context(), open())
			if got == nil || want == nil {
				t.Fatalf("expected two errors, got %v and %v", got, want)
			}
			if g, w := diag.FailureOf(got).Located(), diag.FailureOf(want).Located(); !slices.Equal(g, w) {
				t.Errorf("got %q, a new session has %q", g, w)
			}
		})
	}
}

// after is a file system that calls a function after a file was opened.
type after struct {
	fs.FS
	call func(name string)
}

func (o after) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	o.call(name)
	return f, err
}

func textOfResult(r *engine.Result) string {
	var b strings.Builder
	for _, d := range r.Docs {
		v, _ := d.Value.Lookup("name")
		b.WriteString(v.Text() + " ")
	}
	return b.String()
}

// A session reads data values while it is reloaded because they changed. The next one must not use them.
func TestReloadWhileLayersAreRead(t *testing.T) {
	t.Parallel()
	for name, evaluate := range map[string]func(ctx context.Context, s *engine.Session) string{
		"environment": func(ctx context.Context, s *engine.Session) (text string) {
			_ = s.Fleet(ctx, engine.Request{}, 1, func(int) (engine.Environment, error) {
				return engine.Environment{Name: "prod", Values: "more/prod.yml"}, nil
			}, func(_ int, r engine.Rendered) { text = textOfResult(r.Result) })
			return text
		},
		"flags": func(ctx context.Context, s *engine.Session) string {
			res, _, err := s.EvaluateWith(ctx, values.Flags{Files: []string{"more/prod.yml"}}, nil)
			if err != nil {
				return err.Error()
			}
			return textOfResult(res)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{
				"config/schema.yml": {Data: []byte("#@data/values-schema\n---\nname: a\n")},
				"config/app.yml":    {Data: []byte(readsName)},
				"more/prod.yml":     {Data: []byte("name: old\n")},
			}
			now := fstest.MapFS{
				"config/schema.yml": files["config/schema.yml"],
				"config/app.yml":    files["config/app.yml"],
				"more/prod.yml":     {Data: []byte("name: new\n")},
			}
			var next *engine.Session
			var s *engine.Session
			var config engine.Config
			config.Again = true
			config.Load.FS = after{files, func(name string) {
				if name == "more/prod.yml" && next == nil {
					var err error
					if next, err = s.Reload(t.Context(), engine.FileChanges{
						FS: now, Paths: []string{"more/prod.yml"},
					}); err != nil {
						t.Fatal(err)
					}
				}
			}}
			config.Load.Paths = []string{"config"}
			var err error
			if s, err = engine.Open(t.Context(), config); err != nil {
				t.Fatal(err)
			}
			if got := evaluate(t.Context(), s); got != "old " {
				t.Errorf("old session: got %q", got)
			}
			if got := evaluate(t.Context(), next); got != "new " {
				t.Errorf("next session: got %q, want new", got)
			}
		})
	}
}

func TestReloadDirOfTest(t *testing.T) {
	files := fstest.MapFS{
		"config/schema.yml": {Data: []byte("#@data/values-schema\n---\nname: a\n")},
		"config/app.yml":    {Data: []byte("#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n")},
		"more/a.yml":        {Data: []byte("name: old\n")},
	}
	var config engine.Config
	config.Again = true
	config.Load.FS, config.Load.Paths = files, []string{"config"}
	s, err := engine.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	render := func(s *engine.Session) (text string) {
		if err := s.Fleet(t.Context(), engine.Request{}, 1, func(int) (engine.Environment, error) {
			return engine.Environment{
				Name: "prod", Project: &values.ProjectValues{},
				Test: &values.ProjectValues{Layers: []values.Layer{{Path: "more"}}},
			}, nil
		}, func(_ int, r engine.Rendered) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			text = textOfResult(r.Result)
		}); err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := render(s); got != "old " {
		t.Fatal(got)
	}
	files["more/b.yml"] = &fstest.MapFile{Data: []byte("name: new\n")}
	next, err := s.Reload(t.Context(), engine.FileChanges{Paths: []string{"more/b.yml"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := render(next); got != "new " {
		t.Errorf("got %q", got)
	}
}

// Files that templates read as data are read again.
func TestReloadData(t *testing.T) {
	files := fstest.MapFS{
		"config/app.yml": {Data: []byte("#@ load(\"@ytt:data\", \"data\")\nname: #@ data.read(\"x.bin\")\n")},
		"config/x.bin":   {Data: []byte("old")},
	}
	var config engine.Config
	config.Load.FS, config.Load.Paths = files, []string{"config"}
	s, err := engine.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	eval := func(s *engine.Session) string {
		r, err := s.Evaluate(t.Context(), engine.Request{})
		if err != nil {
			t.Fatal(err)
		}
		return textOfResult(r)
	}
	eval(s)
	files["config/x.bin"] = &fstest.MapFile{Data: []byte("new")}
	next, err := s.Reload(t.Context(), engine.FileChanges{Paths: []string{"config/x.bin"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := eval(next); got != "new " {
		t.Errorf("got %q", got)
	}
}

func TestSchemaIsCreated(t *testing.T) {
	files := fstest.MapFS{
		"config/app.yml": {Data: []byte("#@ load(\"@ytt:data\", \"data\")\nname: 1\n")},
	}
	var config engine.Config
	config.Load.FS, config.Load.Paths = files, []string{"config"}
	config.Values = values.Flags{JSONSchemas: []string{"schema.json"}, KV: []string{"a=b"}}
	config.JSONSchemas = &engine.JSONSchemas{
		Load: func(
			*source.File, string, func(string) (*source.File, error),
		) (engine.JSONSchema, diag.List) {
			return engine.JSONSchema{}, nil
		},
		Allow: func(string) error { return nil },
	}
	s, err := engine.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Evaluate(t.Context(), engine.Request{}); err == nil {
		t.Fatal("expected an error")
	}
	files["schema.json"] = &fstest.MapFile{Data: []byte("{}")}
	next, err := s.Reload(t.Context(), engine.FileChanges{Paths: []string{"schema.json"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := next.Evaluate(t.Context(), engine.Request{}); err != nil {
		t.Errorf("got %q", diag.FailureOf(err).Located())
	}
}

// After an edit of the schema, the session is reloaded again before its data values are needed. They are
// computed with the new schema even so.
func TestReloadSchemaBeforeValues(t *testing.T) {
	files := fstest.MapFS{
		"config/schema.yml": {Data: []byte("#@data/values-schema\n---\nsize: 1\n")},
		"config/values.yml": {Data: []byte("#@data/values\n---\nsize: 2\n")},
		"config/app.yml":    {Data: []byte("#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n")},
	}
	var config engine.Config
	config.Load.FS, config.Load.Paths = files, []string{"config"}
	s, err := engine.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Evaluate(t.Context(), engine.Request{Goal: engine.DataValues}); err != nil {
		t.Fatal(err)
	}
	reload := func(path, text string) {
		files[path] = &fstest.MapFile{Data: []byte(text)}
		if s, err = s.Reload(t.Context(), engine.FileChanges{Paths: []string{path}}); err != nil {
			t.Fatal(err)
		}
	}
	reload("config/schema.yml", "#@data/values-schema\n---\nsize: 1\nname: new\n")
	if _, err := s.Evaluate(t.Context(), engine.Request{Goal: engine.SchemaJSON}); err != nil {
		t.Fatal(err)
	}
	reload("config/app.yml", "#@ load(\"@ytt:data\", \"data\")\n\nname: #@ data.values.name\n")
	res, err := s.Evaluate(t.Context(), engine.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if got := textOfResult(res); got != "new " {
		t.Errorf("got %q", got)
	}
}
