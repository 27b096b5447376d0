package weft_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"weft"
)

// fleetFiles is a configuration with all that makes environments differ: a schema, modules, a
// private library, overlays and text; and environments.
func fleetFiles() fstest.MapFS {
	fsys := fstest.MapFS{}
	for path, text := range map[string]string{
		"config/schema.yml":  "#@data/values-schema\n---\nname: \"\"\n#@schema/validation min=0\nreplicas: 1\n",
		"config/values.yml":  "#@data/values\n---\nreplicas: 2\n",
		"config/names.star":  "load(\"@ytt:data\", \"data\")\ndef full(s):\n  return s + \"-\" + data.values.name\nend\n",
		"config/app.yml":     "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"names.star\", \"full\")\n#@ print(data.values.name)\nkind: App\nname: #@ full(\"app\")\nreplicas: #@ data.values.replicas\n",
		"config/lib.yml":     "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"part\").with_data_values({\"count\": data.values.replicas}).eval())\n",
		"config/overlay.yml": "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"App\"})\n---\n#@overlay/match missing_ok=True\nowner: #@ data.values.name\n",
		"config/notes.txt":   "(@ load(\"@ytt:data\", \"data\") -@)\n(@= data.values.name @)\n",

		"config/_ytt_lib/part/schema.yml": "#@data/values-schema\n---\ncount: 0\n",
		"config/_ytt_lib/part/part.yml":   "#@ load(\"@ytt:data\", \"data\")\nkind: Part\ncount: #@ data.values.count\n",
	} {
		fsys[path] = &fstest.MapFile{Data: []byte(text)}
	}
	for i := range 20 {
		text := fmt.Sprintf("name: env%d\nreplicas: %d\n", i, i)
		switch i {
		case 3:
			text = "replicas: -1\n" // against the schema
		case 7:
			text = "replicas: [" // not YAML
		case 11:
			text = ""
		}
		fsys[fmt.Sprintf("envs/env%02d.yml", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func fleetOptions(fsys fstest.MapFS) weft.FleetOptions {
	opts := weft.FleetOptions{Options: weft.Options{FS: fsys, Inputs: []string{"config"}}}
	for path := range fsys {
		if name, ok := strings.CutPrefix(path, "envs/"); ok {
			opts.Environments = append(
				opts.Environments,
				weft.Environment{Name: strings.TrimSuffix(name, ".yml"), Values: path},
			)
		}
	}
	slices.SortFunc(
		opts.Environments,
		func(a, b weft.Environment) int { return strings.Compare(a.Name, b.Name) },
	)
	return opts
}

// shown is all that one can see of a run.
func shown(res *weft.Result, err error, prints []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "prints: %q\n", prints)
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
		return b.String()
	}
	for _, f := range res.Files() {
		fmt.Fprintf(&b, "-- %s --\n%s", f.Path, f.Data)
	}
	return b.String()
}

// Each environment is what Render makes of it, whoever else is at work.
func TestFleetIsManyRenders(t *testing.T) {
	opts := fleetOptions(fleetFiles())
	var want []string
	failed := 0
	for _, env := range opts.Environments {
		one := opts.Options
		one.DataValues.Files = []string{env.Values}
		var prints []string
		one.Observe.Print = func(line string) { prints = append(prints, line) }
		res, err := weft.Render(t.Context(), one)
		if err != nil {
			failed++
		}
		want = append(want, env.Name+"\n"+shown(res, err, prints))
	}
	if failed != 2 {
		t.Errorf("%d environments fail, want 2", failed)
	}
	for _, jobs := range []int{1, 2, 8} {
		was := runtime.GOMAXPROCS(jobs)
		got := make([]string, len(opts.Environments))
		err := weft.Fleet(t.Context(), opts, func(i int, r weft.EnvironmentResult) {
			got[i] = r.Name + "\n" + shown(r.Result, r.Err, r.Prints)
		})
		runtime.GOMAXPROCS(was)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Errorf("%d processors: Fleet and Render differ (-fleet +render):\n%s", jobs, diff)
		}
	}
}

// Whatever the number of environments, each file is compiled once, and the schema and the data
// values of the configuration are evaluated once. What depends on data values is evaluated once for
// each environment, and so are the data values of private libraries, which belong to an evaluation.
func TestFleetCounts(t *testing.T) {
	var got strings.Builder
	for _, n := range []int{1, 3} {
		opts := fleetOptions(fleetFiles())
		opts.Environments = opts.Environments[:n]
		opts.Observe.Timings = &weft.Timings{}
		err := weft.Fleet(t.Context(), opts, func(_ int, r weft.EnvironmentResult) {
			if r.Err != nil {
				t.Error(r.Err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%d environments\n", n)
		writeCounts(&got, opts.Observe.Timings)
	}
	const want = `1 environments
  config/_ytt_lib/part/part.yml: compiled 1, evaluated 1
  config/_ytt_lib/part/schema.yml: compiled 1, evaluated 1
  config/app.yml: compiled 1, evaluated 1
  config/lib.yml: compiled 1, evaluated 1
  config/names.star: compiled 1, evaluated 1
  config/notes.txt: compiled 1, evaluated 1
  config/overlay.yml: compiled 1, evaluated 1
  config/schema.yml: compiled 1, evaluated 1
  config/values.yml: compiled 1, evaluated 1
3 environments
  config/_ytt_lib/part/part.yml: compiled 1, evaluated 3
  config/_ytt_lib/part/schema.yml: compiled 1, evaluated 1
  config/app.yml: compiled 1, evaluated 3
  config/lib.yml: compiled 1, evaluated 3
  config/names.star: compiled 1, evaluated 3
  config/notes.txt: compiled 1, evaluated 3
  config/overlay.yml: compiled 1, evaluated 3
  config/schema.yml: compiled 1, evaluated 1
  config/values.yml: compiled 1, evaluated 1
`
	if diff := cmp.Diff(got.String(), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// What is wrong with all environments is the error of the fleet, and no environment's.
func TestFleetOfBrokenConfiguration(t *testing.T) {
	for name, change := range map[string]func(fstest.MapFS, *weft.FleetOptions){
		"a template": func(f fstest.MapFS, _ *weft.FleetOptions) { f["config/app.yml"].Data = []byte("a: #@ 1 +\n") },
		"an input":   func(_ fstest.MapFS, o *weft.FleetOptions) { o.Inputs = []string{"nowhere"} },
		"a flag":     func(_ fstest.MapFS, o *weft.FleetOptions) { o.DataValues.KV = []string{"no value"} },
		"a file":     func(_ fstest.MapFS, o *weft.FleetOptions) { o.DataValues.Files = []string{"nowhere.yml"} },
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fleetFiles()
			opts := fleetOptions(fsys)
			change(fsys, &opts)
			err := weft.Fleet(
				t.Context(),
				opts,
				func(int, weft.EnvironmentResult) { t.Error("an environment was rendered") },
			)
			if _, ok := errors.AsType[*weft.Error](err); !ok {
				t.Errorf("got %v, want an error of the input", err)
			}
		})
	}
}

func TestFleetCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	opts := fleetOptions(fleetFiles())
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	calls := 0
	err := weft.Fleet(ctx, opts, func(int, weft.EnvironmentResult) {
		if calls++; calls == 2 {
			cancel(reason)
		}
	})
	if !errors.Is(err, reason) || calls != 2 {
		t.Errorf("got %v after %d environments, want %v after 2", err, calls, reason)
	}
}

// A bug in the caller's function, or in weft, ends in the caller's goroutine, which can
// recover from it.
func TestFleetPanic(t *testing.T) {
	opts := fleetOptions(fleetFiles())
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var once sync.Once
	defer func() {
		if v := recover(); v != "bug" {
			t.Errorf("got %v, want the panic", v)
		}
	}()
	_ = weft.Fleet(t.Context(), opts, func(int, weft.EnvironmentResult) { once.Do(func() { panic("bug") }) })
	t.Error("Fleet returned")
}

// Parallelism is how many environments are rendered at a time.
func TestFleetParallelism(t *testing.T) {
	opts := weft.FleetOptions{Options: weft.Options{
		FS: fstest.MapFS{
			"a.yml":   {Data: []byte("a: 1\n")},
			"env.yml": {Data: []byte("x: 1\n")},
		},
		Inputs: []string{"a.yml"},
		Limits: weft.Limits{Parallelism: 1},
	}}
	for i := range 50 {
		opts.Environments = append(
			opts.Environments,
			weft.Environment{Name: fmt.Sprint(i), Values: "env.yml"},
		)
	}
	next := 0
	err := weft.Fleet(t.Context(), opts, func(i int, _ weft.EnvironmentResult) {
		if i != next {
			t.Errorf("environment %d came when %d was next", i, next)
		}
		next++
	})
	if err != nil || next != 50 {
		t.Errorf("%d environments, error %v", next, err)
	}
}
