package protocol

// DefinitionParams ask for where something is defined, declared or implemented.
type DefinitionParams struct{ PositionParams }

// ReferenceParams ask for where something is used.
type ReferenceParams struct {
	PositionParams
	Context ReferenceContext `json:"context"`
}

// ReferenceContext says which uses count.
type ReferenceContext struct {
	IncludeDeclaration bool `json:"includeDeclaration"`
}

// HighlightParams ask for the uses of a symbol in one document.
type HighlightParams struct{ PositionParams }

// DocumentHighlight is a use of the symbol.
type DocumentHighlight struct {
	Range Range         `json:"range"`
	Kind  HighlightKind `json:"kind"`
}

// HighlightKind says whether a use reads or writes.
type HighlightKind int

// The kinds of highlights that weft has.
const (
	HighlightRead  HighlightKind = 2
	HighlightWrite HighlightKind = 3
)

// PrepareRenameParams ask whether something can be renamed.
type PrepareRenameParams struct{ PositionParams }

// PrepareRename is what would be renamed.
type PrepareRename struct {
	Range       Range  `json:"range"`
	Placeholder string `json:"placeholder"`
}

// RenameParams ask for the edits that give something another name.
type RenameParams struct {
	PositionParams
	NewName string `json:"newName"`
}

// RenameOptions says how the server renames.
type RenameOptions struct {
	PrepareProvider bool `json:"prepareProvider"`
}

// RenameFilesParams say which files are about to be renamed.
type RenameFilesParams struct {
	Files []FileRename `json:"files"`
}

// FileRename is a file or folder with its old and its new name.
type FileRename struct {
	OldURI DocumentURI `json:"oldUri"`
	NewURI DocumentURI `json:"newUri"`
}

// FileOperationOptions says for which files clients send requests.
type FileOperationOptions struct {
	Filters []FileOperationFilter `json:"filters"`
}

// FileOperationFilter is a filter of URIs.
type FileOperationFilter struct {
	Scheme  string               `json:"scheme,omitempty"`
	Pattern FileOperationPattern `json:"pattern"`
}

// FileOperationPattern is a pattern of paths.
type FileOperationPattern struct {
	Glob string `json:"glob"`
}

// WorkspaceSymbolParams ask for symbols of all files.
type WorkspaceSymbolParams struct {
	Query string `json:"query"`
}

// SymbolInformation is a symbol of some file.
type SymbolInformation struct {
	Name          string     `json:"name"`
	Kind          SymbolKind `json:"kind"`
	Location      Location   `json:"location"`
	ContainerName string     `json:"containerName,omitempty"`
}

// CallHierarchyPrepareParams ask for the function at a place.
type CallHierarchyPrepareParams struct{ PositionParams }

// CallHierarchyItem is a function, or a file that calls functions.
type CallHierarchyItem struct {
	Name           string      `json:"name"`
	Kind           SymbolKind  `json:"kind"`
	Detail         string      `json:"detail,omitempty"`
	URI            DocumentURI `json:"uri"`
	Range          Range       `json:"range"`
	SelectionRange Range       `json:"selectionRange"`
}

// CallsParams ask for the callers of a function, or for the calls in it.
type CallsParams struct {
	Item CallHierarchyItem `json:"item"`
}

// Target returns the document of the function.
func (p CallsParams) Target() DocumentURI { return p.Item.URI }

// IncomingCall is a function that calls the item, and where it does.
type IncomingCall struct {
	From       CallHierarchyItem `json:"from"`
	FromRanges []Range           `json:"fromRanges"`
}

// OutgoingCall is a function that the item calls, and where it does.
type OutgoingCall struct {
	To         CallHierarchyItem `json:"to"`
	FromRanges []Range           `json:"fromRanges"`
}

// DocumentLinkParams ask for the links of a document.
type DocumentLinkParams struct{ DocumentParams }

// DocumentLink is a range that links to a file.
type DocumentLink struct {
	Range   Range       `json:"range"`
	Target  DocumentURI `json:"target"`
	Tooltip string      `json:"tooltip,omitempty"`
}

// DocumentLinkOptions says how the server answers.
type DocumentLinkOptions struct{}

// SelectionRangeParams ask for the ranges around places.
type SelectionRangeParams struct {
	DocumentParams
	Positions []Position `json:"positions"`
}

// SelectionRange is a range, and the next larger one that is worth selecting.
type SelectionRange struct {
	Range  Range           `json:"range"`
	Parent *SelectionRange `json:"parent,omitempty"`
}
