package protocol

// SignatureHelpParams ask for the parameters of the function that is called at a place.
type SignatureHelpParams struct{ PositionParams }

// SignatureHelpOptions says when clients ask for signatures.
type SignatureHelpOptions struct {
	TriggerCharacters []string `json:"triggerCharacters,omitempty"`
}

// SignatureHelp is a function, and the parameter that is being written.
type SignatureHelp struct {
	Signatures      []SignatureInformation `json:"signatures"`
	ActiveSignature int                    `json:"activeSignature"`
	ActiveParameter int                    `json:"activeParameter"`
}

// SignatureInformation is a function with its parameters.
type SignatureInformation struct {
	Label         string                 `json:"label"`
	Documentation *MarkupContent         `json:"documentation,omitempty"`
	Parameters    []ParameterInformation `json:"parameters,omitempty"`
}

// ParameterInformation is a parameter, as it is written in the label.
type ParameterInformation struct {
	Label string `json:"label"`
}
