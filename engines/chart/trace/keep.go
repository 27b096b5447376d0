package trace

import (
	"reflect"
	"strings"
)

// keepers are the functions whose results keep marks of their arguments. They get the arguments that are not
// literals, in the order in which they are evaluated (what is piped comes first), and the result.
var keepers = map[string]func(t *Tracer, args []any, result string) string{
	// Text that is changed within its lines.
	"indent": keepLines, "nindent": keepLines, "upper": keepLines, "lower": keepLines, "title": keepLines,
	"untitle": keepLines, "toString": keepLines, "replace": keepLines, "quote": keepLines, "squote": keepLines,

	// A part of a text.
	"trim": keepPart, "trimAll": keepPart, "trimall": keepPart, "trimSuffix": keepPart, "trimPrefix": keepPart,
	"trunc": keepPart, "substr": keepPart,

	// A text of one line that is changed.
	"nospace": keepLine, "kebabcase": keepLine, "snakecase": keepLine, "camelcase": keepLine, "b64enc": keepLine,
	"b64dec": keepLine, "html": keepLine, "urlquery": keepLine, "regexReplaceAll": keepLine,

	// One of their arguments.
	"default": keepEqual, "coalesce": keepEqual, "ternary": keepEqual, "required": keepEqual,

	// Several of their arguments.
	"printf": keepContained, "print": keepContained, "println": keepContained, "cat": keepContained,

	// Values of the chart.
	"toYaml": keepValues, "mustToYaml": keepValues, "toYamlPretty": keepValues,
	"toJson": keepValue, "mustToJson": keepValue, "toRawJson": keepValue, "toPrettyJson": keepValue,
}

// choosers are the functions whose results are one of their arguments.
var choosers = map[string]bool{"default": true, "coalesce": true, "ternary": true, "required": true}

// only returns the one argument that is text. With several, it is not known which one is what.
func only(args []any) (string, bool) {
	var found string
	n := 0
	for _, a := range args {
		if s, ok := a.(string); ok {
			found = s
			n++
		}
	}
	return found, n == 1 && HasMarks(found)
}

// keepLine gives a result of one line the marks of the line that it was made from.
func keepLine(t *Tracer, args []any, result string) string {
	from, ok := only(args)
	if !ok || strings.Contains(from, "\n") || strings.Contains(result, "\n") {
		return result
	}
	_, marks := t.split(from)
	return withMarks(result, marks)
}

// keepLines gives the lines of a result the marks of the lines that they were made from, if there are as
// many. nindent adds one.
func keepLines(t *Tracer, args []any, result string) string {
	from, ok := only(args)
	if !ok {
		return result
	}
	lines, marks := strings.Split(result, "\n"), t.marksOf(from)
	first := len(lines) - len(marks)
	if first < 0 || first > 1 || first == 1 && lines[0] != "" {
		return result
	}
	return withLines(lines, first, marks)
}

// keepPart gives the lines of a part of a text the marks of the text's lines. If the part is there more than
// once, it is not known which one it is.
func keepPart(t *Tracer, args []any, result string) string {
	from, ok := only(args)
	if !ok {
		return result
	}
	marks, bare := t.marksOf(from), Strip(from)
	at := strings.Index(bare, result)
	if at < 0 || len(marks) > 1 && at != strings.LastIndex(bare, result) {
		return result
	}
	first := strings.Count(bare[:at], "\n")
	lines := strings.Split(result, "\n")
	return withLines(lines, 0, marks[first:first+len(lines)])
}

// keepBlock gives the lines of a block of YAML the marks of the text's lines.
func keepBlock(t *Tracer, args []any, result string) string {
	from, ok := only(args)
	if !ok {
		return result
	}
	if !strings.Contains(from, "\n") {
		return keepLine(t, args, result)
	}
	lines, texts := strings.Split(result, "\n"), strings.Split(Strip(from), "\n")
	if !strings.HasPrefix(lines[0], "|") {
		return result
	}
	marks := t.marksOf(from)
	for i := range marks {
		if i+1 >= len(lines) || strings.Trim(lines[i+1], blank) != strings.Trim(texts[i], blank) {
			marks[i] = nil
		}
	}
	return withLines(lines, 1, marks)
}

// marksOf returns the marks of each line of a text.
func (t *Tracer) marksOf(text string) [][]int {
	var marks [][]int
	for line := range strings.SplitSeq(text, "\n") {
		_, m := t.split(line)
		marks = append(marks, m)
	}
	return marks
}

// withLines returns lines as a text, with marks from the first one on.
func withLines(lines []string, first int, marks [][]int) string {
	for i, m := range marks {
		if first+i < len(lines) {
			lines[first+i] = withMarks(lines[first+i], m)
		}
	}
	return strings.Join(lines, "\n")
}

// withMarks adds marks after the last character of a line that is not blank.
func withMarks(line string, marks []int) string {
	end := len(strings.TrimRight(line, blank))
	if end == 0 || len(marks) == 0 {
		return line
	}
	var b strings.Builder
	b.WriteString(line[:end])
	for _, m := range marks {
		b.WriteString(mark(m))
	}
	b.WriteString(line[end:])
	return b.String()
}

// keepEqual returns the argument that a result is, with its marks. If several are equal, it is not known
// which one was chosen.
func keepEqual(_ *Tracer, args []any, result string) string {
	found, n := result, 0
	for _, a := range args {
		if s, ok := a.(string); ok && Strip(s) == result {
			found = s
			n++
		}
	}
	if n != 1 {
		return result
	}
	return found
}

// keepContained gives a result the marks of all arguments that it contains. In a result of several lines,
// they must be there once.
func keepContained(t *Tracer, args []any, result string) string {
	lines := strings.Split(result, "\n")
	for _, a := range args {
		s, ok := a.(string)
		if !ok || !HasMarks(s) {
			continue
		}
		bare := strings.Trim(Strip(s), blank)
		n := strings.Count(result, bare)
		if n == 0 || n > 1 && len(lines) > 1 {
			continue
		}
		marks := t.marksOf(strings.Trim(s, blank))
		first := strings.Count(result[:strings.Index(result, bare)], "\n")
		for i, m := range marks {
			lines[first+i] = withMarks(lines[first+i], m)
		}
	}
	return strings.Join(lines, "\n")
}

// keepValues gives each line of YAML the path of its value, if the argument is one of the chart's values.
func keepValues(t *Tracer, args []any, result string) string {
	v, ok := onlyNode(args)
	if !ok {
		return keepBlock(t, args, result)
	}
	paths := t.values.lines(v, result)
	return markLines(result, func(i int) int {
		if i >= len(paths) || paths[i] == nil {
			return 0
		}
		p, ok := t.values.place(paths[i])
		if !ok {
			return 0
		}
		return t.chain(0, t.value(p))
	})
}

// keepValue gives each line the path of the value that the argument is.
func keepValue(t *Tracer, args []any, result string) string {
	v, ok := onlyNode(args)
	if !ok {
		return keepLine(t, args, result)
	}
	p, ok := t.values.node(v)
	if !ok {
		return result
	}
	place := t.value(p)
	return markLines(result, func(int) int { return t.chain(0, place) })
}

// onlyNode returns the one argument if it is a map or a list.
func onlyNode(args []any) (reflect.Value, bool) {
	if len(args) != 1 {
		return reflect.Value{}, false
	}
	v, ok := args[0].(reflect.Value)
	return v, ok
}
