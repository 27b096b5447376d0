package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

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

// wantsJSON reports whether --diagnostics json is among the arguments: of those that cannot be understood, that is to be said as JSON too.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	for i, a := range args {
		name, value, given := strings.Cut(a, "=")
		if name == "--diagnostics" && (value == "json" || !given && i+1 < len(args) && args[i+1] == "json") {
			return true
		}
	}
	return false
}
