// Package values works out data values: schema defaults, data values documents and flags, laid over each other.
//
// It takes documents that were evaluated already and flags as they were given, and gives one document and its type. It knows neither files nor templates.
package values

import (
	"weft/internal/diag"
	"weft/internal/overlay"
	"weft/internal/schema"
	"weft/internal/tree"
)

// Schema is the type that schema documents declare together: each is laid over those before it. Without any, everything goes. The list may be of warnings alone.
func Schema(docs []tree.Document, opt overlay.Options) (*schema.Type, diag.List) {
	if len(docs) == 0 {
		return schema.Any(), nil
	}
	merged := docs[0]
	for _, d := range docs[1:] {
		var err error
		if merged, err = overlay.Document(merged, d, opt); err != nil {
			return nil, diag.Of(err)
		}
	}
	return schema.Build(merged)
}

// Stack is data values while documents are laid over each other. It never changes: what many evaluations of a library begin with is worked out once.
type Stack struct {
	tree.Document
	Warnings diag.List // deprecated values that were set

	typ   *schema.Type
	empty bool // there is neither a schema nor a document: the first one is the base as it is
}

// New is the defaults of a type. Without a schema, which is told by declared, there are none.
func New(t *schema.Type, declared bool) Stack {
	s := Stack{Document: t.Default(), typ: t, empty: !declared}
	if s.empty {
		s.Value = tree.Of(tree.NewMap(nil, s.Pos))
	}
	return s
}

// Lay lays documents over s, in order. After each step the result is checked and completed. The error is a diag.List.
func (s Stack) Lay(docs []tree.Document, opt overlay.Options) (Stack, error) {
	for _, doc := range docs {
		if s.empty {
			if s.empty = false; !fromFlag(doc) {
				s.Document = doc
				continue
			}
		}
		merged, err := overlay.Document(s.Document, doc, opt)
		if err != nil {
			return s, err
		}
		checked, list := s.typ.Assign(merged, s.Document)
		if list != nil {
			return s, list
		}
		s.Warnings = append(s.Warnings[:len(s.Warnings):len(s.Warnings)], s.typ.Deprecated(doc)...)
		s.Document = checked
	}
	return s, nil
}

// fromFlag reports whether a document was made of a flag: its items say that they may be missing on the other side, so that there must be another side.
func fromFlag(d tree.Document) bool {
	m, ok := d.Value.Map()
	if !ok {
		return false
	}
	for _, it := range m.Entries() {
		if it.Annotations != missingNotes && it.Annotations != replaceNotes {
			return false
		}
	}
	return len(m.Entries()) > 0
}
