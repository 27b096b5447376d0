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

// Layer is one document that is laid over those before it.
type Layer struct {
	tree.Document
	Plain bool // it replaces as flags do: see Plain
}

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

// Result is the data values, worked out.
type Result struct {
	tree.Document
	Warnings diag.List // deprecated values that were set
}

// Resolve lays documents over the defaults of a type, in order. After each step the result is checked and completed. The error is a diag.List.
func Resolve(t *schema.Type, hasSchema bool, layers []tree.Document, opt overlay.Options) (*Result, error) {
	res := &Result{Document: t.Default()}
	if !hasSchema {
		// The first document is the base as it is.
		res.Value = tree.Of(tree.NewMap(nil, res.Pos))
		if len(layers) > 0 && !fromFlag(layers[0]) {
			res.Document = layers[0]
			layers = layers[1:]
		}
	}
	for _, layer := range layers {
		layer = layer.Placed() // what code made is said to be where it was put
		merged, err := overlay.Document(res.Document, layer, opt)
		if err != nil {
			return nil, err
		}
		checked, list := t.Assign(merged, res.Document)
		if list != nil {
			return nil, list
		}
		res.Warnings = append(res.Warnings, t.Deprecated(layer)...)
		res.Document = checked
	}
	return res, nil
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
