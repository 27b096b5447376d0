package engine_test

import (
	"context"
	"errors"
	"testing"

	"weft/internal/engine"
	"weft/internal/lang/source"
)

// If documents cannot be rendered once more to find the line of a message, their file is named.
func TestPlacesOfFailedRender(t *testing.T) {
	made := func() *engine.Generated {
		return &engine.Generated{Documents: []engine.GeneratedDocument{{
			Path: "a.yaml", Text: "a: 1\n",
			Origins: func(int) []source.Origin { return []source.Origin{{Path: "chart/a.yaml"}} },
		}}, Text: func(string) []byte { return nil }}
	}
	for name, again := range map[string]func() (*engine.Generated, error){
		"fails":   func() (*engine.Generated, error) { return nil, errors.New("it was cancelled") },
		"nothing": func() (*engine.Generated, error) { return &engine.Generated{}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			config := engine.Config{Generators: []engine.Generator{{
				Kind: "chart", Name: "web",
				Render: func(_ context.Context, r engine.GeneratorRequest) (*engine.Generated, error) {
					if r.Origins {
						return again()
					}
					return made(), nil
				},
			}}}
			s, err := engine.Open(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			res, err := s.Evaluate(t.Context(), engine.Request{})
			if err != nil {
				t.Fatal(err)
			}
			at := res.Docs[0].Value.Span()
			if got := res.Files.File(at.Pos).WhereLine(at.Offset()); got != "chart/a.yaml" {
				t.Errorf("got %s", got)
			}
		})
	}
}
