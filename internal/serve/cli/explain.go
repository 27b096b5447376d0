package cli

import (
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
		Use:   "explain [ENV] [flags]",
		Short: "Show what each overlay changes",
		Long: `explain renders an environment of the project, or the inputs that -f names, but prints what overlays
do instead of the result. For each overlay, in order, it shows what it matches, what it changes there,
and what nearly matches.`,
		Example: `  weft explain prod
  weft explain -f config -f overlays
  weft explain -f config -o json     for programs`,
		Args: environmentArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, append(renderedBy("overrides", "overrides-file"), "output"))
	addSecrets(flags, &f.secrets)
	flags.Lookup("output").Usage = "print as `FORMAT`: text, or json for programs (default text)"
	return cmd
}

func (f *explainFlags) run(cmd *cobra.Command, args []string) error {
	f.render.project.take(args)
	for _, form := range f.render.output {
		if form != "text" && form != "json" {
			return process.Usagef("unknown output type '%s': explain prints text, or JSON with -o json", form)
		}
	}
	f.render.output = slices.DeleteFunc(f.render.output, func(form string) bool { return form == "text" })
	opts, err := f.render.inProject(cmd)
	if err != nil {
		return err
	}
	return f.render.how.Run(cmd, opts, f.explain)
}

// explain prints what overlays did, also of a run that fails: that is when one wants to know.
func (f *explainFlags) explain(cmd *cobra.Command, opts weft.Options) error {
	x, failed := weft.Explain(cmd.Context(), opts, f.secrets)
	if x == nil || cmd.Context().Err() != nil || failed != nil && opts.Warnings == weft.WarningsError {
		return failed
	}
	if failed == nil {
		process.MessagesOf(cmd).Warn(x)
	}
	if err := process.PrintReport(cmd, x, weft.ReportOptions{Format: opts.Format}); err != nil {
		return err
	}
	return failed
}
