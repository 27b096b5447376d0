package process

import (
	"bytes"
	"encoding/json"

	"weft"
)

// jsonDiagnostic is a message as --diagnostics json shows it.
type jsonDiagnostic struct {
	weft.Diagnostic
	Environment string `json:"environment,omitempty"` // of a fleet
}

// severityInfo is that of text that the user has asked for, such as what templates print.
const severityInfo weft.Severity = "info"

// jsonLine is a message on its own line.
func jsonLine(d jsonDiagnostic) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(d) // strings and numbers, to a buffer
	return b.Bytes()
}
