package weft

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/engine/load"
)

// FixReport is what LintFix can fix, and what is left.
type FixReport struct {
	Left   *LintReport // the findings after the fixes
	Fixed  int         // how many findings the fixes resolve
	Undone []string    // rules whose fixes would change the output, and were not applied

	// Endless are rules whose fixes undo each other. Their findings are left.
	Endless []string

	fixed lint.Fixed
}

// LintFix finds what Lint finds and fixes what can be fixed without a change of meaning; with unsafe,
// also what might change it. It renders all environments before and after each fix, and drops fixes
// that change the output. One fix may make another possible, so LintFix continues until none is left:
// a second call would change nothing. It writes nothing: see FixReport.WriteFiles. The error is that
// of Lint.
func LintFix(
	ctx context.Context, envs []Options, what LintOptions, unsafe bool,
) (*FixReport, error) {
	fixed, err := lint.Fix(lint.Trial{
		Lint: func(texts map[string][]byte, all bool) (*lint.Report, error) {
			what.All = all
			report, err := runLint(ctx, rewritten(envs, texts), what)
			if _, ok := errors.AsType[*lint.Unchecked](err); ok {
				return nil, err // a fix may break an environment that cannot be rendered
			}
			return report, err
		},
		Render: func(texts map[string][]byte) ([][]byte, error) {
			return renderTrial(ctx, rewritten(envs, texts))
		},
	}, what.All, unsafe)
	if fixed == nil {
		return nil, err
	}
	return &FixReport{
		Left: &LintReport{*fixed.Left}, Fixed: fixed.Count,
		Undone: fixed.Undone, Endless: fixed.Endless, fixed: *fixed,
	}, err
}

// rewritten returns environments with other texts of their files.
func rewritten(envs []Options, texts map[string][]byte) []Options {
	if texts == nil {
		return envs
	}
	list := slices.Clone(envs)
	for i := range list {
		list[i].hidden.Rewrite = func(in load.Input, text []byte) []byte {
			if now, ok := texts[in.Shown()]; ok {
				return now
			}
			return text
		}
	}
	return list
}

// renderTrial returns the documents and files of environments, or their errors.
func renderTrial(ctx context.Context, envs []Options) ([][]byte, error) {
	var all [][]byte
	for _, opts := range envs {
		opts.Observe.Print, opts.Observe.Timings, opts.Keep = nil, nil, 0
		opts.Format, opts.Warnings = YAML, WarningsOff
		r, err := evaluate(ctx, opts, engine.Request{})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			all = append(all, []byte(errorCodes(err)))
			continue
		}
		var out bytes.Buffer
		if _, err := r.WriteTo(&out); err != nil {
			return nil, err
		}
		for _, file := range r.Files() {
			fmt.Fprintf(&out, "\x00%s\x00%s", file.Path, file.Data)
		}
		all = append(all, out.Bytes())
	}
	return all, nil
}

// errorCodes returns the codes of the errors of a run. Their places are ignored, because they may
// move.
func errorCodes(err error) string {
	var codes []string
	for _, d := range ErrorOf(err).Diagnostics() {
		codes = append(codes, d.Code)
	}
	return strings.Join(codes, " ")
}

// Diff writes the fixes as a unified diff, and returns the names of the files that they change.
func (l *FixReport) Diff(w io.Writer) (changed []string, err error) {
	return l.fixed.Changed(), written(w, l.fixed.Diff())
}

// WriteFiles writes the changed files. It replaces each file atomically. If a file changed after it was
// read, that is an error.
func (l *FixReport) WriteFiles(ctx context.Context) error { return public(l.fixed.Write(ctx)) }
