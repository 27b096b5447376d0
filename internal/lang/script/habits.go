package script

import (
	"bytes"
	"fmt"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
)

// This file has hints for names that people write as in other languages, or as in YAML. The mistake
// can be seen only in the code around the name.

// undefinedHabit returns the hint for an undefined name, or "".
func undefinedHabit(f *source.File, d *diag.Diagnostic, stars func() [][]byte) string {
	name, ok := strings.CutPrefix(d.Message, "undefined: ")
	if !ok || !d.At.IsValid() {
		return ""
	}
	if hint, _ := DashedKey(f, d.At.Offset()); hint != "" {
		return hint
	}
	if hint := unquotedKey(f.Data(), d.At); hint != "" {
		return hint
	}
	before, after := f.Data()[:d.At.Offset()], f.Data()[d.At.End():]
	isCall := bytes.HasPrefix(after, []byte("("))
	if bytes.HasSuffix(before, []byte("by=")) && !isCall {
		return "write by=\"" + name + "\" to match by a key"
	}
	if method := calledMethod(f.Data(), d.At.Offset()); method != "" {
		return "lists have no ." + method + "; write `[" + comprehension(method, name) + "]`, with a function " +
			"that the file defines or loads"
	}
	if hint := sides(name, f.Data()); hint != "" {
		return hint
	}
	return loadedByStar(name, stars())
}

// sameKey reports whether two places are in the same dashed key.
func sameKey(f *source.File, a, b source.Span) bool {
	if !a.IsValid() || !b.IsValid() {
		return false
	}
	_, first := DashedKey(f, a.Offset())
	_, second := DashedKey(f, b.Offset())
	return first.IsValid() && first == second
}

// starLoad matches a load of a star, as in Python. It is compiled when a name is undefined.
var starLoad = lazy.Regexp{Text: `\bload\(\s*("[^"\n]*"|'[^'\n]*')\s*,[^)\n]*["']\*["']`}

// starLoads returns the quoted paths of the first two files that a file loads by a star.
func starLoads(data []byte) (paths [][]byte) {
	if !bytes.Contains(data, []byte("*")) {
		return nil
	}
	for _, found := range starLoad.Get().FindAllSubmatch(data, 2) {
		paths = append(paths, found[1])
	}
	return paths
}

// loadedByStar returns the hint for a name that a file expects to get from `load("file.star",
// "*")`, or "". stars is what starLoads finds in the file.
func loadedByStar(name string, stars [][]byte) string {
	switch len(stars) {
	case 0:
		return ""
	case 1:
		if module, ok := strings.CutPrefix(strings.Trim(string(stars[0]), `"'`), "@ytt:"); ok {
			return fmt.Sprintf(
				"`*` does not load everything: write `load(\"@ytt:%s\", \"%s\")`, and `%s.%s`",
				module,
				module,
				module,
				name,
			)
		}
		return fmt.Sprintf(
			"`*` does not load everything, name what you need: `load(%s, \"%s\")`",
			stars[0],
			name,
		)
	}
	return fmt.Sprintf(
		"`*` does not load everything: add \"%s\" to the load of the file that defines it",
		name,
	)
}

// DashedKey returns a hint how to read a key with a dash, and where the key is, if the code at
// offset off is part of such a key after a dot: `data.values.my-key` is a subtraction in code.
func DashedKey(f *source.File, off int) (hint string, key source.Span) {
	data := f.Data()
	if off > len(data) {
		return "", source.Span{}
	}
	inKey := func(c byte) bool { return isWord(c) || c == '-' }
	start, end := off, off
	for start > 0 && inKey(data[start-1]) {
		start--
	}
	for end < len(data) && inKey(data[end]) {
		end++
	}
	for end > start && data[end-1] == '-' {
		end-- // `x.a-(1)`, or the dash of `-@)`
	}
	name := data[start:end]
	if start < 2 || data[start-1] != '.' || !bytes.ContainsRune(name, '-') || name[0] == '-' ||
		name[0] >= '0' && name[0] <= '9' ||
		bytes.Contains(name, []byte("--")) {
		return "", source.Span{}
	}
	from := operandStart(data, start-1)
	if from == start-1 ||
		from > 0 &&
			data[from-1] == '-' { // or it follows another dashed key, which is reported first
		return "", source.Span{}
	}
	return fmt.Sprintf(
		"a dash is a minus sign in code: write `%s[\"%s\"]` to read a key that has a dash",
		data[from:start-1],
		name,
	), f.Span(start, end)
}

// Operand returns the code of the value whose attribute, method or item is read at offset off, such
// as `a.b` in `a.b.get("c")`, or "x" if it is not a simple chain.
func Operand(f *source.File, off int) string {
	data := f.Data()
	if from := operandStart(data, off); from < off {
		return string(data[from:off])
	}
	return "x"
}

// operandStart returns the beginning of the chain of names, calls and indexes that ends before
// offset off, on the same line.
func operandStart(data []byte, off int) int {
	from := off
	for from > 0 {
		switch c := data[from-1]; {
		case isWord(c) || c == '.':
			from--
		case c == ')' || c == ']' || c == '}':
			open := openingBracket(data, from-1)
			if open < 0 {
				return off
			}
			from = open
		default:
			return from
		}
	}
	return from
}

// openingBracket returns the offset of the bracket that the one at offset off closes, on the same
// line, or -1. It does not parse strings: with a bracket in a string it finds nothing, or a shorter
// piece of code.
func openingBracket(data []byte, off int) int {
	depth := 0
	for i := off; i >= 0 && data[i] != '\n' && data[i] != '\r'; i-- {
		switch data[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// Operands returns the code on both sides of the operator at offset off, which has the given
// length: chains of names, calls and indexes, or collections in brackets. Anything else is "x" or
// "y".
func Operands(f *source.File, off, length int) (left, right string) {
	data := f.Data()
	left, right = "x", "y"
	end := len(bytes.TrimRight(data[:off], " \t"))
	if from := operandStart(data, end); from < end {
		left = string(data[from:end])
	}
	rest := data[min(off+length, len(data)):]
	from := len(data) - len(bytes.TrimLeft(rest, " \t"))
	if end := operandEnd(data, from); end > from {
		right = string(data[from:end])
	}
	return left, right
}

// operandEnd returns the end of such a chain that begins at offset off, on the same line.
func operandEnd(data []byte, off int) int {
	for end := off; ; {
		switch {
		case end < len(data) && (isWord(data[end]) || data[end] == '.'):
			end++
		case end < len(data) && strings.IndexByte("([{", data[end]) >= 0:
			last, ok := closingBracket(data, end)
			if !ok {
				return off
			}
			end = last + 1
		default:
			return end
		}
	}
}

// closingBracket returns the offset of the bracket that closes the one at offset off, on the same
// line.
func closingBracket(data []byte, off int) (int, bool) {
	lx := lexer{src: data[:lineEnd(data, off)], pos: off + 1, inner: true}
	for depth := 0; ; {
		tok := lx.next()
		if tok.kind == eof {
			return 0, false
		}
		if tok.kind != op {
			continue
		}
		switch data[tok.start] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return tok.start, true
			}
		}
	}
}

// Arguments returns the code between the parenthesis at offset off and the one that closes it on
// the same line. It returns false if there is none.
func Arguments(f *source.File, off int) (string, bool) {
	data := f.Data()
	if off >= len(data) || data[off] != '(' {
		return "", false
	}
	end, ok := closingBracket(data, off)
	if !ok {
		return "", false
	}
	return strings.TrimSpace(string(data[off+1 : end])), true
}

// LoopVariable reports whether a loop in the code up to the line of offset off has a variable of
// that name. The line counts because a comprehension's variable follows its use.
func LoopVariable(f *source.File, name string, off int) bool {
	for data := f.Data()[:lineEnd(f.Data(), min(off, len(f.Data())))]; ; {
		i := bytes.LastIndex(data, []byte("for "))
		if i < 0 {
			return false
		}
		vars, _, ok := bytes.Cut(data[i+len("for "):lineEnd(data, i)], []byte(" in "))
		if ok && (i == 0 || !isWord(data[i-1])) {
			for v := range bytes.SplitSeq(vars, []byte(",")) {
				if string(bytes.Trim(v, " ()")) == name {
					return true
				}
			}
		}
		data = data[:i]
	}
}

// unquotedKey returns the hint for a name that is a key of a dict without quotes, as in YAML, or
// "".
func unquotedKey(data []byte, at source.Span) string {
	before, after := bytes.TrimRight(data[:at.Offset()], " \t"), bytes.TrimLeft(
		data[at.End():],
		" \t",
	)
	if len(before) == 0 || before[len(before)-1] != '{' && before[len(before)-1] != ',' ||
		!bytes.HasPrefix(after, []byte(":")) {
		return ""
	}
	return fmt.Sprintf("quote the key: write `{\"%s\": ...}`", data[at.Offset():at.End()])
}

// sides returns the hint for `left` and `right`, the parameters of functions that overlays call,
// used outside of such a function, or "".
func sides(name string, data []byte) string {
	if name != "left" && name != "right" &&
		(name != "l" && name != "r" || !bytes.Contains(data, []byte("via="))) ||
		!bytes.Contains(data, []byte("@overlay/")) {
		return ""
	}
	return "only functions get the matched node: add `via=lambda left, right: ...` to " +
		"@overlay/insert, @overlay/replace or @overlay/assert; or define a function with these " +
		"parameters, and write `via=` with its name"
}

// LoopOver returns the code that the loop at offset off iterates over: what follows the `in` of its
// `for`, which may belong to a comprehension. It returns false if there is none on the line.
func LoopOver(f *source.File, off int) (string, bool) {
	data := f.Data()
	lx := lexer{src: data[:lineEnd(data, off)], pos: off, inner: true}
	from, depth := -1, 0
	for {
		tok := lx.next()
		text := string(data[tok.start:tok.end])
		switch {
		case tok.kind == eof:
			return "", false
		case from < 0 && tok.kind == word && text == "in" && depth == 0:
			from = tok.end
		case tok.kind == word && from >= 0 && depth == 0 && (text == "for" || text == "if"):
			return oneLine(data[from:tok.start]), true
		case tok.kind != op:
		case strings.ContainsAny(text, "([{"):
			depth++
		case strings.ContainsAny(text, ")]}"):
			if depth--; depth < 0 {
				return oneLine(data[max(from, 0):tok.start]), from >= 0
			}
		case text == ":" && depth == 0:
			return oneLine(data[max(from, 0):tok.start]), from >= 0
		}
	}
}

// calledMethod returns map or filter if that is the method whose argument begins at an offset, or "".
func calledMethod(data []byte, off int) string {
	for _, method := range []string{"map", "filter"} {
		if bytes.HasSuffix(data[:off], []byte("."+method+"(")) {
			return method
		}
	}
	return ""
}

// comprehension returns the comprehension to write instead of a call of map or filter with a
// function.
func comprehension(method, function string) string {
	if method == "filter" {
		return "x for x in list if " + function + "(x)"
	}
	return function + "(x) for x in list"
}
