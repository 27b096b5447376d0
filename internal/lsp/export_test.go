package lsp

import (
	"context"

	"weft/internal/lsp/project"
	"weft/internal/lsp/protocol"
)

// The request test/wait is answered when nobody wants the answer any more.
func init() {
	requests["test/wait"] = about(
		func(ctx context.Context, _ *project.Document, _ protocol.HoverParams) (any, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
	)
	requests["test/panic"] = about(
		func(context.Context, *project.Document, protocol.HoverParams) (any, error) {
			panic("a bug")
		},
	)
}
