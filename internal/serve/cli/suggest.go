package cli

import (
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

	"weft"
	"weft/internal/engine/gitdir"
	"weft/internal/project/fleet"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// suggestFlags are the flags of the command that finds the change of the sources for an edited output.
type suggestFlags struct {
	render renderFlags
	to     string
	set    []string
	as     string
	form   string
	write  bool
	live   string

	secrets weft.Secrets
}

// newSuggest returns the command that finds the change of the sources for an edited output.
func newSuggest() *cobra.Command {
	f := &suggestFlags{}
	cmd := &cobra.Command{
		Use:   "suggest [ENV] --to EDITED [flags]",
		Short: "Turn an edited output into a change of the sources",
		Long: `suggest renders an environment of the project, or the inputs that -f names, compares the result with
EDITED, and prints the change of the sources that gives EDITED:

  a data value    set in the file or mapping of data values that the environment has for itself
  a literal       changed in an overlay of the project, or in a file without code
  an overlay      for everything else: a new file, which weft.yml names for this environment

Each suggestion is proved: weft renders the environment with it, and all others, and says which of them
change. What cannot be proved is not suggested. Templates and code are never rewritten. Nothing is written
without --write.

The order of keys, comments and layout do not count. With --keep, the output must be EDITED byte for byte,
so EDITED must be a file and not a directory.

The exit code is 0 if there is a suggestion or nothing was edited, and 1 if there is none.`,
		Example: `  weft render prod > edited.yml      then edit it
  weft suggest prod --to edited.yml
  weft suggest prod --to edited.yml --write
  weft suggest prod --set Deployment/web:spec.replicas=5
  weft suggest prod --to edited.yml --as overlay -o patch | git apply
  kubectl get -o yaml deployments,services | weft suggest prod --to - --live`,
		Args: cobra.ArbitraryArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, append(renderedBy("watch", "timings"), "keep"))
	flags.StringVar(&f.to, "to", "",
		"the edited output: a `PATH` of a file or a directory of files, or - for standard input")
	addList(flags, &f.set, "set", "",
		"change one value: `DOCUMENT:PATH=VALUE`, such as Deployment/web:spec.replicas=5; PATH[+] adds an "+
			"item, PATH- removes (repeatable)")
	flags.StringVar(&f.live, "live", "",
		"--to has objects of a cluster: ignore what the cluster adds; `WHAT` is objects, or secrets to compare "+
			"Secrets, too")
	flags.Lookup("live").NoOptDefVal = "objects"
	help.Input.Of(flags)
	flags.StringVar(&f.as, "as", "auto", "change only `WHAT`: auto, values, overlay or override")
	flags.BoolVarP(&f.write, "write", "w", false, "write the change to the sources")
	addSecrets(flags, &f.secrets)
	flags.StringVarP(&f.form, "output", "o", "text",
		"print as `FORMAT`: text, json or patch (a diff of the sources)")
	help.Output.Of(flags)
	return cmd
}

// suggestForms are the values of --as.
var suggestForms = []string{"auto", "values", "overlay", "override"}

// liveForms are the values of --live.
var liveForms = []string{"", "objects", "secrets"}

func (f *suggestFlags) run(cmd *cobra.Command, args []string) error {
	if err := oneOf("-o", f.form, []string{"text", "json", "patch"}); err != nil {
		return err
	}
	if !slices.Contains(suggestForms, f.as) {
		return process.Usagef("--as takes auto, values, overlay or override, but found '%s'", f.as)
	}
	if !slices.Contains(liveForms, f.live) {
		return process.Usagef("--live takes objects or secrets, but found '%s'", f.live)
	}
	rest, err := f.render.project.takeFirst(cmd, args)
	if err != nil {
		return err
	}
	switch {
	case f.live != "" && f.to == "":
		return process.Usagef("--live needs the objects").
			WithHint("name what kubectl get -o yaml prints with --to; - is standard input")
	case len(rest) > 0:
		return f.superfluous(cmd, rest)
	case f.to == "" && len(f.set) == 0:
		return process.Usagef("suggest needs the edited output").
			WithHint("name the file with --to, or change one value with --set Deployment/web:spec.replicas=5")
	}
	s, err := f.source(cmd)
	if err != nil {
		return err
	}
	defer s.root.Close()
	return f.render.how.Run(cmd, s.Options, func(cmd *cobra.Command, opts weft.Options) error {
		s.Options = opts
		if f.to != "" {
			var err error
			if s.Edited, err = readEdited(cmd, f.to, f.live == "" && opts.Keep&weft.KeepAll != 0); err != nil {
				return err
			}
		}
		r, err := f.suggest(cmd, s)
		if err != nil || !r.Found() {
			return err
		}
		switch {
		case f.write:
			return writeSuggestion(cmd, r, s.dir)
		case f.form == "text":
			process.MessagesOf(cmd).Note("suggest: nothing is written; --write applies the change\n")
		}
		return nil
	})
}

// suggestSource is what a suggestion is for, and the directory of its files.
type suggestSource struct {
	weft.SuggestOptions
	dir  string
	root *os.Root
}

// source returns what is rendered, with paths below the root of the project, or below the current directory.
func (f *suggestFlags) source(cmd *cobra.Command) (*suggestSource, error) {
	p, err := f.render.project.open(cmd)
	if err == nil && p == nil && !cmd.Flags().Changed("file") {
		_, err = f.render.project.need(cmd)
	}
	if err != nil {
		return nil, err
	}
	s := &suggestSource{dir: "."}
	s.AllowOutside = f.render.project.outside
	s.Engines = process.EnginesOf(cmd.Context(), f.render.project.engines)
	here := ""
	if p != nil {
		s.dir = p.Root()
		if s.Environment, err = f.render.project.choose(cmd, p); err != nil {
			return nil, err
		}
		if here, err = belowRoot(p, "."); err != nil {
			return nil, err
		}
		if s.Project, err = belowRoot(p, p.Path()); err != nil {
			return nil, err
		}
		if err := applyFlags(cmd, p, s.Environment); err != nil {
			return nil, err
		}
	}
	side := weft.Side{}
	if side.Options, err = f.render.resolve(cmd.InOrStdin()); err != nil {
		return nil, err
	}
	place, err := s.enclose(cmd, side.Symlinks.Allowed)
	if err != nil {
		return nil, err
	}
	here = path.Join(s.Root, here)
	if p != nil {
		s.Project = path.Join(s.Root, s.Project)
	}
	in := func(p string) (string, error) { return place(here, p) }
	if err := below(&side, in, func(string, string, string) error { return nil }); err != nil {
		s.root.Close()
		return nil, err
	}
	s.Options, s.Set = side.Options, f.set
	s.Live = weft.SuggestLive(slices.Index(liveForms, f.live))
	s.As = weft.SuggestForm(slices.Index(suggestForms, f.as))
	s.All, s.Secrets = f.form == "json", f.secrets
	s.Show = func(name string) string {
		if rel, err := filepath.Rel(filepath.FromSlash(here), filepath.FromSlash(name)); err == nil {
			return filepath.ToSlash(rel)
		}
		return name
	}
	return s, nil
}

// suggest finds the change of the sources, and prints it. The error is process.ErrDifferent if there is none.
func (f *suggestFlags) suggest(cmd *cobra.Command, s *suggestSource) (*weft.SuggestReport, error) {
	ctx := fleet.WithGiven(cmd.Context(), cmd.Flags().Changed)
	r, err := weft.Suggest(ctx, s.SuggestOptions)
	if err != nil {
		return nil, err
	}
	how := weft.ReportOptions{Format: map[string]weft.Format{"json": weft.JSON, "patch": weft.Patch}[f.form]}
	if err := process.PrintReport(cmd, r, how); err != nil {
		return nil, err
	}
	if f.form == "patch" && !r.Found() { // an empty patch says nothing
		var why strings.Builder
		if err := r.Write(&why, weft.ReportOptions{}); err != nil {
			return nil, err
		}
		process.MessagesOf(cmd).Note(why.String())
	}
	if !r.Same() && !r.Found() {
		return r, process.ErrDifferent
	}
	return r, nil
}

// writeSuggestion writes the change of the sources.
func writeSuggestion(cmd *cobra.Command, r *weft.SuggestReport, dir string) error {
	if err := r.WriteFiles(cmd.Context(), dir); err != nil {
		return err
	}
	process.MessagesOf(cmd).Note(cmd.Name() + ": the change is written\n")
	return nil
}

// superfluous returns an error for arguments after the environment, or for one that is none.
func (f *suggestFlags) superfluous(cmd *cobra.Command, args []string) error {
	if p, err := f.render.project.open(cmd); err == nil && p != nil && len(f.render.project.named) == 0 {
		if _, err := p.Environments(args[0]); err != nil {
			return err
		}
	}
	return process.Usagef("suggest takes an environment, but found '%s'", strings.Join(args, "', '")).
		WithHint("name the edited output with --to")
}

// maxEdited is the most bytes of an edited output.
const maxEdited = 128 << 20

// readEdited reads the edited documents: a file, the YAML files of a directory without what belongs to git, or
// standard input.
// If they are compared byte for byte, they must be one text.
func readEdited(cmd *cobra.Command, name string, exact bool) ([]weft.File, error) {
	e := &editedReader{left: maxEdited}
	if name == "-" {
		if err := e.read(name, cmd.InOrStdin()); err != nil {
			return nil, notReadable(name, err)
		}
		return e.files, nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
	case !info.IsDir():
		err = e.open(name)
	case exact:
		return nil, process.Usagef("--keep compares one text byte for byte, but '%s' is a directory", name).
			WithHint("name a file with --to, or leave out --keep: " +
				"then only what documents mean has to be the same")
	default:
		err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && path != name && (gitdir.IsName(d.Name()) || gitdir.IsRepository(path)) {
				return fs.SkipDir
			}
			return e.entry(path, d, err)
		})
		if err == nil && len(e.files) == 0 {
			return nil, process.Usagef("--to: '%s' has no files with the extension .yml, .yaml or .json", name).
				WithHint("name the directory that weft render --output-files writes to")
		}
	}
	if err != nil {
		return nil, notReadable(name, err)
	}
	return e.files, nil
}

// editedReader reads edited documents.
type editedReader struct {
	files []weft.File
	left  int64 // how many bytes may follow
}

// entry reads an entry of a directory, if it is a YAML file. A link might be one, so it cannot be ignored:
// the document would be missing, and a suggestion would remove it.
func (e *editedReader) entry(name string, d fs.DirEntry, err error) error {
	kinds := []string{".yml", ".yaml", ".json"}
	switch {
	case err != nil || d.IsDir() || !slices.Contains(kinds, filepath.Ext(name)):
		return err
	case !d.Type().IsRegular():
		return fmt.Errorf("'%s' is not a regular file", filepath.ToSlash(name))
	}
	return e.open(name)
}

func (e *editedReader) open(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return e.read(name, f)
}

func (e *editedReader) read(name string, r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, e.left+1))
	if e.left -= int64(len(data)); err == nil && e.left < 0 {
		err = fmt.Errorf("it is larger than %d MiB", maxEdited>>20)
	}
	e.files = append(e.files, weft.File{Path: filepath.ToSlash(name), Data: data})
	return err
}

func notReadable(name string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return process.Usagef("--to: cannot read '%s': %s", name, err)
}
