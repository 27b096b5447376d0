package engine_test

import (
	"context"
	"testing"
	"testing/fstest"

	"weft/internal/engine"
	"weft/internal/lang/keep"
	"weft/internal/lang/source"
)

func TestFollowedCharts(t *testing.T) {
	var config engine.Config
	config.Load.FS = fstest.MapFS{
		"config/schema.yml": {Data: []byte("#@data/values-schema\n---\nname: on\n")},
		"config/app.yml":    {Data: []byte("#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n")},
	}
	config.Load.Paths = []string{"config"}
	config.Keep, config.Compile.Literals = keep.Literals, true
	config.Generators = []engine.Generator{{
		Kind: "chart", Name: "web",
		Render: func(_ context.Context, r engine.GeneratorRequest) (*engine.Generated, error) {
			return &engine.Generated{Documents: []engine.GeneratedDocument{{
				Path: "a.yaml", Text: "a: 1\n", Origins: func(int) []source.Origin { return nil },
			}}, Text: func(string) []byte { return nil }, Placed: true}, nil
		},
	}}
	s, err := engine.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range 4 {
		if _, err := s.Evaluate(t.Context(), engine.Request{}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			n = s.Files().Len()
		}
	}
	if s.Files().Len() != n {
		t.Errorf("%d files, then %d", n, s.Files().Len())
	}
}
