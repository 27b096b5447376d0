package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// reportWriter is standard output for text about documents: it hides the secrets of the runs so far.
// Each Write has whole lines.
type reportWriter struct {
	w   io.Writer
	msg *messages
}

// reportTo returns where a command prints what it has to say about documents. Documents themselves
// go to standard output as they are.
func reportTo(cmd *cobra.Command) io.Writer {
	if show, err := cmd.Flags().GetBool("show-secrets"); err == nil && show {
		return cmd.OutOrStdout()
	}
	return reportWriter{cmd.OutOrStdout(), messagesOf(cmd)}
}

func (r reportWriter) Write(p []byte) (int, error) {
	if _, err := r.w.Write(r.msg.redacted(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// printReport writes a whole report to standard output: nothing if it cannot be made.
func printReport(cmd *cobra.Command, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	if _, err := reportTo(cmd).Write(out.Bytes()); err != nil {
		return fmt.Errorf("writing output: %w", err)
	}
	return nil
}

// writeOut prints a result.
func writeOut(cmd *cobra.Command, text []byte) error {
	if _, err := cmd.OutOrStdout().Write(text); err != nil && !isBrokenPipe(err) {
		return outputError(err)
	}
	return nil
}

// colored reports whether standard output is colored.
func colored(cmd *cobra.Command) bool {
	msg := messagesOf(cmd)
	if msg.stdout == nil {
		return msg.color == always
	}
	return msg.color.enabled(msg.stdout.w)
}

// writeIndented writes a value as JSON that people can read, too, all at once.
func writeIndented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
