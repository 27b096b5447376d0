package feature

import (
	"context"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Links returns the paths of files in a document: in loads, data.read and weft.yml. The name of a library
// links to its first file.
func Links(
	ctx context.Context, doc *workspace.TextDocument, _ protocol.DocumentLinkParams,
) ([]protocol.DocumentLink, error) {
	list := []protocol.DocumentLink{}
	w, err := newIndexedDoc(ctx, doc, false)
	if err != nil {
		return nil, err
	}
	for i := range w.own.File.Paths {
		p := &w.own.File.Paths[i]
		to := w.targets(w.own, p)
		at, ok := w.positions(w.own, p.At)
		if !ok || len(to) == 0 || len(to) > 1 && p.Kind != index.Library {
			continue
		}
		list = append(list, protocol.DocumentLink{
			Range: at, Target: w.snap.URI(to[0].Path), Tooltip: to[0].Path,
		})
	}
	return list, nil
}
