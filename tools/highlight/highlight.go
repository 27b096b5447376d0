// Package highlight colors code for web pages.
package highlight

import (
	_ "embed"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"sync"

	"weft/internal/lang/diag"
)

// CodeLink is where links of codes lead, until a page puts the path to the pages of codes there.
const CodeLink = "code:"

// HTML returns YAML templates and Starlark as HTML with colors, those of the editor of the playground: both use
// the patterns of grammar.json, which Go and JavaScript understand alike, and look at single lines.
func HTML(language, code string) string {
	var paint func(*strings.Builder, string)
	switch language {
	case "yaml":
		return highlightYAML(code)
	case "python", "star", "starlark":
		paint = paintWords
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
func IsMessage(line string) bool { return rules()["message"].MatchString(line) }

//go:embed grammar.json
var grammar []byte

// rules returns the patterns by their names.
var rules = sync.OnceValue(func() map[string]*regexp.Regexp {
	var patterns map[string]string
	if err := json.Unmarshal(grammar, &patterns); err != nil {
		panic(err) // a test reads the file
	}
	all := map[string]*regexp.Regexp{}
	for name, pattern := range patterns {
		all[name] = regexp.MustCompile(pattern)
	}
	return all
})

// highlightYAML highlights YAML line by line, and keeps track of block scalars.
func highlightYAML(code string) string {
	var b strings.Builder
	block := -1 // indentation of the line that starts a block scalar, or -1
	for i, line := range strings.Split(code, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		text := strings.TrimLeft(line, " \t")
		indent := len(line) - len(text)
		if block >= 0 && (strings.TrimSpace(line) == "" || indent > block) {
			span(&b, "string", line)
			continue
		}
		block = -1
		if rules()["block"].MatchString(line) && !strings.HasPrefix(text, "#") {
			block = indent
		}
		paintYAML(&b, line)
	}
	return b.String()
}

// paintYAML colors a line of YAML, and the code in its comment.
func paintYAML(b *strings.Builder, line string) {
	sign, remark := rules()["sign"].FindStringSubmatchIndex(line), rules()["remark"].FindStringIndex(line)
	if sign == nil || remark != nil && remark[0] < sign[0] {
		paintPlain(b, line)
		return
	}
	from, to := sign[2], sign[3]
	paintPlain(b, line[:from])
	b.WriteString(`<span class="w-code">`)
	span(b, "sign", line[from:to])
	note := rules()["note"].FindString(line[to:])
	span(b, "note", note)
	paintWords(b, line[to+len(note):])
	b.WriteString(`</span>`)
}

// paintPlain colors YAML without code.
func paintPlain(b *strings.Builder, text string) {
	if rules()["marker"].MatchString(text) {
		span(b, "comment", text)
		return
	}
	if m := rules()["key"].FindStringSubmatchIndex(text); m != nil {
		b.WriteString(html.EscapeString(text[:m[2]]))
		span(b, "key", text[m[2]:m[3]])
		text = text[m[3]:]
	}
	paintGroups(b, rules()["values"], text, "string", "comment", "number")
}

// paintWords colors Starlark.
func paintWords(b *strings.Builder, text string) {
	paintGroups(b, rules()["words"], text, "string", "comment", "word", "number", "call")
}

// paintGroups colors the groups of all matches of a pattern. A number in YAML is a word that is one.
func paintGroups(b *strings.Builder, rule *regexp.Regexp, text string, kinds ...string) {
	rest := 0
	for _, m := range rule.FindAllStringSubmatchIndex(text, -1) {
		for i, kind := range kinds {
			from, to := m[2*i+2], m[2*i+3]
			if from < 0 || kind == "number" && !rules()["number"].MatchString(text[from:to]) {
				continue
			}
			b.WriteString(html.EscapeString(text[rest:from]))
			span(b, kind, text[from:to])
			rest = to
		}
	}
	b.WriteString(html.EscapeString(text[rest:]))
}

// paintMessage colors what weft prints on standard error, and links codes.
func paintMessage(b *strings.Builder, line string) {
	m := rules()["message"].FindStringSubmatchIndex(line)
	if m == nil {
		b.WriteString(html.EscapeString(line))
		return
	}
	b.WriteString(html.EscapeString(line[:m[2]]))
	span(b, line[m[2]:m[3]], line[m[2]:m[3]])
	rest := line[m[3]:]
	if m := rules()["about"].FindStringSubmatchIndex(rest); m != nil {
		if _, ok := diag.About(diag.Code(rest[m[2]:m[3]])); ok {
			code := rest[m[2]:m[3]]
			b.WriteString(html.EscapeString(rest[:m[2]]) + `<a href="` + CodeLink + code + `.html">` + code + `</a>]`)
			return
		}
	}
	b.WriteString(html.EscapeString(rest))
}

// span writes a text in a color.
func span(b *strings.Builder, kind, text string) {
	if text != "" {
		b.WriteString(`<span class="w-` + kind + `">` + html.EscapeString(text) + `</span>`)
	}
}
