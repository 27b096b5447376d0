package feature

import (
	"context"
	"path"

	"weft/internal/serve/lsp/index"
)

// checkNeighbors returns an error if files outside the project may use the name too.
func (r *renaming) checkNeighbors(ctx context.Context, s *subject) error {
	if p := r.doc.Project(); p != nil && p.IsUnknown() && !s.isSymbol() {
		return refuse("weft does not know which files are rendered together with %s: "+
			"list them in a weft.yml, which `weft init` creates", r.doc.Path())
	}
	neighbors, err := r.doc.Neighbors(ctx, r.old)
	if err != nil {
		return err
	}
	if s.isSymbol() {
		return r.loadedElsewhere(append(neighbors, r.all.Sources...), s.symbol)
	}
	if s.values[0].Library == "" {
		return r.refuseOtherReads(neighbors, s.values[0])
	}
	return nil
}

// loadedElsewhere returns an error if a file loads a function of this name from a file of this name.
func (r *renaming) loadedElsewhere(sources []*index.Source, symbol index.Symbol) error {
	for _, src := range sources {
		for _, b := range src.File.Bindings {
			if b.Kind != index.Loaded || b.From != r.old ||
				path.Base(b.Module) != path.Base(symbol.Source.Path) || len(r.edits[src]) > 0 {
				continue
			}
			return r.outside(src, b.At)
		}
	}
	return nil
}

// refuseOtherReads returns an error if a file reads, declares or sets a data value that may be this
// one.
func (r *renaming) refuseOtherReads(sources []*index.Source, v index.Value) (err error) {
	for _, src := range sources {
		if !r.mayUseValues(src) {
			continue
		}
		one := index.New([]*index.Source{src})
		one.Keys(v, func(src *index.Source, k *index.Key) { err = r.outside(src, k.At) })
		one.Reads(v, func(src *index.Source, read *index.Read, _ bool) { err = r.outside(src, read.At) })
		if err != nil {
			return err
		}
	}
	return nil
}

// mayUseValues reports whether a file may use data values of the project. Plain YAML may if the project
// has all of its top-level keys.
func (r *renaming) mayUseValues(src *index.Source) bool {
	if src.Input != "" {
		return true
	}
	for i := range src.File.Keys {
		k := &src.File.Keys[i]
		known := false
		r.all.Keys(index.Value{Path: k.Path}, func(*index.Source, *index.Key) { known = true })
		if len(k.Path) == 1 && !known {
			return false
		}
	}
	return true
}

// outside returns an error that names a file outside the project that has the name.
func (r *renaming) outside(src *index.Source, at index.Range) error {
	return refuse("%s has '%s', too, and does not belong to the project of %s: if they are rendered "+
		"together, list them in a weft.yml, which `weft init` creates", r.where(src, at), r.old, r.doc.Path())
}
