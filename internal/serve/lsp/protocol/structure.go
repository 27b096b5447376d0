package protocol

// DocumentSymbolParams ask for the symbols of a document.
type DocumentSymbolParams struct{ DocumentParams }

// DocumentSymbol is something with a name.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           SymbolKind       `json:"kind"`
	Range          Range            `json:"range"`
	SelectionRange Range            `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitempty"`
}

// SymbolKind is what a symbol is.
type SymbolKind int

// The kinds of symbols that weft has.
const (
	SymbolFile     SymbolKind = 1
	SymbolModule   SymbolKind = 2
	SymbolProperty SymbolKind = 7
	SymbolFunction SymbolKind = 12
	SymbolVariable SymbolKind = 13
	SymbolString   SymbolKind = 15
	SymbolNumber   SymbolKind = 16
	SymbolBoolean  SymbolKind = 17
	SymbolArray    SymbolKind = 18
	SymbolObject   SymbolKind = 19
	SymbolNull     SymbolKind = 21
)

// FoldingRangeParams ask for what can be folded in a document.
type FoldingRangeParams struct{ DocumentParams }

// FoldingRange is lines that can be folded, both counted from 0.
type FoldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// FoldComment is the kind of folded comments.
const FoldComment = "comment"

// FormattingParams ask for the edits that format a document. Its options say how editors indent,
// which weft's style does not depend on.
type FormattingParams struct{ DocumentParams }
