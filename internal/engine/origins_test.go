package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/engine/values"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// project has a value for each way of setting one.
var project = []load.Memory{
	{
		Path: "schema.yml",
		Data: []byte(
			"#@data/values-schema\n---\nreplicas: 1\nname: web\nports:\n- port: 80\n  host: a\n",
		),
	},
	{Path: "more.yml", Data: []byte("#@data/values-schema\n---\nname: www\n")},
	{Path: "values.yml", Data: []byte("#@data/values\n---\nreplicas: 2\nports:\n- port: 81\n")},
	{
		Path: "app.yml",
		Data: []byte(
			"#@ load(\"@ytt:data\", \"data\")\n---\nkind: A\nspec:\n  replicas: #@ data.values.replicas\n  image: x\n",
		),
	},
	{
		Path: "over.yml",
		Data: []byte(
			"#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nspec:\n  image: \"y\"\n  #@overlay/match missing_ok=True\n  labels:\n    a: 1\n",
		),
	},
}

func config(origins bool) engine.Config {
	return engine.Config{
		Load:      load.Options{Memory: project},
		Values:    values.Flags{KVYAML: []string{"replicas=3"}},
		Overrides: []override.Argument{{Text: "{spec: {image: z, labels: {a: 2}, extra: [1]}}"}},
		Origins:   origins,
	}
}

func TestOrigins(t *testing.T) {
	s, err := engine.Open(context.Background(), config(true))
	if err != nil {
		t.Fatal(err)
	}
	checkOrigins(t, s, 5)
	// What a reloaded session knows already has its origins, too.
	changed := slices.Clone(project)
	changed[3].Data = append([]byte("#! touched\n"), changed[3].Data...)
	next, err := s.Reload(context.Background(), engine.FileChanges{Memory: changed})
	if err != nil {
		t.Fatal(err)
	}
	checkOrigins(t, next, 6)
}

func checkOrigins(t *testing.T, s *engine.Session, line int) {
	t.Helper()
	vals, err := s.Evaluate(context.Background(), engine.Request{Goal: engine.DataValues})
	if err != nil {
		t.Fatal(err)
	}
	docs, err := s.Evaluate(context.Background(), engine.Request{})
	if err != nil {
		t.Fatal(err)
	}
	want := `: schema default schema.yml:2
/replicas: flag --data-value-yaml replicas=3, data values document values.yml:3, schema default schema.yml:2
/name: schema default more.yml:3
/ports/0: data values document values.yml:5
/ports/0/host: schema default schema.yml:7
`
	if diff := cmp.Diff(history(vals), want); diff != "" {
		t.Errorf("data values (-got +want):\n%s", diff)
	}
	want = `/spec/replicas: template app.yml:LINE
/spec/image: override --overrides #1:1, overlay over.yml:5
/spec/labels: overlay over.yml:7
/spec/labels/a: override --overrides #1:1, overlay over.yml:7
/spec/extra: override --overrides #1:1
`
	want = strings.ReplaceAll(want, "LINE", strconv.Itoa(line))
	if diff := cmp.Diff(history(docs), want); diff != "" {
		t.Errorf("documents (-got +want):\n%s", diff)
	}
}

// TestOriginsAreNotKept holds a session to keeping nothing that it was not asked for.
func TestOriginsAreNotKept(t *testing.T) {
	s, err := engine.Open(context.Background(), config(false))
	if err != nil {
		t.Fatal(err)
	}
	for _, req := range []engine.Request{{}, {Goal: engine.DataValues}} {
		res, err := s.Evaluate(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := history(res); res.Origins != nil || got != "" {
			t.Errorf("origins were kept: %s", got)
		}
	}
}

// history is the values of a result that something has set, each with what did, the last first.
func history(res *engine.Result) string {
	var b strings.Builder
	var walk func(path string, v tree.Value)
	walk = func(path string, v tree.Value) {
		if v.Origin() != 0 {
			var words []string
			for s := range res.Origins.History(v.Origin()) {
				words = append(words, s.By.String()+" "+place(res.Files, s.At))
			}
			fmt.Fprintf(&b, "%s: %s\n", path, strings.Join(words, ", "))
		}
		switch x := v.Starlark().(type) {
		case *tree.Map:
			for _, it := range x.Entries() {
				walk(path+"/"+strings.Trim(it.Key.Starlark().String(), `"`), it.Value)
			}
		case *tree.Array:
			for i, it := range x.Entries() {
				walk(fmt.Sprintf("%s/%d", path, i), it.Value)
			}
		}
	}
	for _, d := range res.Docs {
		walk("", d.Value)
	}
	return b.String()
}

func place(files *source.Set, at source.Span) string {
	f := files.File(at.Pos)
	if f == nil {
		return "nowhere"
	}
	return f.WhereLine(at.Offset())
}
