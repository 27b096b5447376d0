package process

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// TakeLines makes a command print its list with one item per line if the format is jsonl. The command
// itself only supports json.
func TakeLines(cmd *cobra.Command, form *string) {
	if *form == "jsonl" {
		*form = "json"
		cmd.SetOut(lineWriter{cmd.OutOrStdout()})
	}
}

// lineWriter writes a JSON list with one item per line, and any other JSON value as one line. Each
// Write must be a complete report. Text that is not JSON, such as the page about a rule, is written
// unchanged.
type lineWriter struct{ w io.Writer }

func (l lineWriter) Write(p []byte) (int, error) {
	if !json.Valid(p) {
		return l.w.Write(p)
	}
	var items []json.RawMessage
	if json.Unmarshal(p, &items) != nil {
		items = []json.RawMessage{p}
	}
	var out bytes.Buffer
	for _, item := range items {
		if err := json.Compact(&out, item); err != nil {
			return 0, err
		}
		out.WriteByte('\n')
	}
	if _, err := l.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}
