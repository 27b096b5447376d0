// Package hints explains why code failed: it turns an error of Starlark into a diagnostic that says
// where the author's code is wrong and what to write instead. Evaluation does not depend on it.
//
// Starlark's errors are texts, so most hints are selected by how a text begins. The list translators
// has what is done with an error, step by step; hint.go is about the values of templates.
package hints

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The codes of this package's diagnostics.
const (
	CodeEval  diag.Code = "eval/error" // code failed
	CodeLoad  diag.Code = "eval/load"  // a file could not be loaded
	CodeKey   diag.Code = "eval/duplicate-key"
	CodeLimit diag.Code = "eval/limit"
)

// Starlark's messages for a program that was stopped, and for calls that are nested too deeply.
const (
	Cancelled     = "Starlark computation cancelled: "
	Interrupted   = "interrupted" // why code was stopped when its run ended
	StackOverflow = "Starlark stack overflow"
)

// Program is what hints need to know about the program that failed.
type Program struct {
	Source     func(name string) *source.File // nil for a builtin
	Load       func(module string) (starlark.StringDict, error)
	Values     func() starlark.Value    // the value of data.values
	Unresolved bool                     // the values are still empty
	Missing    func(name string) string // returns a hint for a missing data value, or ""; may be nil
	Steps      string                   // what to do if code takes too many steps and its loops do end
}

// Explain turns a failure of Starlark code into a diagnostic.
func Explain(p *Program, e *starlark.EvalError) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: CodeEval, Message: message(e)}
	// A builtin that calls a function adds its name and wraps the function's error, which has the
	// whole stack.
	for inner, ok := e, true; ok; inner, ok = errors.AsType[*starlark.EvalError](inner.Unwrap()) {
		e = inner
	}
	showCalls(d, p.placeError(d, e))
	for _, translate := range translators {
		translate(p, d, e)
	}
	return d
}

// placeError sets the innermost location of the author's code, and the hint for its line. It
// returns the calls that led there, the last one first.
func (p *Program) placeError(d *diag.Diagnostic, e *starlark.EvalError) (calls []call) {
	for i := len(e.CallStack) - 1; i >= 0; i-- {
		fr := e.CallStack[i]
		f := p.Source(fr.Pos.Filename())
		if f == nil || fr.Pos.Line == 0 {
			continue // a builtin
		}
		at := widen(f, script.Span(f, fr.Pos))
		if !d.At.IsValid() {
			d.At = at
			d.Hint = p.hint(e, d, f, script.Span(f, fr.Pos))
			if d.Hint == "" {
				d.Hint = script.Hint(d.Message, f.Text(int(fr.Pos.Line)))
			}
			continue
		}
		if n := len(calls); n > 0 && calls[n-1].at == at {
			calls[n-1].times++
			continue
		}
		calls = append(calls, call{at: at, function: e.CallStack[i+1].Name, times: 1})
	}
	if step, ok := errors.AsType[*StepError](e); ok {
		d.At = widen(step.File, step.File.Span(step.At.Offset(), step.At.Offset()+1))
	}
	return calls
}

// showCalls adds the calls that led to an error. If there are many, it omits those in the middle.
func showCalls(d *diag.Diagnostic, calls []call) {
	for i, c := range calls {
		what := fmt.Sprintf("'%s' is called here", c.function)
		if c.times > 1 {
			what += fmt.Sprintf(", %d times", c.times)
		}
		switch last := len(calls) - shownCalls; {
		case len(calls) <= manyCalls || i < shownCalls || i >= last:
			d.WithRelated(c.at, "%s", what)
		case i == shownCalls:
			d.WithRelated(c.at, "%s, and %d more calls are omitted", what, last-i-1)
		}
	}
}

// translators turn Starlark's messages into weft's. Each handles one kind of error. They run in
// this order, so later ones see the results of earlier ones.
var translators = [...]func(p *Program, d *diag.Diagnostic, e *starlark.EvalError){
	translateCall, translateHinted, translateNames, translateKeyword, translateKey, translateLimits,
}

// translateCall handles a call with the wrong arguments: the error is in the call, not at the start
// of the function.
func translateCall(_ *Program, d *diag.Diagnostic, e *starlark.EvalError) {
	if fr := e.CallStack.At(0); wrongCall(e.Msg, fr.Name) && len(d.Related) > 0 {
		inside := d.At
		d.At, d.Related[0] = d.Related[0].At, diag.Related{
			At:      inside,
			Message: "the code of '" + fr.Name + "' begins here",
		}
	}
}

// translateHinted handles an error that has its own hint.
func translateHinted(_ *Program, d *diag.Diagnostic, e *starlark.EvalError) {
	if hinted, ok := errors.AsType[*diag.Hinted](e); ok {
		d.Message, d.Hint = strings.TrimSuffix(d.Message, hinted.Suffix()), hinted.Hint
		if hinted.Right != "" {
			d.WithFix(hinted.Was, hinted.Right)
		}
	}
}

// translateNames handles names and paths that do not exist.
func translateNames(_ *Program, d *diag.Diagnostic, _ *starlark.EvalError) {
	spellingFix(d)
	if strings.HasPrefix(d.Message, "cannot load ") || strings.HasPrefix(d.Message, "load: ") {
		d.Code = CodeLoad
	}
	if d.Word.Text == "" {
		d.WithWord(wrongWord(d.Message))
	}
	if d.Code == CodeLoad && d.Fix == nil {
		pathFix(d)
	}
}

// translateKeyword handles unknown keyword arguments.
func translateKeyword(p *Program, d *diag.Diagnostic, e *starlark.EvalError) {
	if strings.Contains(d.Message, " unexpected keyword argument ") && len(d.Related) > 0 {
		p.keywordFix(d, e.CallStack.At(0))
	}
}

// translateKey handles duplicate map keys.
func translateKey(p *Program, d *diag.Diagnostic, e *starlark.EvalError) {
	dup, ok := errors.AsType[*DuplicateKey](e)
	if !ok {
		return
	}
	d.Code = CodeKey
	span := d.At
	if dup.Second.IsValid() {
		d.At = dup.Second.To(dup.Second.Offset() + 1)
	}
	if dup.Elsewhere && d.At.Pos != span.Pos {
		d.Related = append([]diag.Related{{At: span, Message: "it is added here"}}, d.Related...)
	}
	if dup.First == dup.Second && dup.First.IsValid() {
		d.Hint = "the same line adds it more than once: use a different key each time; to " +
			"repeat the whole document or list item, put the loop above its `---` or `- `; " +
			"to keep only the last one, annotate it with `#@yaml/map-key-override`"
		return
	}
	place(d, dup.First, "the key is already here")
	if dup.Matched {
		d.Message = "expected one item `_` in a map, but found another one"
		d.Hint = "move it to another document of the overlay: repeat the `#@overlay/match` of the document and " +
			"`---` above it; paths whose change is the same can be one matcher: `by=overlay.path(\"...\", \"...\")`"
		return
	}
	d.Hint = "remove one of the two, or annotate the second with `#@yaml/map-key-override`"
	if dup.Mergeable {
		d.Hint = "to merge the two, make each in a function and write " +
			"`#@ overlay.apply(first(), second())`; annotate the second with " +
			"`#@yaml/map-key-override` to drop the first"
	}
}

// translateLimits handles code that exceeds a limit.
func translateLimits(p *Program, d *diag.Diagnostic, e *starlark.EvalError) {
	if limit, ok := errors.AsType[*tree.LimitError](e); ok {
		d.Code, d.Message = CodeLimit, limit.Message
		if limit.Hint != "" {
			d.Hint = limit.Hint
		}
	}
	if strings.HasSuffix(d.Message, StackOverflow) {
		d.Code, d.Message = CodeLimit, "endless recursion: the calls are nested too deeply"
		d.Hint = "add a condition that ends the recursion"
	}
	if strings.Contains(d.Message, modules.TooManySteps) {
		d.Code, d.Message = CodeLimit, "the code took too many steps"
		d.Hint = "check for an endless loop, or " + p.Steps
	}
}

// spellingFix turns Starlark's suggestion for a misspelled name into a hint and a fix.
func spellingFix(d *diag.Diagnostic) {
	msg, near, ok := strings.Cut(d.Message, " (did you mean ")
	if !ok {
		return
	}
	d.Message, d.Hint = msg, "did you mean "+strings.TrimSuffix(near, ")")
	near = strings.TrimSuffix(near, "?)")
	if _, rest, ok := strings.Cut(msg, " has no ."); ok {
		name, _, _ := strings.Cut(rest, " ")
		d.WithFix(name, strings.TrimPrefix(near, "."))
	}
	if name, ok := strings.CutPrefix(msg, "load: name "); ok {
		name, _, _ = strings.Cut(name, " ")
		d.WithFix(name, near)
	}
}

// pathFix turns the path of a file that may be meant into a fix: relative to the file that loads
// it if both are in the same folder, otherwise from the root.
func pathFix(d *diag.Diagnostic) {
	_, near, ok := strings.Cut(d.Hint, "did you mean '")
	near, _, end := strings.Cut(near, "'")
	_, looked, found := strings.Cut(d.Message, "expected to find file '")
	if !ok || !end || !found {
		return
	}
	folder, same := strings.CutSuffix(strings.TrimSuffix(looked, "'"), d.Word.Text)
	if rest, in := strings.CutPrefix(near, folder); same && in {
		d.WithFix(d.Word.Text, rest)
		return
	}
	d.WithFix(d.Word.Text, "/"+strings.TrimPrefix(near, "/"))
}

// keywordFix turns an unknown keyword argument into a hint and a fix. The parameters of the
// function are written above the place in it that d refers to.
func (p *Program) keywordFix(d *diag.Diagnostic, fr starlark.CallFrame) {
	f, inside := p.Source(fr.Pos.Filename()), d.Related[0].At
	if f == nil || !f.Holds(inside.Pos) || d.Hint != "" {
		return
	}
	def := "def " + fr.Name + "("
	text := string(f.Data()[:inside.Offset()])
	at := strings.LastIndex(text, def)
	if at < 0 {
		return
	}
	list, _, _ := strings.Cut(text[at+len(def):], ")")
	var names []string
	for param := range strings.SplitSeq(list, ",") {
		name, _, _ := strings.Cut(param, "=")
		names = append(names, strings.Trim(name, " \t\r\n#@*"))
	}
	if near := diag.Nearest(d.Word.Text, names); near != "" {
		d.WithHint("did you mean %s?", near).WithFix(d.Word.Text, near)
	}
}

// wrongWord returns the word that a message of Starlark or of a module is about, if it appears
// literally in the code: a path or name in a load, or a keyword argument. It returns "" if there is
// none.
func wrongWord(msg string) string {
	for _, form := range []struct{ before, after string }{
		{"cannot load ", ": "},
		{"load: name ", " not found in module "},
		{"got an unexpected keyword argument \"", "\""},
		{"unexpected keyword argument ", ""},
		{"invalid argument name: ", ""},
	} {
		_, rest, ok := strings.Cut(msg, form.before)
		if !ok {
			continue
		}
		if form.after != "" {
			rest, _, ok = strings.Cut(rest, form.after)
		}
		if word := strings.Trim(rest, "\"'"); ok && !strings.ContainsAny(word, " \n") {
			return word
		}
	}
	return ""
}

// call is a place from which a function was called, once or repeatedly.
type call struct {
	at       source.Span
	function string
	times    int
}

// If there are many calls, as in an endless recursion, only the innermost and the outermost are
// shown.
const (
	manyCalls  = 30
	shownCalls = 4
)

// wrongCall reports whether msg says that a function was called with the wrong arguments.
func wrongCall(msg, function string) bool {
	what, ok := strings.CutPrefix(msg, "function "+function+" ")
	return ok &&
		(strings.HasPrefix(what, "missing ") || strings.HasPrefix(what, "accepts ") ||
			strings.HasPrefix(what, "got "))
}

// place adds a related place to d, if pos is valid.
func place(d *diag.Diagnostic, pos source.Pos, what string) {
	if pos.IsValid() {
		d.WithRelated(pos.To(pos.Offset()+1), "%s", what)
	}
}

// message returns the error message, with the name of the builtin that failed.
func message(e *starlark.EvalError) string {
	msg := e.Msg
	if n := len(e.CallStack); n > 0 {
		if fr := e.CallStack[n-1]; fr.Pos.Line == 0 && strings.Contains(fr.Name, ".") &&
			!strings.HasPrefix(msg, fr.Name) {
			msg = fr.Name + ": " + msg
		}
	}
	return strings.TrimPrefix(msg, Cancelled)
}

// widen extends the location of a call, which is its parenthesis, to the name before it. A location
// at a name, or at the dot before it, is extended to the whole name.
func widen(f *source.File, at source.Span) source.Span {
	if !at.IsValid() {
		return at
	}
	start, data := at.Offset(), f.Data()
	end := start
	if start+1 < len(data) && data[start] == '.' && diag.IsWord(data[start+1]) {
		end++ // the dot before a name
	}
	if start < len(data) && data[start] == '(' {
		for start > 0 && (data[start-1] == '.' || diag.IsWord(data[start-1])) {
			start--
		}
	}
	for end < len(data) && diag.IsWord(data[end]) {
		end++
	}
	if start == end {
		return at
	}
	return f.Span(start, end)
}

// Innermost returns the innermost location of code in a call stack.
func Innermost(stack starlark.CallStack, of func(name string) *source.File) (source.Span, bool) {
	for i := len(stack) - 1; i >= 0; i-- {
		fr := stack[i]
		if f := of(fr.Pos.Filename()); f != nil && fr.Pos.Line > 0 {
			return widen(f, script.Span(f, fr.Pos)), true
		}
	}
	return source.Span{}, false
}
