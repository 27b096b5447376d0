package lsp

import (
	"context"
	"encoding/json"
	"maps"

	"weft/internal/serve/lsp/feature"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

func workspaceSymbols(
	_ *Server, session *workspace.Session, params json.RawMessage,
) (wire.Answer, error) {
	var p protocol.WorkspaceSymbolParams
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	snaps := session.Snapshots()
	return func(ctx context.Context) (any, error) {
		return feature.WorkspaceSymbols(ctx, snaps, p)
	}, nil
}

// listTests answers with the tests of all projects.
func listTests(_ *Server, session *workspace.Session, _ json.RawMessage) (wire.Answer, error) {
	snaps := session.Snapshots()
	return func(ctx context.Context) (any, error) { return feature.Tests(ctx, snaps) }, nil
}

// willRenameFiles answers with the edits that keep paths right when files are renamed.
func willRenameFiles(
	_ *Server, session *workspace.Session, params json.RawMessage,
) (wire.Answer, error) {
	var p protocol.RenameFilesParams
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	moves := session.Moves(p.Files)
	return func(ctx context.Context) (any, error) {
		all := &protocol.WorkspaceEdit{}
		for snap, list := range moves {
			edit, err := feature.RenameFiles(ctx, snap, list)
			if err != nil {
				return nil, err
			}
			all.DocumentChanges = append(all.DocumentChanges, edit.DocumentChanges...)
			if all.Changes == nil {
				all.Changes = edit.Changes
			} else {
				maps.Copy(all.Changes, edit.Changes)
			}
		}
		return all, nil
	}, nil
}
