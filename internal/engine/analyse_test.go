package engine_test

import (
	"testing"
	"testing/fstest"

	"weft/internal/engine"
)

// Files are analyzed once, also if only those that declare data values are asked for in between.
func TestFilesAreAnalysedOnce(t *testing.T) {
	var config engine.Config
	config.Load.FS = fstest.MapFS{
		"config/schema.yml": {Data: []byte("#@data/values-schema\n---\nname: a\n")},
		"config/a.yml":      {Data: []byte("#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n")},
		"config/b.yml":      {Data: []byte("#@ x = 1\nb: #@ x\n")},
	}
	config.Load.Paths, config.WarnUnused, config.Origins = []string{"config"}, true, true
	s, err := engine.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Evaluate(t.Context(), engine.Request{})
	if err != nil {
		t.Fatal(err)
	}
	s.Analyse(t.Context())
	n := s.Analysed()
	res.Watched.Declaring(t.Context(), s)
	s.Analyse(t.Context())
	if s.Analysed() != n {
		t.Errorf("%d files were analyzed, then %d", n, s.Analysed())
	}
}
