package cli

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/serve/cli/process"
)

// explainFlags are the flags of the explain command: those of the main command that decide what is
// rendered.
type explainFlags struct {
	render  renderFlags
	secrets weft.Secrets
}

// newExplain makes the command that tells what overlays do.
func newExplain() *cobra.Command {
	f := &explainFlags{}
	cmd := &cobra.Command{
		Use:   "explain [flags]",
		Short: "Show what each overlay matches and changes",
		Long: `explain renders the inputs like weft without a command, but prints what overlays do instead of
the result. For each overlay, in order, it shows what it matches, what it changes there, and what
nearly matches.`,
		Example: `  weft explain -f config -f overlays
  weft explain -f config -o json     for programs`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, form := range f.render.output {
				if form != "text" && form != "json" {
					return process.Usagef(
						"unknown output type '%s': explain prints text, or JSON with -o json",
						form,
					)
				}
			}
			f.render.output = slices.DeleteFunc(
				f.render.output,
				func(form string) bool { return form == "text" },
			)
			opts, err := f.render.inProject(cmd)
			if err != nil {
				return err
			}
			return f.render.how.Run(cmd, opts, f.explain)
		},
	}
	flags := cmd.Flags()
	addSecrets(flags, &f.secrets)
	common := f.render.command("").Flags()
	for _, name := range renderFlagsOfExplain {
		flags.AddFlag(common.Lookup(name))
	}
	flags.Lookup("output").Usage = "print as `FORMAT`: text, or json for programs (default text)"
	return cmd
}

// renderFlagsOfExplain are the flags of the main command that mean the same here.
var renderFlagsOfExplain = []string{
	"file", "environment", "project", "allow-outside", "allow-env", "output", "file-mark",
	"data-values-file", "data-values-env", "data-values-env-yaml",
	"data-value", "data-value-yaml", "data-value-file", "dangerous-data-values-disable-validation",
	"edition", "strict", "ignore-unknown-comments", "implicit-map-key-overrides", "yaml",
	"max-depth", "max-steps", "max-nodes",
	"allow-symlink-destination", "dangerous-allow-all-symlink-destinations",
	"watch", "jobs", "timeout", "quiet", "warnings", "timings",
}

// explain prints what overlays did, also of a run that fails: that is when one wants to know.
func (f *explainFlags) explain(cmd *cobra.Command, opts weft.Options) error {
	x, failed := weft.Explain(cmd.Context(), opts)
	if err := x.Hide(f.secrets); err != nil {
		return err
	}
	if cmd.Context().Err() != nil || failed != nil && opts.Warnings == weft.WarningsError {
		return failed
	}
	if failed == nil {
		process.MessagesOf(cmd).Warn(x)
	}
	var b bytes.Buffer
	write := x.WriteText
	if opts.Format == weft.JSON {
		write = x.WriteJSON
	}
	if err := write(&b); err != nil {
		return err
	}
	if _, err := process.ReportTo(cmd).Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing output: %w", err)
	}
	return failed
}
