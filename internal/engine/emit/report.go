package emit

import (
	"encoding/json"
	"io"
)

// Report writes a report for programs: indented JSON, in which characters such as < and & are not
// escaped.
func Report(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
