package cli

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/engine/shortcut"
	"weft/internal/lang/parallel"
	"weft/internal/lang/selector"
	"weft/internal/origin/blame"
	"weft/internal/serve/cli/process"
)

// reportEach prints the reports of a command about several environments, which are rendered in
// parallel.
type reportEach struct {
	render *renderFlags
	all    bool   // all environments, not only the named ones
	form   string // text or json

	how weft.ReportOptions
	one func(context.Context, weft.Options) (*warnedReport, error)
}

// warnedReport is a report with the warnings of its run.
type warnedReport struct {
	weft.Report
	process.Warned
	same bool // there is nothing to report
}

// several reports whether a command is about more than one environment.
func (f *projectFlags) several(all bool) bool { return all || len(f.named) > 1 }

func (r *reportEach) run(cmd *cobra.Command) error {
	if named := r.render.project.named; r.all && len(named) > 0 {
		return allAndSome(named)
	}
	p, err := r.render.project.need(cmd)
	if err != nil {
		return err
	}
	if len(p.Names()) == 0 {
		return process.Usagef("%s has no environments", p.Path()).WithHint("remove --all")
	}
	if err := applyFlags(cmd, p, ""); err != nil {
		return err
	}
	base, err := r.render.resolve(cmd.InOrStdin())
	if err != nil {
		return err
	}
	return r.render.how.Run(cmd, base, func(cmd *cobra.Command, base weft.Options) error {
		return r.write(cmd, p, base)
	})
}

func (r *reportEach) write(cmd *cobra.Command, p *weft.Project, base weft.Options) error {
	names := r.render.project.named
	if r.all {
		names = p.Names()
	} else if _, err := p.Environments(names...); err != nil {
		return err
	}
	texts, errs := make([]string, len(names)), make([]error, len(names))
	var once sync.Once // only the warnings of the first are printed: they are nearly always the same
	parallel.Workers(base.Limits.Parallelism).Each(len(names), func(i int) {
		if cmd.Context().Err() == nil {
			texts[i], errs[i] = r.text(cmd, p, names[i], base, &once)
		}
	})
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	all, failed := environmentReport{form: r.form, count: len(names)}, failuresOf(cmd)
	selects := slices.Contains(errs, nil)
	for i, name := range names {
		switch {
		case selectsNothing(errs[i]) && selects:
		case selectsNothing(errs[i]):
			return errs[i]
		case errs[i] != nil:
			failed.add(name, errs[i])
		case texts[i] != "":
			all.add(name, texts[i])
		}
	}
	if err := all.write(cmd); err != nil {
		return err
	}
	return failed.write(len(names))
}

// selectsNothing reports whether an environment has none of the documents that --select names. That is an
// error if no environment has them.
func selectsNothing(err error) bool {
	if err == nil {
		return false
	}
	for _, d := range weft.ErrorOf(err).Diagnostics() {
		if d.Code == string(selector.CodeNone) || d.Code == string(blame.CodeSelect) {
			return true
		}
	}
	return false
}

// text returns the report about one environment.
func (r *reportEach) text(
	cmd *cobra.Command, p *weft.Project, env string, base weft.Options, once *sync.Once,
) (string, error) {
	opts, err := p.Options(env, base)
	if err != nil {
		return "", err
	}
	opts.Observe.Timings, opts.Limits.Parallelism = nil, 1
	report, err := r.one(shortcut.InEnvironment(cmd.Context(), env), opts)
	if err != nil || report.same {
		return "", err
	}
	once.Do(func() { process.MessagesOf(cmd).Warn(report) })
	var b bytes.Buffer
	err = report.Write(&b, r.how)
	return b.String(), err
}
