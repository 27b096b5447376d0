package process

import (
	"bytes"
	"encoding/json"

	"weft/internal/lang/diag"

	"weft"
)

// jsonDiagnostic is a message as --diagnostics json shows it.
type jsonDiagnostic struct {
	weft.Diagnostic
	Environment string `json:"environment,omitempty"` // of a fleet
}

// severityInfo is that of text that the user has asked for, such as what templates print.
const severityInfo weft.Severity = "info"

// jsonText returns text on its own line, about an environment of a fleet or "".
func jsonText(environment string, severity weft.Severity, code diag.Code, text string) []byte {
	d := weft.Diagnostic{Severity: severity, Code: string(code), Message: text}
	return jsonLine(jsonDiagnostic{d, environment})
}

// jsonLine returns a message on its own line.
func jsonLine(d jsonDiagnostic) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(d) // strings and numbers, to a buffer
	return b.Bytes()
}
