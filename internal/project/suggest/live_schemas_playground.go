//go:build playground

package suggest

import (
	"weft/internal/check/jsonschema"
	"weft/internal/lang/tree"
)

// schemasOf finds no schemas: a page in a browser has no objects of a cluster, and should not load the code to
// read schemas.
func (s *search) schemasOf([]tree.Doc) func(tree.Value) jsonschema.Outline {
	return func(tree.Value) jsonschema.Outline { return nil }
}
