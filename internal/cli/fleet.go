package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/diag"
)

// fleetFlags are the flags of the fleet command as they were given. Those that it has in common
// with the main command are in render.
type fleetFlags struct {
	render renderFlags
	envs   []string
	labels []string
	output string
	shard  string
}

// notOfFleet are the flags of the main command that a fleet does not have, or has in a way of its
// own.
var notOfFleet = []string{
	"output", "environment", "bulk-in", "bulk-out", "debug",
	"files-inspect", "data-values-inspect", "data-values-schema-inspect",
}

// placeholder is what stands for the name of an environment in the name of a directory.
const placeholder = "{env}"

// newFleet makes the command that renders one configuration for many environments.
func newFleet() *cobra.Command {
	f := &fleetFlags{}
	cmd := &cobra.Command{
		Use:   "fleet [ENV...] [flags]",
		Short: "Render many environments side by side",
		Long: `fleet renders environments and writes each to its output. It reads and compiles what they have in
common once. If an environment fails, weft reports it and still writes the others.

The environments are those of the project: all, those that are named, or those with the labels of
-l. Or they are data values files that match --env: the name of an environment is then the file
name without the extension, and it is rendered as weft would render it with that file as the last
--data-values-file.`,
		Example: `  weft fleet                         write all environments of the project
  weft fleet dev prod
  weft fleet -l region=eu --shard 0/4
  weft fleet -o none                 check all environments, write nothing
  weft fleet --env 'envs/*.yml' -f config --output-files 'out/{env}'
  weft fleet --env 'envs/*.yml' -f config --output-files 'out/{env}' --shard 0/4`,
		Args: fleetArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if ofProject(cmd) {
				return f.runProject(cmd, args)
			}
			return f.run(cmd)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.envs, "env", nil,
		"render once for each data values file that matches `PATTERN`, with *, ? and [a-z] as in "+
			"a shell (repeatable)")
	addSelector(flags, &f.labels)
	flags.StringVarP(&f.output, "output", "o", "",
		"write as `FORMAT`: yaml; none checks everything and writes nothing (default yaml)")
	flags.StringVar(&f.shard, "shard", "",
		"render only part `I/N` of the environments, with I counted from 0; all N parts are the "+
			"whole fleet")
	f.render.command("").Flags().VisitAll(func(flag *pflag.Flag) {
		if !slices.Contains(notOfFleet, flag.Name) {
			flags.AddFlag(flag)
		}
	})
	return cmd
}

// ofProject reports whether a fleet is that of a project: its environments are not those of --env,
// and its inputs not those of -f.
func ofProject(cmd *cobra.Command) bool {
	flags := cmd.Flags()
	return !flags.Changed("env") && (!flags.Changed("file") || flags.Changed("project"))
}

// fleetArgs refuses arguments beside --env. Nearly always the shell has expanded a pattern that was
// meant for weft.
func fleetArgs(cmd *cobra.Command, args []string) error {
	if ofProject(cmd) {
		return nil
	}
	if err := noArgs(cmd, args); err != nil {
		if cmd.Flags().Changed("env") {
			return usagef(
				"%s",
				err,
			).WithHint("put the pattern in quotes, so that the shell leaves it alone: --env 'envs/*.yml'")
		}
		return err
	}
	return nil
}

// errFleet is how a fleet ends of which an environment failed, which has been told by then.
var errFleet = errors.New("an environment failed")

func (f *fleetFlags) run(cmd *cobra.Command) error {
	opts, dir, err := f.resolve(cmd)
	if err != nil {
		return err
	}
	return f.render.how.run(cmd, opts.Options, func(cmd *cobra.Command, common weft.Options) error {
		opts.Options = common
		if w := watchingOf(cmd); w != nil && dir.Path != "" {
			parent := weft.Dir{Path: filepath.Dir(beforePlaceholder(dir.Path) + "x")}
			if err := w.writesTo(parent, common); err != nil {
				return err
			}
		}
		return renderFleet(cmd, opts, dir, f.render.out.diff)
	})
}

// renderFleet renders environments and writes each to its directory, unless that has no path. With
// a form of diff it shows what would change there instead.
func renderFleet(
	cmd *cobra.Command, opts weft.FleetOptions, dir weft.Dir, form diffForm,
) error {
	if form != noDiff {
		return diffFleet(cmd, opts, dir, form)
	}
	done := &fleetReport{msg: messagesOf(cmd), envs: make([]fleetEntry, len(opts.Environments))}
	var parent sync.Once
	err := weft.Fleet(cmd.Context(), opts, func(i int, r weft.Rendered) {
		var made weft.Changes
		if r.Err == nil && dir.Path != "" {
			// Here and not by each environment: one that fails to write takes away the directories
			// that it made.
			parent.Do(
				func() { _ = os.MkdirAll(filepath.Dir(beforePlaceholder(dir.Path)+"x"), 0o755) },
			)
			if !done.msg.stdout.begin() {
				return
			}
			made, r.Err = writeEnvironment(cmd.Context(), r, dir)
			done.msg.stdout.end()
		}
		done.add(i, r, made)
	})
	if err != nil {
		return err
	}
	return done.write(dir.Path != "")
}

// diffFleet renders environments and shows what would change in the directory of each, in their
// order.
func diffFleet(
	cmd *cobra.Command, opts weft.FleetOptions, dir weft.Dir, form diffForm,
) error {
	done := &fleetReport{msg: messagesOf(cmd), envs: make([]fleetEntry, len(opts.Environments))}
	texts := make([][]byte, len(opts.Environments))
	color := colored(cmd)
	err := weft.Fleet(cmd.Context(), opts, func(i int, r weft.Rendered) {
		if r.Err == nil {
			own := dir
			own.Path = strings.ReplaceAll(dir.Path, placeholder, r.Name)
			var same bool
			texts[i], same, r.Err = form.text(comparison(cmd.Context(), r.Result, own), color)
			if !same && r.Err == nil && form == semanticDiff {
				texts[i] = append([]byte(diag.Visible(r.Name)+":\n"), texts[i]...)
			}
		}
		done.add(i, r, weft.Changes{})
	})
	if err != nil {
		return err
	}
	if _, err := cmd.OutOrStdout().Write(bytes.Join(texts, nil)); err != nil && !isBrokenPipe(err) {
		return outputError(err)
	}
	if err := done.write(false); err != nil {
		return err
	}
	if len(bytes.Join(texts, nil)) > 0 {
		return errDifferent
	}
	return nil
}

// resolve turns the flags into options, and the directory to write to; it has no path if nothing
// shall be written.
func (f *fleetFlags) resolve(cmd *cobra.Command) (weft.FleetOptions, weft.Dir, error) {
	none := f.output == "none"
	if !none && f.output != "" {
		f.render.output = []string{f.output}
	}
	common, err := f.render.resolve(cmd.InOrStdin())
	if err == nil && common.Format == weft.JSON && f.render.out.split == "" {
		err = filesAreYAML(cmd, &common)
	}
	opts := weft.FleetOptions{Options: common}
	if err != nil {
		return opts, weft.Dir{}, err
	}
	dir, err := f.render.out.dir(cmd.Flags())
	switch {
	case err != nil:
		return opts, dir, err
	case common.Format == weft.Pos:
		return opts, dir, usagef("unknown output type 'pos': --output of fleet takes yaml or none")
	case none && f.render.out.diff != noDiff:
		return opts, dir, usagef("--diff and -o none cannot be used together")
	case none && dir.Path != "":
		return opts, dir, usagef("-o none writes nothing, and cannot be used with an output " +
			"directory")
	case !none && dir.Path == "":
		return opts, dir, usagef("fleet needs a directory to write to").WithHint("add "+
			"--output-files 'out/%s', or -o none to write nothing", placeholder)
	case !none && !strings.Contains(dir.Path, placeholder):
		return opts, dir, noPlaceholder(dir.Path)
	}
	if w := watchingOf(cmd); w != nil {
		for _, pattern := range f.envs {
			w.files.Add(beforePattern(pattern))
		}
	}
	if opts.Environments, err = environments(f.envs); err != nil {
		return opts, dir, err
	}
	if cmd.Flags().Changed("shard") {
		part, err := parseShard(f.shard)
		if err != nil {
			return opts, dir, err
		}
		opts.Environments = partOf(part, opts.Environments)
	}
	return opts, dir, nil
}

func noPlaceholder(dir string) error {
	return usagef("expected '%s' in the name of the directory '%s': without it environments would "+
		"overwrite each other", placeholder, dir).
		WithHint("give each environment its own directory: %s", filepath.Join(dir, placeholder))
}

// environments finds the environments that patterns match, sorted by name.
func environments(patterns []string) ([]weft.Environment, error) {
	if len(patterns) == 0 {
		return nil, usagef("fleet needs at least one environment").WithHint("add --env " +
			"'envs/*.yml'")
	}
	var envs []weft.Environment
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			return nil, usagef("cannot understand --env '%s': %s", pattern, err)
		}
		hidden := strings.HasPrefix(filepath.Base(pattern), ".")
		found := 0
		for _, p := range paths {
			if strings.HasPrefix(filepath.Base(p), ".") && !hidden { // as the shell matches
				continue
			}
			if info, err := os.Stat(p); err == nil && p != pattern && !info.IsDir() &&
				!info.Mode().IsRegular() { // nobody has asked for it by name
				return nil, usagef("'%s' is not a regular file", p).WithHint("move it "+
					"elsewhere, or use a narrower pattern than '%s'", pattern)
			}
			env, err := environment(p)
			if err != nil {
				return nil, err
			}
			envs = append(envs, env)
			found++
		}
		if found == 0 {
			return nil, usagef("--env '%s' matches no file", pattern)
		}
	}
	slices.SortFunc(envs, func(a, b weft.Environment) int {
		return strings.Compare(a.Name+"\x00"+a.Values, b.Name+"\x00"+b.Values)
	})
	envs = slices.Compact(envs) // of patterns that overlap
	for i := range envs[1:] {
		if a, b := envs[i], envs[i+1]; a.Name == b.Name {
			return nil, usagef(
				"two environments have the name '%s': '%s' and '%s'",
				a.Name,
				a.Values,
				b.Values,
			)
		}
	}
	return envs, nil
}

// beforePattern is the directory that everything is in that a pattern matches.
func beforePattern(pattern string) string {
	for strings.ContainsAny(pattern, `*?[`) {
		pattern = filepath.Dir(pattern)
	}
	return pattern
}

// environment is that of a file, or of a directory of files.
func environment(path string) (weft.Environment, error) {
	name := filepath.Base(path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	switch {
	case name == "" || name == "." || name == "..":
		return weft.Environment{}, usagef("cannot name an environment after the file "+
			"'%s'", path).WithHint("an environment is named after its file, without the " +
			"extension: rename the file")
	case strings.Contains(path, "="):
		return weft.Environment{}, usagef("the path '%s' of an environment contains '=', which "+
			"other flags use to separate a name from a path", path).WithHint("rename the file")
	case strings.HasPrefix(path, "@"): // not a library
		path = "." + string(filepath.Separator) + path
	}
	return weft.Environment{Name: name, Values: path}, nil
}

// shard is part of a fleet.
type shard struct{ index, count int }

// parseShard reads I/N.
func parseShard(s string) (shard, error) {
	first, second, ok := strings.Cut(s, "/")
	i, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(second)
	if !ok || err != nil || err2 != nil || n < 1 {
		return shard{}, usagef(
			"--shard takes I/N, such as 0/4 for the first of four parts, but found '%s'",
			s,
		)
	}
	if i < 0 || i >= n {
		return shard{}, usagef("--shard %s is out of range: of %d parts, the first is 0/%d and "+
			"the last %d/%d", s, n, n, n-1, n)
	}
	return shard{i, n}, nil
}

// partOf is every count-th environment from the index-th on: neighbours by name are often alike in
// size, so that they are spread evenly.
func partOf[T any](s shard, envs []T) []T {
	var part []T
	for i := s.index; i < len(envs); i += s.count {
		part = append(part, envs[i])
	}
	return part
}

// writeEnvironment writes what was rendered for an environment to its directory.
func writeEnvironment(ctx context.Context, r weft.Rendered, dir weft.Dir) (weft.Changes, error) {
	dir.Path = strings.ReplaceAll(dir.Path, placeholder, r.Name)
	return r.Result.WriteFiles(ctx, dir)
}

func beforePlaceholder(path string) string {
	before, _, _ := strings.Cut(path, placeholder)
	return before
}

// fleetReport gathers what there is to say about environments, and says it in their order once all
// are done.
type fleetReport struct {
	msg  *messages
	envs []fleetEntry // of each environment
}

// fleetEntry is what there is to say about one environment.
type fleetEntry struct {
	name   string
	text   string // what it printed, its warnings and errors
	failed bool
	made   weft.Changes
}

// add notes what became of environment i. It may be called from several goroutines.
func (f *fleetReport) add(i int, r weft.Rendered, made weft.Changes) {
	var b bytes.Buffer
	own := &messages{
		out:         &b,
		form:        f.msg.form,
		quiet:       f.msg.quiet,
		environment: r.Name,
		color:       never,
	}
	if f.msg.color.enabled(f.msg.out) {
		own.color = always
	}
	for _, line := range r.Prints {
		own.print(line)
	}
	if r.Result != nil {
		own.warn(r.Result)
	}
	if r.Err != nil {
		own.report(r.Err)
	}
	f.envs[i] = fleetEntry{name: r.Name, text: b.String(), failed: r.Err != nil, made: made}
}

// write tells it all.
func (f *fleetReport) write(files bool) error {
	return f.writeThen(files, func() error { return nil })
}

// writeThen tells it all. If no environment has failed, it ends with what last does.
func (f *fleetReport) writeThen(files bool, last func() error) error {
	failed := 0
	for _, e := range f.envs {
		if e.failed {
			failed++
		}
	}
	f.msg.write([]byte(f.details()))
	if failed > 0 || !f.msg.quiet {
		f.msg.info(f.summary(files))
	}
	if failed > 0 {
		return errFleet
	}
	return last()
}

// details is what there is to say about each environment. Environments of which there is the same
// to say are told of at once: a mistake that they share is one mistake.
func (f *fleetReport) details() string {
	type saying struct {
		text  string
		names []string
	}
	var said []*saying
	byText := map[string]*saying{}
	for _, e := range f.envs {
		if e.text == "" {
			continue
		}
		s := byText[e.text]
		if s == nil {
			s = &saying{text: e.text}
			byText[e.text] = s
			said = append(said, s)
		}
		s.names = append(s.names, e.name)
	}
	var b strings.Builder
	for _, s := range said {
		if f.msg.form == asJSON { // in which each line names its environment
			b.WriteString(s.text)
		} else {
			fmt.Fprintf(&b, "%s %s:\n%s\n", diag.Plural(len(s.names), "environment"), enumerate(s.names), s.text)
		}
	}
	return b.String()
}

// accounted tells files apart by what became of them; of files that are all new there is nothing to
// tell.
func accounted(created, updated, unchanged int) string {
	if updated+unchanged == 0 {
		return ""
	}
	var parts []string
	for _, n := range []struct {
		count int
		what  string
	}{{created, "created"}, {updated, "updated"}, {unchanged, "unchanged"}} {
		if n.count > 0 {
			parts = append(parts, strconv.Itoa(n.count)+" "+n.what)
		}
	}
	return ": " + strings.Join(parts, ", ")
}

// summary is the fleet on one line.
func (f *fleetReport) summary(written bool) string {
	var failed []string
	files, updated, unchanged, removed := 0, 0, 0, 0
	for _, e := range f.envs {
		files += len(e.made.Created)
		updated += len(e.made.Updated)
		unchanged += len(e.made.Unchanged)
		removed += len(e.made.Removed)
		if e.failed {
			failed = append(failed, e.name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "fleet: %d %s", len(f.envs), diag.Plural(len(f.envs), "environment"))
	switch ok := len(f.envs) - len(failed); {
	case written:
		fmt.Fprintf(
			&b,
			", %d written (%d %s%s)",
			ok,
			files,
			diag.Plural(files, "file"),
			accounted(files-updated-unchanged, updated, unchanged),
		)
	default:
		fmt.Fprintf(&b, ", %d evaluated", ok)
	}
	if removed > 0 {
		fmt.Fprintf(&b, ", %d %s removed", removed, diag.Plural(removed, "file"))
	}
	if len(failed) > 0 {
		fmt.Fprintf(&b, ", %d failed: %s", len(failed), enumerate(failed))
	}
	b.WriteString("\n")
	return b.String()
}

// enumerate lists names, the first ten of many.
func enumerate(names []string) string {
	shown := make([]string, 0, 10)
	for _, n := range names[:min(len(names), cap(shown))] {
		shown = append(shown, diag.Visible(n))
	}
	list := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
