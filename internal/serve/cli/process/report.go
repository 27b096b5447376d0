package process

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"weft"
)

// reportWriter is standard output for text about documents: it hides the secrets of the runs so far.
// Each Write must consist of whole lines.
type reportWriter struct {
	w       io.Writer
	msg     *Messages // nil if secrets are shown
	columns int       // of the terminal that longer lines are folded for, or 0
}

// ReportTo returns the writer for reports of a command about documents. Documents themselves are
// written to standard output unchanged.
func ReportTo(cmd *cobra.Command) io.Writer {
	return reportTo(cmd, 0)
}

func reportTo(cmd *cobra.Command, columns int) io.Writer {
	r := reportWriter{w: cmd.OutOrStdout(), msg: MessagesOf(cmd), columns: columns}
	if show, err := cmd.Flags().GetBool("show-secrets"); err == nil && show {
		r.msg = nil
	}
	return r
}

func (r reportWriter) Write(p []byte) (int, error) {
	text := p
	if r.msg != nil {
		text = r.msg.Redacted(text)
	}
	if r.columns > 0 {
		text = fold(text, r.columns) // a secret that is broken would not be found
	}
	if _, err := r.w.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// PrintReport writes a report to standard output, completely or not at all.
func PrintReport(cmd *cobra.Command, report weft.Report, how weft.ReportOptions) error {
	write := func(w io.Writer) error { return report.Write(w, how) }
	if how.Format == weft.YAML || how.Format == weft.Text {
		return PrintFolded(cmd, write)
	}
	return PrintText(cmd, write)
}

// PrintText is like PrintReport for a text.
func PrintText(cmd *cobra.Command, write func(io.Writer) error) error {
	return printTo(ReportTo(cmd), write)
}

// PrintFolded is like PrintText for a text that people read: if standard output is a terminal, its lines fit.
func PrintFolded(cmd *cobra.Command, write func(io.Writer) error) error {
	return printTo(reportTo(cmd, Width(cmd)), write)
}

func printTo(to io.Writer, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	if _, err := to.Write(out.Bytes()); err != nil {
		return fmt.Errorf("writing output: %w", err)
	}
	return nil
}

// WriteOut prints a result.
func WriteOut(cmd *cobra.Command, text []byte) error {
	if _, err := cmd.OutOrStdout().Write(text); err != nil && !IsBrokenPipe(err) {
		return OutputError(err)
	}
	return nil
}

// WriteReport prints text about documents.
func WriteReport(cmd *cobra.Command, text []byte) error { return writeTo(ReportTo(cmd), text) }

// WriteFolded is like WriteReport for a text that people read: if standard output is a terminal, its lines
// fit.
func WriteFolded(cmd *cobra.Command, text []byte) error {
	return writeTo(reportTo(cmd, Width(cmd)), text)
}

func writeTo(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil && !IsBrokenPipe(err) {
		return OutputError(err)
	}
	return nil
}

// Colored reports whether standard output is colored.
func Colored(cmd *cobra.Command) bool {
	msg := MessagesOf(cmd)
	if msg.Stdout == nil {
		return msg.Color == Always
	}
	return msg.Color.Enabled(msg.Stdout.w)
}

// WriteIndented writes a value as indented JSON, in one write.
func WriteIndented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
