package cli

import (
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
