package protocol

import "encoding/json"

// InitializeParams begin a session.
type InitializeParams struct {
	ProcessID             *int               `json:"processId"`
	RootURI               DocumentURI        `json:"rootUri"`
	WorkspaceFolders      []WorkspaceFolder  `json:"workspaceFolders"`
	Capabilities          ClientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions"`
}

// WorkspaceFolder is a directory that the user has opened.
type WorkspaceFolder struct {
	URI  DocumentURI `json:"uri"`
	Name string      `json:"name"`
}

// ClientCapabilities is what the client can do.
type ClientCapabilities struct {
	General struct {
		PositionEncodings []PositionEncoding `json:"positionEncodings"`
	} `json:"general"`
	Workspace struct {
		Configuration         bool `json:"configuration"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		WorkspaceEdit struct {
			DocumentChanges    bool     `json:"documentChanges"`
			ResourceOperations []string `json:"resourceOperations"`
		} `json:"workspaceEdit"`
		ApplyEdit      bool    `json:"applyEdit"`
		InlayHint      Refresh `json:"inlayHint"`
		SemanticTokens Refresh `json:"semanticTokens"`
		CodeLens       Refresh `json:"codeLens"`
	} `json:"workspace"`
	TextDocument struct {
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
		Completion struct {
			Item struct {
				Snippets bool `json:"snippetSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
		Definition struct {
			LinkSupport bool `json:"linkSupport"`
		} `json:"definition"`
	} `json:"textDocument"`
}

// Refresh says whether the client can be asked to send requests again.
type Refresh struct {
	RefreshSupport bool `json:"refreshSupport"`
}

// InitializeResult is what the server can do.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   ServerInfo         `json:"serverInfo"`
}

// ServerInfo names the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ServerCapabilities is what the server can do.
type ServerCapabilities struct {
	PositionEncoding           PositionEncoding           `json:"positionEncoding,omitempty"`
	TextDocumentSync           TextDocumentSyncOptions    `json:"textDocumentSync"`
	HoverProvider              bool                       `json:"hoverProvider,omitempty"`
	CompletionProvider         *CompletionOptions         `json:"completionProvider,omitempty"`
	SignatureHelpProvider      *SignatureHelpOptions      `json:"signatureHelpProvider,omitempty"`
	DocumentSymbolProvider     bool                       `json:"documentSymbolProvider,omitempty"`
	DeclarationProvider        bool                       `json:"declarationProvider,omitempty"`
	DefinitionProvider         bool                       `json:"definitionProvider,omitempty"`
	TypeDefinitionProvider     bool                       `json:"typeDefinitionProvider,omitempty"`
	ImplementationProvider     bool                       `json:"implementationProvider,omitempty"`
	ReferencesProvider         bool                       `json:"referencesProvider,omitempty"`
	RenameProvider             *RenameOptions             `json:"renameProvider,omitempty"`
	DocumentHighlightProvider  bool                       `json:"documentHighlightProvider,omitempty"`
	CallHierarchyProvider      bool                       `json:"callHierarchyProvider,omitempty"`
	DocumentLinkProvider       *DocumentLinkOptions       `json:"documentLinkProvider,omitempty"`
	SelectionRangeProvider     bool                       `json:"selectionRangeProvider,omitempty"`
	WorkspaceSymbolProvider    bool                       `json:"workspaceSymbolProvider,omitempty"`
	FoldingRangeProvider       bool                       `json:"foldingRangeProvider,omitempty"`
	DocumentFormattingProvider bool                       `json:"documentFormattingProvider,omitempty"`
	SemanticTokensProvider     *SemanticTokensOptions     `json:"semanticTokensProvider,omitempty"`
	InlayHintProvider          bool                       `json:"inlayHintProvider,omitempty"`
	CodeLensProvider           *CodeLensOptions           `json:"codeLensProvider,omitempty"`
	CodeActionProvider         *CodeActionOptions         `json:"codeActionProvider,omitempty"`
	ExecuteCommandProvider     *ExecuteCommandOptions     `json:"executeCommandProvider,omitempty"`
	Workspace                  *WorkspaceCapabilities     `json:"workspace,omitempty"`
	Experimental               map[string]json.RawMessage `json:"experimental,omitempty"`
}

// WorkspaceCapabilities is what the server can do with folders.
type WorkspaceCapabilities struct {
	WorkspaceFolders struct {
		Supported           bool `json:"supported"`
		ChangeNotifications bool `json:"changeNotifications"`
	} `json:"workspaceFolders"`
	FileOperations struct {
		WillRename FileOperationOptions `json:"willRename"`
	} `json:"fileOperations"`
}

// TextDocumentSyncOptions says which notifications of edits the server handles.
type TextDocumentSyncOptions struct {
	OpenClose bool        `json:"openClose"`
	Change    int         `json:"change"`
	Save      SaveOptions `json:"save"`
}

// Incremental is the kind of sync in which changes have ranges.
const Incremental = 2

// SaveOptions says what notifications of saves contain.
type SaveOptions struct {
	IncludeText bool `json:"includeText"`
}

// Registration is a capability that the server registers after the initialization.
type Registration struct {
	ID              string `json:"id"`
	Method          string `json:"method"`
	RegisterOptions any    `json:"registerOptions,omitempty"`
}

// RegistrationParams are registrations.
type RegistrationParams struct {
	Registrations []Registration `json:"registrations"`
}

// WatchOptions says which files the client watches.
type WatchOptions struct {
	Watchers []FileSystemWatcher `json:"watchers"`
}

// FileSystemWatcher is a pattern of paths.
type FileSystemWatcher struct {
	GlobPattern string `json:"globPattern"`
}

// ConfigurationParams ask for settings.
type ConfigurationParams struct {
	Items []ConfigurationItem `json:"items"`
}

// ConfigurationItem is a section of the settings.
type ConfigurationItem struct {
	Section string `json:"section"`
}

// LogMessageParams is a line for the client's log.
type LogMessageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

// ShowMessageParams is a message for the user, with actions to choose from.
type ShowMessageParams struct {
	Type    int             `json:"type"`
	Message string          `json:"message"`
	Actions []MessageAction `json:"actions"`
}

// MessageAction is an action that the user can choose.
type MessageAction struct {
	Title string `json:"title"`
}

// The types of messages.
const (
	MessageError   = 1
	MessageWarning = 2
	MessageInfo    = 3
)
