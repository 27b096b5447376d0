package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/unified"
	"weft/internal/lang/yaml"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// fmtFlags are the flags of weft fmt.
type fmtFlags struct {
	options   weft.FormatOptions
	files     []string
	writes    bool // has no effect: weft fmt writes files anyway
	shown     diffForm
	sequences string
	yaml      string
	jobs      int
}

// sequenceStyles are the values of --sequences.
var sequenceStyles = []string{"keep", "flush", "indented"}

// newFmt returns the command that formats files.
func newFmt() *cobra.Command {
	f := &fmtFlags{}
	cmd := &cobra.Command{
		Use:   "fmt [flags] [PATH...]",
		Short: "Format templates, YAML and scripts",
		Long: `fmt lays out templates, plain YAML and scripts in one style, and writes them. It changes white
space and nothing else. Without a path, it formats all .yml, .yaml and .star files below the current
directory; with - it prints the formatted standard input.

The exit code is 0 if all is well and 1 if there is an error. With --check and --diff it is 0 if
nothing would change, 1 if something would, and 2 for errors.`,
		Example: `  weft fmt
  weft fmt config values.yml
  weft fmt --check                 in CI
  weft fmt --diff config
  weft fmt - <app.yml              in an editor
  weft fmt -f app.yml              print the result, as ytt does`,
		RunE: f.run,
	}
	flags := cmd.Flags()
	addList(flags, &f.files, "file", "f",
		"print the formatted file at `PATH`, or standard input for -, and write nothing (repeatable)")
	flags.BoolVar(&f.options.ForceExclude, "force-exclude", false,
		"leave what fmt.exclude in weft.yml names alone, even if it is a PATH, for hooks that name files")
	help.Input.Of(flags)
	flags.BoolVarP(&f.writes, "write", "w", false, "write the files (the default)")
	f.shown.addCheck(flags, "list the files that would change, and write nothing; exit code 1 if there are any")
	f.shown.addUnified(flags, "show what would change, and write nothing; exit code 1 if something would")
	flags.StringVar(&f.sequences, "sequences", "keep",
		"start lists below a key as `STYLE` says: keep what most lists of the file do, flush with "+
			"the key, or indented")
	help.Output.Of(flags)
	flags.StringVar(&f.yaml, "yaml", "1.1",
		"YAML `VERSION` of the files: 1.1, as ytt reads it, or 1.2")
	flags.IntVar(&f.options.Limits.Depth, "max-depth", yaml.DefaultMaxDepth,
		"allow at most `N` levels of nested collections")
	help.Language.Of(flags)
	flags.IntVar(&f.jobs, "jobs", 0, "use at most `N` processors (default: all)")
	help.Limits.Of(flags)
	return cmd
}

func (f *fmtFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.resolve(cmd, args); err != nil {
		return err
	}
	switch {
	case len(f.files) > 0:
		return f.print(cmd, f.files)
	case slices.Contains(args, "-"):
		return f.print(cmd, args)
	case len(args) == 0:
		args = []string{"."}
	}
	report, err := weft.FormatFiles(cmd.Context(), args, f.options)
	if err != nil {
		return err
	}
	if err := f.write(cmd, report); err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		return err
	}
	return f.shown.verdict(len(report.Changed()) > 0)
}

// resolve turns the flags into options.
func (f *fmtFlags) resolve(cmd *cobra.Command, args []string) error {
	flags := cmd.Flags()
	if err := f.inProject(cmd); err != nil {
		return err
	}
	style := slices.Index(sequenceStyles, f.sequences)
	switch {
	case style < 0:
		return process.Usagef("unknown style '%s': --sequences takes %s", f.sequences,
			strings.Join(sequenceStyles, ", "))
	case len(f.files) > 0 && len(args) > 0:
		return process.Usagef("-f prints files and cannot be used with paths, which are formatted in "+
			"place: '%s'", strings.Join(args, "', '")).WithHint("remove -f, or use it for each of them")
	case len(args) > 1 && slices.Contains(args, "-"):
		return process.Usagef("- formats standard input, and cannot be used with other paths")
	case f.writes && f.shown != noDiff:
		return process.Usagef("%s writes nothing, and cannot be used with --write", f.shown.flag())
	case f.writes && (len(f.files) > 0 || slices.Contains(args, "-")):
		return process.Usagef("-f and - print the result, and cannot be used with --write").
			WithHint("to format a file in place, write weft fmt FILE")
	case flags.Changed("jobs") && f.jobs < 1:
		return process.Usagef("--jobs takes a number of at least 1, but found %d", f.jobs)
	}
	f.options.Sequences, f.options.Limits.Parallelism = weft.Sequences(style), f.jobs
	var err error
	f.options.YAML, err = parseVersion(f.yaml)
	return err
}

// inProject applies the settings in weft.yml, if there is one.
func (f *fmtFlags) inProject(cmd *cobra.Command) error {
	p, err := weft.OpenProject(cmd.Context(), weft.ProjectOptions{})
	if errors.Is(err, weft.ErrNoProject) {
		return nil
	}
	if err != nil {
		return err
	}
	settings := p.FormatSettings(f.options)
	if !cmd.Flags().Changed("sequences") {
		f.sequences = sequenceStyles[settings.Sequences]
	}
	if settings.YAML != 0 && !cmd.Flags().Changed("yaml") {
		f.yaml = settings.YAML.String()
	}
	f.options.Exclude = settings.Exclude
	return nil
}

// write writes files back, or shows the changes.
func (f *fmtFlags) write(cmd *cobra.Command, report *weft.FormatReport) error {
	if f.shown != noDiff {
		return f.shown.writeChanges(cmd, report)
	}
	if err := report.WriteFiles(cmd.Context()); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := report.Write(&out, weft.ReportOptions{}); err != nil {
		return err
	}
	return process.WriteOut(cmd, out.Bytes())
}

// print formats files or standard input, and prints the results one after another.
func (f *fmtFlags) print(cmd *cobra.Command, names []string) error {
	var out bytes.Buffer
	changed := false
	for _, name := range names {
		text, err := f.read(cmd.InOrStdin(), name)
		if err != nil {
			return err
		}
		if name == "-" {
			name = "standard input"
		}
		formatted, err := weft.FormatText(name, text, f.options)
		if err != nil {
			return err
		}
		name = diag.Visible(name)
		different := !bytes.Equal(formatted, text)
		changed = changed || different
		switch {
		case f.shown == unifiedDiff:
			out.Write(colorDiff(cmd, unified.Append(nil, name, name, text, formatted)))
		case f.shown == onlyNames && different:
			fmt.Fprintln(&out, name)
		case f.shown == noDiff:
			if out.Len() > 0 && !bytes.HasPrefix(formatted, []byte("---")) {
				out.WriteString("---\n")
			}
			out.Write(formatted)
		}
	}
	if err := process.WriteOut(cmd, out.Bytes()); err != nil {
		return err
	}
	return f.shown.verdict(changed)
}

// colorDiff colors a unified diff, if messages are colored.
func colorDiff(cmd *cobra.Command, text []byte) []byte {
	if process.Colored(cmd) {
		return colorUnified(text)
	}
	return text
}

// read reads a file, or standard input.
func (f *fmtFlags) read(stdin io.Reader, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, process.Usagef("'%s' does not exist", name)
	case err == nil && info.IsDir():
		return nil, process.Usagef("-f prints one file, but '%s' is a directory", name).
			WithHint("%s", f.wholeDirectory(name))
	}
	return os.ReadFile(name)
}

// wholeDirectory returns a hint on how to do the same for all files of a directory.
func (f *fmtFlags) wholeDirectory(name string) string {
	name = diag.PathInShell(name)
	switch f.shown {
	case onlyNames:
		return "to check all its files, write weft fmt --check " + name
	case unifiedDiff:
		return "to see what would change in its files, write weft fmt --diff " + name
	}
	return "to format its files in place, write weft fmt " + name
}
