package override

import (
	"bytes"
	"context"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/testing/yamltest"
)

// overrides reads overrides into the files of s.
func overrides(s *yamltest.Stream, texts ...string) ([]tree.Doc, error) {
	r := Reader{Files: s.Files}
	var args []Argument
	for _, text := range texts {
		args = append(args, Argument{Text: text})
	}
	return r.Overrides(context.Background(), args)
}

// applied is the text that overrides make of s.
func applied(s *yamltest.Stream, opt Options, texts ...string) (string, []tree.Doc, error) {
	list, err := overrides(s, texts...)
	if err != nil {
		return "", nil, err
	}
	drafts := make([]tree.Value, len(s.Docs))
	opt.Draft = func(_, doc int, v tree.Value) { drafts[doc] = v }
	out, err := Apply(context.Background(), [][]tree.Doc{s.Docs}, list, opt)
	if err != nil {
		return "", nil, err
	}
	parts, err := Text([]*yaml.Tree{s.Tree}, drafts, valuesOf(out[0]), yaml.Options{})
	if err != nil {
		panic(err) // no law allows it
	}
	return string(bytes.Join(parts, nil)), out[0], nil
}

// message is an error with its places.
func message(s *yamltest.Stream, err error) string {
	text := ""
	for _, d := range diag.Of(err) {
		if f := s.Files.File(d.At.Pos); f != nil {
			text += place(s.Files, d.At.Pos) + ": "
		}
		text += d.Message + "\n"
	}
	return text
}
