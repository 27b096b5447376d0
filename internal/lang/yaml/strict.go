package yaml

import (
	"bytes"
	"strings"
)

// StrictProblem returns what --strict rejects about text, a plain scalar without a tag that means v,
// or "" if it is fine.
//
// With --strict, readers need not know a schema: a plain scalar must be empty, `true`, `false`, a
// number as JSON writes it, or a string that looks like a single word. Quoted and tagged scalars are
// always accepted.
func StrictProblem(text []byte, v Value) string {
	switch v.Kind {
	case Null:
		if len(text) == 0 {
			return ""
		}
	case Bool:
		if s := string(text); s == "true" || s == "false" {
			return ""
		}
	case Int, Uint:
		if jsonNumber(text) == Int {
			return ""
		}
	case Float: // an integer with too many digits would become a Float, which is surprising
		if jsonNumber(text) == Float {
			return ""
		}
	case String:
		return strictString(text)
	}
	return ambiguous(text, tagNames[v.Kind])
}

func strictString(text []byte) string {
	switch {
	case isTimestamp(text):
		return ambiguous(text, "!!timestamp")
	case bytes.ContainsAny(text, " \t\r\n"):
		return unquoted("whitespace", text)
	case bytes.IndexByte(text, ':') >= 0:
		return unquoted("colon", text)
	case bytes.Contains(text, []byte("---")):
		return unquoted("triple-dash", text)
	case jsonNumber(text) != String: // 1e400
		return ambiguous(text, "!!float")
	}
	return ""
}

func ambiguous(text []byte, tag string) string {
	return "strict parsing: found '" + excerpt(
		oneLine(text),
	) + "', which is ambiguous (could be !!str or " + tag + ")"
}

func unquoted(what string, text []byte) string {
	return "strict parsing: strings with " + what + " must be explicitly quoted: '" + excerpt(
		oneLine(text),
	) + "'"
}

// oneLine replaces the line breaks of a scalar in a message.
func oneLine(text []byte) string {
	return strings.ReplaceAll(string(text), "\n", " ")
}

// jsonNumber returns Int or Float if text is such a number in JSON, and String otherwise.
func jsonNumber(text []byte) ValueKind {
	t := bytes.TrimPrefix(text, []byte("-"))
	whole := countDigits(t)
	if whole == 0 || whole > 1 && t[0] == '0' {
		return String
	}
	if whole == len(t) {
		return Int
	}
	if t[whole] == '.' && (whole+1 == len(t) || countDigits(t[whole+1:]) == 0) {
		return String
	}
	if isFloat(t) {
		return Float
	}
	return String
}
