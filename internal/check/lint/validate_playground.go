//go:build playground

package lint

import (
	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// SchemaCache keeps Kubernetes schemas for as long as their files stay the same. The zero value is
// ready to use. It is safe for concurrent use.
type SchemaCache struct{}

type openSchemas struct{}

// codeSchemas is the code of package kubernetes, which the playground does not include.
const codeSchemas diag.Code = "kubernetes/schemas"

// Check accepts any version: validate rejects them all.
func (s *Schemas) Check() error { return nil }

// validate always fails: a page in a browser has no directory with Kubernetes schemas, and should
// not load the code to read them.
func (l *Linter) validate(env *Environment, res *engine.Result) (diag.List, *source.Set, error) {
	if env.Schemas.Version == "" {
		return nil, res.Files, nil
	}
	return nil, res.Files, diag.Failf(codeSchemas, "the playground has no schemas of Kubernetes").
		WithHint("run weft lint in a terminal")
}
