//go:build playground

package lint

import (
	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// SchemaCache keeps schemas of Kubernetes for as long as their files stay the same. The zero value
// is ready for use. Goroutines may share it.
type SchemaCache struct{}

type openSchemas struct{}

// codeSchemas is that of package kubernetes, which the playground does without.
const codeSchemas diag.Code = "kubernetes/schemas"

// Check leaves the version alone: validate refuses any.
func (s *Schemas) Check() error { return nil }

// validate refuses: a page in a browser has no directory with the schemas of Kubernetes, and should
// not load what reads them.
func (l *Linter) validate(env *Environment, res *engine.Result) (diag.List, *source.Set, error) {
	if env.Schemas.Version == "" {
		return nil, res.Files, nil
	}
	return nil, res.Files, diag.Failf(codeSchemas, "the playground has no schemas of Kubernetes").
		WithHint("run weft lint in a terminal")
}
