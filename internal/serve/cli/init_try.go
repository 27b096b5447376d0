package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
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

// prove builds the charts and kustomizations of a draft with the engines alone, leaves out what they cannot
// build, and compares the rest with what weft prints. It reports whether all environments render.
func (f *initFlags) prove(cmd *cobra.Command, d *scaffold.Draft) (*scaffold.Draft, bool, error) {
	if !d.OfEngines() {
		tellNotes(cmd, f.script, d)
		return d, false, nil
	}
	built, buildable, err := d.Build(cmd.Context(), f.engines)
	if err != nil {
		tellNotes(cmd, f.script, d)
		return d, false, context.Cause(cmd.Context()) // rendering reports it with the place
	}
	defer built.Close()
	if buildable == nil {
		tellNotes(cmd, f.script, d)
		return d, false, nil
	}
	d = buildable
	tellNotes(cmd, f.script, d)
	t := trial{built: built}
	if err := t.run(built.Context(cmd.Context()), d); err != nil {
		return d, false, err
	}
	if t.err != nil {
		without := d.Without(t.failed)
		if without == nil {
			return d, false, nil
		}
		d = without
	}
	for i, name := range t.failed {
		process.MessagesOf(cmd).Info("note: left out environment " + diag.Visible(name) +
			", since it does not render: " + diag.Visible(firstError(t.errs[i])) + "\n")
	}
	f.differs = !t.reportComparison(cmd)
	return d, true, nil
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

	built   *scaffold.Built     // what is compared with their output, or nil
	equal   int                 // the number of documents that are equal
	differs map[string][]string // the documents that are not, by environment
}

// run renders a draft. It returns only errors of the context.
func (t *trial) run(ctx context.Context, d *scaffold.Draft) error {
	opts := weft.ProjectOptions{Path: fileOf(d), Text: []byte(d.Text)}
	if t.built == nil {
		opts.Engines = process.EnginesOf(ctx, t.engines)
	}
	p, err := weft.OpenProject(ctx, opts)
	if err != nil {
		t.err = err
		return context.Cause(ctx)
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
	printed := make([]string, len(names))
	shared := weft.RenderAll(ctx, runs, func(i int, r weft.EnvironmentResult) {
		if errs[i] = r.Err; r.Err == nil && t.built != nil {
			printed[i], errs[i] = printedText(r.Result)
		}
	})
	for i, name := range names {
		if errs[i] == nil && shared != nil {
			errs[i] = shared // none of them was rendered
		}
		if errs[i] != nil {
			t.failed, t.errs = append(t.failed, name), append(t.errs, errs[i])
			t.err = cmp.Or(t.err, errs[i])
		} else if t.built != nil {
			t.compare(ctx, name, printed[i])
		}
	}
	return context.Cause(ctx)
}

// printedText returns what weft prints for an environment.
func printedText(r *weft.Result) (string, error) {
	var b strings.Builder
	_, err := r.WriteTo(&b)
	return b.String(), err
}

// compare compares what weft prints for an environment with what the engines print.
func (t *trial) compare(ctx context.Context, env, printed string) {
	differs, err := t.built.Compare(ctx, env, printed)
	if err != nil {
		differs = []string{err.Error()}
	}
	if len(differs) == 0 {
		t.equal += t.built.Documents(env)
		return
	}
	if t.differs == nil {
		t.differs = map[string][]string{}
	}
	t.differs[env] = differs
}

// reportComparison prints whether weft prints the documents that Helm and kustomize print, and reports it.
func (t *trial) reportComparison(cmd *cobra.Command) bool {
	msg := process.MessagesOf(cmd)
	for _, env := range slices.Sorted(maps.Keys(t.differs)) {
		where := "environment " + diag.Visible(env) + ": "
		if env == "" {
			where = ""
		}
		msg.Info("note: " + where + "weft does not print what Helm and kustomize print: " +
			diag.Visible(scaffold.SomeOf(t.differs[env])) + "\n")
	}
	if len(t.differs) > 0 {
		return false
	}
	if t.equal == 0 {
		msg.Info("note: helm template and kustomize build print no documents to compare with\n")
		return true
	}
	msg.Info(fmt.Sprintf("compared %s with helm template and kustomize build: equal\n",
		diag.Count(t.equal, "document")))
	return true
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
