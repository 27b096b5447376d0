package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	v2 "helm.sh/helm/v4/pkg/chart/v2"

	"weft/internal/project/engines/wire"
)

// keyOf returns a text that identifies a chain.
func keyOf(chain []wire.Place) string {
	var b strings.Builder
	for _, p := range chain {
		fmt.Fprintf(&b, "%q %d %q\n", p.File, p.Line, p.Values)
	}
	return b.String()
}

// defaults finds where values come from: the values files of a request, or values.yaml of the chart or of a
// dependency.
type defaults struct {
	source *source
	given  map[string]any
	root   *v2.Chart
	nodes  map[*v2.Chart]*yaml.Node
}

func newDefaults(c *v2.Chart, s *source, given map[string]any) *defaults {
	return &defaults{source: s, given: given, root: c, nodes: map[*v2.Chart]*yaml.Node{}}
}

// place returns the place of the value with a path. Dependencies see global values of the charts that they
// are in as if they were their own.
func (d *defaults) place(path []string) (wire.Place, bool) {
	if p, ok := d.at(path); ok {
		return p, true
	}
	for i := 1; i < len(path); i++ {
		if path[i] == "global" {
			return d.at(path[i:])
		}
	}
	return wire.Place{}, false
}

func (d *defaults) at(path []string) (wire.Place, bool) {
	if has(d.given, path) {
		return wire.Place{Values: path}, true
	}
	c, below := d.root, path
	for {
		if line, ok := d.line(c, below); ok {
			return wire.Place{Values: path, File: d.source.valuesOf(c), Line: line}, true
		}
		if len(below) < 2 {
			return wire.Place{}, false
		}
		i := slices.IndexFunc(c.Dependencies(), func(c *v2.Chart) bool { return c.Name() == below[0] })
		if i < 0 {
			return wire.Place{}, false
		}
		c, below = c.Dependencies()[i], below[1:]
	}
}

// has reports whether a path is in a value.
func has(at any, path []string) bool {
	for _, k := range path {
		switch in := at.(type) {
		case map[string]any:
			next, ok := in[k]
			if !ok {
				return false
			}
			at = next
		case []any:
			i, err := strconv.Atoi(k)
			if err != nil || i < 0 || i >= len(in) {
				return false
			}
			at = in[i]
		default:
			return false
		}
	}
	return true
}

// line returns the line of values.yaml of a chart at which a value is.
func (d *defaults) line(c *v2.Chart, path []string) (int, bool) {
	n, ok := d.nodes[c]
	if !ok {
		n = d.parse(c)
		d.nodes[c] = n
	}
	line := 0
	for _, k := range path {
		if n != nil && n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		if n == nil {
			return 0, false
		}
		var next *yaml.Node
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == k {
					next, line = n.Content[i+1], n.Content[i].Line
				}
			}
		case yaml.SequenceNode:
			if i, err := strconv.Atoi(k); err == nil && i >= 0 && i < len(n.Content) {
				next, line = n.Content[i], n.Content[i].Line
			}
		}
		if next == nil {
			return 0, false
		}
		n = next
	}
	return line, line > 0
}

// parse returns values.yaml of a chart. Files with several documents, which Helm merges, have no lines.
func (d *defaults) parse(c *v2.Chart) *yaml.Node {
	for _, f := range c.Raw {
		if f.Name != "values.yaml" {
			continue
		}
		decoder := yaml.NewDecoder(strings.NewReader(string(f.Data)))
		var doc, more yaml.Node
		if decoder.Decode(&doc) != nil || len(doc.Content) == 0 || decoder.Decode(&more) == nil {
			return nil
		}
		return doc.Content[0]
	}
	return nil
}
