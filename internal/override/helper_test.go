package override

import (
	"bytes"
	"context"
	"testing"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// stream is a file of documents, and what it was read with.
type stream struct {
	files *source.Set
	tree  *yaml.Tree
	docs  []tree.Document
}

func tryRead(text string) (*stream, error) {
	s := &stream{files: &source.Set{}}
	r := Reader{Files: s.files}
	t, err := r.parse("base.yml", []byte(text))
	if err != nil {
		return nil, err
	}
	s.tree, s.docs = t, DocumentsOf(t)
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
	r := Reader{Files: s.files}
	var args []Argument
	for _, text := range texts {
		args = append(args, Argument{Text: text})
	}
	return r.Overrides(context.Background(), args)
}

// apply is the text that overrides make of s.
func (s *stream) apply(opt Options, texts ...string) (string, []tree.Document, error) {
	list, err := s.overrides(texts...)
	if err != nil {
		return "", nil, err
	}
	out, err := Apply(context.Background(), [][]tree.Document{s.docs}, list, opt)
	if err != nil {
		return "", nil, err
	}
	return s.text(out[0]), out[0], nil
}

func (s *stream) text(docs []tree.Document) string {
	values := make([]tree.Value, len(docs))
	for i, d := range docs {
		values[i] = d.Value
	}
	texts, err := Text([]*yaml.Tree{s.tree}, values, yaml.Options{})
	if err != nil {
		panic(err)
	}
	return string(bytes.Join(texts, nil))
}

// message is an error with its places.
func (s *stream) message(err error) string {
	text := ""
	for _, d := range diag.Of(err) {
		if f := s.files.File(d.At.Pos); f != nil {
			text += place(s.files, d.At.Pos) + ": "
		}
		text += d.Message + "\n"
	}
	return text
}
