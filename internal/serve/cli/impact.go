package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
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

// newImpact returns the command that shows what depends on data values.
func newImpact() *cobra.Command {
	f := &impactFlags{}
	cmd := &cobra.Command{
		Use:   "impact [ENV] PATH... [flags]",
		Short: "Show what depends on a data value",
		Long: `impact renders an environment of the project, or the inputs that -f names, and prints what depends on
the data values at PATH: documents and places in them, lines of text, and what is left out.

  =  copied from the value      >  overwritten later
  ~  computed from it           ?  decided by it`,
		Example: `  weft impact prod replicas
  weft impact prod replicas --select Deployment/web
  weft impact -f config replicas
  weft impact -f config image.tag --prove
  weft impact -f config --set replicas=5     what changes, exactly
  weft impact --all image.tag                in all environments of the project`,
		Args: cobra.ArbitraryArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.Lookup("environment").Usage = severalUsage
	flags.BoolVar(&f.all, "all", false, allUsage)
	help.Environments.Of(flags)
	flags.StringVarP(&f.form, "output", "o", "text",
		"print as `FORMAT`: text, json (one list) or jsonl (one item per line)")
	addSelect(flags, &f.what.Select, "show only")
	addSecrets(flags, &f.what.Secrets)
	flags.BoolVar(&f.what.Prove, "prove", false,
		"render again with other values, and say which lines change")
	addList(flags, &f.set, "set", "",
		"render again with `KEY=YAML`, and show exactly what changes (repeatable)")
	help.Output.Of(flags)
	return cmd
}

func (f *impactFlags) run(cmd *cobra.Command, args []string) error {
	process.TakeLines(cmd, &f.form)
	if f.form != "text" && f.form != "json" {
		return process.Usagef("unknown output type '%s': impact prints text, json or jsonl", f.form)
	}
	args, err := f.render.project.takeFirst(cmd, args)
	if err != nil {
		return err
	}
	switch set := len(f.set) > 0; {
	case len(args) == 0 && !set:
		return process.Usagef("impact needs the PATH of a data value, such as replicas or image.tag").
			WithHint("weft %s--data-values-inspect shows the data values", f.render.inShell())
	case len(args) > 0 && set:
		key, _, _ := strings.Cut(f.set[0], "=") // the value may be secret
		return process.Usagef("impact takes either PATH or --set, but found both").
			WithHint("--set %s alone shows everything that changes", diag.InShell(key+"=..."))
	case f.what.Prove && set:
		return process.Usagef("--set needs no --prove: what it shows was rendered")
	}
	f.what.Paths = args
	if f.render.project.several(f.all) {
		each := reportEach{render: &f.render, all: f.all, form: f.form, how: f.how(cmd), one: f.report}
		return each.run(cmd)
	}
	opts, err := f.render.understood(cmd)
	if err != nil {
		return err
	}
	return f.render.how.Run(cmd, opts, f.impact)
}

func (f *impactFlags) impact(cmd *cobra.Command, opts weft.Options) error {
	r, err := f.report(cmd.Context(), opts)
	if err != nil {
		return err
	}
	process.MessagesOf(cmd).Warn(r)
	if r.same && f.form == "text" {
		return process.WriteReport(cmd, []byte("nothing changes\n"))
	}
	return process.PrintReport(cmd, r, f.how(cmd))
}

// how returns how the report is written.
func (f *impactFlags) how(cmd *cobra.Command) weft.ReportOptions {
	if f.form == "json" {
		return weft.ReportOptions{Format: weft.JSON}
	}
	return weft.ReportOptions{Color: process.Colored(cmd)}
}

// report returns what depends on data values, or what changes with the values of --set. For that it
// renders with and without them.
func (f *impactFlags) report(ctx context.Context, opts weft.Options) (*warnedReport, error) {
	if len(f.set) == 0 {
		x, err := weft.Impact(ctx, opts, f.what)
		if err != nil {
			return nil, err
		}
		return &warnedReport{Report: x, Warned: x}, nil
	}
	a, b := weft.Side{Options: opts}, weft.Side{Options: opts}
	a.Observe.Print = nil
	b.DataValues.KVYAML = slices.Concat(opts.DataValues.KVYAML, f.set)
	d, err := weft.Diff(ctx, a, b, weft.DiffOptions{Secrets: f.what.Secrets, Select: f.what.Select})
	if err != nil {
		return nil, err
	}
	return &warnedReport{Report: d, Warned: d, same: d.Same()}, nil
}
