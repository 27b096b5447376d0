package engine

import (
	"path"
	"slices"
	"strings"
)

// maxParts is how many files of a chart or a kustomization are tried one by one. Each takes a rendering.
const maxParts = 16

// parts returns the change of a chart or a kustomization as changes that can be applied on their own, one for
// each file. If there are too many files, those that say less are one change.
func (c GeneratorChange) parts(a, b *Generated) []GeneratorChange {
	named, rest, whole := c.split(a, b)
	if len(named)+len(rest) > maxParts {
		rest = [][]string{slices.Concat(rest...)}
	}
	list := slices.Concat(named, rest)
	if whole || len(list) == 0 || len(list) > maxParts {
		return []GeneratorChange{c}
	}
	var parts []GeneratorChange
	for _, files := range list {
		_, before := a.Read[files[0]]
		_, after := b.Read[files[0]]
		parts = append(parts, GeneratorChange{
			Kind: c.Kind, Name: c.Name, Files: files, Apart: true, Before: before, After: after,
			Config: isConfig(files[0]), Old: textOf(a, files[0]), New: textOf(b, files[0]),
		})
	}
	return parts
}

// split returns the files that are tried one by one in any case, and the others. A file that a kustomization
// does not name yet, or no longer, has no effect: it goes with the kustomizations that changed. If none did,
// it is not known what uses it, and only the whole can be applied.
func (c *GeneratorChange) split(a, b *Generated) (named, rest [][]string, whole bool) {
	var added []string
	for _, file := range c.Files {
		_, before := a.Read[file]
		_, after := b.Read[file]
		switch {
		case c.Kind == "kustomization" && !before:
			added = append(added, file)
			whole = true
		case c.Kind == "kustomization" && !after:
		case isConfig(file):
			named = append(named, []string{file})
		default:
			rest = append(rest, []string{file})
		}
	}
	for i := range named {
		named[i] = append(named[i], added...)
	}
	return named, rest, whole && len(named) == 0
}

// isConfig reports whether a file decides what others mean: a kustomization, or the values or the metadata of
// a chart.
func isConfig(file string) bool {
	base := path.Base(file)
	return base == "values.yaml" || base == "Chart.yaml" ||
		strings.TrimSuffix(strings.ToLower(base), path.Ext(base)) == "kustomization"
}

func textOf(g *Generated, file string) []byte {
	if _, ok := g.Read[file]; !ok || g.Text == nil {
		return nil
	}
	return g.Text(file)
}
