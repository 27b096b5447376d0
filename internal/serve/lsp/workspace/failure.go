package workspace

import (
	"errors"
	"strings"

	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Failure is what is wrong with the inputs of a view. It is nil if nothing is.
type Failure []failed

// failed is errors in some files.
type failed struct {
	files *source.Set
	list  diag.List
}

// failureOf returns an error of the pipeline.
func failureOf(err error) Failure {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*engine.Failure](err); ok {
		return Failure{{f.Files, onlyErrors(f.List)}}
	}
	return Failure{{nil, diag.Of(err)}}
}

// Failure returns what keeps the outcome from being what the buffers say now: what is wrong in
// buffers that were evaluated as they were before, or else what the evaluation found.
func (o *Outcome) Failure() Failure {
	var f Failure
	for _, p := range o.stale {
		b := o.Snapshot.open[p]
		kind, opt := o.Snapshot.folder.reading(o.Snapshot, b)
		f = append(f, failed{source.Single(b.file), b.analyse(kind, opt).Errors})
	}
	if f == nil && o.Failed {
		f = Failure{{o.Files, onlyErrors(o.List)}}
	}
	return f
}

func onlyErrors(list diag.List) diag.List {
	var errs diag.List
	for _, d := range list {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		}
	}
	return errs
}

// Error returns the errors as the command line prints them.
func (f Failure) Error() string {
	var b strings.Builder
	for i, x := range f {
		if i > 0 {
			b.WriteByte('\n')
		}
		_ = diag.Render(&b, x.files, x.list, diag.RenderOptions{}) // a builder takes everything
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Lines returns the first lines of the errors.
func (f Failure) Lines() []string {
	lines := []string{}
	for _, x := range f {
		for _, d := range x.list {
			var b strings.Builder
			_ = diag.Render(&b, x.files, diag.List{d}, diag.RenderOptions{})
			line, _, _ := strings.Cut(b.String(), "\n")
			lines = append(lines, line)
		}
	}
	return lines
}
