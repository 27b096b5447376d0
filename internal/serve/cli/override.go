package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/yaml"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// overrideFlags are the flags of weft override.
type overrideFlags struct {
	options weft.OverrideOptions
	profile string
	output  string
	edition string
	yaml    string
	warn    process.WarningsFlag
	timeout process.TimeoutFlag
	writes  bool
	diff    diffForm

	effective bool
}

// newOverride returns the command that overrides documents and leaves the rest of their files
// unchanged.
func newOverride() *cobra.Command {
	f := &overrideFlags{}
	cmd := &cobra.Command{
		Use:   "override [flags] BASE...",
		Short: "Change YAML without annotations",
		Long: `override changes YAML documents with overrides: mappings that contain only what should change.

Scalars and plain lists are replaced, mappings are merged, lists of mappings are merged by the key
"name", and null removes a key. Everything else stays as written: comments, quotes, order, blank
lines.

The first key $select says which documents an override is for. In lists, {$at: 0, ...} is for the
first entry, {$match: {uses: X}, ...} for those that have it, and $remove-items removes scalars.`,
		Example: `  weft override image.yaml --overrides '{from: "fedora:41"}'
  weft override image.yaml --overrides-file overrides.yaml --explain
  weft override -w deploy.yaml --select kind=Deployment --overrides '{spec: {replicas: 3}}'
  weft override ci.yml --overrides '{jobs: {test: {steps: [{$at: 0, with: {fetch-depth: 0}}]}}}'
  weft override --profile cekit --overrides-file o.yaml | cekit --descriptor - build podman`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.timeout.Run(cmd, func() error { return f.run(cmd, args) })
		},
	}
	o := &f.options
	flags := cmd.Flags()
	addSymlinks(flags, &o.Symlinks)
	addOverrides(flags, &o.Overrides)
	flags.StringVar(&f.profile, "profile", "generic",
		"use the merge rules of `PROFILE`: generic for any YAML, cekit for CEKit image descriptors")
	flags.BoolVar(&f.effective, "effective", false,
		"with --profile cekit: include everything CEKit fills in (default: true, but false with "+
			"--write, --check and --diff)")
	addList(flags, &o.MergeKeys, "merge-key", "",
		"match list entries by a key other than name: `PATH=KEY`, such as ports=value or "+
			"**.containers=name (repeatable)")
	addList(flags, &o.Lists, "lists", "",
		"choose how lists are merged: `PATH=HOW`, where HOW is append, replace or union, such as "+
			"packages.install=union (repeatable)")
	addList(flags, &o.Select, "select", "",
		"change only `DOCUMENT`, such as Deployment/web, FILE#2 or conditions: PATH=VALUE, PATH!=VALUE, "+
			"PATH=~REGEXP, joined by commas (repeatable: any may match)")
	flags.BoolVar(&o.SplitAliases, "split-aliases", false,
		"write out the aliases (*a) of anchors (&a) that change, with the old values; otherwise they follow")
	flags.BoolVar(&o.Force, "force", false, "change templates, too: their text, not what they render")
	flags.BoolVar(&o.Verbose, "verbose", false, "report all schema violations, not only the first")
	help.Overrides.Of(flags)
	flags.BoolVarP(&o.Strict, "strict", "s", false,
		"reject overrides that match nothing, and lists that cannot be merged by key")
	flags.StringVar(&f.edition, "edition", weft.EditionYTT.String(),
		"use the rules of `EDITION`: ytt, or 2026, where kind and name in an override select the document")
	flags.StringVar(&f.yaml, "yaml", "",
		"YAML `VERSION` of the files: 1.1, as ytt reads it, or 1.2 (default: 1.1, but 1.2 with "+
			"--edition 2026)")
	flags.IntVar(&o.Limits.Depth, "max-depth", yaml.DefaultMaxDepth,
		"allow at most `N` levels of nested collections")
	flags.IntVar(&o.Limits.Nodes, "max-nodes", yaml.DefaultMaxNodes,
		"allow at most `N` nodes in a document after expanding aliases")
	help.Language.Of(flags)
	flags.StringVarP(&f.output, "output", "o", "",
		"print in canonical form as `FORMAT`: yaml or json (default: keep the layout of the file)")
	flags.BoolVarP(&f.writes, "write", "w", false,
		"write the files back instead of printing them (also -i, --in-place)")
	flags.BoolVarP(&f.writes, "in-place", "i", false, "same as --write")
	flags.Lookup("in-place").Hidden = true
	f.diff.addCheck(flags, "list the files that would change, and write nothing; exit code 1 if there are any")
	f.diff.add(flags, "print a diff and nothing else; exit code 0 if nothing would change, 1 if "+
		"something would, 2 for errors")
	flags.BoolVar(&o.Explain, "explain", false,
		"print each change instead of the documents: path, old value, new value and override")
	help.Output.Of(flags)
	f.timeout.Add(flags)
	help.Limits.Of(flags)
	f.warn.Add(flags)
	help.Messages.Of(flags)
	return cmd
}

// addSymlinks adds the two flags that select which symbolic links are followed.
func addSymlinks(flags *pflag.FlagSet, links *weft.Symlinks) {
	addCommaList(flags, &links.Allowed, "allow-symlink-destination", "",
		"follow symbolic links to `PATH` or below (repeatable)")
	flags.BoolVar(&links.All, "dangerous-allow-all-symlink-destinations", false,
		"follow all symbolic links")
	help.Input.Of(flags)
}

// addOverrides adds the two flags that name overrides. They form one list, in the order of the
// command line.
func addOverrides(flags *pflag.FlagSet, list *[]weft.Override) {
	flags.Var(&overrideValue{list: list}, "overrides",
		"change documents: a mapping in `YAML` or JSON (repeatable; the last one wins)")
	flags.Var(&overrideValue{list: list, file: true}, "overrides-file",
		"like --overrides, from `FILE`, a directory of files, a URL, or - for standard input "+
			"(repeatable)")
	help.Overrides.Of(flags)
}

// overrideValue is one of the two flags.
type overrideValue struct {
	list *[]weft.Override
	file bool
}

// String implements pflag.Value.
func (v *overrideValue) String() string { return "" }

// Set implements pflag.Value.
func (v *overrideValue) Set(s string) error {
	*v.list = append(*v.list, weft.Override{Text: s, File: v.file})
	return nil
}

// Type implements pflag.Value.
func (v *overrideValue) Type() string { return "stringArray" }

func (f *overrideFlags) run(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if strings.Contains(arg, "=") && !strings.Contains(arg, "://") && !exists(arg) {
			return process.Usagef("override takes files, but found '%s', and no file has this name", arg).
				WithHint("write what should change as a mapping: --overrides '{spec: {replicas: 3}}'")
		}
	}
	opts, err := f.resolve(cmd.Flags(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	res, err := weft.ApplyOverrides(cmd.Context(), opts)
	if err != nil {
		return err
	}
	process.MessagesOf(cmd).Warn(res)
	f.remindOfOverrides(cmd, args)
	return f.write(cmd, res)
}

// resolve turns the flags into options.
func (f *overrideFlags) resolve(
	flags *pflag.FlagSet,
	args []string,
	stdin io.Reader,
) (weft.OverrideOptions, error) {
	opts := f.options
	opts.Inputs, opts.Stdin, opts.Warnings = args, stdin, f.warn.Mode
	opts.InPlace = f.writes
	switch f.profile {
	case "generic":
		if flags.Changed("effective") {
			return opts, process.Usagef("--effective works only with --profile cekit: weft fills in " +
				"nothing in other YAML")
		}
	case "cekit":
		opts.CEKit = true
		if opts.Effective = !f.writes && f.diff == noDiff; flags.Changed("effective") {
			opts.Effective = f.effective
		}
		for _, name := range []string{"merge-key", "lists"} {
			if flags.Changed(name) {
				return opts, process.Usagef("--%s cannot be used with --profile cekit, which has its "+
					"own merge rules", name)
			}
		}
	default:
		err := process.Usagef("unknown profile '%s': --profile takes generic or cekit", f.profile)
		return opts, err.WithNearest(f.profile, []string{"generic", "cekit"})
	}
	switch f.output {
	case "":
	case "yaml":
		opts.Canonical = true
	case "json":
		opts.Format = weft.JSON
	default:
		return opts, process.Usagef("unknown output type '%s': --output takes yaml or json", f.output)
	}
	var err error
	if opts.Edition, err = parseEdition(f.edition); err != nil {
		return opts, err
	}
	if opts.CEKit && flags.Changed("edition") {
		return opts, process.Usagef("--edition cannot be used with --profile cekit, which has its own rules")
	}
	if opts.YAML, err = parseVersion(f.yaml); err != nil {
		return opts, err
	}
	if err := checkLimits(opts.Limits.Depth, true, opts.Limits.Nodes); err != nil {
		return opts, err
	}
	switch {
	case len(args) == 0 && !opts.CEKit:
		return opts, process.Usagef("no input to override: name a file, or - for standard input").
			WithHint("--profile cekit reads image.yaml if no file is named")
	case f.writes && f.output != "":
		return opts, process.Usagef("--write keeps files as they are written, and cannot be used " +
			"with --output")
	case f.diff != noDiff && f.output != "":
		return opts, process.Usagef("%s is about files as they are written, and cannot be used with "+
			"--output", f.diff.flag())
	case f.diff != noDiff && f.writes:
		return opts, process.Usagef("%s writes nothing, and cannot be used with --write", f.diff.flag())
	case f.diff != noDiff && opts.Explain:
		return opts, process.Usagef("%s and --explain cannot be used together", f.diff.flag())
	}
	return opts, nil
}

// remindOfOverrides prints a note that nothing changes without overrides: all arguments are files to
// change. With a profile, printing a descriptor without overrides is useful.
func (f *overrideFlags) remindOfOverrides(cmd *cobra.Command, args []string) {
	if len(f.options.Overrides) > 0 || f.profile != "generic" || process.MessagesOf(cmd).Quiet {
		return
	}
	file := "FILE"
	if len(args) > 1 {
		file = diag.InShell(args[len(args)-1])
	}
	process.MessagesOf(cmd).Info("note: there are no overrides, so nothing changes; name them with " +
		"--overrides, or with --overrides-file " + file + "\n")
}

// write writes the result.
func (f *overrideFlags) write(cmd *cobra.Command, res *weft.OverrideReport) error {
	w := cmd.OutOrStdout()
	var err error
	switch {
	case f.diff != noDiff:
		err = f.diff.write(cmd, difference{unified: res.Diff, semantic: res.Compare})
		if errors.Is(err, process.ErrDifferent) {
			return err
		}
	case f.writes:
		out := process.MessagesOf(cmd).Stdout
		if !out.Begin() {
			return context.Canceled
		}
		defer out.End()
		if _, err := res.WriteInPlace(cmd.Context()); err != nil {
			return err
		}
		if f.options.Explain {
			err = res.Write(process.ReportTo(cmd), weft.ReportOptions{})
		}
	case f.options.Explain:
		err = res.Write(process.ReportTo(cmd), weft.ReportOptions{})
	default:
		_, err = res.WriteTo(w)
	}
	if err != nil {
		if _, ok := errors.AsType[*weft.Error](err); ok {
			return err
		}
		return fmt.Errorf("writing output: %w", err)
	}
	return nil
}
