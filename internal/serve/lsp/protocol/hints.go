package protocol

import "encoding/json"

// InlayHintParams ask for hints in a part of a document.
type InlayHintParams struct{ RangeParams }

// InlayHint is text that an editor shows within the text of the document.
type InlayHint struct {
	Position    Position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft,omitempty"`
}

// CodeLensParams ask for the lenses of a document.
type CodeLensParams struct{ DocumentParams }

// CodeLensOptions says how lenses are resolved.
type CodeLensOptions struct {
	ResolveProvider bool `json:"resolveProvider"`
}

// CodeLens is a command that is shown above a range of a document. It is resolved when it is shown.
type CodeLens struct {
	Range   Range           `json:"range"`
	Command *Command        `json:"command,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}
