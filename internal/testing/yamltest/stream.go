// Package yamltest reads YAML for tests of packages that change documents. Only tests import it.
package yamltest

import (
	"bytes"
	"fmt"
	"testing"

	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Stream is a file of documents, and the options that it was read with.
type Stream struct {
	Files *source.Set
	Tree  *yaml.Tree
	Docs  []tree.Doc
}

// TryRead reads a file that may have errors.
func TryRead(text string) (*Stream, error) {
	s := &Stream{Files: &source.Set{}}
	f, err := s.Files.Add("base.yml", []byte(text))
	if err != nil {
		return nil, err
	}
	if s.Tree, err = yaml.Parse(f, yaml.Options{}); err != nil {
		return nil, err
	}
	if list := s.Tree.Check(false); list != nil {
		return nil, list
	}
	for doc := range s.Tree.Documents() {
		v := tree.FromSyntax(s.Tree, s.Tree.Root(doc))
		s.Docs = append(s.Docs, tree.Doc{Value: v, Pos: s.Tree.Start(doc)})
	}
	return s, nil
}

// Read reads a file.
func Read(tb testing.TB, text string) *Stream {
	tb.Helper()
	s, err := TryRead(text)
	if err != nil {
		tb.Fatalf("reading %q: %v", text, err)
	}
	return s
}

// ReadBack reads a text that must contain this many documents.
func ReadBack(text string, docs int) (*Stream, error) {
	s, err := TryRead(text)
	if err != nil {
		return nil, fmt.Errorf("the result cannot be read: %w\n%s", err, text)
	}
	if len(s.Docs) != docs {
		return nil, fmt.Errorf("%d documents have become %d:\n%s", docs, len(s.Docs), text)
	}
	return s, nil
}

// Text returns the text of the file with other values in its documents.
func (s *Stream) Text(docs []tree.Doc) (string, error) {
	values := make([]tree.Value, len(docs))
	for i, d := range docs {
		values[i] = d.Value
	}
	texts, err := edit.Text([]*yaml.Tree{s.Tree}, values, yaml.Options{})
	return string(bytes.Join(texts, nil)), err
}

// Said returns the content of a value as text, independent of the order of keys.
func Said(v tree.Value) string { return fmt.Sprintf("%#v", v.Go()) }

// RepeatsCollection reports whether a mapping has two equal keys that are not scalars.
func RepeatsCollection(v tree.Value) bool {
	var r tree.Reader
	seen := map[string]bool{}
	for _, it := range r.Items(nil, v) {
		if v.Kind() == tree.MapKind && it.Key.Kind() != tree.ScalarKind {
			text := Said(it.Key)
			if seen[text] || RepeatsCollection(it.Key) {
				return true
			}
			seen[text] = true
		}
		if RepeatsCollection(it.Value) {
			return true
		}
	}
	return false
}
