package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/serve/cli/process"
	"weft/internal/serve/krm"
)

// krmFlags are the flags of the command that kustomize and kpt call.
type krmFlags struct{ render renderFlags }

// newKrm returns the command that kustomize and kpt call.
func newKrm() *cobra.Command {
	f := &krmFlags{}
	cmd := &cobra.Command{
		Use:   "krm [flags]",
		Short: "Run as a function of kustomize or kpt",
		Long: `krm reads a ResourceList on standard input, applies overlays and templates to its items, and prints
the ResourceList with the new items. Comments, order and layout are kept. The functionConfig of the
list names the files; -f and the flags of data values add to it.

Errors and warnings are among the results of the printed list, and on standard error. After an error
the items are those of the input, and the exit code is 1.`,
		Example: `  kustomize build --enable-alpha-plugins --enable-exec
  kpt fn eval --exec 'weft krm -f overlays'
  kustomize fn run --enable-exec --exec-path ./weft-krm app/`,
		Args: krmArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy("environment", "project", "allow-env", "watch"))
	flags.Lookup("allow-outside").Usage = "allow the functionConfig to name `PATH` outside of the working " +
		"directory, or a URL and all below it (repeatable)"
	flags.Lookup("file").Usage = "read `PATH`: a file, a directory or a URL; NAME=PATH renames a file " +
		"(repeatable)"
	return cmd
}

// krmArgs rejects arguments: the list comes from standard input.
func krmArgs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return process.Usagef("weft krm reads the list from standard input, but found the argument '%s'", args[0]).
		WithHint("write weft krm < %s", diag.InShell(args[0]))
}

func (f *krmFlags) run(cmd *cobra.Command, _ []string) error {
	opts, err := f.render.resolve(nil)
	if err != nil {
		return err
	}
	bounds := project.NewBounds(".", "the working directory", f.render.project.outside)
	return f.render.how.Run(cmd, opts, func(cmd *cobra.Command, opts weft.Options) error {
		return runKrm(cmd, opts, bounds)
	})
}

// runKrm handles a call. It prints a list even after an error, because callers look for the error
// there.
func runKrm(cmd *cobra.Command, opts weft.Options, bounds *project.Bounds) error {
	text, err := io.ReadAll(cmd.InOrStdin())
	if err != nil {
		return fmt.Errorf("reading standard input: %w", err)
	}
	done, failed := krm.Run(cmd.Context(), text, opts, bounds)
	if done.Result != nil {
		process.MessagesOf(cmd).Warn(done.Result)
	}
	if done.Text != nil {
		if err := process.WriteOut(cmd, done.Text); err != nil {
			return err
		}
	}
	return failed
}
