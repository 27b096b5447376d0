package cli

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/process"
)

// diffForm is the value of --diff: whether changes are shown instead of made, and in which form.
type diffForm uint8

const (
	noDiff diffForm = iota
	unifiedDiff
	semanticDiff
)

// add adds the flag. Without a value it is unified.
func (f *diffForm) add(flags *pflag.FlagSet, usage string) {
	flags.Var(f, "diff", usage+"; `FORM` is unified (the default) or semantic, which compares "+
		"documents as weft diff does")
	flags.Lookup("diff").NoOptDefVal = "unified"
}

// String returns the flag's value; with Set and Type it makes the flag.
func (f *diffForm) String() string { return [...]string{"", "unified", "semantic"}[*f] }

// Set takes the flag's value. Those of a flag without forms are still understood.
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

// Type returns what help calls the flag's value.
func (f *diffForm) Type() string { return "FORM" }

// difference is something that can be compared with what it would replace.
type difference struct {
	unified  func(io.Writer) (same bool, err error)
	semantic func(weft.DiffOptions) (*weft.DiffReport, error)
}

// text returns what changes, in the form that the flag asks for.
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
	if same, err = of.unified(&out); err != nil {
		return nil, false, err
	}
	if color {
		return colorUnified(out.Bytes()), same, nil
	}
	return out.Bytes(), same, nil
}

// write prints what changes, and ends with errDifferent if something does.
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

// environment returns what would change in the directory of an environment, below its name if the
// form does not show paths.
func (f diffForm) environment(cmd *cobra.Command, r weft.EnvironmentResult, dir weft.Dir) ([]byte, error) {
	text, same, err := f.text(comparison(cmd.Context(), r.Result, dir), process.Colored(cmd))
	if !same && err == nil && f == semanticDiff {
		text = append([]byte(diag.Visible(r.Name)+":\n"), text...)
	}
	return text, err
}

// printDifferences prints what would change in environments, in their order.
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

// comparison returns the result of a run, compared with a directory.
func comparison(ctx context.Context, res *weft.Result, dir weft.Dir) difference {
	return difference{
		unified: func(w io.Writer) (bool, error) { return res.Diff(ctx, w, dir) },
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
