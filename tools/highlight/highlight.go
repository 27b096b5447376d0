// Package highlight colors code for web pages.
package highlight

import (
	"html"
	"regexp"
	"strings"
)

// HTML returns YAML templates and Starlark as HTML with colors. Like the playground, it looks at single lines
// and does not parse, which is enough for examples.
func HTML(language, code string) string {
	var paint func(*strings.Builder, string)
	switch language {
	case "yaml":
		return highlightYAML(code)
	case "python", "star", "starlark":
		paint = paintCode
	case "text":
		paint = paintMessage
	default:
		return html.EscapeString(code)
	}
	var b strings.Builder
	for i, line := range strings.Split(code, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		paint(&b, line)
	}
	return b.String()
}

// IsMessage reports whether a line begins a message of weft.
func IsMessage(line string) bool { return message.MatchString(line) }

// highlightYAML highlights YAML line by line, and keeps track of block scalars.
func highlightYAML(code string) string {
	var b strings.Builder
	block := -1 // indentation of the line that starts a block scalar, or -1
	for i, line := range strings.Split(code, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if block >= 0 && (strings.TrimSpace(line) == "" || indent > block) {
			span(&b, "string", line)
			continue
		}
		block = -1
		if startsText.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			block = indent
		}
		paintYAML(&b, line)
	}
	return b.String()
}

const quoted = `"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'`

var (
	startsText = regexp.MustCompile(`(?:^|[:\-]\s+|\s)[|>][+-]?\d?[+-]?\s*(?:#.*)?$`)
	codeMark   = regexp.MustCompile(`(?:^|\s)#@`)
	remarkMark = regexp.MustCompile(`(?:^|\s)#!`)
	keyed      = regexp.MustCompile(`^(\s*(?:[-?] +)*)((?:` + quoted +
		"|[^\\s#\"'\\[{,&*!|>%@`-][^#]*?|-[^\\s#][^#]*?)):(?:\\s|$)")
	values = regexp.MustCompile(`(` + quoted + `)|(?:^|[\s\[,])(-?\d[\d._]*|true|false|null|~)|((?:^|\s)#.*)`)
	words  = regexp.MustCompile(`("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')` +
		`|\b(def|end|if|elif|else|for|in|not|and|or|return|load|lambda|while|True|False|None)\b` +
		`|\b(\d+(?:\.\d+)?)\b` +
		`|([A-Za-z_]\w*)\(` +
		`|(#.*)`)
	annotation = regexp.MustCompile(`^(#@)([a-z]+/[a-z/-]+[^\s]*)?`)
	message    = regexp.MustCompile(`^(.*?: )?(error|warning|note|hint): `)
)

// paintYAML colors a line of YAML, and the code in its comment.
func paintYAML(b *strings.Builder, line string) {
	at, remark := codeMark.FindStringIndex(line), remarkMark.FindStringIndex(line)
	if at == nil || remark != nil && remark[0] < at[0] {
		paintPlain(b, line)
		return
	}
	from := at[1] - len("#@")
	paintPlain(b, line[:from])
	b.WriteString(`<span class="w-code">`)
	m := annotation.FindStringSubmatch(line[from:])
	span(b, "sign", m[1])
	span(b, "note", m[2])
	paintCode(b, line[from+len(m[0]):])
	b.WriteString(`</span>`)
}

// paintPlain colors YAML without code.
func paintPlain(b *strings.Builder, text string) {
	if strings.HasPrefix(text, "---") || strings.HasPrefix(text, "...") || strings.HasPrefix(text, "%") {
		span(b, "comment", text)
		return
	}
	if m := keyed.FindStringSubmatchIndex(text); m != nil {
		b.WriteString(html.EscapeString(text[:m[3]]))
		span(b, "key", text[m[4]:m[5]])
		text = text[m[5]:]
	}
	rest := 0
	for _, m := range values.FindAllStringSubmatchIndex(text, -1) {
		for i, kind := range []string{"string", "number", "comment"} {
			from, to := m[2*i+2], m[2*i+3]
			if from < 0 || kind == "number" && to < len(text) && !strings.ContainsRune(" ,]}", rune(text[to])) {
				continue
			}
			b.WriteString(html.EscapeString(text[rest:from]))
			span(b, kind, text[from:to])
			rest = to
		}
	}
	b.WriteString(html.EscapeString(text[rest:]))
}

// paintCode colors Starlark.
func paintCode(b *strings.Builder, text string) {
	rest := 0
	for _, m := range words.FindAllStringSubmatchIndex(text, -1) {
		for i, kind := range []string{"string", "word", "number", "call", "comment"} {
			if from, to := m[2*i+2], m[2*i+3]; from >= 0 {
				b.WriteString(html.EscapeString(text[rest:from]))
				span(b, kind, text[from:to])
				rest = to
			}
		}
	}
	b.WriteString(html.EscapeString(text[rest:]))
}

// paintMessage colors what weft prints on standard error.
func paintMessage(b *strings.Builder, line string) {
	m := message.FindStringSubmatchIndex(line)
	if m == nil {
		b.WriteString(html.EscapeString(line))
		return
	}
	b.WriteString(html.EscapeString(line[:m[4]]))
	span(b, line[m[4]:m[5]], line[m[4]:m[5]])
	b.WriteString(html.EscapeString(line[m[5]:]))
}

// span writes a text in a color.
func span(b *strings.Builder, kind, text string) {
	if text != "" {
		b.WriteString(`<span class="w-` + kind + `">` + html.EscapeString(text) + `</span>`)
	}
}
