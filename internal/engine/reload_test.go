package engine_test

import (
	"context"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"weft/internal/engine"
	"weft/internal/engine/override"
	"weft/internal/lang/diag"
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
