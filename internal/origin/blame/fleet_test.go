package blame_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"weft/internal/engine"
	"weft/internal/engine/emit"
	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/origin/blame"
)

// Environments that are evaluated side by side in one traced session share its table of origins. CI
// runs this with the race detector.
func TestFleetOfReports(t *testing.T) {
	config := engine.Config{Load: load.Options{Memory: []load.Memory{
		{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\nname: web\nhosts: [a]\npublic: true\n")},
		{Path: "_ytt_lib/lib/values.yml", Data: []byte("#@data/values\n---\nname: lib\n")},
		{Path: "_ytt_lib/lib/a.yml", Data: []byte(`#@ load("@ytt:data", "data")
---
kind: Lib
name: #@ data.values.name
`)},
		{Path: "a.yml", Data: []byte(`#@ load("@ytt:data", "data")
#@ load("@ytt:library", "library")
#@ load("@ytt:template", "template")
#@ def labels(x):
app: #@ x
#@ end
---
kind: App
labels: #@ labels(data.values.name)
#@ if data.values.public:
public: yes
#@ end
hosts:
#@ for h in data.values.hosts:
- #@ h + "." + data.values.name
#@ end
--- #@ template.replace(library.get("lib").with_data_values({"name": data.values.name}).eval())
`)},
		{Path: "o.yml", Data: []byte(`#@ load("@ytt:data", "data")
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.subset({"kind": "App"})
---
labels:
  app: #@ data.values.name.upper()
  #@overlay/match missing_ok=True
  more: 1
`)},
	}}}
	render := func(s *engine.Session, i int) (*engine.Result, error) {
		layers, err := s.Layers(context.Background(), values.Flags{KVYAML: []string{
			fmt.Sprintf("name=web%d", i), fmt.Sprintf("public=%t", i%2 == 0), "hosts=[p, q, r]",
		}})
		if err != nil {
			return nil, err
		}
		return s.Evaluate(context.Background(), engine.Request{Layers: layers})
	}
	plain, err := engine.Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	config.Origins = true
	traced, err := engine.Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			want, err := render(plain, i)
			if err != nil {
				t.Fatal(err)
			}
			res, err := render(traced, i)
			if err != nil {
				t.Fatal(err)
			}
			in := blame.Input{Docs: res.Docs, Files: res.Files, Origins: res.Origins}
			r := blame.New(in)
			check(t, r, string(emit.Bytes(want.Docs)))
			var text strings.Builder
			if err := r.WriteText(&text, nil, 0, false); err != nil {
				t.Error(err)
			}
			note := fmt.Sprintf("= name  --data-value-yaml name=web%d", i)
			if !strings.Contains(text.String(), note) {
				t.Errorf("environment %d says nowhere %q:\n%s", i, note, text.String())
			}
		})
	}
}

// TestReportOutgrown asks a report about data values of a run that came after it: runs of a session
// share the table of origins, so what a report finds there may be younger than the report.
func TestReportOutgrown(t *testing.T) {
	config := engine.Config{Origins: true, Load: load.Options{Memory: []load.Memory{
		{Path: "values.yml", Data: []byte("#@data/values\n---\nname: web\n")},
		{Path: "app.yml", Data: []byte("#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n")},
	}}}
	s, err := engine.Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Evaluate(context.Background(), engine.Request{})
	if err != nil {
		t.Fatal(err)
	}
	r := blame.New(blame.Input{Docs: res.Docs, Files: res.Files, Origins: res.Origins})
	old := len(res.Origins.DataValues())
	layers, err := s.Layers(context.Background(), values.Flags{KVYAML: []string{"name=other"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Evaluate(context.Background(), engine.Request{Layers: layers}); err != nil {
		t.Fatal(err)
	}
	for _, l := range res.Origins.ReadLeaves() {
		if res.Origins.Leaf(l).Values >= old && r.DataValue(l).Name == "name" {
			return
		}
	}
	t.Error("the report does not know the data value that the second run read")
}
