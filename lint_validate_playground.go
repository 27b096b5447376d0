//go:build playground

package weft

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

// check leaves the version alone: validate refuses any.
func (v Validation) check() error { return nil }

// validate refuses: a page in a browser has no directory with the schemas of Kubernetes, and should
// not load what reads them.
func (l *Linter) validate(
	opts Options, made *engine.Result,
) (diag.List, *source.Set, error) {
	if opts.Validate.Kubernetes == "" {
		return nil, made.Files, nil
	}
	return nil, made.Files, public(diag.Failf(codeSchemas,
		"the playground has no schemas of Kubernetes").
		WithHint("run weft lint in a terminal"))
}
