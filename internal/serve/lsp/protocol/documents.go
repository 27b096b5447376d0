package protocol

import "encoding/json"

// DidOpenParams say that a document was opened.
type DidOpenParams struct {
	TextDocument struct {
		URI        DocumentURI `json:"uri"`
		LanguageID string      `json:"languageId"`
		Version    int         `json:"version"`
		Text       string      `json:"text"`
	} `json:"textDocument"`
}

// DidChangeParams are edits of an open document. Each edit applies to the result of the previous one.
type DidChangeParams struct {
	TextDocument   VersionedDocument `json:"textDocument"`
	ContentChanges []ContentChange   `json:"contentChanges"`
}

// ContentChange replaces a range, or the whole document, by Text.
type ContentChange struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// DidSaveParams say that a document was saved.
type DidSaveParams struct{ DocumentParams }

// DidCloseParams say that a document was closed: from now on, the text on disk counts.
type DidCloseParams struct{ DocumentParams }

// WatchedFilesParams say that files on disk have changed.
type WatchedFilesParams struct {
	Changes []FileEvent `json:"changes"`
}

// FileEvent is a change of a file: created, changed or deleted.
type FileEvent struct {
	URI  DocumentURI `json:"uri"`
	Type int         `json:"type"`
}

// DidChangeConfigurationParams are new settings.
type DidChangeConfigurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// DidChangeFoldersParams say which folders were opened and closed.
type DidChangeFoldersParams struct {
	Event struct {
		Added   []WorkspaceFolder `json:"added"`
		Removed []WorkspaceFolder `json:"removed"`
	} `json:"event"`
}
