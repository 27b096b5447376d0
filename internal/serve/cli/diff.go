package cli

import (
	"bytes"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// diffFlags are the flags of the diff command. Those that both sides share are in render.
type diffFlags struct {
	render  renderFlags
	options weft.DiffOptions
	a, b    string
	rev     string
	all     bool
	output  string
	summary bool
	causes  bool
	refused refusedEnv
}

// diffFormats are the values of --output.
var diffFormats = []string{"text", "markdown", "json", "jsonl", "patch"}

// newDiff returns the command that compares documents.
func newDiff() *cobra.Command {
	f := &diffFlags{}
	cmd := &cobra.Command{
		Use:   "diff A B [flags]",
		Short: "Compare documents by what they mean",
		Long: `diff compares the documents of two sides: two environments of the project; two directories or files
of plain YAML, or - for standard input; what weft renders with the flags in --a and --b; or the same
at a git revision. With --rev it compares all environments, or those that are named.

Documents are matched by kind and name, list items by name, and the order of keys does not count.
If both sides are rendered, changes are grouped by the input that causes them. Secrets are hidden.
The exit code is 0 if there are no differences, 1 if there are, and 2 for errors.`,
		Example: `  weft diff dev prod                              two environments of the project
  weft diff prod --rev main                       what a change does to an environment
  weft diff --rev main -o markdown                and to all of them, for a pull request
  weft diff out/dev out/prod
  weft diff -f config --a '-v replicas=1' --b '-v replicas=3 -f prod.yml'
  weft diff -f config --data-values-file prod.yml --rev main
  kubectl get deploy web -o yaml | weft diff - deploy.yml --ignore status --ignore 'metadata.**'`,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.StringVar(&f.a, "a", "", "flags of the first side only, such as '-v replicas=1'")
	flags.StringVar(&f.b, "b", "", "flags of the second side only")
	flags.StringVar(&f.rev, "rev", "",
		"compare with the files at git revision `REV`, or between two of them with REV..REV")
	help.Sides.Of(flags)
	flags.Lookup("environment").Usage = "with --rev: compare environment `NAME` of the project (repeatable)"
	flags.BoolVar(&f.all, "all", false, "with --rev: "+allUsage+", which is the default")
	help.Environments.Of(flags)
	addList(flags, &f.options.MergeKeys, "merge-key", "",
		"match list items by a key other than name: `PATH=KEY`, such as **.ports=containerPort "+
			"(repeatable)")
	help.Overrides.Of(flags)
	flags.StringVarP(&f.output, "output", "o", "text",
		"print as `FORMAT`: text, markdown, json (one list), jsonl (one item per line), or patch for git apply")
	flags.BoolVar(&f.summary, "summary", false, "list only which documents differ")
	addList(flags, &f.options.Ignore, "ignore", "",
		"ignore what is at `PATH`, such as metadata.annotations.* or **.checksum (repeatable)")
	addSelect(flags, &f.options.Select, "compare only")
	flags.BoolVar(&f.options.Order, "order", false,
		"also report documents and list items with names that have moved")
	flags.BoolVar(&f.causes, "causes", true,
		"find the input that causes each change, by rendering once more for each input that differs")
	addSecrets(flags, &f.options.Secrets)
	return cmd
}

// addSelect adds the flag that selects documents of the output.
func addSelect(flags *pflag.FlagSet, list *[]string, what string) {
	addList(flags, list, "select", "",
		what+" `DOCUMENT`, such as Deployment/web, */web or kind=Deployment (repeatable: any may match)")
	help.Output.Of(flags)
}

// addSecrets adds the two flags that say what is hidden.
func addSecrets(flags *pflag.FlagSet, s *weft.Secrets) {
	addList(flags, &s.Paths, "secret", "",
		"hide what is at `PATH` of documents and data values, such as spec.token (repeatable)")
	flags.BoolVar(&s.Show, "show-secrets", false,
		"show the data of Secrets, and everything else that is hidden")
	help.Output.Of(flags)
}

func (f *diffFlags) run(cmd *cobra.Command, args []string) error {
	process.TakeLines(cmd, &f.output)
	if err := f.checkForm(cmd.Flags()); err != nil {
		return err
	}
	if err := f.render.project.checkNames(); err != nil {
		return err
	}
	if len(args) > 2 && f.rev == "" {
		return process.Usagef("diff compares two sides, but found %d arguments: '%s'", len(args),
			strings.Join(args, "', '")).
			WithHint("name two: weft diff %s %s", diag.InShell(args[0]), diag.InShell(args[1]))
	}
	p, err := f.inProject(cmd, args)
	if err != nil {
		return err
	}
	if p != nil {
		return f.runProject(cmd, p, args)
	}
	if err := f.check(cmd.Flags(), args); err != nil {
		return err
	}
	common, err := f.render.resolve(nil)
	if err != nil {
		return err
	}
	return f.render.how.Run(cmd, common, func(cmd *cobra.Command, how weft.Options) error {
		return f.compare(cmd, args, how)
	})
}

// checkForm rejects unknown formats, and flags that do not fit the format.
func (f *diffFlags) checkForm(flags *pflag.FlagSet) error {
	if !slices.Contains(diffFormats, f.output) {
		err := process.Usagef("unknown output type '%s': --output of diff takes %s", f.output,
			strings.Join(diffFormats, ", "))
		return err.WithNearest(f.output, diffFormats)
	}
	if f.output == "patch" {
		for _, name := range []string{"summary", "ignore", "select", "order", "merge-key"} {
			if flags.Changed(name) {
				return process.Usagef("--%s cannot be used with -o patch, which is a diff of the text", name)
			}
		}
	}
	if flags.Changed("rev") && f.rev == "" {
		return process.Usagef("--rev takes a revision, but found an empty one")
	}
	return nil
}

// check rejects flags that do not fit together.
func (f *diffFlags) check(flags *pflag.FlagSet, args []string) error {
	sides := flags.Changed("a") || flags.Changed("b")
	inputs := flags.Changed("file")
	switch {
	case len(args) > 0 && (sides || inputs):
		return process.Usagef("diff compares either two arguments or what is rendered with -f, but found "+
			"both: '%s'", strings.Join(args, "', '")).
			WithHint("remove the arguments, or -f, --a and --b")
	case len(args) > 0:
		return checkPlain(flags, args, f.rev != "")
	case !sides && f.rev == "":
		return process.Usagef("diff needs two sides to compare").WithHint("name two directories or files, "+
			"or render both sides: %s -f config --a '-v x=1' --b '-v x=2'", "weft diff")
	case !inputs && !sides:
		return process.Usagef("nothing to compare at revision '%s'", f.rev).
			WithHint("add -f config to render it, or name a directory of plain YAML")
	}
	return nil
}

// checkPlain checks arguments that name plain YAML.
func checkPlain(flags *pflag.FlagSet, args []string, rev bool) error {
	want := 2
	if rev {
		want = 1
	}
	switch {
	case len(args) != want && rev:
		return process.Usagef("with --rev, diff compares one file or directory with its revision, but found "+
			"%d arguments", len(args))
	case len(args) != want:
		return process.Usagef("diff compares two files or directories, but found %s",
			diag.Count(len(args), "argument")).WithHint("write weft diff A B")
	case rev && args[0] == "-":
		return process.Usagef("standard input has no revisions: name a file or a directory")
	case want == 2 && args[0] == "-" && args[1] == "-":
		return process.Usagef("both sides are standard input: name a file or a directory for one of them")
	}
	others := []string{"overrides", "overrides-file", "file-mark"}
	for _, name := range slices.Concat(valueFlags, others) {
		if flags.Changed(name) {
			return process.Usagef("--%s has no effect on plain YAML, which is not rendered", name).
				WithHint("render both sides instead: weft diff -f config --a FLAGS --b FLAGS")
		}
	}
	return nil
}

// compare compares the sides that flags or arguments name.
func (f *diffFlags) compare(cmd *cobra.Command, args []string, how weft.Options) error {
	a, b, closing, err := f.sides(cmd, args)
	defer closing()
	if err != nil {
		return err
	}
	return f.compareSides(cmd, a, b, how)
}

// runLike makes options run like the command: with its processors, timings and file watching.
func runLike(opts *weft.Options, how weft.Options) {
	opts.Limits.Parallelism, opts.Cache = how.Limits.Parallelism, how.Cache
	opts.Observe.Timings, opts.Observe.Reads = how.Observe.Timings, how.Observe.Reads
}

// compareSides compares two sides and prints the differences.
func (f *diffFlags) compareSides(cmd *cobra.Command, a, b weft.Side, how weft.Options) error {
	for _, s := range []*weft.Side{&a, &b} {
		s.Warnings, s.Env = how.Warnings, how.Env
		runLike(&s.Options, how)
	}
	if f.rev != "" { // the author of the revision also wrote its project file
		f.refused.leaveOut(&a.Options)
		f.refused.leaveOut(&b.Options)
		f.refused.tell(cmd)
	}
	b.Observe.Print = how.Observe.Print
	f.options.Causes = f.causes && f.output != "patch" && !f.summary
	d, err := weft.Diff(cmd.Context(), a, b, f.options)
	if err != nil {
		return err
	}
	process.MessagesOf(cmd).Warn(d)
	same, err := f.write(cmd, d)
	switch {
	case err != nil:
		return err
	case !same:
		return process.ErrDifferent
	}
	return nil
}

// write prints the difference, and reports whether there is none.
func (f *diffFlags) write(cmd *cobra.Command, d *weft.DiffReport) (same bool, err error) {
	var out bytes.Buffer
	if same, err = f.print(&out, d, process.Colored(cmd)); err != nil {
		return false, err
	}
	if f.output != "text" {
		return same, process.WriteReport(cmd, out.Bytes())
	}
	return same, process.WriteFolded(cmd, out.Bytes())
}

// print writes the difference in the requested format, and reports whether there is none.
func (f *diffFlags) print(out *bytes.Buffer, d *weft.DiffReport, color bool) (same bool, err error) {
	format := map[string]weft.Format{"markdown": weft.Markdown, "json": weft.JSON, "patch": weft.Patch}[f.output]
	before := out.Len()
	err = d.Write(out, weft.ReportOptions{Format: format, Color: color, Summary: f.summary})
	if format == weft.Patch { // documents may differ only in layout
		return out.Len() == before, err
	}
	return d.Same(), err
}
