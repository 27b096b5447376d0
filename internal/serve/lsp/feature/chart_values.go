package feature

import (
	"context"

	"weft/internal/check/jsonschema"
	"weft/internal/engine/compile"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// chartDefault calls visit with where a chart sets the value of the key at an offset, in its values.yaml.
func chartDefault(
	ctx context.Context, doc *workspace.TextDocument, off int,
	visit func(path string, f *source.File, at source.Span),
) {
	charts := doc.ChartValues(ctx)
	a := doc.Analysis()
	if charts == nil || a.Tree == nil || a.Role != compile.ForOutput {
		return
	}
	at := outline.Over(doc.File().Data(), off, doc.Syntax())
	if at == nil || !at.Key {
		return
	}
	keys := append(pathOf(at.Path), text(at.Tree, at.Node))
	for _, c := range charts {
		if path, f, at := c.Default(keys); f != nil {
			visit(path, f, at)
		}
	}
}

// chartDefinitions returns where charts set the value of the key at an offset.
func chartDefinitions(ctx context.Context, doc *workspace.TextDocument, off int) []protocol.Location {
	list := []protocol.Location{}
	chartDefault(ctx, doc, off, func(path string, f *source.File, at source.Span) {
		s := doc.Snapshot()
		list = append(list, protocol.Location{URI: s.URI(path), Range: s.MapperOf(f).Span(at)})
	})
	return list
}

// byCharts describes the values that the document has for charts. It returns false if it has none.
func (d *described) byCharts() bool {
	charts := d.doc.ChartValues(d.ctx)
	if charts == nil {
		return false
	}
	var all jsonschema.Outline
	for _, c := range charts {
		for _, s := range c.Schemas {
			all = append(all, s.Outline()...)
		}
	}
	d.names, d.isPlain = chartDefaults, func(*outline.Cursor) bool { return true }
	d.rules = func(t *yaml.Tree, n yaml.NodeID) jsonschema.Outline {
		if _, ok := documentOf(t, n); ok {
			return all
		}
		return nil
	}
	return true
}

// chartDefaults offers the default of a value.
func chartDefaults(c *outline.Cursor, o jsonschema.Outline) []outline.Item {
	v, ok := o.Default()
	if !ok || c.Key && !c.Alone || v.Kind() != tree.ScalarKind || len(o.Values()) > 0 {
		return nil
	}
	it := outline.Item{Text: v.Text(), Rank: outline.Common, CompletionItem: protocol.CompletionItem{
		Label: v.Text(), Kind: protocol.CompleteValue, Detail: "default",
	}}
	if !c.Quoted {
		it.Text = string(edit.AppendScalar(nil, v))
	}
	return []outline.Item{it}
}
