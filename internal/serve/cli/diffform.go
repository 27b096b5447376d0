package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/process"
)

// diffForm is the meaning of --check and --diff: whether changes are shown instead of made, and in
// which form. Both together mean --diff, which has the same exit code.
type diffForm uint8

const (
	noDiff    diffForm = iota
	onlyNames          // names of files that would change: --check without --diff
	unifiedDiff
	semanticDiff
)

// add adds the flag. Its default value is unified.
func (f *diffForm) add(flags *pflag.FlagSet, usage string) {
	flags.Var(f, "diff", usage+"; `FORM` is unified (the default) or semantic, which compares "+
		"documents as weft diff does")
	flags.Lookup("diff").NoOptDefVal = "unified"
}

// addCheck adds the flag --check, which lists the files that would change.
func (f *diffForm) addCheck(flags *pflag.FlagSet, usage string) {
	flags.Var(&formFlag{f, onlyNames}, "check", usage)
	flags.Lookup("check").NoOptDefVal = "true"
}

// addUnified adds the flag --diff to commands that have only one form.
func (f *diffForm) addUnified(flags *pflag.FlagSet, usage string) {
	flags.Var(&formFlag{f, unifiedDiff}, "diff", usage)
	flags.Lookup("diff").NoOptDefVal = "true"
}

// formFlag is a flag that selects a form. If two forms are selected, the one that shows more wins.
type formFlag struct {
	form *diffForm
	is   diffForm
}

// String implements pflag.Value.
func (f *formFlag) String() string {
	return strconv.FormatBool(f.form != nil && *f.form == f.is)
}

// Set implements pflag.Value.
func (f *formFlag) Set(s string) error {
	on, err := strconv.ParseBool(s)
	switch {
	case err != nil:
		return errors.New("expected true or false")
	case on:
		*f.form = max(*f.form, f.is)
	case *f.form == f.is:
		*f.form = noDiff
	}
	return nil
}

// Type implements pflag.Value.
func (f *formFlag) Type() string { return "bool" }

// writeChanges prints a report of changes to files: their names for --check, and otherwise a diff.
func (f *diffForm) writeChanges(cmd *cobra.Command, r weft.Report) error {
	var out bytes.Buffer
	how := weft.ReportOptions{Format: weft.Patch}
	if *f == onlyNames {
		how.Format = weft.Text
	}
	if err := r.Write(&out, how); err != nil {
		return err
	}
	text := out.Bytes()
	if *f != onlyNames {
		text = colorDiff(cmd, text)
	}
	return process.WriteReport(cmd, text)
}

// verdict returns how a command ends that only reports whether something would change.
func (f *diffForm) verdict(changed bool) error {
	if changed && *f != noDiff {
		return process.ErrDifferent
	}
	return nil
}

// flag returns the flag that was given.
func (f *diffForm) flag() string {
	if *f == onlyNames {
		return "--check"
	}
	return "--diff"
}

// String implements pflag.Value.
func (f *diffForm) String() string { return [...]string{"", "", "unified", "semantic"}[*f] }

// Set implements pflag.Value. Values of a flag without forms are still accepted.
func (f *diffForm) Set(s string) error {
	switch s {
	case "unified", "true":
		*f = unifiedDiff
	case "semantic":
		*f = semanticDiff
	case "false":
		*f = noDiff
	default:
		return errors.New("expected unified or semantic")
	}
	return nil
}

// Type implements pflag.Value.
func (f *diffForm) Type() string { return "FORM" }

// difference is a result that can be compared with what it would replace.
type difference struct {
	unified  func(io.Writer) (changed []string, err error)
	semantic func(weft.DiffOptions) (*weft.DiffReport, error)
}

// text returns the changes in the form of the flag.
func (f diffForm) text(of difference, color bool) (text []byte, same bool, err error) {
	var out bytes.Buffer
	if f == semanticDiff {
		d, err := of.semantic(weft.DiffOptions{})
		if err != nil || d.Same() {
			return nil, err == nil, err
		}
		err = d.Write(&out, weft.ReportOptions{Color: color})
		return out.Bytes(), false, err
	}
	changed, err := of.unified(&out)
	switch {
	case err != nil:
		return nil, false, err
	case f == onlyNames:
		text = []byte(lines(changed))
	case color:
		text = colorUnified(out.Bytes())
	default:
		text = out.Bytes()
	}
	return text, len(changed) == 0, nil
}

// lines returns names of files, one per line.
func lines(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(diag.Visible(name) + "\n")
	}
	return b.String()
}

// write prints the changes, and returns errDifferent if there are any.
func (f diffForm) write(cmd *cobra.Command, of difference) error {
	text, same, err := f.text(of, process.Colored(cmd))
	if err != nil {
		return err
	}
	if err := process.WriteReport(cmd, text); err != nil {
		return err
	}
	if !same {
		return process.ErrDifferent
	}
	return nil
}

// environment returns the changes in the directory of an environment, below its name if the form does
// not show paths.
func (f diffForm) environment(cmd *cobra.Command, r weft.EnvironmentResult, dir weft.Dir) ([]byte, error) {
	text, same, err := f.text(comparison(cmd.Context(), r.Result, dir), process.Colored(cmd))
	if !same && err == nil && f == semanticDiff {
		text = append([]byte(diag.Visible(r.Name)+":\n"), text...)
	}
	return text, err
}

// printDifferences prints the changes of environments, in their order.
func printDifferences(cmd *cobra.Command, texts [][]byte) error {
	all := bytes.Join(texts, nil)
	if err := process.WriteReport(cmd, all); err != nil {
		return err
	}
	if len(all) > 0 {
		return process.ErrDifferent
	}
	return nil
}

// comparison returns the result of a run together with the directory to compare it with.
func comparison(ctx context.Context, res *weft.Result, dir weft.Dir) difference {
	return difference{
		unified: func(w io.Writer) ([]string, error) { return res.Diff(ctx, w, dir) },
		semantic: func(opts weft.DiffOptions) (*weft.DiffReport, error) {
			return res.Compare(ctx, dir, opts)
		},
	}
}

// colorUnified colors a unified diff.
func colorUnified(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		color := ""
		switch {
		case bytes.HasPrefix(line, []byte("--- ")), bytes.HasPrefix(line, []byte("+++ ")):
			color = "\x1b[1m"
		case line[0] == '@':
			color = "\x1b[36m"
		case line[0] == '+':
			color = "\x1b[32m"
		case line[0] == '-':
			color = "\x1b[31m"
		}
		if color == "" {
			out = append(out, line...)
			continue
		}
		body := bytes.TrimSuffix(line, []byte("\n"))
		out = append(append(append(append(out, color...), body...), "\x1b[0m"...), '\n')
	}
	return out
}
