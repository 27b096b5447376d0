package weft_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"weft"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// migrated are files on which the two editions disagree.
var migrated = []string{
	"on: yes\nn: [off, Off, y, N, 'no']\n",
	"a: [0777, 1_000, 0b11, +0x1F, 089, 0o17, .5, -017, +18446744073709551615, 12:30:45]\n",
	"# top\na: 1 # one\n\n# end\n",
	"#!/bin/sh\na: 1\n",
	"\ufeff# first\r\na: on\r\n",
	"a: 1\nb: {x: 1, x: on}\na:\n  c: 1\n  c: 2\n",
	"a: &x 1\na: &y 2\nb: *y\n",
	"a: &x 1\na: 2\nb: *x\n",
	"a: [\n  1\n]\nb: {\nc: {d: [\n2\n]}}\n",
	"a: [1]#c\nb: 'x'#c\n",
	"|\n  123\n  123",
	"a: |+\n  x",
	"a: >2-\n    x",
	"a: |\n  # no comment\n  on\n",
	"a: [x, # one\n y] # two\n---\nb: on\n...\n# end\n",
	"a: !!binary aGVsbG8=\nb: !!bool yes\nc: !!int '017'\nd: !!float 1_0\ne: !!str on\n",
	"base: &b {on: 1}\nc: {<<: *b, on: 2}\n",
	"#@ x = 1\na: #@ x\non: off #! note\n#@ if x:\nb: 1\n#@ else:\nb: on\n#@ end\n",
	"#@yaml/text-templated-strings\na: on(@= 'x' @)\nb: on\n",
	"#@ def f():\n# of f\non: 1\n#@ end\na: #@ f()\n",
	"#@data/values\n---\n#! x\na: on\n",
	"? on\n: yes\n? [a]\n: 1\n",
	"\"a\": 1\n'a': 017\n",
	"a: on\ta\nb: ~\nc:\n",
}

// FuzzMigrate: a migration that is proven is one. What the new file makes in edition 2026 has the
// values that the old one has in edition ytt, and none of its comments. Both editions agree about
// the new file, and there is nothing more to migrate in it.
func FuzzMigrate(f *testing.F) {
	for _, text := range migrated {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		options := func(text []byte, e weft.Edition) weft.Options {
			return weft.Options{
				Files: []weft.File{{Path: "config.yml", Data: text}}, Edition: e,
				IgnoreUnknownComments: true, Limits: weft.Limits{Steps: 10_000, Nodes: 10_000},
			}
		}
		m, err := weft.Migrate(context.Background(), nil, options([]byte(text), weft.EditionYTT))
		if err != nil || len(m.Unproven) > 0 {
			return
		}
		after := []byte(text)
		for _, file := range m.Files() {
			after = file.Data
		}
		want := valuesOf(t, options([]byte(text), weft.EditionYTT))
		for _, e := range []weft.Edition{weft.EditionYTT, weft.Edition2026} {
			if got := valuesOf(t, options(after, e)); got != want {
				t.Errorf("edition %s gives\n%s\nwant\n%s\nof\n%s", e, got, want, after)
			}
		}
		again, err := weft.Migrate(context.Background(), nil, options(after, weft.EditionYTT))
		if err != nil || len(again.Unproven) > 0 || len(again.Files()) > 0 {
			t.Errorf("the new file has to be migrated again: %v\n%q", err, after)
		}
	})
}

// TestMigrate: the seeds of the fuzz target are proven, but for what has to be left to people.
func TestMigrate(t *testing.T) {
	left := []string{"a: &x 1\na: 2\nb: *x\n"}
	for _, text := range migrated {
		file := weft.File{Path: "config.yml", Data: []byte(text)}
		m, err := weft.Migrate(context.Background(), nil, weft.Options{
			Files: []weft.File{file}, IgnoreUnknownComments: true,
		})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if len(m.Unproven) == 0 == slices.Contains(left, text) {
			t.Errorf("%q: unproven: %v", text, m.Unproven)
		}
	}
}

// valuesOf are the documents that options give, in canonical form. As the edition writes them, they
// have no comments.
func valuesOf(t *testing.T, opts weft.Options) string {
	t.Helper()
	var texts [2]strings.Builder
	for i, keep := range []weft.Keep{0, weft.KeepNothing} {
		opts.Keep = keep
		res, err := weft.Render(context.Background(), opts)
		if err != nil {
			t.Fatalf("edition %s: %v\n%s", opts.Edition, err, opts.Files[0].Data)
		}
		if _, err := res.WriteTo(&texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	if text := texts[0].String(); hasComments(t, text) {
		t.Errorf("there are comments in the output\n%s\nof\n%s", text, opts.Files[0].Data)
	}
	return texts[1].String()
}

func hasComments(t *testing.T, text string) bool {
	t.Helper()
	f, err := new(source.Set).Add("out.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := yaml.Parse(f, yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return len(tree.Comments()) > 0
}
