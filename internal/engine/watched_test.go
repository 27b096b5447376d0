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
	const (
		head   = "#@data/values-schema\n---\n"
		schema = head + "name: a\nmap:\n  one: 1\n"
		other  = head + "name: a\nmap:\n  one: 2\n"
		typed  = head + "name: a\nmap:\n  one: true\n"
		scalar = head + "name: a\nmap: 1\n"
		turned = head + "map:\n  one: 1\nname: a\n"
		more   = schema + "more: 1\n"
		inside = schema + "  two: 2\n"
	)
	app := func(expr string) string { return "#@ load(\"@ytt:data\", \"data\")\nx: #@ " + expr + "\n" }
	name, one, whole := app("data.values.name"), app("data.values.map.one"), app("data.values.map")
	for name, c := range map[string]struct {
		app, path, text string
		want            bool
	}{
		"nothing":             {name, "schema.yml", schema, true},
		"a comment":           {name, "schema.yml", "#! note\n" + schema, true},
		"a template":          {name, "app.yml", app("1"), false},
		"a file as data":      {app("data.read(\"schema.yml\")"), "schema.yml", "#! note\n" + schema, false},
		"an unused file":      {name, "data.bin", "b", true},
		"a file of data":      {app("data.read(\"data.bin\")"), "data.bin", "b", false},
		"a new file":          {name, "new.yml", "a: 1\n", false},
		"no longer values":    {name, "schema.yml", "name: a\n", false},
		"also a schema now":   {"x: 1\n", "app.yml", "#@data/values-schema\n---\n", false},
		"a key, not read":     {one, "schema.yml", more, true},
		"inside, not read":    {one, "schema.yml", inside, true},
		"a value, not read":   {name, "schema.yml", other, true},
		"no map, not read":    {name, "schema.yml", scalar, true},
		"another order":       {whole, "schema.yml", turned, true},
		"beside a whole map":  {whole, "schema.yml", more, true},
		"a value":             {one, "schema.yml", other, false},
		"a type":              {one, "schema.yml", typed, false},
		"no map":              {whole, "schema.yml", scalar, false},
		"a map is there":      {app("type(data.values.map)"), "schema.yml", scalar, false},
		"a missing attribute": {app("hasattr(data.values, \"more\")"), "schema.yml", more, false},
		"a missing key":       {app("\"two\" in data.values.map"), "schema.yml", inside, false},
		"a whole map":         {whole, "schema.yml", inside, false},
		"names":               {app("[k for k in data.values.map]"), "schema.yml", inside, false},
		"names by dir":        {app("dir(data.values.map)"), "schema.yml", inside, false},
		"names in order":      {app("[k for k in data.values]"), "schema.yml", turned, false},
		"a length":            {app("len(data.values.map)"), "schema.yml", inside, false},
		"whether empty":       {app("1 if data.values.map else 2"), "schema.yml", inside, false},
		"fields as keywords":  {app("(lambda **k: 1)(**data.values.map)"), "schema.yml", inside, false},
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
			if _, got := res.Watched.Holds(t.Context(), s, values); got != c.want {
				t.Errorf("got %t", got)
			}
		})
	}
}
