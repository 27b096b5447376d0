package protocol

// SemanticTokensParams ask for what the words of a document are.
type SemanticTokensParams struct{ DocumentParams }

// SemanticTokensRangeParams ask the same of a part of it.
type SemanticTokensRangeParams struct{ RangeParams }

// SemanticTokensDeltaParams ask for what has changed since an answer.
type SemanticTokensDeltaParams struct {
	DocumentParams
	PreviousResultID string `json:"previousResultId"`
}

// SemanticTokensOptions says what the server can report words.
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

// SemanticTokens are words, five numbers each: lines and characters from the one before, the length,
// the type, and the modifiers as bits.
type SemanticTokens struct {
	ResultID string   `json:"resultId,omitempty"`
	Data     []uint32 `json:"data"`
}

// SemanticTokensDelta is how another answer becomes this one.
type SemanticTokensDelta struct {
	ResultID string               `json:"resultId,omitempty"`
	Edits    []SemanticTokensEdit `json:"edits"`
}

// SemanticTokensEdit puts numbers in the place of others.
type SemanticTokensEdit struct {
	Start       int      `json:"start"`
	DeleteCount int      `json:"deleteCount"`
	Data        []uint32 `json:"data,omitempty"`
}
