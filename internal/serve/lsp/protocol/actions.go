package protocol

// CodeActionParams ask for what can be done about a part of a document.
type CodeActionParams struct {
	RangeParams
	Context struct {
		Diagnostics []Diagnostic `json:"diagnostics"`
		Only        []string     `json:"only,omitempty"`
	} `json:"context"`
}

// CodeActionOptions says which kinds of actions there are.
type CodeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

// The kinds of actions that weft has.
const (
	QuickFix = "quickfix"
	Organize = "source.organizeImports"
	FixAll   = "source.fixAll.weft"
)

// CodeAction is something that can be done.
type CodeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []Diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *WorkspaceEdit `json:"edit,omitempty"`
}
