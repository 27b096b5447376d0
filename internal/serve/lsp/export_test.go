package lsp

import (
	"context"

	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// The request test/wait is answered when it is cancelled.
func init() {
	requests.Get()["test/wait"] = documentRequest(
		func(ctx context.Context, _ *workspace.TextDocument, _ protocol.HoverParams) (any, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
	)
	requests.Get()["test/panic"] = documentRequest(
		func(context.Context, *workspace.TextDocument, protocol.HoverParams) (any, error) {
			panic("a bug")
		},
	)
}
