package protocol

// SemanticTokensParams ask for the types of the words of a document.
type SemanticTokensParams struct{ DocumentParams }

// SemanticTokensRangeParams ask for the types of the words in a range.
type SemanticTokensRangeParams struct{ RangeParams }

// SemanticTokensDeltaParams ask for the changes since an earlier answer.
type SemanticTokensDeltaParams struct {
	DocumentParams
	PreviousResultID string `json:"previousResultId"`
}

// SemanticTokensOptions says which requests for tokens the server answers.
type SemanticTokensOptions struct {
	Legend SemanticTokensLegend `json:"legend"`
	Range  bool                 `json:"range"`
	Full   struct {
		Delta bool `json:"delta"`
	} `json:"full"`
}

// SemanticTokensLegend has the names of types and modifiers, by their numbers.
type SemanticTokensLegend struct {
	TokenTypes     []string `json:"tokenTypes"`
	TokenModifiers []string `json:"tokenModifiers"`
}

// SemanticTokens are words as five numbers each: the lines and characters since the word before, the
// length, the type, and the modifiers as bits.
type SemanticTokens struct {
	ResultID string   `json:"resultId,omitempty"`
	Data     []uint32 `json:"data"`
}

// SemanticTokensDelta is the edits that turn the previous answer into this one.
type SemanticTokensDelta struct {
	ResultID string               `json:"resultId,omitempty"`
	Edits    []SemanticTokensEdit `json:"edits"`
}

// SemanticTokensEdit replaces numbers by others.
type SemanticTokensEdit struct {
	Start       int      `json:"start"`
	DeleteCount int      `json:"deleteCount"`
	Data        []uint32 `json:"data,omitempty"`
}
