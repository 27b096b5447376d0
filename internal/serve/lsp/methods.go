package lsp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"weft/internal/lang/lazy"
	"weft/internal/serve/lsp/feature"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// request prepares the answer to a request: it takes the snapshot that the answer depends on, and
// returns the function that answers.
type request func(*Server, *workspace.Session, json.RawMessage) (wire.Answer, error)

// requests are the requests that the server answers. A feature is a line here, a function in package
// feature, and a field in capabilities.
var requests = lazy.Value[map[string]request]{New: func() map[string]request {
	return map[string]request{
		"callHierarchy/incomingCalls":            documentRequest(feature.IncomingCalls),
		"callHierarchy/outgoingCalls":            documentRequest(feature.OutgoingCalls),
		"codeLens/resolve":                       documentRequest(feature.ResolveLens),
		"textDocument/codeAction":                codeActions,
		"textDocument/codeLens":                  documentRequest(feature.Lenses),
		"textDocument/completion":                promptRequest(feature.Complete),
		"textDocument/declaration":               documentRequest(feature.Declaration),
		"textDocument/definition":                documentRequest(feature.Definition),
		"textDocument/documentHighlight":         documentRequest(feature.Highlights),
		"textDocument/documentLink":              documentRequest(feature.Links),
		"textDocument/documentSymbol":            documentRequest(feature.Symbols),
		"textDocument/foldingRange":              weftDocumentRequest(feature.Folding),
		"textDocument/formatting":                weftDocumentRequest(feature.Format),
		"textDocument/hover":                     promptRequest(feature.Hover),
		"textDocument/implementation":            documentRequest(feature.Implementation),
		"textDocument/inlayHint":                 documentRequest(feature.Hints),
		"textDocument/prepareCallHierarchy":      documentRequest(feature.PrepareCalls),
		"textDocument/prepareRename":             documentRequest(feature.PrepareRename),
		"textDocument/references":                documentRequest(feature.References),
		"textDocument/rename":                    documentRequest(feature.Rename),
		"textDocument/selectionRange":            documentRequest(feature.Selections),
		"textDocument/semanticTokens/full":       allTokens,
		"textDocument/semanticTokens/full/delta": changedTokens,
		"textDocument/semanticTokens/range":      rangeTokens,
		"textDocument/signatureHelp":             promptRequest(feature.SignatureHelp),
		"textDocument/typeDefinition":            documentRequest(feature.TypeDefinition),
		"weft/environments":                      documentRequest(feature.Environments),
		"weft/languageOf":                        languageOf,
		"weft/preview":                           documentRequest(feature.Preview),
		"weft/setEnvironment":                    setEnvironment,
		"weft/settled":                           settled,
		"weft/suggest":                           documentRequest(feature.Suggest),
		"weft/tests":                             listTests,
		"workspace/executeCommand":               executeCommand,
		"workspace/symbol":                       workspaceSymbols,
		"workspace/willRenameFiles":              willRenameFiles,
	}
}}

// commands are the commands that clients may execute. Each takes one argument, which names a document.
var commands = lazy.Value[map[string]request]{New: func() map[string]request {
	return map[string]request{
		"weft.render":  documentRequest(feature.Render),
		"weft.explain": documentRequest(feature.Explain),
		"weft.blame":   documentRequest(feature.Blame),
	}
}}

// capabilities returns what the server can do, for the client.
func capabilities(encoding protocol.PositionEncoding) protocol.ServerCapabilities {
	c := protocol.ServerCapabilities{
		PositionEncoding: encoding,
		TextDocumentSync: protocol.TextDocumentSyncOptions{
			OpenClose: true, Change: protocol.Incremental,
		},
		DeclarationProvider:       true,
		DefinitionProvider:        true,
		DocumentHighlightProvider: true,
		ImplementationProvider:    true,
		ReferencesProvider:        true,
		RenameProvider:            &protocol.RenameOptions{PrepareProvider: true},
		TypeDefinitionProvider:    true,
		CallHierarchyProvider:     true,
		DocumentLinkProvider:      &protocol.DocumentLinkOptions{},
		SelectionRangeProvider:    true,
		WorkspaceSymbolProvider:   true,
		CompletionProvider: &protocol.CompletionOptions{
			TriggerCharacters: []string{".", "@", "/", "\"", "=", ":"},
		},
		SignatureHelpProvider: &protocol.SignatureHelpOptions{
			TriggerCharacters: []string{"(", ","},
		},
		HoverProvider:              true,
		DocumentSymbolProvider:     true,
		FoldingRangeProvider:       true,
		DocumentFormattingProvider: true,
		SemanticTokensProvider:     &protocol.SemanticTokensOptions{Legend: feature.TokenLegend, Range: true},
		InlayHintProvider:          true,
		CodeLensProvider:           &protocol.CodeLensOptions{ResolveProvider: true},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []string{protocol.QuickFix, protocol.Organize, protocol.FixAll},
		},
		ExecuteCommandProvider: &protocol.ExecuteCommandOptions{
			Commands: slices.Sorted(maps.Keys(commands.Get())),
		},
		Workspace: &protocol.WorkspaceCapabilities{},
	}
	c.SemanticTokensProvider.Full.Delta = true
	c.Workspace.WorkspaceFolders.Supported = true
	c.Workspace.WorkspaceFolders.ChangeNotifications = true
	c.Workspace.FileOperations.WillRename = protocol.FileOperationOptions{
		Filters: []protocol.FileOperationFilter{{
			Scheme: "file", Pattern: protocol.FileOperationPattern{Glob: "**/*"},
		}},
	}
	return c
}

// documentRequest returns a request about a document that a feature answers. The feature sees the
// document as it was when the request came. If the document is edited before the answer is ready, the
// answer is an error.
func documentRequest[P interface{ Target() protocol.DocumentURI }, R any](
	answer func(context.Context, *workspace.TextDocument, P) (R, error),
) request {
	return func(s *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
		var p P
		if err := wire.Decode(params, &p); err != nil {
			return nil, err
		}
		doc := session.Document(p.Target())
		if doc == nil {
			return nil, wire.Errorf(wire.InvalidParams, "%s is not open, and in no workspace folder",
				p.Target())
		}
		end := s.reporter.BeginRequest()
		return func(ctx context.Context) (any, error) {
			defer end()
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			stop := context.AfterFunc(doc.Context(), func() { cancel(wire.ErrModified) })
			defer stop()
			if doc.IsTooLarge() {
				return nil, nil // its diagnostic says why
			}
			result, err := answer(ctx, doc, p)
			if doc.Context().Err() != nil {
				return nil, wire.ErrModified
			}
			return result, err
		}, nil
	}
}

// promptWaits is how many times Options.MaxWait a promptRequest may take.
const promptWaits = 16

// promptRequest is a documentRequest that users wait for while they type. It answers with what is known in
// time; the rest is computed in the background.
func promptRequest[P interface{ Target() protocol.DocumentURI }, R any](
	answer func(context.Context, *workspace.TextDocument, P) (R, error),
) request {
	return func(s *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
		return documentRequest(func(ctx context.Context, doc *workspace.TextDocument, p P) (R, error) {
			ctx, stop := context.WithTimeout(ctx, promptWaits*s.opt.MaxWait)
			defer stop()
			return answer(ctx, doc, p)
		})(s, session, params)
	}
}

// weftDocumentRequest is a documentRequest that answers null for documents in the languages of other
// servers.
func weftDocumentRequest[P interface{ Target() protocol.DocumentURI }, R any](
	answer func(context.Context, *workspace.TextDocument, P) (R, error),
) request {
	return documentRequest(func(ctx context.Context, doc *workspace.TextDocument, p P) (any, error) {
		if doc.IsForeign() {
			return nil, nil
		}
		return answer(ctx, doc, p)
	})
}

// codeActions answers with what can be done about a part of a document and its diagnostics.
func codeActions(s *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
	return documentRequest(func(
		ctx context.Context, doc *workspace.TextDocument, p protocol.CodeActionParams,
	) ([]protocol.CodeAction, error) {
		return feature.Actions(ctx, doc, p, s.reporter.Findings(doc))
	})(s, session, params)
}

func executeCommand(s *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
	var p protocol.ExecuteCommandParams
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	prepare, ok := commands.Get()[p.Command]
	if !ok {
		return nil, wire.Errorf(wire.InvalidParams, "weft does not know the command %s", p.Command)
	}
	if len(p.Arguments) != 1 {
		return nil, wire.Errorf(wire.InvalidParams, "%s takes one argument, but found %d", p.Command,
			len(p.Arguments))
	}
	return prepare(s, session, p.Arguments[0])
}

// languageOf answers with the language of a document. Clients ask about any document, so a document
// outside of all folders is not an error.
func languageOf(s *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
	var p protocol.LanguageOfParams
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	if session.Document(p.Target()) == nil {
		return func(context.Context) (any, error) { return protocol.LanguageOf{}, nil }, nil
	}
	return documentRequest(feature.LanguageOf)(s, session, params)
}

func setEnvironment(_ *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
	var p protocol.SetEnvironmentParams
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	return func(context.Context) (any, error) {
		return nil, session.SetEnvironment(p.Target(), p.Environment)
	}, nil
}

// settled answers when all diagnostics have been published, for tests and scripts.
func settled(s *Server, _ *workspace.Session, _ json.RawMessage) (wire.Answer, error) {
	return func(ctx context.Context) (any, error) { return nil, s.reporter.Settle(ctx) }, nil
}
