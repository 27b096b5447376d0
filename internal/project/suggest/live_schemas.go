//go:build !playground

package suggest

import (
	"weft/internal/check/jsonschema"
	"weft/internal/check/kubernetes"
	"weft/internal/check/lint"
	"weft/internal/lang/tree"
)

// schemasOf returns a function that finds what schemas say about an object: those that `weft lint` uses, and
// those of the custom resources that documents define. Without schemas, or if they cannot be read, it says
// nothing: they are not needed to render.
func (s *search) schemasOf(docs []tree.Doc) func(object tree.Value) jsonschema.Outline {
	schemas := kubernetes.Custom()
	if o, err := s.trial.options(draft{}, s.in.Env); err == nil {
		if named := o.Linting().Schemas; named.Version != "" {
			if found, err := named.Open(&lint.SchemaCache{}); err == nil {
				schemas = found
			}
		}
	}
	schemas = schemas.With(docs, nil)
	return func(object tree.Value) jsonschema.Outline {
		t := kubernetes.Type{APIVersion: object.TextAt("apiVersion"), Kind: object.TextAt("kind")}
		if found, err := schemas.Find(t); err == nil && found != nil {
			return found.Outline()
		}
		return nil
	}
}
