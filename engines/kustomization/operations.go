package kustomization

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"weft/internal/project/engines/wire"
)

// operation is an operation of a JSON patch that adds or replaces a value.
type operation struct {
	file  string
	line  int        // of the first line of the patch's text
	entry wire.Place // of the patch in its kustomization
	path  []string
	value *yaml.Node
}

// operationsOf returns the operations of all JSON patches that a tree has read.
func (t *tree) operationsOf() []operation {
	var list []operation
	for _, file := range t.kustomizations {
		for _, e := range t.entriesIn(file) {
			if e.key != "patches" && e.key != "patchesJson6902" {
				continue
			}
			from, line, text := file, 0, ""
			if n := field(e.item, "patch"); n != nil {
				text = n.Value
				if n.Style&yaml.LiteralStyle != 0 {
					line = n.Line + 1
				}
			} else if n := field(e.item, "path"); n != nil {
				from, line = path.Join(path.Dir(file), n.Value), 1
				text = string(t.text(from))
			}
			if isOperations(text) {
				list = append(list, operationsIn(text, operation{
					file: from, line: line,
					entry: wire.Place{File: file, Line: e.line},
				})...)
			}
		}
	}
	return list
}

// isOperations reports whether a patch is a list of operations, as kustomize tells them from other patches.
func isOperations(text string) bool {
	root, err := yaml.Parse(text)
	return err == nil && root != nil && root.YNode().Kind == yaml.SequenceNode
}

func operationsIn(text string, o operation) []operation {
	root, err := yaml.Parse(text)
	if err != nil {
		return nil
	}
	var list []operation
	for _, n := range root.YNode().Content {
		at, value := field(n, "path"), field(n, "value")
		if at == nil || value == nil {
			continue
		}
		o.path, o.value = nil, value
		for part := range strings.SplitSeq(strings.TrimPrefix(at.Value, "/"), "/") {
			o.path = append(o.path, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
		}
		list = append(list, o)
	}
	return list
}

// withoutOperations takes the JSON patches out of a kustomization, because kustomize makes new nodes of a
// whole document to apply them.
func (t *tree) withoutOperations(file string, k *types.Kustomization) {
	drop := func(p types.Patch) bool {
		text := p.Patch
		if text == "" {
			text = string(t.text(path.Join(path.Dir(file), p.Path)))
		}
		return isOperations(text)
	}
	k.Patches = slices.DeleteFunc(k.Patches, drop)
	k.PatchesJson6902 = slices.DeleteFunc(k.PatchesJson6902, drop)
	notEmpty(k)
}

// notEmpty keeps a kustomization without entries from being an error.
func notEmpty(k *types.Kustomization) {
	if k.GeneratorOptions == nil {
		k.GeneratorOptions = &types.GeneratorOptions{}
	}
}

// lineFor returns where an operation sets the value at a path of a document. The value must be the same.
func lineFor(list []operation, at []string, value *yaml.Node) []wire.Place {
	var found []wire.Place
	for _, o := range list {
		n, ok := o.below(at)
		if !ok || n.Kind != yaml.ScalarNode || n.Value != value.Value || strings.Contains(n.Value, "\n") {
			continue
		}
		place := o.entry
		if o.line > 0 {
			place = wire.Place{File: o.file, Line: o.line + n.Line - 1}
		}
		same := func(p wire.Place) bool { return p.File == place.File && p.Line == place.Line }
		if !slices.ContainsFunc(found, same) {
			found = append(found, place)
		}
	}
	if len(found) == 1 {
		return found
	}
	return nil // none, or several that set the same
}

// setBy reports whether an operation sets the value at a path, in some document.
func setBy(list []operation, at []string, value *yaml.Node) bool {
	return slices.ContainsFunc(list, func(o operation) bool {
		n, ok := o.below(at)
		return ok && equal(n, value)
	})
}

// below returns the part of an operation's value that is at a path of a document.
func (o *operation) below(at []string) (*yaml.Node, bool) {
	if len(at) < len(o.path) {
		return nil, false
	}
	for i, part := range o.path {
		if part != at[i] && part != "-" {
			return nil, false
		}
	}
	n := o.value
	for _, part := range at[len(o.path):] {
		switch n.Kind {
		case yaml.MappingNode:
			n = field(n, part)
		case yaml.SequenceNode:
			i := slices.Index(indexes(len(n.Content)), part)
			if i < 0 {
				return nil, false
			}
			n = follow(n.Content[i])
		default:
			return nil, false
		}
		if n == nil {
			return nil, false
		}
	}
	return n, true
}
