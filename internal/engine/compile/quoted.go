package compile

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// This file is about code in strings, which is text unless an annotation says otherwise.

// nodes are those from start up to end.
type nodes struct{ start, end yaml.NodeID }

// lintQuoted warns of code in strings outside of the nodes whose strings are text templates, which
// are in order. To be code it must use a name that the code of the file has, so that templates for
// another run, which load what they need, are left alone; names reports a word whether it is such
// a name.
func (u *Unit) lintQuoted(templated []nodes, names func(word []byte) bool) {
	var first *quoted
	count := 0
	for _, t := range u.Trees {
		for n := range yaml.NodeID(t.Len()) {
			for len(templated) > 0 && templated[0].end <= n {
				templated = templated[1:]
			}
			if t.Kind(n) != yaml.Scalar || len(templated) > 0 && templated[0].start <= n ||
				!marked(t.Raw(n)) {
				continue
			}
			q := u.quotedIn(t, n, names)
			if q == nil {
				continue
			}
			if count++; count == 1 {
				first = q
			}
		}
	}
	if first == nil {
		return
	}
	more := ""
	switch {
	case count == 2:
		more = ", and so is code in another string of the file"
	case count > 2:
		more = fmt.Sprintf(", and so is code in %d other strings of the file", count-1)
	}
	u.Warnings = append(
		u.Warnings,
		diag.Warningf(first.at, CodeQuoted, "`%s` is text here, not code%s", first.code, more).
			WithHint("%s", first.hint()),
	)
}

// marked reports whether a text has a mark of code in it.
func marked(text []byte) bool {
	comments, strings := codeMarks(text)
	return comments || strings || bytes.Contains(text, []byte("{{")) ||
		bytes.HasPrefix(text, []byte(dataValues))
}

// dataValues is how code begins that reads a data value. Alone it is a mark, too: no one wants such
// a text, and who forgets the `#@` gets it.
const dataValues = "data.values."

// mayForget reports whether a value may lack its `#@`.
func mayForget(data []byte) bool {
	return bytes.Contains(data, []byte(": "+dataValues)) ||
		bytes.Contains(data, []byte("- "+dataValues))
}

// forgotten finds code that is all of a plain scalar.
var forgotten = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`^data\.values(?:\.[A-Za-z_]\w*)+$`) },
)

// forgottenIn returns code in plain scalar n that lacks its `#@`, or nil. It is not a key, which may
// well be called so.
func (u *Unit) forgottenIn(t *yaml.Tree, n yaml.NodeID) *quoted {
	text := t.Raw(n)
	after := bytes.TrimLeft(u.File.Data()[t.Span(n).End():], " \t")
	if !forgotten().Match(text) || bytes.HasPrefix(after, []byte(":")) {
		return nil
	}
	return &quoted{at: t.Span(n), code: string(text), expr: string(text), unloaded: u.lacksData(text)}
}

// lacksData reports whether an expression uses data values, and the file does not load them.
func (u *Unit) lacksData(expr []byte) bool {
	return bytes.Contains(expr, []byte("data.")) &&
		!bytes.Contains(u.File.Data(), []byte("@ytt:data"))
}

// codeMarks reports whether there is a `#@` in data, and a `(@`. It looks for the @, which is the
// rarest of these characters: large files without code are looked through once.
func codeMarks(data []byte) (comments, strings bool) {
	for i := 0; !comments || !strings; i++ {
		n := bytes.IndexByte(data[i:], '@')
		if n < 0 {
			break
		}
		if i += n; i > 0 {
			comments = comments || data[i-1] == '#'
			strings = strings || data[i-1] == '('
		}
	}
	return comments, strings
}

// quoted is code in a string.
type quoted struct {
	at   source.Span
	code string // all of it
	expr string
	mark string

	unloaded bool // it uses data values, and the file does not load them
}

// hint returns how to make it code.
func (q *quoted) hint() string {
	if q.mark == "" {
		hint := "to insert the value write `#@ " + q.expr + "`"
		if q.unloaded {
			hint += ", and `#@ load(\"@ytt:data\", \"data\")` at the top"
		}
		return hint
	}
	annotate := "put `#@yaml/text-templated-strings` on a line above the key"
	if q.unloaded {
		annotate += ", and `#@ load(\"@ytt:data\", \"data\")` at the top"
	}
	if q.mark == "(@" {
		return "to make it code " + annotate
	}
	if q.expr == "" {
		return "to make it code write `(@ ... @)` instead, and " + annotate
	}
	return fmt.Sprintf("to insert the value write `(@= %s @)` instead, and %s", q.expr, annotate)
}

// inStrings finds what looks like code: the mark, a word that begins a statement, and an
// expression. The last alternative is what other template languages write.
var inStrings = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?:(#@)|(\(@)[-=]?)[ \t]+((?:if|elif|for|while|def|return)\b(?:/end)?)?[ \t]*([^\r\n]*?)[ \t]*(?:-?@\)|$|[\r\n])|(\{\{)-?[ \t]*(data\.values\b[^\r\n}]*?)[ \t]*-?\}\}`,
	)
})

// loadsItself finds what only a template has that is one of its own.
var loadsItself = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bload\([ \t]*["']|#@(?:data|overlay|schema|library|yaml|assert)/`)
})

var words = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*|"[^"\r\n]*"|'[^'\r\n]*'`) },
)

// quotedIn returns the first code in string n, or nil.
func (u *Unit) quotedIn(t *yaml.Tree, n yaml.NodeID, names func(word []byte) bool) *quoted {
	composer := yaml.Composer{Tree: t}
	if v, _ := composer.Scalar(n); v.Kind != yaml.String {
		return nil
	}
	if q := u.forgottenIn(t, n); q != nil {
		return q
	}
	text := t.Text(n)
	if loadsItself().Match(text) {
		return nil
	}
	for _, m := range inStrings().FindAllSubmatchIndex(text, -1) {
		group := func(i int) []byte {
			if m[2*i] < 0 {
				return nil
			}
			return text[m[2*i]:m[2*i+1]]
		}
		mark, statement, expr := string(
			group(1),
		)+string(
			group(2),
		)+string(
			group(5),
		), group(
			3,
		), group(
			4,
		)
		if mark == "{{" {
			expr = group(6)
		}
		if mark == "(@" && !bytes.HasSuffix(bytes.TrimRight(group(0), " \t\r\n"), []byte("@)")) {
			continue
		}
		if !uses(expr, names) {
			continue
		}
		at := t.Offsets(n)
		start, end := at(m[0]), at(m[0]+len(mark))
		q := &quoted{
			unloaded: u.lacksData(expr),
			at:       u.File.Span(start, max(end, start+1)),
			mark:     mark,
			code:     firstWords(bytes.TrimSpace(group(0))),
		}
		if statement == nil && !bytes.Contains(expr, []byte("=")) {
			q.expr = string(expr)
		}
		return q
	}
	return nil
}

// boundNames reports words whether the code of a template gives them a meaning, as far as one can
// see without running it. The code is searched when that is first asked.
func boundNames(metas []meta) func(word []byte) bool {
	bound := sync.OnceValue(func() map[string]bool { return bindings(metas) })
	return func(word []byte) bool { return isData(word) || bound()[string(word)] }
}

// bindings returns the names that the code of a template binds.
func bindings(metas []meta) map[string]bool {
	bound := map[string]bool{}
	for i := range metas {
		if metas[i].kind == annotationMeta {
			continue
		}
		for _, m := range binds().FindAllSubmatch(metas[i].code.Text, -1) {
			for _, names := range m[1:] {
				for _, w := range words().FindAll(names, -1) {
					bound[string(bytes.Trim(w, `"'`))] = true
				}
			}
		}
	}
	return bound
}

// binds finds names that code binds: those that a load names, functions and their parameters, the
// variables of loops, and what is assigned.
var binds = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`\bload\([^,\n]*,([^)\n]*)\)|\bdef[ \t]+(\w+)\(([^)\n]*)\)|\bfor[ \t]+([\w, \t]+?)[ \t]+in\b|(?m:^)[ \t]*(\w+)[ \t]*=(?:[^=]|$)`,
	)
})

// isData is boundNames of a file without code: that data values are meant for code is certain all
// the same.
func isData(word []byte) bool { return string(word) == "data" }

// uses reports whether an expression uses one of the names: after it there may be an operator or a
// bracket, but no prose.
func uses(expr []byte, names func(word []byte) bool) bool {
	for _, m := range words().FindAllIndex(expr, -1) {
		word, rest := expr[m[0]:m[1]], bytes.TrimLeft(expr[m[1]:], " \t")
		if m[0] > 0 && expr[m[0]-1] == '.' || !names(word) ||
			isData(word) && !bytes.HasPrefix(rest, []byte(".")) {
			continue
		}
		if len(rest) == len(expr)-m[1] || len(rest) == 0 || !isLetter(rest[0]) ||
			operatorWord().Match(rest) {
			return true
		}
		return false
	}
	return false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }

var operatorWord = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`^(?:if|else|in|not|and|or|for)\b`) },
)

// mayQuote reports whether there may be code in strings: the file has marks that are not comments.
// It is quick, for there mostly are none.
func (c *yamlCompiler) mayQuote() bool {
	data := c.unit.File.Data()
	if _, strings := codeMarks(data); strings || bytes.Contains(data, []byte("{{")) ||
		mayForget(data) {
		return true
	}
	comments := 0
	for _, cm := range c.tree.Comments() {
		comments += bytes.Count(c.tree.CommentText(cm), []byte("#@"))
		if bytes.HasPrefix(c.tree.CommentText(cm), []byte("@")) {
			comments++
		}
	}
	return bytes.Count(data, []byte("#@")) > comments
}
