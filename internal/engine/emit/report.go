package emit

import (
	"encoding/json"
	"io"
)

// Report writes what a command tells programs: indented JSON, in one piece, that keeps characters
// such as < and & as they are.
func Report(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
