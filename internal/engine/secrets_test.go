package engine_test

import (
	"testing"
	"testing/fstest"

	"weft/internal/engine"
	"weft/internal/lang/diag"
)

func TestSecretsOfEarlierEvaluation(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"config/schema.yml": {Data: []byte("#@data/values-schema\n---\n#@schema/secret\ntoken: token1234567\n")},
		"config/app.yml": {Data: []byte(`#@ load("@ytt:library", "library")
#@ load("@ytt:template", "template")
--- #@ template.replace(library.get("lib").eval())
`)},
		"config/_ytt_lib/lib/schema.yml": {Data: []byte(
			"#@data/values-schema\n---\n#@schema/secret\npassword: hunter2hunter2\n",
		)},
		"config/_ytt_lib/lib/app.yml": {Data: []byte(`#@ load("@ytt:data", "data")
#@ load("@ytt:assert", "assert")
a: #@ assert.fail("wrong: " + data.values.password)
`)},
	}
	var config engine.Config
	config.Load.FS, config.Load.Paths = files, []string{"config"}
	for name, again := range map[string]engine.Request{
		"data values": {Goal: engine.DataValues}, "a part": {Only: []string{"schema.yml"}},
	} {
		s, err := engine.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Evaluate(t.Context(), engine.Request{})
		f := diag.FailureOf(err)
		show := func() string { return f.Files.ConcealedMessage(f.List[0].Message) }
		before := show()
		if _, err := s.Evaluate(t.Context(), again); err != nil {
			t.Fatal(err)
		}
		if got := show(); got != before {
			t.Errorf("%s: got %q, before %q", name, got, before)
		}
	}
}
