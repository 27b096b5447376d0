package test

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/yaml"
)

// tapEscape hides what TAP would read as a directive.
var tapEscape = strings.NewReplacer(`\`, `\\`, "#", `\#`)

// WriteTAP writes a report as TAP 14, the Test Anything Protocol. Failures are reported in YAML
// blocks.
func (r *Report) WriteTAP(w io.Writer) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "TAP version 14\n1..%d\n", len(r.Outcomes))
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		title := tapEscape.Replace(diag.Visible(o.Title()))
		if !o.Failed() {
			fmt.Fprintf(&out, "ok %d - %s\n", i+1, title)
			continue
		}
		fmt.Fprintf(&out, "not ok %d - %s\n  ---\n", i+1, title)
		fmt.Fprintf(&out, "  at: %s\n", quoted(fmt.Sprintf("%s:%d", o.File, o.Line)))
		out.WriteString("  messages:\n")
		for _, line := range o.Lines() {
			fmt.Fprintf(&out, "  - %s\n", quoted(line))
		}
		out.WriteString("  ...\n")
	}
	_, err := w.Write(out.Bytes())
	return err
}

// quoted returns text as YAML in double quotes.
func quoted(s string) string { return string(yaml.AppendDouble(nil, []byte(s))) }
