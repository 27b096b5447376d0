package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project/scaffold"
	"weft/internal/serve/cli/process"
)

// tryDrafts renders the drafts, and reports what they lack.
func (f *initFlags) tryDrafts(cmd *cobra.Command, drafts []*scaffold.Draft) error {
	var failed error
	for _, d := range drafts {
		t := trial{engines: f.engines}
		if err := t.run(cmd.Context(), d); err != nil {
			return err
		}
		if t.err != nil {
			t.tell(cmd, d)
			failed = process.ErrUnfinished
		}
	}
	return failed
}

// leaveOut leaves out environments of charts and kustomizations that do not render, with notes that say
// why. It reports whether the others do.
func (f *initFlags) leaveOut(cmd *cobra.Command, d *scaffold.Draft) (*scaffold.Draft, bool, error) {
	if !d.OfEngines() {
		return d, false, nil
	}
	t := trial{engines: f.engines}
	if err := t.run(cmd.Context(), d); err != nil {
		return d, false, err
	}
	if t.err == nil {
		return d, true, nil
	}
	without := d.Without(t.failed)
	if without == nil {
		return d, false, nil
	}
	for i, name := range t.failed {
		process.MessagesOf(cmd).Info("note: left out environment " + diag.Visible(name) +
			", since it does not render: " + diag.Visible(firstError(t.errs[i])) + "\n")
	}
	return without, true, nil
}

// firstError returns the place and the message of the first error of a run.
func firstError(err error) string {
	for _, d := range weft.ErrorOf(err).Diagnostics() {
		if d.Severity == weft.SeverityError {
			return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message)
		}
	}
	return err.Error()
}

// trial is the result of rendering all environments of a draft. Only errors are kept.
type trial struct {
	engines string   // the program for charts and kustomizations
	count   int      // the number of environments; 0 if the project has none
	failed  []string // names of environments
	errs    []error  // their errors
	err     error    // the error of the first of them, or of the project
}

// run renders a draft. It returns only errors of the context.
func (t *trial) run(ctx context.Context, d *scaffold.Draft) error {
	p, err := weft.OpenProject(ctx, weft.ProjectOptions{
		Path: fileOf(d), Text: []byte(d.Text), Engines: process.EnginesOf(ctx, t.engines),
	})
	if err != nil {
		t.err = err
		return ctx.Err()
	}
	names := p.Names()
	if t.count = len(names); t.count == 0 {
		names = []string{""}
	}
	errs := make([]error, len(names))
	stdin := strings.NewReader("")
	runs := weft.ProjectRuns{Names: names, Options: func(i int) (weft.Options, error) {
		opts, err := p.Options(names[i], weft.Options{Stdin: stdin})
		opts, _ = opts.WithoutRefusedEnv()
		return opts, err
	}}
	shared := weft.RenderAll(ctx, runs, func(i int, r weft.EnvironmentResult) { errs[i] = r.Err })
	for i, name := range names {
		if errs[i] == nil && shared != nil {
			errs[i] = shared // none of them was rendered
		}
		if errs[i] != nil {
			t.failed, t.errs = append(t.failed, name), append(t.errs, errs[i])
			t.err = cmp.Or(t.err, errs[i])
		}
	}
	return ctx.Err()
}

// tell prints the first error, and one line about what it means for the project.
func (t *trial) tell(cmd *cobra.Command, d *scaffold.Draft) {
	msg := process.MessagesOf(cmd)
	msg.Report(t.err)
	which := ""
	switch n := len(t.failed); {
	case t.count == 0 || n == 0:
	case n == 1:
		which = ": environment " + diag.Visible(t.failed[0])
	default:
		which = fmt.Sprintf(": %d of %d environments, the first is %s", n, t.count,
			diag.Visible(t.failed[0]))
	}
	msg.Info("init: " + diag.Visible(filepath.ToSlash(fileOf(d))) + " does not render yet" + which +
		"; add what the error names\n")
}
