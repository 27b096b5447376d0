package process

import (
	"bytes"
	"encoding/json"

	"weft/internal/lang/diag"

	"weft"
)

// jsonDiagnostic is a message in the format of --diagnostics json.
type jsonDiagnostic struct {
	weft.Diagnostic
	Environment string `json:"environment,omitempty"` // in a fleet
}

// severityInfo is the severity of text that the user requested, such as what templates print.
const severityInfo weft.Severity = "info"

// jsonText returns a line of JSON for a text about an environment of a fleet, or about none if it is
// "".
func jsonText(environment string, severity weft.Severity, code diag.Code, text string) []byte {
	d := weft.Diagnostic{Severity: severity, Code: string(code), Message: text}
	return jsonLine(jsonDiagnostic{d, environment})
}

// jsonLine returns a message as a line of JSON.
func jsonLine(d jsonDiagnostic) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(d) // encoding strings and numbers to a buffer cannot fail
	return b.Bytes()
}
