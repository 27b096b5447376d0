// Package protocol has the types of the language server protocol 3.17 that weft sends and receives.
//
// They are written by hand. Where the protocol has a union, weft sends one of its forms; fields that
// weft neither reads nor sets are left out. The only code here converts positions.
package protocol

import "encoding/json"

// DocumentURI names a document: file:///config/app.yml.
type DocumentURI string

// Position is a place between two characters. Both numbers start at 0. Client and server negotiate
// what counts as a character: see PositionEncoding.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is the text from Start up to End.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a range of a document.
type Location struct {
	URI   DocumentURI `json:"uri"`
	Range Range       `json:"range"`
}

// LocationLink is a link from a range of the document to a location.
type LocationLink struct {
	OriginSelectionRange *Range      `json:"originSelectionRange,omitempty"`
	TargetURI            DocumentURI `json:"targetUri"`
	TargetRange          Range       `json:"targetRange"`
	TargetSelectionRange Range       `json:"targetSelectionRange"`
}

// TextEdit replaces a range by NewText.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// TextDocumentEdit holds edits of one version of a document.
type TextDocumentEdit struct {
	TextDocument OptionalVersionedDocument `json:"textDocument"`
	Edits        []TextEdit                `json:"edits"`
}

// WorkspaceEdit holds edits of several documents.
type WorkspaceEdit struct {
	Changes         map[DocumentURI][]TextEdit `json:"changes,omitempty"`
	DocumentChanges []TextDocumentEdit         `json:"documentChanges,omitempty"`

	// Create is a file to create before the edits. It must not exist.
	Create DocumentURI `json:"-"`
}

// MarshalJSON writes the edits after the operation that creates the file.
func (w WorkspaceEdit) MarshalJSON() ([]byte, error) {
	type plain WorkspaceEdit // a type without this method
	if w.Create == "" {
		return json.Marshal(plain(w))
	}
	changes := []any{createFile{"create", w.Create}}
	for _, c := range w.DocumentChanges {
		changes = append(changes, c)
	}
	return json.Marshal(map[string]any{"documentChanges": changes})
}

// createFile is the operation that creates an empty file.
type createFile struct {
	Kind string      `json:"kind"`
	URI  DocumentURI `json:"uri"`
}

// ApplyEditParams ask the client to make edits.
type ApplyEditParams struct {
	Edit *WorkspaceEdit `json:"edit"`
}

// MarkupContent is text for people.
type MarkupContent struct {
	Kind  string `json:"kind"` // Markdown or PlainText
	Value string `json:"value"`
}

// The kinds of markup.
const (
	Markdown  = "markdown"
	PlainText = "plaintext"
)

// Command is a command that a client can execute with workspace/executeCommand.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

// DocumentIdentifier names a document.
type DocumentIdentifier struct {
	URI DocumentURI `json:"uri"`
}

// VersionedDocument is a version of a document.
type VersionedDocument struct {
	URI     DocumentURI `json:"uri"`
	Version int         `json:"version"`
}

// OptionalVersionedDocument is a version of a document. A null version is the file on disk.
type OptionalVersionedDocument struct {
	URI     DocumentURI `json:"uri"`
	Version *int        `json:"version"`
}

// DocumentParams name a document.
type DocumentParams struct {
	TextDocument DocumentIdentifier `json:"textDocument"`
}

// Target returns the document.
func (p DocumentParams) Target() DocumentURI { return p.TextDocument.URI }

// PositionParams name a place in a document.
type PositionParams struct {
	DocumentParams
	Position Position `json:"position"`
}

// RangeParams name a range of a document.
type RangeParams struct {
	DocumentParams
	Range Range `json:"range"`
}
