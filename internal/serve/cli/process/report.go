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
	w   io.Writer
	msg *Messages
}

// ReportTo returns the writer for reports of a command about documents. Documents themselves are
// written to standard output unchanged.
func ReportTo(cmd *cobra.Command) io.Writer {
	if show, err := cmd.Flags().GetBool("show-secrets"); err == nil && show {
		return cmd.OutOrStdout()
	}
	return reportWriter{cmd.OutOrStdout(), MessagesOf(cmd)}
}

func (r reportWriter) Write(p []byte) (int, error) {
	if _, err := r.w.Write(r.msg.Redacted(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// PrintReport writes a report to standard output, completely or not at all.
func PrintReport(cmd *cobra.Command, report weft.Report, how weft.ReportOptions) error {
	return PrintText(cmd, func(w io.Writer) error { return report.Write(w, how) })
}

// PrintText is like PrintReport for a text.
func PrintText(cmd *cobra.Command, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	if _, err := ReportTo(cmd).Write(out.Bytes()); err != nil {
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
func WriteReport(cmd *cobra.Command, text []byte) error {
	if _, err := ReportTo(cmd).Write(text); err != nil && !IsBrokenPipe(err) {
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
