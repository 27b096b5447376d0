package workspace

import (
	"errors"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Diagnostics are diagnostics with the files that they point into.
type Diagnostics struct {
	Files *source.Set // may be nil
	List  diag.List
}

// DiagnosticsOf returns the diagnostics of an error of the pipeline or of a project file.
func DiagnosticsOf(err error) Diagnostics {
	if f, ok := errors.AsType[*diag.Failure](err); ok {
		return Diagnostics{f.Files, f.List}
	}
	return Diagnostics{nil, diag.Of(err)}
}

// Errors returns the diagnostics that are errors.
func (d Diagnostics) Errors() Diagnostics {
	return Diagnostics{d.Files, d.List.Errors()}
}

// Failure is the errors in the inputs of a view. It is nil if there are none.
type Failure []Diagnostics

func failureOf(err error) Failure {
	if err == nil {
		return nil
	}
	return Failure{DiagnosticsOf(err).Errors()}
}

// Failure returns why the outcome is not that of the buffers as they are now: the errors of stale
// buffers, or else those of the evaluation.
func (o *Outcome) Failure() Failure {
	var f Failure
	for _, p := range o.Stale {
		b := o.Snapshot.open[p]
		kind, opt := o.Snapshot.folder.reading(o.Snapshot, b)
		f = append(f, Diagnostics{source.Single(b.file), b.analyse(kind, opt).Errors})
	}
	if f == nil && o.Failed {
		f = Failure{o.Errors()}
	}
	return f
}

// Error returns the errors as the command line prints them.
func (f Failure) Error() string {
	var b strings.Builder
	for i, x := range f {
		if i > 0 {
			b.WriteByte('\n')
		}
		_ = diag.Render(&b, x.Files, x.List, diag.RenderOptions{}) // a builder takes everything
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Lines returns the first line of each error.
func (f Failure) Lines() []string {
	lines := []string{}
	for _, x := range f {
		for _, d := range x.List {
			var b strings.Builder
			_ = diag.Render(&b, x.Files, diag.List{d}, diag.RenderOptions{})
			line, _, _ := strings.Cut(b.String(), "\n")
			lines = append(lines, line)
		}
	}
	return lines
}
