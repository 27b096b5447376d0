package script

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
)

// maxResolveErrors is the number of errors of one file that are reported. Each of them costs a search
// in the file, and few people read more.
const maxResolveErrors = 1000

// Errors turns errors of the Starlark parser or resolver about f into diagnostics with hints. Any
// other error becomes a diagnostic without a place.
func Errors(f *source.File, err error) diag.List {
	if list, ok := errors.AsType[resolve.ErrorList](err); ok {
		list = list[:min(len(list), maxResolveErrors)]
		out := make(diag.List, 0, len(list))
		stars := sync.OnceValue(func() [][]byte { return starLoads(f.Data()) })
		for _, e := range list {
			d := resolveError(f, e, stars)
			if n := len(out); n > 0 && d.Hint != "" && d.Hint == out[n-1].Hint &&
				sameKey(f, out[n-1].At, d.At) {
				continue // `my-long-key` is one mistake, even if several of its parts are undefined names
			}
			out = append(out, d)
		}
		return once(f, out)
	}
	if e, ok := errors.AsType[resolve.Error](err); ok {
		return diag.List{resolveError(f, e, func() [][]byte { return starLoads(f.Data()) })}
	}
	if e, ok := errors.AsType[syntax.Error](err); ok {
		at := Span(f, e.Pos)
		d := diag.Errorf(at, CodeSyntax, "%s", e.Msg)
		d.Hint = Hint(e.Msg, f.Text(int(e.Pos.Line)))
		fixOperator(d)
		return diag.List{d}
	}
	return diag.Of(err)
}

// fixOperator adds the fix of an operator or a keyword of other languages, if the line has it once.
func fixOperator(d *diag.Diagnostic) {
	switch {
	case strings.HasPrefix(d.Hint, "use 'and' instead of '&&'"):
		d.WithFix("&&", "and")
	case strings.HasPrefix(d.Hint, "use 'or' instead of '||'"):
		d.WithFix("||", "or")
	case d.Hint == hintElif:
		d.WithFix("else if", "elif")
	case d.Hint == hintEqual && d.At.Len == 1:
		d.WithFix("=", "==")
	}
}

// once merges errors that one hint fixes everywhere, such as a module that is used many times but
// not loaded: it reports the first place and lists the others in the hint. A fix applies to one
// place, so errors with a fix are not merged.
func once(f *source.File, list diag.List) diag.List {
	type mistake struct{ message, hint string }
	first := make(map[mistake]*diag.Diagnostic, len(list))
	others := map[*diag.Diagnostic][]string{}
	out := list[:0]
	for _, d := range list {
		known := first[mistake{d.Message, d.Hint}]
		switch {
		case d.Hint == "" || d.Fix != nil || !d.At.IsValid():
		case known == nil:
			first[mistake{d.Message, d.Hint}] = d
		default:
			if at := f.WhereLine(d.At.Offset()); at != f.WhereLine(known.At.Offset()) {
				others[known] = addOnce(others[known], at)
			}
			continue
		}
		out = append(out, d)
	}
	for d, places := range others {
		d.Hint += alsoAt(places)
	}
	return out
}

// addOnce adds a place unless it equals the last one. Places come in the order of the file.
func addOnce(places []string, at string) []string {
	if n := len(places); n > 0 && places[n-1] == at {
		return places
	}
	return append(places, at)
}

// alsoAt returns the part of a hint that lists the other places. It names a few and counts the
// rest.
func alsoAt(places []string) string {
	const maxPlaces = 3
	more := ""
	if n := len(places) - maxPlaces; n > 0 {
		places, more = places[:maxPlaces], fmt.Sprintf(" and %d more", n)
	}
	return "; also used at " + strings.Join(places, ", ") + more
}

// resolveError returns the diagnostic of an error. stars returns what starLoads finds in the file.
func resolveError(f *source.File, e resolve.Error, stars func() [][]byte) *diag.Diagnostic {
	at, msg := Span(f, e.Pos), e.Msg
	code := CodeResolve
	var hint string
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		code = CodeUndefined
		name, hint, _ = strings.Cut(name, " (")
		hint = strings.TrimSuffix(hint, ")")
		msg = "undefined: " + name
		if at.IsValid() && bytes.HasPrefix(f.Data()[at.Offset():], []byte(name)) {
			at = f.Span(at.Offset(), at.Offset()+len(name))
		}
	}
	d := diag.Errorf(at, code, "%s", msg)
	d.Hint = hint
	if near, ok := strings.CutPrefix(hint, "did you mean "); ok {
		d.WithFix(strings.TrimPrefix(msg, "undefined: "), strings.TrimSuffix(near, "?"))
	}
	var line []byte
	if at.IsValid() {
		line = f.Text(f.Line(at.Offset()))
	}
	if h := blankAfterMark(line); h != "" {
		d.Hint, d.Fix = h, nil
	} else if h := Hint(msg, line); h != "" {
		d.Hint, d.Fix = h, nil
		if name := strings.TrimPrefix(msg, "undefined: "); constant(name) != "" {
			d.WithFix(name, constant(name))
		} else if h == hintClose {
			d.WithFix(name, "end")
		}
	} else if h := undefinedHabit(f, d, stars); h != "" {
		d.Hint, d.Fix = h, nil
	} else if code == CodeUndefined && d.Hint == "" {
		suggestBuiltin(d)
	}
	if name := strings.TrimPrefix(msg, "undefined: "); at.IsValid() && code == CodeUndefined &&
		slices.Contains(Modules(), name) && strings.HasPrefix(d.Hint, "load it first: ") {
		loadHint(f, name, d)
	}
	return d
}

// suggestBuiltin adds the hint and the fix if an undefined name is similar to one that Starlark defines.
// The resolver suggests only names of the file.
func suggestBuiltin(d *diag.Diagnostic) {
	name := strings.TrimPrefix(d.Message, "undefined: ")
	if near := diag.Nearest(name, starlark.Universe.Keys()); near != "" {
		d.WithHint("did you mean %s?", near).WithFix(name, near)
	}
}

// IsBuiltinSuggested reports whether the hint of an undefined name is one that Starlark defines.
func IsBuiltinSuggested(d *diag.Diagnostic) bool {
	return d.Code == CodeUndefined && d.Fix != nil && starlark.Universe.Has(d.Fix.Edits[0].Text) &&
		strings.HasPrefix(d.Hint, "did you mean ")
}

// loadHint adds a hint how to load a module: in the syntax of text templates if f is one, or with
// the correct name if f loads the module under another name.
func loadHint(f *source.File, module string, d *diag.Diagnostic) {
	load := `load("@ytt:` + module + `", "` + module + `")`
	if at, name := loadedName(f, module); at.IsValid() && name != module {
		d.WithRelated(at, "@ytt:%s has no %q", module, name).
			WithHint("correct the name: `%s`", load)
		return
	}
	if isTemplateOfText(f.Name()) {
		d.WithHint("load it first: %s", Statement(f, load))
	}
}

// Statement returns a statement for a hint, as it can be pasted into a file.
func Statement(f *source.File, code string) string {
	if isTemplateOfText(f.Name()) {
		return "(@ " + code + " -@)"
	}
	return "`" + code + "`"
}

// isTemplateOfText reports whether a file of that name has its code in `(@ ... @)`.
func isTemplateOfText(name string) bool { return strings.HasSuffix(name, ".txt") }

// loadedName returns the first name that a file loads from a module, and its place. It returns ""
// if the file does not load the module, or renames what it loads.
func loadedName(f *source.File, module string) (at source.Span, name string) {
	text := f.Data()
	for _, quote := range []string{`"`, `'`} {
		call := []byte("load(" + quote + "@ytt:" + module + quote)
		start := bytes.Index(text, call)
		if start < 0 {
			continue
		}
		rest := text[start+len(call):]
		begin := bytes.IndexAny(rest, `"'`)
		if begin < 0 || strings.Trim(string(rest[:begin]), ", \t") != "" {
			continue
		}
		end := bytes.IndexAny(rest[begin+1:], "\"'\n")
		if end < 0 || rest[begin+1+end] != rest[begin] {
			continue
		}
		from := start + len(call) + begin
		return f.Span(from, from+end+2), string(rest[begin+1 : begin+1+end])
	}
	return source.Span{}, ""
}

// LoadsModule reports whether a file loads a module under its own name.
func LoadsModule(f *source.File, module string) bool {
	_, name := loadedName(f, module)
	return name == module
}

// constant returns the Starlark constant for its name in other languages, or "".
func constant(name string) string {
	switch name {
	case "true":
		return "True"
	case "false":
		return "False"
	case "null", "nil", "none":
		return "None"
	}
	return ""
}

// Hint returns how to fix the problem in a message of the Starlark parser, resolver or interpreter,
// or "". line is the source line that the message is about.
func Hint(msg string, line []byte) string {
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		return undefinedHint(name, line)
	}
	if ops, ok := strings.CutPrefix(msg, "unknown binary op: "); ok {
		return operatorHint(ops)
	}
	if what, ok := strings.CutSuffix(msg, " value is not iterable"); ok {
		switch what {
		case "int":
			return "use range(n) to count to n"
		case "string":
			return "use .elems() for the characters of a string"
		}
		return ""
	}
	if hint := foreign(msg, string(line)); hint != "" {
		return hint
	}
	switch msg {
	case "load statement must import at least 1 symbol":
		if _, module, ok := strings.Cut(string(line), "@ytt:"); ok {
			if end := strings.IndexAny(module, `"'`); end > 0 {
				return "name what to load: `load(\"@ytt:" + module[:end] + "\", \"" + module[:end] + "\")`"
			}
		}
		return "name what to load: `load(\"file.star\", \"name\", \"other_name\")`"
	case "conditional expression without else clause":
		return "write what it is otherwise, `x if condition else y`; to leave the node out, write `#@ if/end " +
			"condition:` on a line above it"
	case "got newline, want ':'":
		return "missing colon at the end of 'if/for/def' statement?"
	case "unhandled index operation struct[string]":
		return "use getattr(...) to access struct field programmatically"
	case "got '&', want primary expression":
		if strings.Contains(string(line), "&&") {
			return "use 'and' instead of '&&' for logical-and"
		}
	case "unexpected input character '!'":
		return "use 'not' instead of '!' for logical-not"
	case "got end of code, want ')'", "got end of code, want ']'", "got end of code, want '}'":
		return "a bracket is not closed before the code ends"
	case "got '|', want primary expression":
		if strings.Contains(string(line), "||") {
			return "use 'or' instead of '||' for logical-or"
		}
	}
	if found, ok := strings.CutSuffix(msg, ", want primary expression"); ok {
		if name := strings.TrimPrefix(found, "got "); unusedWords.Get()[name] {
			return "'" + name + "' is a reserved word in Starlark, and cannot be used"
		}
	}
	return ""
}

// undefinedHint returns the hint for a name that is not defined, such as a constant of another language
// or a module that is not loaded, or "".
func undefinedHint(name string, line []byte) string {
	switch name {
	case "true":
		return "use 'True' instead of 'true' for boolean assignment"
	case "false":
		return "use 'False' instead of 'false' for boolean assignment"
	case "null", "nil", "none":
		return "use 'None' instead of '" + name + "' to indicate no value"
	case "endif", "endfor", "endwhile", "enddef": // of other template languages
		if string(bytes.Trim(line, "#@()- \t\r")) == name {
			return hintClose
		}
	}
	if !slices.Contains(Modules(), name) {
		return ""
	}
	load := `load("@ytt:` + name + `", "` + name + `")`
	if bytes.Contains(line, []byte("#@")) {
		load = "#@ " + load
	}
	return "load it first: " + load
}

// operatorHint returns the hint for an operator that these operands do not support, or "". ops is the
// operator between the types of its operands.
func operatorHint(ops string) string {
	const matcher = "builtin_function_or_method"
	matchers := strings.HasPrefix(ops, matcher+" ") && strings.HasSuffix(ops, " "+matcher)
	or, and := strings.Contains(ops, " | "), strings.Contains(ops, " & ")
	switch {
	case matchers && (or || strings.Contains(ops, " + ")):
		return "to match any of several matchers, write overlay.or_op(a, b)"
	case matchers && and:
		return "to match all of several matchers, write overlay.and_op(a, b)"
	case or:
		return "use 'or' instead of '|' for logical-or"
	case and:
		return "use 'and' instead of '&' for logical-and"
	}
	return ""
}

const (
	hintClose = "use 'end' to close a block"
	hintEqual = "use '==' to compare"
	hintElif  = "use 'elif' instead of 'else if'"
)

// foreign returns the hint for syntax of other languages, or "".
func foreign(msg, line string) string {
	found, want, _ := strings.Cut(strings.TrimPrefix(msg, "got "), ", want ")
	switch {
	case found == "'='" && (want == "':'" || want == "')'") && strings.Contains(line, "if "):
		return hintEqual
	case found == "else" && strings.Contains(line, "else if"):
		return hintElif
	case found == "is":
		return "use '==' instead of 'is'"
	case found == "import":
		_, after, _ := strings.Cut(line, "import ")
		if module, _, _ := strings.Cut(strings.TrimSpace(after), " "); slices.Contains(Modules(), module) {
			return "write `load(\"@ytt:" + module + "\", \"" + module + "\")` instead of 'import'"
		}
		return "use load(\"file.star\", \"name\") instead of 'import'"
	case found == "try" || found == "except" || found == "raise":
		return "use assert.try_to(function), from @ytt:assert, to catch a failure, and " +
			"fail(...) to cause one"
	case found == "'**'" && want != "parameter":
		return "there is no operator '**': use math.pow(x, y), from @ytt:math"
	case found == "string literal" && (strings.Contains(line, `f"`) || strings.Contains(line, "f'")):
		return "there are no f-strings: use \"...{}...\".format(x)"
	case found == "string literal" && (want == "')'" || want == "newline"):
		return "use '+' to join strings"
	case want == "primary expression" && (strings.Contains(line, "++") || strings.Contains(line, "--")):
		return "use 'x += 1' instead of 'x++'"
	case msg == "unexpected input character '?'":
		return "use 'a if condition else b' instead of 'condition ? a : b'"
	case strings.Contains(line, "{{") && strings.HasPrefix(found, "'}'"):
		return "remove the braces around the code"
	}
	return ""
}

// blankAfterMark returns the hint for an annotation that is read as code because of a blank, or "".
func blankAfterMark(line []byte) string {
	_, code, ok := bytes.Cut(line, []byte("#@ "))
	if !ok {
		return ""
	}
	code = bytes.TrimSpace(code)
	for _, prefix := range []string{
		"assert/", "data/", "library/", "overlay/", "schema/", "template/", "yaml/",
	} {
		if bytes.HasPrefix(code, []byte(prefix)) && len(code) > len(prefix) &&
			isWord(code[len(prefix)]) {
			return "remove the space after `#@`: write `#@" + string(code) + "`"
		}
	}
	return ""
}

// Modules returns the names, sorted, of the modules that load("@ytt:NAME", "NAME") provides: people
// use them without loading them. Package modules takes its names from here.
func Modules() []string {
	return []string{
		"assert", "base64", "data", "ip", "json", "library", "math", "md5", "module", "overlay",
		"regexp", "sha256", "struct", "template", "toml", "url", "version", "yaml",
	}
}

// unusedWords are the words that Starlark reserves but does not use.
var unusedWords = lazy.Value[map[string]bool]{New: func() map[string]bool {
	return map[string]bool{
		"as": true, "class": true, "del": true, "except": true, "finally": true, "from": true, "global": true,
		"import": true, "is": true, "nonlocal": true, "raise": true, "try": true, "with": true, "yield": true,
	}
}}

const hintEnd = "'end' closes a block; as a name it is only allowed after a dot or as a " +
	"keyword argument"

func reserved(name []byte) string {
	return "use of reserved keyword '" + string(name) + "' is not allowed (expected identifier)"
}

// problem returns a diagnostic for a problem that the lexer found.
func (r *run) problem(p *problem) *diag.Diagnostic {
	d := diag.Errorf(r.span(p.start, p.end), p.code, "%s", p.message)
	d.Hint = p.hint
	return d
}

// diagnose returns a diagnostic for a parser error about c: at the token in question, with a hint,
// and with the bracket that is still open there, since that is often far away.
func (c *chunk) diagnose(err error) *diag.Diagnostic {
	e, ok := errors.AsType[syntax.Error](err)
	if !ok {
		return diag.Errorf(c.r.span(c.from, c.line.end), CodeSyntax, "%s", err)
	}
	off, beyond := c.offset(e.Pos)
	atEnd := beyond || strings.HasPrefix(e.Msg, "got end of file") ||
		strings.HasPrefix(e.Msg, "got pass")
	tok, bracket := c.tokenAt(off, !atEnd && pointsAfter(e.Msg))

	msg, code := e.Msg, CodeSyntax
	switch {
	case off == c.line.end && strings.HasPrefix(msg, "got ')', "): // the token was added for the parser
		_, want, _ := strings.Cut(msg, ", ")
		msg = "got end of code, " + want
	case msg == "not an identifier" && tok.kind == word:
		msg, code = reserved(c.r.text[tok.start:tok.end]), CodeReserved
	case msg == "unexpected EOF in string" && breakLen(c.r.text, c.line.end) > 0:
		msg = "unexpected newline in string"
	case strings.HasPrefix(msg, "got end of file") && !c.line.open,
		strings.HasPrefix(msg, "got pass"):
		// The parser saw only this line, perhaps with a body added, so what is missing belongs before
		// a line break.
		_, want, _ := strings.Cut(msg, ", ")
		msg = "got newline, " + want
	case strings.HasPrefix(msg, "got end of file") && c.r.offset(len(c.r.text)) < len(c.r.file.Data()):
		// A node or text may follow the code, and the next piece of code is not part of this
		// statement.
		msg = strings.Replace(msg, "end of file", "end of code", 1)
	}
	d := diag.Errorf(c.r.span(tok.start, tok.end), code, "%s", msg)
	d.Hint = blankAfterMark(c.r.file.Text(c.r.file.Line(d.At.Offset())))
	if d.Hint == "" {
		d.Hint = c.argumentHint(msg, tok, bracket)
	}
	if d.Hint == "" && code != CodeReserved {
		d.Hint, _ = DashedKey(c.r.file, d.At.Offset())
	}
	if d.Hint == "" {
		d.Hint = Hint(msg, c.r.text[lineBegin(c.r.text, tok.start):lineEnd(c.r.text, tok.start)])
		fixOperator(d)
	}
	if bracket >= 0 && strings.Contains(msg, "want") {
		if at := c.r.span(bracket, bracket+1); c.r.file.Line(at.Offset()) != c.r.file.Line(
			d.At.Offset(),
		) {
			d.WithRelated(at, "'%c' was opened here", c.r.text[bracket])
		}
	}
	return d
}

// argumentHint returns the hint for frequent mistakes in arguments, printed in pages about overlays,
// or "". Unlike those in Hint, these mistakes can be seen only in the tokens before the one that msg
// is about. The hint contains the corrected code.
func (c *chunk) argumentHint(msg string, tok token, bracket int) string {
	if !strings.HasPrefix(msg, "got ") {
		return ""
	}
	toks := c.tokensBefore(tok.start)
	is := func(back int, text string) bool {
		i := len(toks) - back
		return i >= 0 && string(c.r.text[toks[i].start:toks[i].end]) == text
	}
	text := func(back int) string { t := toks[len(toks)-back]; return string(c.r.text[t.start:t.end]) }
	switch {
	case msg == "got return, want primary expression" && is(1, ":"):
		back := 2
		for back <= len(toks) && !is(back, "lambda") {
			if is(back, ":") {
				return ""
			}
			back++
		}
		if back > len(toks) {
			return ""
		}
		head := c.r.text[toks[len(toks)-back].start:toks[len(toks)-1].end]
		return "a lambda has no 'return': write `" + oneLine(head) + " " + c.shown(
			tok.end,
			true,
		) + "`"

	case strings.HasPrefix(msg, "got ':', want ") && bracket >= 0 && c.r.text[bracket] == '(' &&
		len(toks) >= 2 && toks[len(toks)-1].kind == str && toks[len(toks)-2].start == bracket:
		callee := bracket
		for callee > c.from && (isWord(c.r.text[callee-1]) || c.r.text[callee-1] == '.') {
			callee--
		}
		return "put braces around it: `" + string(c.r.text[callee:bracket]) + "({" + c.shown(
			bracket+1,
			false,
		) + "})`"

	case strings.HasSuffix(msg, ", want primary expression") && is(1, "+") && len(toks) >= 2 &&
		toks[len(toks)-2].kind == number:
		count := `"` + text(2) + `+"`
		if is(3, "=") && (is(4, "when") || is(4, "expects")) {
			return "put it in quotes: `" + text(4) + "=" + count + "`"
		}
		// In a list of counts, the name comes before the list.
		for back := 3; back <= len(toks) && bracket >= 0; back++ {
			if toks[len(toks)-back].start == bracket && is(back, "[") && is(back+1, "=") &&
				(is(back+2, "when") || is(back+2, "expects")) {
				return "put it in quotes: `" + count + "`"
			}
		}
	}
	return ""
}

// tokensBefore returns the tokens of the line that end at or before offset off, without line
// breaks.
func (c *chunk) tokensBefore(off int) (toks []token) {
	lx := lexer{src: c.r.text[:off], pos: c.from}
	for {
		tok := lx.next()
		switch tok.kind {
		case eof:
			return toks
		case newline:
		default:
			toks = append(toks, tok)
		}
	}
}

// shown returns the code from offset off to the end of its brackets or argument, for a hint.
func (c *chunk) shown(off int, argument bool) string {
	lx := lexer{src: c.r.text[:c.line.end], pos: off}
	depth := 0
	for {
		tok := lx.next()
		if tok.kind == eof {
			return oneLine(lx.src[off:])
		}
		if tok.kind != op {
			continue
		}
		switch lx.src[tok.start] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if argument && depth == 0 {
				depth--
			}
		}
		if depth < 0 {
			return oneLine(lx.src[off:tok.start])
		}
	}
}

// oneLine returns code for use in a sentence: "..." if it is empty, long, or has several lines.
func oneLine(code []byte) string {
	const maxBytes = 80
	s := strings.TrimSpace(string(code))
	if s == "" || len(s) > maxBytes || strings.ContainsAny(s, "\r\n") {
		return "..."
	}
	return s
}

// pointsAfter reports whether the parser's message msg is about the token before the place that it
// gives.
func pointsAfter(msg string) bool {
	return msg == "not an identifier" ||
		strings.HasPrefix(msg, "got ") && !strings.HasSuffix(msg, "want primary expression") ||
		strings.HasSuffix(msg, "(use parens)")
}

// tokenAt returns the token of the line at offset off or, if after, the one that ends there, and
// the innermost bracket that is open before it, or -1. At the end of the line, the token is empty.
func (c *chunk) tokenAt(off int, after bool) (tok token, bracket int) {
	lx := lexer{src: c.r.text[:c.line.end], pos: c.from}
	var open []int
	for {
		tok = lx.next()
		if tok.kind == eof || tok.end > off || after && tok.end == off {
			break
		}
		if tok.kind == op {
			switch lx.src[tok.start] {
			case '(', '[', '{':
				open = append(open, tok.start)
			case ')', ']', '}':
				if len(open) > 0 {
					open = open[:len(open)-1]
				}
			}
		}
	}
	if tok.kind == eof {
		tok.start, tok.end = len(lx.src), len(lx.src)
	}
	bracket = -1
	if len(open) > 0 {
		bracket = open[len(open)-1]
	}
	return tok, bracket
}

// lineBegin returns the offset of the first byte of the line that holds offset i.
func lineBegin(src []byte, i int) int {
	for i > 0 && src[i-1] != '\n' && src[i-1] != '\r' {
		i--
	}
	return i
}
