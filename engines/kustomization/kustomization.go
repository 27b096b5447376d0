// Package kustomization builds kustomizations with kustomize's engine, as `kustomize build` does.
//
//	kustomization.go   the steps: build, then errors or documents
//	tree.go            the repository as kustomize sees it, with limits
//	refuse.go          what a kustomization must not ask for: other repositories, charts
//	explain.go         errors of kustomize, with the line that they are about
//	origins.go         where the lines of documents come from
//	claims.go          the lines that kustomize kept, found by numbering them
//	entries.go         entries of kustomizations that set values, found by changing them
//	operations.go      JSON patches, which are left out to find the lines that they kept
//	generated.go       ConfigMaps and Secrets, and the lines of their files
//	lines.go           the same place in the documents of several builds
package kustomization

import (
	"path"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"weft/engines/files"
	"weft/internal/project/engines/wire"
)

// Build returns the documents of a kustomization, in the order in which kustomize prints them.
func Build(r *wire.Request, f *files.System) *wire.Answer {
	t := newTree(f)
	m, err := t.build(r.Kustomization.Path, nil)
	if err != nil {
		return &wire.Answer{Error: t.explain(err, r.Kustomization.Path)}
	}
	docs, err := documents(m, t.kustomizationIn(r.Kustomization.Path))
	if err != nil {
		return &wire.Answer{Error: t.explain(err, r.Kustomization.Path)}
	}
	a := &wire.Answer{Docs: docs}
	if r.Origins {
		addOrigins(a, t, r.Kustomization.Path)
	}
	return a
}

// documents returns the text of each resource.
func documents(m resmap.ResMap, source string) ([]wire.Doc, error) {
	var docs []wire.Doc
	for _, r := range m.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			return nil, err
		}
		docs = append(docs, wire.Doc{Source: source, Text: string(text)})
	}
	return docs, nil
}

// variant changes what kustomize reads, to find out what depends on it. A nil variant changes nothing.
type variant struct {
	kustomization func(file string, k *types.Kustomization)
	file          func(file string, text []byte) []byte
}

// customSchema is whether the last build has set a schema, which kustomize keeps for the next one.
var customSchema bool

// build builds a directory. What it may read is what weft sends, so kustomize need not keep it below the
// directory. It starts no plugins, functions or charts, which kustomize does only on request.
func (t *tree) build(dir string, v *variant) (resmap.ResMap, error) {
	if customSchema {
		openapi.ResetOpenAPI()
		customSchema = false
	}
	t.variant, t.reads = v, reads{}
	o := krusty.MakeDefaultOptions()
	o.LoadRestrictions = types.LoadRestrictionsNone
	o.Reorder = krusty.ReorderOptionUnspecified // as the command does: sortOptions, or else its usual order
	m, err := krusty.MakeKustomizer(o).Run(t, path.Join(mount, dir))
	if t.refused != nil {
		return nil, t.refused
	}
	if denied := t.files.Denied(); err != nil && denied != nil {
		return nil, denied
	}
	return m, err
}

// kustomizationIn returns the path of the kustomization in a directory.
func (t *tree) kustomizationIn(dir string) string {
	for _, name := range t.kustomizations {
		if path.Dir(name) == path.Clean(dir) {
			return name
		}
	}
	return path.Join(dir, "kustomization.yaml")
}

// decode reads a kustomization as kustomize does.
func decode(text []byte) (*types.Kustomization, error) {
	var k types.Kustomization
	if err := k.Unmarshal(text); err != nil {
		return nil, err
	}
	k.FixKustomization()
	return &k, nil
}
