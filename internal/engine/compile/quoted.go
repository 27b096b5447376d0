package compile

import (
	"bytes"
	"fmt"
	"sync"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// This file finds code in strings. It is text there, unless an annotation says otherwise.

// nodes is the range of nodes from start up to end.
type nodes struct{ start, end yaml.NodeID }

// lintQuoted warns about code in strings. templated lists, in order, the nodes whose strings are text
// templates, which it skips. Text counts as code only if it uses a name that the file's code binds,
// according to names. A string may also hold a whole template for a later run: it uses names that it
// loads itself, so there is no warning.
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

// marked reports whether a text contains a code mark.
func marked(text []byte) bool {
	m := marksIn(text)
	return m.comments > 0 || m.strings || bytes.Contains(text, []byte("{{")) ||
		bytes.HasPrefix(text, []byte(dataValues))
}

// dataValues begins code that reads a data value. It counts as a mark even without `#@`: it is
// hardly ever meant as text, and authors who forget `#@` write exactly this.
const dataValues = "data.values."

// mayForget reports whether a value in data may lack its `#@`. It searches for `.values.` first, which is
// quick to find because most texts have few dots.
func mayForget(data []byte) bool {
	const name, rest = "data", ".values."
	for i := 0; ; i += len(rest) {
		n := bytes.Index(data[i:], []byte(rest))
		if n < 0 {
			return false
		}
		i += n
		if before := data[:i]; bytes.HasSuffix(before, []byte(": "+name)) ||
			bytes.HasSuffix(before, []byte("- "+name)) {
			return true
		}
	}
}

// forgotten matches a plain scalar that is code and nothing else.
var forgotten = lazy.Regexp{Text: `^data\.values(?:\.[A-Za-z_]\w*)+$`}

// unmarkedCode returns the code in plain scalar n that lacks its `#@`, or nil. It skips keys, which
// may look like code.
func (u *Unit) unmarkedCode(t *yaml.Tree, n yaml.NodeID) *quoted {
	text := t.Raw(n)
	after := bytes.TrimLeft(u.File.Data()[t.Span(n).End():], " \t")
	if !forgotten.Get().Match(text) || bytes.HasPrefix(after, []byte(":")) {
		return nil
	}
	return &quoted{at: t.Span(n), code: string(text), expr: string(text), unloaded: u.lacksData(text)}
}

// lacksData reports whether an expression uses data values that the file does not load.
func (u *Unit) lacksData(expr []byte) bool {
	return bytes.Contains(expr, []byte("data.")) &&
		!bytes.Contains(u.File.Data(), []byte("@ytt:data"))
}

// codeMarks are the marks of code in a text.
type codeMarks struct {
	comments int  // how many `#@`
	strings  bool // whether there is a `(@`
}

// marksIn looks for code marks. It searches for the @, which is the rarest of their characters.
func marksIn(data []byte) (m codeMarks) {
	for i := 0; ; i++ {
		n := bytes.IndexByte(data[i:], '@')
		if n < 0 {
			return m
		}
		if i += n; i > 0 {
			switch data[i-1] {
			case '#':
				m.comments++
			case '(':
				m.strings = true
			}
		}
	}
}

// quoted is code in a string.
type quoted struct {
	at   source.Span
	code string // with its marks
	expr string
	mark string

	unloaded bool // it uses data values that the file does not load
}

// hint returns an instruction that turns the text into code.
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

// inStrings matches text that looks like code: the mark, a word that begins a statement, and an
// expression. The last alternative matches the syntax of other template languages.
var inStrings = lazy.Regexp{
	Text: `(?:(#@)|(\(@)[-=]?)[ \t]+((?:if|elif|for|while|def|return)\b(?:/end)?)?[ \t]*` +
		`([^\r\n]*?)[ \t]*(?:-?@\)|$|[\r\n])` +
		`|(\{\{)-?[ \t]*(data\.values\b[^\r\n}]*?)[ \t]*-?\}\}`,
}

// loadsItself matches text that occurs only in a complete template.
var loadsItself = lazy.Regexp{Text: `\bload\([ \t]*["']|#@(?:data|overlay|schema|library|yaml|assert)/`}

var words = lazy.Regexp{Text: `[A-Za-z_]\w*|"[^"\r\n]*"|'[^'\r\n]*'`}

// quotedIn returns the first code in string n, or nil.
func (u *Unit) quotedIn(t *yaml.Tree, n yaml.NodeID, names func(word []byte) bool) *quoted {
	composer := yaml.Composer{Tree: t}
	if v, _ := composer.Scalar(n); v.Kind != yaml.String {
		return nil
	}
	if q := u.unmarkedCode(t, n); q != nil {
		return q
	}
	text := t.Text(n)
	if loadsItself.Get().Match(text) {
		return nil
	}
	for _, m := range inStrings.Get().FindAllSubmatchIndex(text, -1) {
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

// boundNames returns a function that reports whether the code of a template binds a word, as far as
// the code shows without running it. The code is searched on the first call.
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
		for _, m := range binds.Get().FindAllSubmatch(metas[i].code.Text, -1) {
			for _, names := range m[1:] {
				for _, w := range words.Get().FindAll(names, -1) {
					bound[string(bytes.Trim(w, `"'`))] = true
				}
			}
		}
	}
	return bound
}

// binds matches the names that code binds: loaded names, functions and their parameters, loop
// variables, and assigned variables.
var binds = lazy.Regexp{
	Text: `\bload\([^,\n]*,([^)\n]*)\)|\bdef[ \t]+(\w+)\(([^)\n]*)\)` +
		`|\bfor[ \t]+([\w, \t]+?)[ \t]+in\b|(?m:^)[ \t]*(\w+)[ \t]*=(?:[^=]|$)`,
}

// isData reports whether a word is `data`, which counts as a name even if the code does not bind it. In a
// file without code it is the only such name.
func isData(word []byte) bool { return string(word) == "data" }

// uses reports whether an expression uses one of the names. An operator or a bracket may follow the
// name, but no prose.
func uses(expr []byte, names func(word []byte) bool) bool {
	for _, m := range words.Get().FindAllIndex(expr, -1) {
		word, rest := expr[m[0]:m[1]], bytes.TrimLeft(expr[m[1]:], " \t")
		if m[0] > 0 && expr[m[0]-1] == '.' || !names(word) ||
			isData(word) && !bytes.HasPrefix(rest, []byte(".")) {
			continue
		}
		if len(rest) == len(expr)-m[1] || len(rest) == 0 || !isLetter(rest[0]) ||
			operatorWord.Get().Match(rest) {
			return true
		}
		return false
	}
	return false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }

var operatorWord = lazy.Regexp{Text: `^(?:if|else|in|not|and|or|for)\b`}

// mayQuote reports whether strings may contain code: the file has marks that are not comments. found
// are its marks, and braces means that it contains `{{`. It is quick, since most files have none.
func (c *yamlCompiler) mayQuote(found codeMarks, braces bool) bool {
	if found.strings || braces || mayForget(c.unit.File.Data()) {
		return true
	}
	marks := found.comments
	for _, cm := range c.tree.Comments() {
		if bytes.HasPrefix(c.tree.CommentText(cm), []byte("@")) {
			marks--
		}
	}
	for _, cm := range c.tree.Comments() { // a mark inside a comment is not in a string
		if marks == 0 {
			break
		}
		marks -= bytes.Count(c.tree.CommentText(cm), []byte("#@"))
	}
	return marks > 0
}
