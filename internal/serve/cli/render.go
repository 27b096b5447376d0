package cli

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/engine/eval"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/yaml"
	"weft/internal/project/fleet"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// renderFlags are the flags of the main command.
type renderFlags struct {
	options weft.Options
	project projectFlags
	inspect inspectFlags
	out     outputFlags
	how     process.Flags
	output  []string
	keep    []string
	edition string
	yaml    string
	nodes   nodes
}

// newRender returns the main command, which reads the inputs and prints the result.
func newRender(name string) *cobra.Command { return (&renderFlags{}).command(name) }

// command returns a command with these flags.
func (f *renderFlags) command(name string) *cobra.Command {
	cmd := &cobra.Command{
		Use:  name + " [flags]",
		Args: noArgs,
		RunE: f.run,
	}
	o := &f.options
	flags := cmd.Flags()
	addList(flags, &o.Inputs, "file", "f",
		"read `PATH`: a file, a directory, a URL, or - for standard input; NAME=PATH renames a "+
			"file (repeatable)")
	addList(flags, &o.Marks, "file-mark", "",
		"change how files are treated: `PATH:KEY=VALUE` with key path, exclude, type, for-output "+
			"or exclusive-for-output (repeatable)")
	flags.BoolVar(&f.inspect.files, "files-inspect", false,
		"print the relative paths of all input files in order, and exit")
	help.Input.Of(flags)
	f.project.add(flags)
	addCommaList(flags, &f.output, "output", "o",
		"print as `FORMAT`: yaml, json or pos (default yaml)")
	addList(flags, &f.keep, "keep", "",
		"keep `WHAT` of the input in the output: comments, literals, blank-lines, or all, which "+
			"also keeps the layout; none for canonical output (repeatable)")
	help.Output.Of(flags)
	f.out.add(flags)
	addSymlinks(flags, &o.Symlinks)
	addValues(flags, o, &f.inspect)
	addOverrides(flags, &o.Overrides)
	flags.StringVar(&f.edition, "edition", weft.EditionYTT.String(),
		"read the inputs by the rules of `EDITION`: ytt, or 2026")
	flags.BoolVarP(&o.Strict, "strict", "s", false,
		"reject unquoted scalars that YAML parsers read in different ways")
	flags.StringVar(&f.yaml, "yaml", "",
		"YAML `VERSION` of the inputs: 1.1, as ytt reads it, or 1.2 (default 1.1, or 1.2 with "+
			"--edition 2026)")
	flags.BoolVar(&o.IgnoreUnknownComments, "ignore-unknown-comments", false,
		"allow template comments that start with neither #@ nor #!")
	flags.BoolVar(&o.ImplicitMapKeyOverrides, "implicit-map-key-overrides", false,
		"allow duplicate map keys in templates; the last one wins")
	flags.IntVar(&o.Limits.Depth, "max-depth", yaml.DefaultMaxDepth,
		"allow at most `N` levels of nested collections")
	flags.Var(&f.nodes, "max-nodes",
		"allow at most `N` nodes in a document after expanding aliases")
	flags.Uint64Var(&o.Limits.Steps, "max-steps", eval.DefaultMaxSteps,
		"allow at most `N` steps for the code of one file")
	help.Language.Of(flags)
	f.how.AddLimits(flags)
	help.Limits.Of(flags)
	f.how.AddMessages(flags)
	help.Messages.Of(flags)
	return cmd
}

func (f *renderFlags) run(cmd *cobra.Command, _ []string) error {
	opts, err := f.inProject(cmd)
	if err != nil {
		return err
	}
	return f.how.Run(cmd, opts, f.render)
}

// render renders and writes the result.
func (f *renderFlags) render(cmd *cobra.Command, opts weft.Options) error {
	return f.out.render(cmd, opts, &f.inspect)
}

// addTo adds flags of the main command to another one.
func (f *renderFlags) addTo(cmd *cobra.Command, names []string) *pflag.FlagSet {
	flags := cmd.Flags()
	flags.SortFlags = false // keep the order of the main command
	mainFlags := f.command("").Flags()
	for _, name := range names {
		flags.AddFlag(mainFlags.Lookup(name))
	}
	return flags
}

// renderedBy returns the flags of the main command that decide what is rendered, except some.
func renderedBy(except ...string) []string {
	names := slices.Concat([]string{
		"file", "environment", "project", "allow-outside", "allow-env", "engines", "file-mark",
	}, valueFlags, []string{
		"overrides", "overrides-file",
		"edition", "strict", "yaml", "ignore-unknown-comments", "implicit-map-key-overrides",
		"max-depth", "max-nodes", "max-steps",
		"allow-symlink-destination", "dangerous-allow-all-symlink-destinations",
	}, executionFlags)
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(except, name) })
}

// valueFlags are the flags that set data values.
var valueFlags = []string{
	"data-values-file", "data-values-env", "data-values-env-yaml", "data-value", "data-value-yaml",
	"data-value-file", "data-values-json-schema", "dangerous-data-values-disable-validation",
}

// executionFlags decide how a run is executed, not what it produces.
var executionFlags = []string{"watch", "jobs", "timeout", "quiet", "warnings", "timings"}

// schemaFormats are the values of --output that select a schema.
var schemaFormats = lazy.Value[map[string]weft.SchemaFormat]{New: func() map[string]weft.SchemaFormat {
	return map[string]weft.SchemaFormat{
		"openapi-v3": weft.OpenAPI, "json-schema": weft.JSONSchema,
	}
}}

// resolve turns the flags into options.
func (f *renderFlags) resolve(stdin io.Reader) (weft.Options, error) {
	opts := f.options
	opts.Stdin = stdin
	formats := 0
	for _, name := range f.output {
		if schema, ok := schemaFormats.Get()[name]; ok {
			f.inspect.forms = append(f.inspect.forms, schema)
			continue
		}
		format, err := parseFormat(name)
		if err != nil {
			return opts, err
		}
		if formats++; formats == 1 { // the first one counts, as in ytt
			opts.Format = format
		}
	}
	if err := f.inspect.check(); err != nil {
		return opts, err
	}
	var err error
	if opts.Keep, err = parseKeep(f.keep); err != nil {
		return opts, err
	}
	if opts.Keep&weft.KeepAll != 0 && opts.Format != weft.YAML {
		return opts, process.Usagef("--keep keeps YAML text, and cannot be used with -o %s", opts.Format).
			WithHint("remove --keep, or print YAML")
	}
	if opts.AllowEnv, err = allowedEnv(f.project.env); err != nil {
		return opts, err
	}
	if opts.Edition, err = parseEdition(f.edition); err != nil {
		return opts, err
	}
	if opts.YAML, err = parseVersion(f.yaml); err != nil {
		return opts, err
	}
	if f.nodes.given {
		opts.Limits.Nodes = f.nodes.n
	}
	return opts, checkLimits(opts.Limits.Depth, f.nodes.given, opts.Limits.Nodes)
}

// checkLimits checks --max-depth, and --max-nodes if it is given.
func checkLimits(depth int, given bool, nodes int) error {
	switch {
	case depth < 1 || depth > fleet.MaxDepth:
		return process.Usagef("--max-depth takes a number from 1 to %d, but found %d",
			fleet.MaxDepth, depth)
	case given && nodes < 1:
		return process.Usagef("--max-nodes takes a number of at least 1, but found %d", nodes)
	}
	return nil
}

// nodes is the value of --max-nodes. By default, input and nodes that code creates have different
// limits; the flag sets both.
type nodes struct {
	n     int
	given bool
}

func (v *nodes) Set(s string) error {
	n, err := strconv.ParseInt(s, 0, strconv.IntSize)
	v.n, v.given = int(n), true
	return err
}

func (v *nodes) String() string {
	if !v.given {
		return strconv.Itoa(yaml.DefaultMaxNodes)
	}
	return strconv.Itoa(v.n)
}

func (*nodes) Type() string { return "int" }

func parseFormat(name string) (weft.Format, error) {
	formats := []weft.Format{weft.YAML, weft.JSON, weft.Pos}
	names := make([]string, len(formats))
	for i, f := range formats {
		if names[i] = f.String(); names[i] == name {
			return f, nil
		}
	}
	err := process.Usagef("unknown output type '%s': --output takes yaml, json or pos, and openapi-v3 or "+
		"json-schema with --data-values-schema-inspect", name)
	if info, missing := os.Stat(name); strings.ContainsAny(name, "/.") || missing == nil && info.IsDir() {
		return weft.YAML, err.WithHint("to write files into a directory, use --output-files %s", diag.InShell(name))
	}
	return weft.YAML, err.WithNearest(name, append(names, "openapi-v3", "json-schema"))
}

// inShell returns the flags that select what is rendered, for a command line in a hint.
func (f *renderFlags) inShell() string {
	var words []string
	for _, in := range f.options.Inputs {
		words = append(words, "-f", in)
	}
	for _, env := range f.project.named {
		words = append(words, "-e", env)
	}
	if words == nil {
		return ""
	}
	return diag.WordsInShell(words) + " "
}

// write prints the result. Rendering is complete by now, so a run that fails prints nothing.
func write(w io.Writer, res *weft.Result) error {
	_, err := res.WriteTo(w)
	return process.OutputError(err)
}

// noArgs rejects arguments. Usually a command is misspelled, or -f is missing.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if d := spacedValue(cmd, args); d != nil {
		return d
	}
	err := process.Usagef(
		"command '%s' does not accept extra arguments '%s'",
		cmd.CommandPath(),
		strings.Join(args, "', '"),
	)
	command := cmd.CommandPath()
	if cmd.Hidden && cmd.Parent() != nil { // ytt's word for what weft does without one
		command = cmd.Parent().CommandPath()
	}
	switch {
	case cmd.Flags().Lookup("file") == nil:
		return err.WithHint("%s --help shows how it is called", cmd.CommandPath())
	case args[0] == "-":
		return err.WithHint("read standard input with -f: %s -f -", command)
	case exists(args[0]):
		return err.WithHint("name files with -f: %s -f %s", command, diag.PathInShell(args[0]))
	}
	return err
}
