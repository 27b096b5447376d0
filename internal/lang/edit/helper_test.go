package edit_test

import (
	"context"

	"weft/internal/engine/override"
	"weft/internal/lang/tree"
	"weft/internal/testing/yamltest"
)

// Overrides say what is to be edited: they make new values that share all that stays with the old
// ones.

// overrides reads overrides into the files of s.
func overrides(s *yamltest.Stream, texts ...string) ([]tree.Doc, error) {
	r := override.Reader{Files: s.Files}
	var args []override.Argument
	for _, text := range texts {
		args = append(args, override.Argument{Text: text})
	}
	return r.Overrides(context.Background(), args)
}

// apply is the text that overrides make of s, and its documents.
func apply(s *yamltest.Stream, texts ...string) (string, []tree.Doc, error) {
	list, err := overrides(s, texts...)
	if err != nil {
		return "", nil, err
	}
	out, err := override.Apply(
		context.Background(),
		[][]tree.Doc{s.Docs},
		list,
		override.Options{},
	)
	if err != nil {
		return "", nil, err
	}
	text, err := s.Text(out[0])
	return text, out[0], err
}
