package eval

import (
	"errors"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/engine/budget"
	"weft/internal/engine/eval/hints"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// The codes of this package's diagnostics, in addition to those of package hints.
const (
	// a warning: a discarded value that already replaced another node
	CodeReplaced diag.Code = "eval/replaced-before"
	CodeDropped  diag.Code = "eval/dropped-value" // a warning: a value that a statement discards
	CodeFragment diag.Code = "eval/fragment-text" // a warning: a string that contains formatted YAML
)

// diagnose turns an evaluation error into diagnostics: the innermost place first, then its callers.
func (p *proc) diagnose(err error) diag.List {
	if cycle, ok := errors.AsType[*cycleError](err); ok {
		return diag.List{cycle.diagnostic}
	}
	if inner, ok := errors.AsType[*loadError](err); ok {
		// The error is in the module; the load is a related place.
		return p.withCall(inner.module.proc.orSelf(p).diagnose(inner.module.err), err, "loaded here")
	}
	if list, ok := errors.AsType[diag.List](err); ok {
		// The error is in the library; its evaluation is a related place.
		return p.withCall(list, err, "evaluated here")
	}
	e, ok := errors.AsType[*starlark.EvalError](err)
	if !ok {
		return diag.Of(err)
	}
	d := hints.Explain(p.program(), e)
	if inner, ok := errors.AsType[*diag.Diagnostic](err); ok {
		// The builtin knows the place better, as overlay.apply does.
		told := *inner
		if told.At.IsValid() {
			told.Related = append(
				slices.Clone(inner.Related),
				diag.Related{At: d.At, Message: "called here"},
			)
			told.Related = append(told.Related, d.Related...)
		} else {
			told.At, told.Related = d.At, append(slices.Clone(inner.Related), d.Related...)
		}
		if told.Hint == "" {
			told.Hint, told.Fix = d.Hint, d.Fix
		}
		return diag.List{&told}
	}
	return diag.List{d}
}

// withCall returns a list in which the place that p calls err from is related to the first diagnostic. That one is
// a copy: what a file or a library fails with is the same for all that load or evaluate it, also at the same time.
func (p *proc) withCall(list diag.List, err error, message string) diag.List {
	at, ok := p.callSite(err)
	if !ok || len(list) == 0 {
		return list
	}
	first := *list[0]
	return append(diag.List{first.WithRelated(at, "%s", message)}, list[1:]...)
}

// program returns what package hints needs to explain a failure of p.
func (p *proc) program() *hints.Program {
	return &hints.Program{
		Source: p.source, Load: p.load, Values: p.run.dataValues,
		Unresolved: p.run.opt.Unresolved, Missing: p.run.opt.Missing,
		Steps: budget.Hint(p.ctx, "--max-steps"),
	}
}

// orSelf returns p, or q if p is nil: a module that was not evaluated has no proc.
func (p *proc) orSelf(q *proc) *proc {
	if p == nil {
		return q
	}
	return p
}

// callSite returns the innermost location of code in err.
func (p *proc) callSite(err error) (source.Span, bool) {
	e, ok := errors.AsType[*starlark.EvalError](err)
	if !ok {
		return source.Span{}, false
	}
	return hints.Innermost(e.CallStack, p.source)
}

// source returns the file that Starlark knows by name. If several files have that name, the file of
// p takes precedence.
func (p *proc) source(name string) *source.File {
	if p.unit != nil && p.unit.File.Name() == name {
		return p.unit.File
	}
	return p.run.scope.lib.source(name)
}

// source returns the first file with that name.
func (lib *Library) source(name string) *source.File {
	for _, f := range lib.Files {
		if f.Input.File != nil && f.Input.File.Name() == name {
			return f.Input.File
		}
	}
	return nil
}
