// Package kustomization builds kustomizations with kustomize's engine.
package kustomization

import (
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"

	"weft/engines/files"
	"weft/internal/project/engines/wire"
)

// Build returns the documents of a kustomization. What it may read is what the files have, so kustomize need
// not keep it below the kustomization's directory. It starts no plugins, and functions neither.
func Build(r *wire.Request, f *files.System) *wire.Answer {
	k := r.Kustomization
	o := krusty.MakeDefaultOptions()
	o.LoadRestrictions = types.LoadRestrictionsNone
	m, err := krusty.MakeKustomizer(o).Run(f, k.Path)
	if err != nil {
		if denied := f.Denied(); denied != nil {
			err = denied
		}
		return &wire.Answer{Error: &wire.Error{Message: err.Error(), File: k.Path}}
	}
	text, err := m.AsYaml()
	if err != nil {
		return &wire.Answer{Error: &wire.Error{Message: err.Error(), File: k.Path}}
	}
	return &wire.Answer{Docs: []wire.Doc{{Source: k.Path, Text: string(text)}}}
}
