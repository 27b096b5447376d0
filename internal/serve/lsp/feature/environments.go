package feature

import (
	"context"

	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// Environments returns the environments of a document's project, or null.
func Environments(
	_ context.Context, doc *workspace.TextDocument, _ protocol.EnvironmentsParams,
) (*protocol.Environments, error) {
	p := doc.Project()
	if p == nil {
		return nil, nil
	}
	if p.Overtaken() {
		return nil, wire.ErrModified
	}
	return &protocol.Environments{Project: p.File(), Names: p.Environments(), Active: p.Active()}, nil
}
