package cli

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project/fleet"
	"weft/internal/serve/cli/process"
)

// decision is a file, a directory or something else that the output of an environment depends on.
type decision struct {
	Kind string `json:"kind"` // file, directory, variable, url or stdin
	Name string `json:"name"`
}

// decisionsOf renders, and returns what the output depends on.
func decisionsOf(cmd *cobra.Command, opts weft.Options) (list []decision, err error) {
	opts.Observe.Inputs = func(kind, name string) { list = append(list, decision{kind, name}) }
	opts.Observe.Print, opts.Warnings = nil, weft.WarningsOff
	_, err = weft.Render(cmd.Context(), opts)
	return list, err
}

// showInputs lists what an environment depends on.
func (f *envFlags) showInputs(cmd *cobra.Command, args []string) error {
	write := map[string]func(io.Writer, []decision) error{
		"text": writeInputsText, "name": writeInputsNames,
		"json": func(w io.Writer, list []decision) error { return process.WriteIndented(w, list) },
	}[f.form]
	if write == nil {
		return process.Usagef("unknown output type '%s': the inputs of an environment are text, name, "+
			"json or jsonl", f.form)
	}
	f.project.take(args)
	p, err := f.project.need(cmd)
	if err != nil {
		return err
	}
	env, err := f.project.choose(cmd, p)
	if err != nil {
		return err
	}
	f.changed.render.project = f.project
	opts, err := f.changed.render.environmentOptions(cmd, p, env)
	if err != nil {
		return err
	}
	return f.changed.render.how.Run(cmd, opts, func(cmd *cobra.Command, opts weft.Options) error {
		list, err := decisionsOf(cmd, opts)
		if err != nil {
			return err
		}
		return process.PrintText(cmd, func(w io.Writer) error { return write(w, list) })
	})
}

func writeInputsText(w io.Writer, list []decision) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range list {
		fmt.Fprintf(t, "%s\t%s\n", x.Kind, diag.Visible(x.Name))
	}
	return t.Flush()
}

func writeInputsNames(w io.Writer, list []decision) error {
	for _, x := range list {
		fmt.Fprintln(w, x.Name)
	}
	return nil
}

// generatePaths prints the value of Argo CD's annotation manifest-generate-paths: the files and
// directories that the output depends on, relative to the root of the repository.
func generatePaths(cmd *cobra.Command, opts weft.Options, root string) error {
	list, err := decisionsOf(cmd, opts)
	if err != nil {
		return err
	}
	var dirs, files []string
	for _, x := range list {
		if x.Kind != fleet.InputFile && x.Kind != fleet.InputDirectory {
			process.MessagesOf(cmd).Note(fmt.Sprintf("argocd: the %s %s has no path\n", x.Kind,
				diag.Visible(x.Name)))
			continue
		}
		at, err := fromRoot(root, x.Name)
		if err != nil {
			return err
		}
		if x.Kind == fleet.InputDirectory {
			dirs = append(dirs, at)
		} else {
			files = append(files, at)
		}
	}
	inDirs := func(at string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool {
			return at != dir && strings.HasPrefix(at, strings.TrimSuffix(dir, "/")+"/")
		})
	}
	all := slices.DeleteFunc(slices.Concat(dirs, files), inDirs)
	slices.Sort(all)
	return process.WriteOut(cmd, []byte(strings.Join(slices.Compact(all), ";")+"\n"))
}

// fromRoot returns a path relative to the root of the repository, with a leading slash.
func fromRoot(root, name string) (string, error) {
	abs, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, abs)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return "", process.Usagef("'%s' is outside of the repository, where Argo CD watches nothing", name)
	case strings.Contains(rel, ";"):
		return "", process.Usagef("'%s' contains ';', which separates paths in Argo CD's annotation", name).
			WithHint("rename the file or the directory")
	}
	return path.Clean("/" + filepath.ToSlash(rel)), nil
}

// rootOf returns the root of the project's repository, or the current directory without a project.
func (f *projectFlags) rootOf() string {
	if f.opened != nil {
		return f.opened.Root()
	}
	root, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	return root
}
