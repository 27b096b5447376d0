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
	"weft/internal/diag"
	"weft/internal/outdir"
	"weft/internal/project"
	"weft/internal/scaffold"
)

// newInit makes the command that writes a first weft.yml.
func newInit() *cobra.Command {
	var script string
	var write bool
	cmd := &cobra.Command{
		Use:   "init [flags]",
		Short: "Make a weft.yml from the files that are there",
		Long: `init looks for templates, schemas, data values of environments and overlays below the current
directory, and prints a weft.yml for them. With --from-script it turns the ytt and weft command
lines of a shell script into environments, and lists what it cannot translate. Nothing is run, and
nothing is written without --write.`,
		Example: `  weft init
  weft init --write
  weft init --from-script hack/deploy.sh`,
		Args: noArgs,
	}
	flags := cmd.Flags()
	flags.StringVar(&script, "from-script", "", "turn the command lines of shell script `FILE`")
	flags.BoolVar(&write, "write", false, "write weft.yml, unless there is one")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		draft, err := draftProject(script)
		if err != nil {
			return err
		}
		for _, n := range draft.Notes {
			at := ""
			if n.Line > 0 {
				at = fmt.Sprintf("%s:%d: ", diag.Visible(script), n.Line)
			}
			messagesOf(cmd).info(at + "note: " + n.Text + "\n")
		}
		if !write {
			err := printReport(cmd, func(w io.Writer) error {
				_, err := io.WriteString(w, draft.Text)
				return err
			})
			if _, e := os.Stat(project.FileName); err == nil && errors.Is(e, fs.ErrNotExist) {
				messagesOf(cmd).info("note: nothing is written; add --write to make " +
					project.FileName + "\n")
			}
			return err
		}
		return writeProject(cmd, draft.Text)
	}
	return cmd
}

func draftProject(script string) (*scaffold.Draft, error) {
	here := os.DirFS(".")
	if script == "" {
		d, err := scaffold.FromFiles(here)
		if err != nil {
			return nil, diag.Failf(project.CodeFile, "looking for files: %s", err)
		}
		return d, nil
	}
	data, err := os.ReadFile(script)
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		return nil, usagef("cannot read the script '%s': %s", script, err)
	}
	where := filepath.ToSlash(filepath.Dir(filepath.Clean(script)))
	d, err := scaffold.FromScript(here, where, filepath.ToSlash(script), string(data))
	if err != nil {
		return nil, usagef("%s", err)
	}
	return d, nil
}

// writeProject writes a project file that is not there yet.
func writeProject(cmd *cobra.Command, text string) error {
	err := outdir.CreateFile(cmd.Context(), project.FileName, []byte(text))
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s exists already, and is not overwritten", project.FileName).
			WithHint("compare it with what `weft init` prints")
	}
	if err != nil {
		return err
	}
	messagesOf(cmd).info("wrote " + project.FileName + "; " + nextStep(cmd) + "\n")
	return nil
}

// nextStep says what to do with the project that has just been written.
func nextStep(cmd *cobra.Command) string {
	p, err := weft.OpenProject(cmd.Context(), weft.ProjectOptions{Path: project.FileName})
	if err != nil || len(p.Names()) == 0 {
		return "try weft render; weft help projects shows how to add environments"
	}
	return "try weft env and weft render " + p.Names()[0] // none is the default yet
}
