// Package page writes reports as a single HTML page that needs no other file and no network. A
// report has its own text, style and script; frame.html has what they share.
package page

import (
	_ "embed"
	"encoding/json"
	"io"
	"strings"
)

// frame is the parts that reports have in common, each below a comment with its name.
//
//go:embed frame.html
var frame string

// Write writes a report. text refers to parts of the frame, and to the place of the data, in double
// braces.
func Write(w io.Writer, text string, data any) error {
	b, err := json.Marshal(data) // it escapes what is special in HTML
	if err != nil {
		return err
	}
	for part := range strings.SplitSeq(frame, "<!-- ") {
		if name, content, ok := strings.Cut(part, " -->\n"); ok {
			text = strings.ReplaceAll(text, "{{"+name+"}}\n", content)
		}
	}
	before, after, _ := strings.Cut(text, "{{data}}")
	for _, s := range []string{before, string(b), after} {
		if _, err := io.WriteString(w, s); err != nil {
			return err
		}
	}
	return nil
}
