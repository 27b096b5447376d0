package feature

import (
	"context"

	"weft/internal/engine/compile"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// chartDefault calls visit with where a chart sets the value of the key at an offset, in its values.yaml.
func chartDefault(
	ctx context.Context, doc *workspace.TextDocument, off int, visit func(path string, f *source.File, at source.Span),
) {
	charts := doc.ChartValues(ctx)
	a := doc.Analysis()
	if charts == nil || a.Tree == nil || a.Role != compile.ForOutput {
		return
	}
	keys, _, ok := keyAt(a.Tree, off)
	if !ok {
		return
	}
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
