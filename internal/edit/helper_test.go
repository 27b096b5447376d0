package edit_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"weft/internal/edit"
	"weft/internal/override"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// Overrides say what is to be edited: they make new values that share all that stays with the old
// ones.

// stream is a file of documents, and what it was read with.
type stream struct {
	files *source.Set
	tree  *yaml.Tree
	docs  []tree.Document
}

func tryRead(text string) (*stream, error) {
	s := &stream{files: &source.Set{}}
	f, err := s.files.Add("base.yml", []byte(text))
	if err != nil {
		return nil, err
	}
	if s.tree, err = yaml.Parse(f, yaml.Options{}); err != nil {
		return nil, err
	}
	if list := s.tree.Check(false); list != nil {
		return nil, list
	}
	for _, doc := range edit.Documents(s.tree) {
		s.docs = append(
			s.docs,
			tree.Document{Value: tree.FromSyntax(s.tree, s.tree.Root(doc)), Pos: s.tree.Start(doc)},
		)
	}
	return s, nil
}

func read(t testing.TB, text string) *stream {
	t.Helper()
	s, err := tryRead(text)
	if err != nil {
		t.Fatalf("reading %q: %v", text, err)
	}
	return s
}

// overrides reads overrides into the files of s.
func (s *stream) overrides(texts ...string) ([]tree.Document, error) {
	r := override.Reader{Files: s.files}
	var args []override.Argument
	for _, text := range texts {
		args = append(args, override.Argument{Text: text})
	}
	return r.Overrides(context.Background(), args)
}

// apply is the text that overrides make of s, and its documents.
func (s *stream) apply(texts ...string) (string, []tree.Document, error) {
	list, err := s.overrides(texts...)
	if err != nil {
		return "", nil, err
	}
	out, err := override.Apply(
		context.Background(),
		[][]tree.Document{s.docs},
		list,
		override.Options{},
	)
	if err != nil {
		return "", nil, err
	}
	text, err := s.text(out[0])
	return text, out[0], err
}

// text is the text of s with other values in its documents.
func (s *stream) text(docs []tree.Document) (string, error) {
	values := make([]tree.Value, len(docs))
	for i, d := range docs {
		values[i] = d.Value
	}
	texts, err := edit.Text([]*yaml.Tree{s.tree}, values, yaml.Options{})
	return string(bytes.Join(texts, nil)), err
}

// said is what a document says, whatever the order of keys.
func said(d tree.Document) string { return fmt.Sprintf("%#v", d.Value.Go()) }
