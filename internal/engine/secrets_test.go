package engine_test

import (
	"testing"
	"testing/fstest"

	"weft/internal/engine"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
)

// secretProject has a library whose error message has a secret data value.
func secretProject(app string) fstest.MapFS {
	const schema = "#@data/values-schema\n---\nname: on\n#@schema/secret\ntoken: token1234567\n"
	const library = "#@data/values-schema\n---\n#@schema/secret\npassword: hunter2hunter2\n"
	return fstest.MapFS{
		"config/schema.yml":              {Data: []byte(schema)},
		"config/app.yml":                 {Data: []byte(app)},
		"config/_ytt_lib/lib/schema.yml": {Data: []byte(library)},
		"config/_ytt_lib/lib/app.yml": {Data: []byte(`#@ load("@ytt:data", "data")
#@ load("@ytt:assert", "assert")
a: #@ assert.fail("wrong: " + data.values.password)
`)},
	}
}

// callsLibrary is a template that evaluates the library, and readsName one that reads a data value. If that
// has two meanings, the evaluation is repeated to follow it.
const (
	callsLibrary = `#@ load("@ytt:library", "library")
#@ load("@ytt:template", "template")
--- #@ template.replace(library.get("lib").eval())
`
	readsName = "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n"
)

// A message hides the same secrets after later evaluations, which know fewer.
func TestSecretsOfEarlierEvaluation(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		app          string
		token        string // of a flag, which is a file beside those of the session
		first, again engine.Request
	}{
		"data values":  {app: callsLibrary, again: engine.Request{Goal: engine.DataValues}},
		"a part":       {app: callsLibrary, again: engine.Request{Only: []string{"schema.yml"}}},
		"with a flag":  {app: callsLibrary, token: "other1234567", again: engine.Request{Goal: engine.DataValues}},
		"followed use": {app: readsName, first: engine.Request{Library: "_ytt_lib/lib"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var config engine.Config
			config.Load.FS, config.Load.Paths = secretProject(tt.app), []string{"config"}
			config.Keep, config.Compile.Literals = keep.Literals, true
			s, err := engine.Open(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			if tt.token != "" {
				tt.first.Layers, err = s.Layers(t.Context(), values.Flags{KV: []string{"token=" + tt.token}})
				if err != nil {
					t.Fatal(err)
				}
				tt.again.Layers = tt.first.Layers
			}
			_, err = s.Evaluate(t.Context(), tt.first)
			f := diag.FailureOf(err)
			show := func() string { return f.Files.ConcealedMessage(f.List[0].Message) }
			before := show()
			if _, err := s.Evaluate(t.Context(), tt.again); err != nil {
				t.Fatal(err)
			}
			if got := show(); got != before {
				t.Errorf("got %q, before %q", got, before)
			}
		})
	}
}
