package workspace

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Failure is the errors in the inputs of a view. It is nil if there are none.
type Failure []*diag.Failure

func failureOf(err error) Failure {
	if err == nil {
		return nil
	}
	return Failure{diag.FailureOf(err).Errors()}
}

// Failure returns why the outcome does not correspond to the current buffers: the errors of stale
// buffers, or else those of the evaluation.
func (o *Outcome) Failure() Failure {
	var f Failure
	for _, p := range o.Stale {
		b := o.Snapshot.open[p]
		kind, opt := o.Snapshot.folder.reading(o.Snapshot, b)
		f = append(f, &diag.Failure{Files: source.Single(b.file), List: b.analyse(kind, opt).Errors})
	}
	if f == nil && o.Failed {
		f = Failure{o.Diagnostics.Errors()}
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
		_ = diag.Render(&b, x.Files, x.List, diag.RenderOptions{}) // writing to a builder cannot fail
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
