package values

import (
	"testing"
	"time"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/yaml"
)

// No text of a flag makes weft panic or hang; what is wrong has a message.
func FuzzFlags(f *testing.F) {
	for _, s := range []string{
		"a=1", "a.b.c={d: [1, 2]}", `a\.b=x`, "@lib@child~alias:a.b=1", "@~a:b=&x [*x]", "a:b=1", "=", "", "@", "a={", "a=- - -\n --- x", "a.b=1\na=2", "a=\xff", "#@ x\n", "a: {<<: *b}",
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		if len(first)+len(second) > 10_000 {
			return
		}
		env := environment("P_"+first, "P_a__b="+second)
		env.YAML = yaml.Options{MaxNodes: 100_000}
		began := time.Now()
		for _, flags := range []Flags{
			{Files: []string{first, second}},
			{Env: []string{"P", first}, EnvYAML: []string{"P", second}},
			{KV: []string{first, second}, KVYAML: []string{first, second}, KVFile: []string{first, second}},
			{Files: []string{first}, KVYAML: []string{second, "a=" + second, "a.b=" + first}},
		} {
			stack, err := lay(t, env, flags)
			if err == nil {
				_ = stack.Value.Empty()
				continue
			}
			for _, d := range diag.Of(err) {
				if d.Message == "" {
					t.Errorf("an error without a message: %#v", d)
				}
			}
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// No document of data values makes weft panic or hang, whatever it is merged into.
func FuzzDocuments(f *testing.F) {
	for _, s := range []string{
		"a: 1\n", "a: {b: [1, {c: 2}]}\n---\nd: null\n", "- 1\n- 2\n", "x: &x {y: 1}\nz: *x\n", "a: &a [*a]\n", "? [a]\n: b\n", "1: a\ntrue: b\n", "a: |\n  b\n", "---\n---\n",
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		if len(first)+len(second) > 10_000 {
			return
		}
		env := environment()
		env.YAML = yaml.Options{MaxNodes: 100_000}
		began := time.Now()
		base, err := lay(t, env, Flags{Files: []string{first}})
		if err != nil {
			return
		}
		docs, err := Flags{Files: []string{first, second}}.Documents(env)
		if err != nil {
			return
		}
		for _, d := range docs {
			if next, err := base.Apply(given([]FlagDocument{d}), overlay.Options{}); err == nil {
				base = next
			}
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("took %s", took)
		}
	})
}
