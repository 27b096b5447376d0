package lsp

import (
	"encoding/json"

	"weft/internal/lang/lazy"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

type notification func(*Server, *workspace.Session, json.RawMessage) error

var notifications = lazy.Value[map[string]notification]{New: func() map[string]notification {
	return map[string]notification{
		"initialized":                         (*Server).initialized,
		"textDocument/didOpen":                didOpen,
		"textDocument/didChange":              didChange,
		"textDocument/didSave":                didSave,
		"textDocument/didClose":               didClose,
		"workspace/didChangeWatchedFiles":     didChangeWatchedFiles,
		"workspace/didChangeConfiguration":    (*Server).didChangeConfiguration,
		"workspace/didChangeWorkspaceFolders": didChangeWorkspaceFolders,
	}
}}

func didOpen(_ *Server, session *workspace.Session, params json.RawMessage) error {
	var p protocol.DidOpenParams
	if err := wire.Decode(params, &p); err != nil {
		return err
	}
	return session.Open(p)
}

func didChange(_ *Server, session *workspace.Session, params json.RawMessage) error {
	var p protocol.DidChangeParams
	if err := wire.Decode(params, &p); err != nil {
		return err
	}
	return session.Change(p)
}

// didSave does nothing, since the server has the text of open documents.
func didSave(*Server, *workspace.Session, json.RawMessage) error { return nil }

func didClose(s *Server, session *workspace.Session, params json.RawMessage) error {
	var p protocol.DidCloseParams
	if err := wire.Decode(params, &p); err != nil {
		return err
	}
	s.tokens.forget(p.Target())
	return session.CloseDocument(p.Target())
}

func didChangeWatchedFiles(_ *Server, session *workspace.Session, params json.RawMessage) error {
	var p protocol.WatchedFilesParams
	if err := wire.Decode(params, &p); err != nil {
		return err
	}
	var uris []protocol.DocumentURI
	for _, c := range p.Changes {
		uris = append(uris, c.URI)
	}
	session.FilesChanged(uris)
	return nil
}
