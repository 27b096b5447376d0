package trace

import (
	"reflect"
	"strings"
)

// keepers are the functions whose results keep marks of their arguments. They get the arguments that are not
// literals, in the order in which they are evaluated (what is piped comes first), and the result.
var keepers = map[string]func(t *Tracer, args []any, result string) string{
	// Their last argument, changed line by line. It may be piped.
	"indent": keepLines, "nindent": keepLines, "trim": keepLines, "trimAll": keepLines, "trimall": keepLines,
	"trimSuffix": keepLines, "trimPrefix": keepLines, "quote": keepLines, "squote": keepLines,
	"upper": keepLines, "lower": keepLines, "title": keepLines, "untitle": keepLines, "trunc": keepLines,
	"toString": keepLines, "nospace": keepLines, "kebabcase": keepLines, "snakecase": keepLines,
	"camelcase": keepLines, "b64enc": keepLines, "b64dec": keepLines, "html": keepLines,
	"urlquery": keepLines, "replace": keepLines, "regexReplaceAll": keepLines, "substr": keepLines,

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

// keepLines gives a result the marks of the lines that it was made from.
func keepLines(t *Tracer, args []any, result string) string {
	from, ok := only(args)
	if !ok {
		return result
	}
	var texts []string
	var marks [][]int
	for line := range strings.SplitSeq(from, "\n") {
		text, m := t.split(line)
		texts, marks = append(texts, strings.Trim(text, blank)), append(marks, m)
	}
	lines := strings.Split(result, "\n")
	if len(texts) == 1 {
		if len(lines) > 2 || len(lines) == 2 && lines[0] != "" { // nindent begins with a line break
			return result
		}
		lines[len(lines)-1] = withMarks(lines[len(lines)-1], marks[0])
		return strings.Join(lines, "\n")
	}
	next := 0
	for i, line := range lines {
		bare := strings.Trim(line, blank)
		if bare == "" {
			continue
		}
		k := i
		if len(lines) != len(texts) { // lines were added or removed at the ends
			for k = next; k < len(texts) && texts[k] != bare; k++ {
			}
			if k == len(texts) {
				continue
			}
		}
		next = k + 1
		lines[i] = withMarks(line, marks[k])
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

// keepContained gives a result of one line the marks of all arguments that it contains.
func keepContained(t *Tracer, args []any, result string) string {
	if strings.Contains(result, "\n") {
		return keepLines(t, args, result)
	}
	var marks []int
	for _, a := range args {
		s, ok := a.(string)
		if !ok || !HasMarks(s) {
			continue
		}
		if text, m := t.split(s); strings.Contains(result, strings.Trim(text, blank)) {
			marks = append(marks, m...)
		}
	}
	return withMarks(result, marks)
}

// keepValues gives each line of YAML the path of its value, if the argument is one of the chart's values.
func keepValues(t *Tracer, args []any, result string) string {
	v, ok := onlyNode(args)
	if !ok {
		return keepLines(t, args, result)
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
		return keepLines(t, args, result)
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
