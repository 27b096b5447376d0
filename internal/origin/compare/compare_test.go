package compare_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/origin/compare"
	"weft/internal/origin/diff"
)

// project is files in memory, by path.
type project map[string]string

func (p project) memory() []load.Memory {
	var list []load.Memory
	for _, path := range slices.Sorted(maps.Keys(p)) {
		list = append(list, load.Memory{Path: path, Data: []byte(p[path])})
	}
	return list
}

// Sides that are compared again read, compile and evaluate only what changed; one at a revision
// nothing at all.
func TestRunsCounts(t *testing.T) {
	app := project{
		"schema.yml": "#@data/values-schema\n---\nport: 80\n",
		"a.yml":      "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.port\n",
		"c.yml":      "c: #@ 1 + 1\n",
		"plain.yml":  "plain: true\n",
	}
	edited := maps.Clone(app)
	edited["c.yml"] = "c: #@ 2 + 0\n"
	for _, shared := range []bool{true, false} {
		kept := map[string]*engine.Session{}
		side := func(name, port string, files project) compare.Side {
			config := engine.Config{Again: true, Values: values.Flags{KVYAML: []string{"port=" + port}}}
			config.Load.Memory = files.memory()
			if !shared {
				config.Load.Exclude = []string{name} // two projects
			}
			open := func(ctx context.Context, c engine.Config) (*engine.Session, error) {
				s := kept[name]
				var err error
				switch {
				case s == nil:
					s, err = engine.Open(ctx, c)
				case name == "b" || shared:
					s, err = s.Reload(ctx, engine.FileChanges{Memory: files.memory()})
				}
				kept[name] = s
				return s, err
			}
			return compare.Side{Config: config, Name: name, Open: open}
		}
		evaluated := map[string]int{}
		for round, files := range []project{app, edited} {
			before := app
			if shared {
				before = files
			}
			_, err := compare.Runs(t.Context(), side("a", "1", before), side("b", "2", files),
				diff.Options{}, false)
			if err != nil {
				t.Fatal(err)
			}
			for name, s := range kept {
				got := s.Stats()
				switch more := got.Evaluated - evaluated[name]; {
				case round == 0:
				case shared || name == "b":
					want := engine.Stats{Read: 1, Compiled: 1, Evaluated: 1} // c.yml
					if shared {
						want.Evaluated = 2 // for both sides
					}
					if got != want {
						t.Errorf("side %s, shared %v: %+v, want %+v", name, shared, got, want)
					}
				case got.Read != len(app) || got.Compiled != len(app) || more != 0: // those of the first round
					t.Errorf("side %s at a revision: %+v, evaluated %d more", name, got, more)
				}
				evaluated[name] = got.Evaluated
			}
		}
	}
}
