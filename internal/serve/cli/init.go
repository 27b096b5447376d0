package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/unified"
	"weft/internal/project"
	"weft/internal/project/scaffold"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// initFlags are the flags of the init command.
type initFlags struct {
	script  string
	engines string
	write   bool
	shown   diffForm

	differs bool // whether weft prints something else than Helm and kustomize
}

// newInit returns the command that writes a first weft.yml.
func newInit() *cobra.Command {
	f := &initFlags{}
	cmd := &cobra.Command{
		Use:   "init [flags]",
		Short: "Create a weft.yml from existing files",
		Long: `init looks for templates, schemas, data values of environments and overlays below the current
directory, and prints a weft.yml for them, or one for each of several projects. If there are none, it
looks for kustomizations, Helm charts and helmfiles, and proposes an environment for each overlay and for
each values file such as values-prod.yaml. It builds them with weft-engines, leaves out what cannot be
built, and compares the rest with what weft prints. Tests, examples, documentation and files of other
tools are left out. With --from-script it turns the ytt and weft
command lines of a shell script or a Makefile into environments, and lists what it cannot translate.
The script is not run, and nothing is written without --write.

Then it renders what the project would render. The exit code is 1 if that fails: the first error says
what is missing, and the project is printed or written all the same. It is also 1 if weft prints other
documents than helm template and kustomize build.`,
		Example: `  weft init
  weft init --write
  weft init --from-script hack/deploy.sh`,
		Args: noArgs,
		RunE: f.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.script, "from-script", "",
		"make environments from the command lines in shell script or Makefile `FILE`")
	addEngines(flags, &f.engines)
	help.Environments.Of(flags)
	flags.BoolVarP(&f.write, "write", "w", false, "write weft.yml, unless there is one")
	f.shown.addCheck(flags,
		"list the files that differ from what init would write; exit code 1 if there are any")
	f.shown.addUnified(flags, "show how they differ; exit code 1 if they do")
	help.Output.Of(flags)
	return cmd
}

func (f *initFlags) run(cmd *cobra.Command, _ []string) error {
	if f.write && f.shown != noDiff {
		return process.Usagef("%s writes nothing, and cannot be used with --write", f.shown.flag())
	}
	drafts, err := draftProjects(f.script)
	if err != nil {
		return err
	}
	renders := false // whether all drafts are known to
	for i, d := range drafts {
		if drafts[i], renders, err = f.prove(cmd, d); err != nil {
			return err
		}
	}
	if f.shown != noDiff {
		return f.shown.write(cmd, ofDrafts(drafts))
	}
	if f.write {
		err = f.writeProjects(cmd, drafts)
	} else {
		err = printProjects(cmd, drafts)
	}
	if err == nil && f.differs {
		return process.ErrUnfinished
	}
	if err != nil || renders && len(drafts) == 1 {
		return err
	}
	return f.tryDrafts(cmd, drafts)
}

// tellNotes prints what could not be put into a draft.
func tellNotes(cmd *cobra.Command, script string, d *scaffold.Draft) {
	for _, n := range d.Notes {
		at := ""
		switch {
		case n.Line > 0:
			at = fmt.Sprintf("%s:%d: ", diag.Visible(script), n.Line)
		case d.Dir != ".":
			at = diag.Visible(d.Dir) + ": "
		}
		process.MessagesOf(cmd).Info(at + "note: " + diag.Visible(n.Text) + "\n")
	}
}

func draftProjects(script string) ([]*scaffold.Draft, error) {
	here := os.DirFS(".")
	if script == "" {
		drafts, err := scaffold.FromFiles(here)
		if err != nil {
			return nil, diag.Failf(project.CodeFile, "looking for files: %s", err)
		}
		return drafts, nil
	}
	data, err := os.ReadFile(script)
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		return nil, process.Usagef("cannot read the script '%s': %s", script, err)
	}
	where := filepath.ToSlash(filepath.Dir(filepath.Clean(script)))
	d, err := scaffold.FromScript(here, where, filepath.ToSlash(script), string(data))
	if err != nil {
		return nil, process.Usagef("%s", err)
	}
	return []*scaffold.Draft{d}, nil
}

// fileOf returns the project file of a draft.
func fileOf(d *scaffold.Draft) string {
	return filepath.Join(filepath.FromSlash(d.Dir), project.FileName)
}

// printProjects prints drafts. If there are several, each is a document below its file name.
func printProjects(cmd *cobra.Command, drafts []*scaffold.Draft) error {
	missing := false
	err := process.PrintText(cmd, func(w io.Writer) error {
		for i, d := range drafts {
			if _, err := os.Stat(fileOf(d)); errors.Is(err, fs.ErrNotExist) {
				missing = true
			}
			title := ""
			if i > 0 {
				title = "---\n"
			}
			if len(drafts) > 1 {
				title += "# " + diag.Visible(filepath.ToSlash(fileOf(d))) + "\n"
			}
			if _, err := io.WriteString(w, title+d.Text); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && missing {
		process.MessagesOf(cmd).Info("note: nothing is written; add --write to make " + filesOf(drafts) + "\n")
	}
	return err
}

// ofDrafts compares drafts with existing project files.
func ofDrafts(drafts []*scaffold.Draft) difference {
	var names []string
	var patch []byte
	var failed error
	for _, d := range drafts {
		name := filepath.ToSlash(fileOf(d))
		old, err := os.ReadFile(fileOf(d))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = err
		}
		if string(old) != d.Text {
			names = append(names, name)
			patch = unified.Append(patch, diag.Visible(name), diag.Visible(name), old, []byte(d.Text))
		}
	}
	return difference{
		unified: func(w io.Writer) ([]string, error) {
			_, err := w.Write(patch)
			return names, errors.Join(failed, err)
		},
	}
}

// filesOf describes the files that drafts are for.
func filesOf(drafts []*scaffold.Draft) string {
	if len(drafts) == 1 {
		return filepath.ToSlash(fileOf(drafts[0]))
	}
	return fmt.Sprintf("these %d files", len(drafts))
}

// writeProjects writes the project files. If one of them exists already, it writes none.
func (f *initFlags) writeProjects(cmd *cobra.Command, drafts []*scaffold.Draft) error {
	for _, d := range drafts {
		if _, err := os.Lstat(fileOf(d)); err == nil {
			return existsAlready(d)
		}
	}
	for _, d := range drafts {
		err := outdir.CreateFile(cmd.Context(), fileOf(d), []byte(d.Text))
		if errors.Is(err, fs.ErrExist) {
			return existsAlready(d)
		}
		if err != nil {
			return err
		}
		next := f.nextStep(cmd, d)
		if len(drafts) > 1 {
			next = "try it in " + diag.Visible(d.Dir)
		}
		process.MessagesOf(cmd).Info("wrote " + diag.Visible(filepath.ToSlash(fileOf(d))) + "; " + next + "\n")
	}
	return nil
}

func existsAlready(d *scaffold.Draft) error {
	return process.Usagef("%s exists already, and is not overwritten", filepath.ToSlash(fileOf(d))).
		WithHint("`weft init --diff` shows how it differs")
}

// nextStep returns a hint on what to do with a new project.
func (f *initFlags) nextStep(cmd *cobra.Command, d *scaffold.Draft) string {
	p, err := weft.OpenProject(cmd.Context(), weft.ProjectOptions{
		Path: fileOf(d), Engines: process.EnginesOf(cmd.Context(), f.engines),
	})
	if err != nil || len(p.Names()) == 0 {
		return "try weft render; weft help projects shows how to add environments"
	}
	return "try weft env and weft render " + p.Names()[0] // the new project has no default environment
}
