package engine_test

import (
	"maps"
	"testing"
	"testing/fstest"

	"weft/internal/engine"
	"weft/internal/engine/load"
)

// Templates do the same after an edit only if they see the same data values and the same files.
func TestWatchedHolds(t *testing.T) {
	t.Parallel()
	const schema = "#@data/values-schema\n---\nname: a\n"
	app := func(expr string) string { return "#@ load(\"@ytt:data\", \"data\")\nx: #@ " + expr + "\n" }
	for name, c := range map[string]struct {
		app, path, text string
		want            bool
	}{
		"nothing":           {app("data.values.name"), "schema.yml", schema, true},
		"a comment":         {app("data.values.name"), "schema.yml", "#! note\n" + schema, true},
		"a default":         {app("data.values.name"), "schema.yml", schema + "more: 1\n", false},
		"a template":        {app("data.values.name"), "app.yml", app("1"), false},
		"a file as data":    {app("data.read(\"schema.yml\")"), "schema.yml", "#! note\n" + schema, false},
		"an unused file":    {app("data.values.name"), "data.bin", "b", true},
		"a file of data":    {app("data.read(\"data.bin\")"), "data.bin", "b", false},
		"a new file":        {app("data.values.name"), "new.yml", "a: 1\n", false},
		"no longer values":  {app("data.values.name"), "schema.yml", "name: a\n", false},
		"also a schema now": {"x: 1\n", "app.yml", "#@data/values-schema\n---\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"app.yml": c.app, "schema.yml": schema, "data.bin": "a"}
			open := func(files map[string]string) *engine.Session {
				fsys := fstest.MapFS{}
				for name, text := range files {
					fsys[name] = &fstest.MapFile{Data: []byte(text)}
				}
				s, err := engine.Open(t.Context(), engine.Config{
					Load: load.Options{FS: fsys, Paths: []string{"."}}, Origins: true, WarnUnused: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			res, err := open(files).Evaluate(t.Context(), engine.Request{Explain: true})
			if err != nil || res.Watched == nil {
				t.Fatal(res.Watched, err)
			}
			edited := maps.Clone(files)
			edited[c.path] = c.text
			s := open(edited)
			values, err := s.Evaluate(t.Context(), engine.Request{Goal: engine.DataValues})
			if err != nil {
				t.Fatal(err)
			}
			if _, got := res.Watched.Holds(s, values); got != c.want {
				t.Errorf("got %t", got)
			}
		})
	}
}
