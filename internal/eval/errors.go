package eval

import (
	"errors"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/script"
	"weft/internal/source"
)

// The codes of this package's diagnostics.
const (
	CodeEval  diag.Code = "eval/error" // code failed
	CodeLoad  diag.Code = "eval/load"  // a file could not be loaded
	CodeKey   diag.Code = "eval/duplicate-key"
	CodeLimit diag.Code = "eval/limit"
)

// diagnose turns an error of an evaluation into diagnostics: the innermost place first, then those that called it.
func (p *proc) diagnose(err error) diag.List {
	if inner, ok := errors.AsType[*loadError](err); ok {
		// What is wrong is wrong in the module; who loads it is the way there.
		list := inner.module.proc.orSelf(p).diagnose(inner.module.err)
		if at, ok := p.callSite(err); ok && len(list) > 0 {
			list[0].WithRelated(at, "loaded here")
		}
		return list
	}
	if list, ok := errors.AsType[diag.List](err); ok {
		return list
	}
	e, ok := errors.AsType[*starlark.EvalError](err)
	if !ok {
		return diag.List{diag.Errorf(source.Span{}, CodeEval, "%s", err)}
	}
	return diag.List{p.evalError(e)}
}

// orSelf is p, or q if there is none: a module that was not evaluated has none.
func (p *proc) orSelf(q *proc) *proc {
	if p == nil {
		return q
	}
	return p
}

// evalError turns a failure of Starlark code into a diagnostic.
func (p *proc) evalError(e *starlark.EvalError) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: CodeEval, Message: message(e)}
	for i := len(e.CallStack) - 1; i >= 0; i-- {
		fr := e.CallStack[i]
		f := p.run.lib.source(fr.Pos.Filename())
		if f == nil || fr.Pos.Line == 0 {
			continue // a builtin
		}
		at := widen(f, script.Span(f, fr.Pos))
		if !d.At.IsValid() {
			d.At = at
			d.Hint = script.Hint(d.Message, f.Text(int(fr.Pos.Line)))
			continue
		}
		d.WithRelated(at, "in %s", caller(e, i))
	}
	if dup, ok := errors.AsType[*duplicateKey](e); ok {
		d.Code = CodeKey
		if made := d.At; dup.second.IsValid() && dup.second != made.Pos {
			d.At = dup.second.To(dup.second.Offset() + 1)
			d.WithRelated(made, "it is added here")
		}
		p.place(d, dup.first, "the key is here already")
		d.Hint = "remove one of the two, or annotate the second with `#@yaml/map-key-override`"
	}
	if strings.Contains(d.Message, tooManySteps) {
		d.Code, d.Message = CodeLimit, "the code took too many steps"
		d.Hint = "is there a loop without an end? --max-steps raises the limit"
	}
	return d
}

// place adds another place to d, if there is one.
func (p *proc) place(d *diag.Diagnostic, pos source.Pos, what string) {
	if pos.IsValid() {
		d.WithRelated(pos.To(pos.Offset()+1), "%s", what)
	}
}

// message is what went wrong, with the name of the builtin that says so.
func message(e *starlark.EvalError) string {
	msg := e.Msg
	if n := len(e.CallStack); n > 0 {
		if fr := e.CallStack[n-1]; fr.Pos.Line == 0 && strings.Contains(fr.Name, ".") && !strings.HasPrefix(msg, fr.Name) {
			msg = fr.Name + ": " + msg
		}
	}
	return strings.TrimPrefix(msg, "Starlark computation cancelled: ")
}

// widen turns the place of a call, which is its parenthesis, into that of the name before it.
func widen(f *source.File, at source.Span) source.Span {
	end := at.Offset()
	if !at.IsValid() || end >= len(f.Data()) || f.Data()[end] != '(' {
		return at
	}
	start := end
	for start > 0 && (f.Data()[start-1] == '.' || f.Data()[start-1] == '_' || isAlphanumeric(f.Data()[start-1])) {
		start--
	}
	return f.Span(start, end)
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// caller is the name of the function whose frame is at i.
func caller(e *starlark.EvalError, i int) string {
	if name := e.CallStack[i].Name; name != "<toplevel>" {
		return name
	}
	return "the file"
}

// callSite is the innermost place of code in err.
func (p *proc) callSite(err error) (source.Span, bool) {
	e, ok := errors.AsType[*starlark.EvalError](err)
	if !ok {
		return source.Span{}, false
	}
	for i := len(e.CallStack) - 1; i >= 0; i-- {
		fr := e.CallStack[i]
		if f := p.run.lib.source(fr.Pos.Filename()); f != nil && fr.Pos.Line > 0 {
			return script.Span(f, fr.Pos), true
		}
	}
	return source.Span{}, false
}

// source is the file that Starlark knows by name.
func (lib *Library) source(name string) *source.File {
	for _, f := range lib.Files {
		if f.Input.File != nil && f.Input.File.Name() == name {
			return f.Input.File
		}
	}
	return nil
}
