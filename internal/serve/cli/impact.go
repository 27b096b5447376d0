package cli

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/origin/blame"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// impactFlags are the flags of the impact command.
type impactFlags struct {
	render renderFlags
	what   weft.ImpactOptions
	form   string
	set    []string
	all    bool
}

// newImpact makes the command that tells what depends on data values.
func newImpact() *cobra.Command {
	f := &impactFlags{}
	cmd := &cobra.Command{
		Use:   "impact [flags] PATH...",
		Short: "Show which lines of the output depend on a data value",
		Long: `impact renders the inputs like weft without a command, and prints what depends on the data values
at PATH: documents and places in them, lines of text, and what is left out.

  =  copied from the value      >  overwritten later
  ~  computed from it           ?  decided by it`,
		Example: `  weft impact -f config replicas
  weft impact -f config image.tag --prove
  weft impact -f config --set replicas=5     what changes, exactly
  weft impact --all image.tag                in all environments of the project`,
		Args: cobra.ArbitraryArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.BoolVar(&f.all, "all", false,
		"do so for all environments of the project, and say which of them each line is in")
	help.Environments.Of(flags)
	flags.StringVarP(&f.form, "output", "o", "text", "print as `FORMAT`: text or json")
	addSecrets(flags, &f.what.Secrets)
	flags.BoolVar(&f.what.Prove, "prove", false,
		"render again with other values, and say which lines change")
	flags.StringArrayVar(&f.set, "set", nil,
		"render again with `KEY=YAML`, and show exactly what changes (repeatable)")
	help.Output.Of(flags)
	return cmd
}

func (f *impactFlags) run(cmd *cobra.Command, args []string) error {
	if f.form != "text" && f.form != "json" {
		return process.Usagef("unknown output type '%s': impact prints text or json", f.form)
	}
	switch set := len(f.set) > 0; {
	case len(args) == 0 && !set:
		return process.Usagef("impact needs the PATH of a data value, such as replicas or image.tag")
	case len(args) > 0 && set:
		key, _, _ := strings.Cut(f.set[0], "=") // the value may be secret
		return process.Usagef("impact takes either PATH or --set, but found both").
			WithHint("--set %s alone shows all that changes", diag.InShell(key+"=..."))
	case f.what.Prove && set:
		return process.Usagef("--set needs no --prove: what it shows was rendered")
	}
	f.what.Paths = args
	if f.all {
		return f.runAll(cmd)
	}
	opts, err := f.render.inProject(cmd)
	if err != nil {
		return err
	}
	return f.render.how.Run(cmd, opts, f.impact)
}

func (f *impactFlags) impact(cmd *cobra.Command, opts weft.Options) error {
	r, err := f.report(cmd.Context(), opts)
	if err != nil {
		return f.meantEnvironment(cmd, err)
	}
	process.MessagesOf(cmd).Warn(r)
	return process.PrintText(cmd, func(w io.Writer) error {
		if r.same && f.form == "text" {
			_, err := io.WriteString(w, "nothing changes\n")
			return err
		}
		return r.Write(w, f.how(cmd))
	})
}

// impactReport is what depends on data values, or what changes with those of --set.
type impactReport struct {
	weft.Report
	process.Warned
	same bool // nothing changes
}

// how returns how the report is written.
func (f *impactFlags) how(cmd *cobra.Command) weft.ReportOptions {
	if f.form == "json" {
		return weft.ReportOptions{Format: weft.JSON}
	}
	return weft.ReportOptions{Color: process.Colored(cmd)}
}

// report renders: with the values of --set and without them, if there are any.
func (f *impactFlags) report(ctx context.Context, opts weft.Options) (*impactReport, error) {
	if len(f.set) == 0 {
		x, err := weft.Impact(ctx, opts, f.what)
		if err != nil {
			return nil, err
		}
		return &impactReport{Report: x, Warned: x}, nil
	}
	a, b := weft.Side{Options: opts}, weft.Side{Options: opts}
	a.Observe.Print = nil
	b.DataValues.KVYAML = slices.Concat(opts.DataValues.KVYAML, f.set)
	d, err := weft.Diff(ctx, a, b, weft.DiffOptions{Secrets: f.what.Secrets})
	if err != nil {
		return nil, err
	}
	return &impactReport{Report: d, Warned: d, same: d.Same()}, nil
}

// meantEnvironment explains that an environment is chosen with a flag, if a path that is not data
// value is the name of one.
func (f *impactFlags) meantEnvironment(cmd *cobra.Command, err error) error {
	env := slices.IndexFunc(f.what.Paths, func(path string) bool { return isEnvironment(cmd, path) })
	if env < 0 || weft.ErrorOf(err).Diagnostics()[0].Code != string(blame.CodeValue) {
		return err
	}
	name, others := f.what.Paths[env], slices.Delete(slices.Clone(f.what.Paths), env, env+1)
	if len(others) == 0 {
		others = []string{"PATH"}
	}
	return process.Usagef("impact takes the PATH of a data value, but '%s' is an environment", name).
		WithHint("name the environment with -e: weft impact -e %s %s", diag.InShell(name),
			diag.WordsInShell(others))
}
