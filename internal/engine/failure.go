package engine

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"weft/internal/engine/budget"
	"weft/internal/engine/eval/hints"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// ended returns the error of a run whose context has ended. If code exceeded its memory or time, it
// has the place of that code. err is the error of the run otherwise, or nil.
func ended(ctx context.Context, err error, files *source.Set) error {
	passed := budget.Passed(ctx)
	if passed == nil {
		return context.Cause(ctx)
	}
	list, ok := budget.Blamed(ctx).(diag.List)
	d, stopped := stoppedAt(err)
	if !ok && !stopped && passed.Code == "" {
		list, ok = errors.AsType[diag.List](err)
	}
	if !ok {
		d.Code, d.Message, d.Hint = cmp.Or(passed.Code, budget.CodeMemory), passed.Message, passed.Hint
		list = diag.List{d}
	}
	return &diag.Failure{Files: files, List: list}
}

// stoppedAt returns the diagnostic of code that itself reports that it was stopped, as functions of
// schemas and overlays do, or an empty one. It reports whether there is one.
func stoppedAt(err error) (*diag.Diagnostic, bool) {
	list, _ := errors.AsType[diag.List](err)
	for _, d := range list {
		if d.Message == hints.Interrupted || strings.Contains(d.Message, hints.Cancelled) {
			return &diag.Diagnostic{Severity: d.Severity, At: d.At, Path: d.Path, Related: d.Related}, true
		}
	}
	return &diag.Diagnostic{}, false
}
