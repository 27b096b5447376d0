package protocol

// HoverParams ask for a description of what is at a place.
type HoverParams struct{ PositionParams }

// Hover describes what is at a place.
type Hover struct {
	Contents MarkupContent `json:"contents"`
	Range    *Range        `json:"range,omitempty"`
}

// CompletionParams ask for what can be written at a place.
type CompletionParams struct{ PositionParams }

// CompletionOptions says when clients ask for completion.
type CompletionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters,omitempty"`
}

// CompletionList is what can be written at a place.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// CompletionItem is a text that can be written.
type CompletionItem struct {
	Label               string              `json:"label"`
	Kind                CompletionKind      `json:"kind,omitempty"`
	Detail              string              `json:"detail,omitempty"`
	Documentation       *MarkupContent      `json:"documentation,omitempty"`
	Tags                []CompletionItemTag `json:"tags,omitempty"`
	SortText            string              `json:"sortText,omitempty"`
	FilterText          string              `json:"filterText,omitempty"`
	TextEdit            *TextEdit           `json:"textEdit,omitempty"`
	InsertTextFormat    InsertTextFormat    `json:"insertTextFormat,omitempty"`
	AdditionalTextEdits []TextEdit          `json:"additionalTextEdits,omitempty"`
}

// InsertTextFormat says what the text of an item is.
type InsertTextFormat int

// SnippetText is a text with places to fill in, as ${1:name}.
const SnippetText InsertTextFormat = 2

// CompletionItemTag says how to show an item.
type CompletionItemTag int

// CompletionDeprecated strikes an item through.
const CompletionDeprecated CompletionItemTag = 1

// CompletionKind is what an item is.
type CompletionKind int

// The kinds of items that weft has.
const (
	CompleteFunction CompletionKind = 3
	CompleteField    CompletionKind = 5
	CompleteVariable CompletionKind = 6
	CompleteModule   CompletionKind = 9
	CompleteProperty CompletionKind = 10
	CompleteValue    CompletionKind = 12
	CompleteKeyword  CompletionKind = 14
	CompleteSnippet  CompletionKind = 15
	CompleteFile     CompletionKind = 17
	CompleteFolder   CompletionKind = 19
)
