package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/diag"
	"weft/internal/git"
)

// diffFlags are the flags of the diff command as they were given. Those that both sides have in
// common are in render.
type diffFlags struct {
	render  renderFlags
	options weft.DiffOptions
	a, b    string
	rev     string
	all     bool
	output  string
	summary bool
	causes  bool
}

// diffFormats are the values of --output.
var diffFormats = []string{"text", "markdown", "json", "patch"}

// newDiff makes the command that compares documents.
func newDiff() *cobra.Command {
	f := &diffFlags{}
	cmd := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Compare documents by what they mean",
		Long: `diff compares the documents of two sides. A side is an environment of the project; a directory
or file of plain YAML, or - for standard input; what weft renders with the flags in --a and --b; or
the same at a git revision.

Documents are matched by kind and name, list items by name, and the order of keys does not count.
If both sides are rendered, changes are grouped by the input that causes them. Secrets are hidden.
The exit code is 0 if there are no differences, 1 if there are, and 2 for errors.`,
		Example: `  weft diff dev prod                              two environments of the project
  weft diff --rev main -e prod                    what a change does to an environment
  weft diff --rev main --all -o markdown          and to all of them, for a pull request
  weft diff out/dev out/prod
  weft diff -f config --a '-v replicas=1' --b '-v replicas=3 -f prod.yml'
  weft diff -f config --data-values-file prod.yml --rev main
  kubectl get deploy web -o yaml | weft diff - deploy.yml --ignore status --ignore 'metadata.**'`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.a, "a", "", "flags of the first side only, such as '-v replicas=1'")
	flags.StringVar(&f.b, "b", "", "flags of the second side only")
	flags.StringVar(&f.rev, "rev", "",
		"compare with the files at git revision `REV`, or between two of them with REV..REV")
	flags.BoolVar(&f.all, "all", false, "with --rev: compare all environments of the project")
	flags.StringVarP(&f.output, "output", "o", "text",
		"print as `FORMAT`: text, markdown, json, or patch for git apply")
	flags.BoolVar(&f.summary, "summary", false, "list only which documents differ")
	flags.StringArrayVar(&f.options.Ignore, "ignore", nil,
		"ignore what is at `PATH`, such as metadata.annotations.* or **.checksum (repeatable)")
	flags.BoolVar(&f.options.Order, "order", false,
		"also report documents and list items with names that have moved")
	flags.StringArrayVar(&f.options.MergeKeys, "merge-key", nil,
		"match list items by a key other than name: `PATH=KEY`, such as **.ports=containerPort "+
			"(repeatable)")
	flags.BoolVar(&f.causes, "causes", true,
		"find the input that causes each change, by rendering once more for each input that differs")
	addSecrets(flags, &f.options.Secrets)
	common := f.render.command("").Flags()
	for _, name := range renderFlagsOfDiff {
		flags.AddFlag(common.Lookup(name))
	}
	return cmd
}

// addSecrets adds the two flags that say what is hidden.
func addSecrets(flags *pflag.FlagSet, s *weft.Secrets) {
	flags.StringArrayVar(&s.Paths, "secret", nil,
		"hide what is at `PATH` of documents and data values, such as spec.token (repeatable)")
	flags.BoolVar(&s.Show, "show-secrets", false,
		"show the data of Secrets, and everything else that is hidden")
}

// renderFlagsOfDiff are the flags of the main command that both sides may have, or one of them.
var renderFlagsOfDiff = slices.Concat([]string{
	"file", "environment", "project", "allow-outside", "file-mark",
}, valueFlagsOfDiff, []string{
	"overrides", "overrides-file",
	"edition", "strict", "ignore-unknown-comments", "implicit-map-key-overrides", "yaml",
	"max-depth", "max-steps", "max-nodes",
	"allow-symlink-destination", "dangerous-allow-all-symlink-destinations",
	"watch", "jobs", "timeout", "quiet", "warnings", "timings",
})

var valueFlagsOfDiff = []string{
	"data-values-file", "data-values-env", "data-values-env-yaml", "data-value", "data-value-yaml",
	"data-value-file", "dangerous-data-values-disable-validation",
}

func (f *diffFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.checkForm(cmd.Flags()); err != nil {
		return err
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
	return f.render.how.run(cmd, common, func(cmd *cobra.Command, how weft.Options) error {
		return f.compare(cmd, args, how)
	})
}

// checkForm finds formats that there are not, and flags that do not go with one.
func (f *diffFlags) checkForm(flags *pflag.FlagSet) error {
	if !slices.Contains(diffFormats, f.output) {
		err := usagef("unknown output type '%s': --output of diff takes %s", f.output,
			strings.Join(diffFormats, ", "))
		if near := diag.Nearest(f.output, diffFormats); near != "" {
			err.WithHint("did you mean %s?", near)
		}
		return err
	}
	if f.output == "patch" {
		for _, name := range []string{"summary", "ignore", "order", "merge-key"} {
			if flags.Changed(name) {
				return usagef("--%s cannot be used with -o patch, which is a diff of the text", name)
			}
		}
	}
	if flags.Changed("rev") && f.rev == "" {
		return usagef("--rev takes a revision, but found an empty one")
	}
	return nil
}

// check finds flags that do not go together.
func (f *diffFlags) check(flags *pflag.FlagSet, args []string) error {
	sides := flags.Changed("a") || flags.Changed("b")
	inputs := flags.Changed("file")
	switch {
	case len(args) > 0 && (sides || inputs):
		return usagef("diff compares either two arguments or what is rendered with -f, but found "+
			"both: '%s'", strings.Join(args, "', '")).
			WithHint("remove the arguments, or -f, --a and --b")
	case len(args) > 0:
		return checkPlain(flags, args, f.rev != "")
	case !sides && f.rev == "":
		return usagef("diff needs two sides to compare").WithHint("name two directories or files, "+
			"or render both sides: %s -f config --a '-v x=1' --b '-v x=2'", "weft diff")
	case !inputs && !sides:
		return usagef("nothing to compare at revision '%s'", f.rev).
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
		return usagef("with --rev, diff compares one file or directory with its revision, but found "+
			"%d arguments", len(args))
	case len(args) != want:
		return usagef("diff compares two files or directories, but found %s",
			diag.Count(len(args), "argument")).WithHint("write weft diff A B")
	case rev && args[0] == "-":
		return usagef("standard input has no revisions: name a file or a directory")
	case want == 2 && args[0] == "-" && args[1] == "-":
		return usagef("both sides are standard input: name a file or a directory for one of them")
	}
	others := []string{"overrides", "overrides-file", "file-mark"}
	for _, name := range slices.Concat(valueFlagsOfDiff, others) {
		if flags.Changed(name) {
			return usagef("--%s has no effect on plain YAML, which is not rendered", name).
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

// compareSides compares two sides and prints how they differ.
func (f *diffFlags) compareSides(cmd *cobra.Command, a, b weft.Side, how weft.Options) error {
	for _, s := range []*weft.Side{&a, &b} {
		s.Parallelism, s.Warnings, s.Timings = how.Parallelism, how.Warnings, how.Timings
		s.Env, s.Reads = how.Env, how.Reads
	}
	b.Print = how.Print
	f.options.Causes = f.causes && f.output != "patch" && !f.summary
	d, err := weft.Diff(cmd.Context(), a, b, f.options)
	if err != nil {
		return err
	}
	messagesOf(cmd).warn(d)
	same, err := f.write(cmd, d)
	switch {
	case err != nil:
		return err
	case !same:
		return errDifferent
	}
	return nil
}

// write prints the difference, and reports whether there is none.
func (f *diffFlags) write(cmd *cobra.Command, d *weft.Difference) (same bool, err error) {
	var out bytes.Buffer
	if same, err = f.print(&out, d, colored(cmd)); err != nil {
		return false, err
	}
	if _, err := cmd.OutOrStdout().Write(out.Bytes()); err != nil && !isBrokenPipe(err) {
		return false, fmt.Errorf("writing output: %w", err)
	}
	return same, nil
}

// print writes the difference in the format that was asked for.
func (f *diffFlags) print(
	w io.Writer, d *weft.Difference, color bool,
) (same bool, err error) {
	switch f.output {
	case "markdown":
		err = d.WriteMarkdown(w, f.summary)
	case "json":
		err = d.WriteJSON(w, f.summary)
	case "patch":
		return d.WritePatch(w)
	default:
		err = d.WriteText(w, color, f.summary)
	}
	return d.Same(), err
}

// colored reports whether standard output is colored.
func colored(cmd *cobra.Command) bool {
	msg := messagesOf(cmd)
	if msg.stdout == nil {
		return msg.color == always
	}
	return msg.color.enabled(msg.stdout.w)
}

// sides are the two sides. Closing must be called when they are not needed any more.
func (f *diffFlags) sides(
	cmd *cobra.Command, args []string,
) (a, b weft.Side, closing func(), err error) {
	closing = func() {}
	stdin := cmd.InOrStdin()
	if len(args) > 0 {
		a, b, err = f.plainSides(args, stdin)
	} else {
		a, b, err = f.renderedSides(cmd.Flags(), stdin)
	}
	if err == nil && f.rev != "" {
		closing, err = f.atRevision(cmd.Context(), &a, &b)
	}
	return a, b, closing, err
}

func (f *diffFlags) plainSides(args []string, stdin io.Reader) (a, b weft.Side, err error) {
	opts, err := f.render.resolve(nil)
	if err != nil {
		return a, b, err
	}
	one := func(arg string) weft.Side {
		s := weft.Side{Options: opts, Plain: true, Name: arg}
		s.Inputs = []string{arg}
		s.Stdin = stdin
		return s
	}
	return one(args[0]), one(args[len(args)-1]), nil
}

// renderedSides are what is rendered with the flags of both sides, and those of each.
func (f *diffFlags) renderedSides(
	common *pflag.FlagSet, stdin io.Reader,
) (a, b weft.Side, err error) {
	one := func(flag, text string) (weft.Side, error) {
		side, err := f.side(common, flag, text)
		if err != nil {
			return weft.Side{}, err
		}
		opts, err := side.resolve(stdin)
		return weft.Side{Options: opts, Name: flag}, err
	}
	if a, err = one("--a", f.a); err == nil {
		b, err = one("--b", f.b)
	}
	return a, b, err
}

// sideFlags are the flags of one side as they were given.
type sideFlags struct {
	renderFlags
	flags *pflag.FlagSet
}

// side is the flags of one side: the common ones, and those of its own.
func (f *diffFlags) side(common *pflag.FlagSet, flag, text string) (*sideFlags, error) {
	words, err := splitWords(flag, text)
	if err != nil {
		return nil, err
	}
	own, side := &renderFlags{}, &sideFlags{}
	ownFlags := own.command("weft diff " + flag).Flags()
	args := make([]string, len(words))
	for i, w := range words {
		args[i] = w.text
	}
	if err := ownFlags.Parse(args); err != nil {
		d := usagef("%s%s: %s", flag, columnOf(words, err), err)
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
			name := unknown.GetSpecifiedName()
			if near := diag.Nearest(name, renderFlagsOfDiff); near != "" {
				d.WithHint("did you mean --%s?", near)
			}
		}
		return nil, d
	}
	if rest := ownFlags.Args(); len(rest) > 0 {
		w := words[len(words)-len(rest)]
		return nil, usagef("%s: expected a flag at column %d, but found '%s'", flag, w.column, w.text).
			WithHint("files are named with -f: -f %s", w.text)
	}
	var refused string
	ownFlags.Visit(func(x *pflag.Flag) {
		if !slices.Contains(renderFlagsOfDiff, x.Name) || executionFlags[x.Name] {
			refused = x.Name
		}
	})
	if refused != "" {
		return nil, usagef("%s: --%s cannot differ between the sides", flag, refused)
	}
	side.flags = side.command("").Flags()
	copyFlags(side.flags, common)
	copyFlags(side.flags, ownFlags)
	side.options.Overrides = slices.Concat(f.render.options.Overrides, own.options.Overrides)
	return side, nil
}

// executionFlags say how a run goes, not what it makes.
var executionFlags = map[string]bool{
	"watch": true, "jobs": true, "timeout": true, "quiet": true, "warnings": true, "timings": true,
}

// columnOf is where the word is that the parser could not understand: the longest that it names.
func columnOf(words []word, err error) string {
	longest, column := "", 0
	for _, w := range words {
		name, _, _ := strings.Cut(w.text, "=")
		if strings.HasPrefix(name, "-") && len(name) > len(longest) &&
			strings.Contains(err.Error(), name) {
			longest, column = name, w.column
		}
	}
	if longest == "" {
		return ""
	}
	return fmt.Sprintf(" column %d", column)
}

// copyFlags sets flags as they are set in another set. Lists get longer.
func copyFlags(to, from *pflag.FlagSet) {
	from.Visit(func(x *pflag.Flag) {
		target := to.Lookup(x.Name)
		if target == nil || !slices.Contains(renderFlagsOfDiff, x.Name) {
			return
		}
		if list, ok := x.Value.(pflag.SliceValue); ok {
			for _, s := range list.GetSlice() {
				_ = target.Value.(pflag.SliceValue).Append(s) // the same kind of flag
			}
		} else if _, ok := x.Value.(*overrideValue); !ok {
			_ = target.Value.Set(x.Value.String())
		}
		target.Changed = true
	})
}

// atRevision makes the first side that of a revision, or both.
func (f *diffFlags) atRevision(ctx context.Context, a, b *weft.Side) (func(), error) {
	var open []*git.Revision
	closing := func() {
		for _, r := range open {
			r.Close()
		}
	}
	at := func(s *weft.Side, name string, others otherSide) error {
		r, err := git.Open(ctx, ".", name)
		if err != nil {
			return err
		}
		open = append(open, r)
		s.FS, s.Name = r, name
		return below(s, "", func(flag, arg, path string) error {
			return others.missing(r, name, flag, arg, path)
		})
	}
	first, second, two := strings.Cut(f.rev, "..")
	if two && (first == "" || second == "" || strings.HasPrefix(second, ".")) {
		return closing, usagef("--rev takes REV or REV..REV, but found '%s'", f.rev)
	}
	if err := at(a, first, otherSide{"--b", f.a}); err != nil {
		return closing, err
	}
	if two {
		return closing, at(b, second, otherSide{"--a", f.b})
	}
	b.Name = "the working tree"
	return closing, nil
}

// otherSide is the flag of the side that is not at a revision, and what the flags are of the one
// that is.
type otherSide struct{ flag, own string }

// missing says that a file is not there at a revision, if it is in the working tree: else it is
// misspelled, which others say better.
func (o otherSide) missing(r *git.Revision, rev, flag, arg, path string) error {
	if _, err := fs.Stat(r, path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Stat(filepath.FromSlash(path)); err != nil {
		return nil
	}
	d := diag.Failf(git.CodeRevision, "'%s' does not exist at revision '%s'", path, rev)
	switch {
	case flag == "":
		d.WithHint("name a directory that is there at the revision")
	case !strings.Contains(o.own, arg):
		d.WithHint("if it is new, give it to one side only: %s '%s %s'", o.flag, flag, arg)
	}
	return d
}

// below makes the paths of a side those of a file system in which the current directory is here.
// Check is called for each, with its flag.
func below(s *weft.Side, here string, check func(flag, arg, path string) error) error {
	place := func(flag, arg, p string) (string, error) {
		if p == "-" || strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") {
			return p, nil
		}
		if !filepath.IsLocal(p) {
			return "", usagef("--rev reads files below the current directory only, but found '%s'", p).
				WithHint("change to a directory above it")
		}
		p = path.Join(here, filepath.ToSlash(filepath.Clean(p)))
		return p, check(flag, arg, p)
	}
	// each does so for arguments of which the path follows a separator, or may.
	each := func(flag string, list []string, sep string, always bool) ([]string, error) {
		out := slices.Clone(list)
		for i, arg := range out {
			prefix, p := "", arg
			if before, after, ok := strings.Cut(arg, sep); ok && (always || strings.HasPrefix(arg, "@")) {
				prefix, p = before+sep, after
			}
			p, err := place(flag, arg, p)
			if err != nil {
				return nil, err
			}
			out[i] = prefix + p
		}
		return out, nil
	}
	var err error
	inputs := "-f"
	if s.Plain {
		inputs = ""
	}
	if s.Inputs, err = each(inputs, s.Inputs, "=", !s.Plain); err != nil {
		return err
	}
	files := &s.DataValues.Files
	if *files, err = each("--data-values-file", *files, ":", false); err != nil {
		return err
	}
	files = &s.DataValues.KVFile
	if *files, err = each("--data-value-file", *files, "=", true); err != nil {
		return err
	}
	s.Overrides = slices.Clone(s.Overrides)
	for i, o := range s.Overrides {
		if o.File {
			if s.Overrides[i].Text, err = place("--overrides-file", o.Text, o.Text); err != nil {
				return err
			}
		}
	}
	return nil
}
