package help

import (
	"strings"

	"weft/internal/lang/lazy"
)

// inline matches markup within a paragraph that a terminal cannot show: links, comments and emphasis.
var inline = lazy.Regexp{Text: `\[([^\]]*)\]\(([^)]*)\)|<!--.*?-->|\*\*([^*]+)\*\*`}

// caption matches a comment that describes the block of code below it.
var caption = lazy.Regexp{Text: `^<!-- (file|example|output|made): (.*) -->$`}

// Page formats a page of the documentation for a terminal: it wraps paragraphs, and indents code
// below its name or its command.
func Page(markdown string, width int) string {
	p := layout{width: width}
	code := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		m := caption.Get().FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "```"):
			p.flush()
			code = !code
		case code:
			p.line(strings.TrimRight("    "+line, " "))
		case m != nil && m[1] == "output":
			p.line("    $ " + m[2])
			p.captioned = true
		case m != nil:
			p.line(m[2] + ":")
			p.captioned = true
		case strings.TrimSpace(line) == "":
			p.flush()
			p.gap = !p.captioned
		case strings.HasPrefix(line, "#"):
			p.flush()
			p.line(strings.TrimLeft(line, "# "))
		case strings.HasPrefix(line, "- "):
			p.flush()
			p.paragraph = append(p.paragraph, line)
		default:
			p.paragraph = append(p.paragraph, strings.TrimSpace(line))
		}
	}
	p.flush()
	return p.String()
}

// layout is a page while it is formatted.
type layout struct {
	strings.Builder
	width     int
	paragraph []string // the lines of the paragraph so far
	gap       bool     // an empty line comes first
	captioned bool     // the last line is a caption, which directly precedes its block
}

func (p *layout) line(text string) {
	if p.gap && p.Len() > 0 {
		p.WriteString("\n")
	}
	p.WriteString(text + "\n")
	p.gap, p.captioned = false, false
}

// flush writes the paragraph. Lines of a list item are aligned with its text.
func (p *layout) flush() {
	text := inline.Get().ReplaceAllStringFunc(strings.Join(p.paragraph, " "), plain)
	p.paragraph = nil
	if strings.TrimSpace(text) == "" {
		return
	}
	indent := ""
	if strings.HasPrefix(text, "- ") {
		indent = "  "
	}
	p.line(strings.Join(Fold(text, p.width-len(indent)), "\n"+indent))
}

// plain returns markup as a terminal shows it. A link shows the page that it leads to.
func plain(markup string) string {
	m := inline.Get().FindStringSubmatch(markup)
	target, _, _ := strings.Cut(m[2], "#")
	switch {
	case m[3] != "":
		return m[3]
	case target == "":
		return m[1]
	case strings.Contains(target, "://"):
		return m[1] + " (" + target + ")"
	}
	for strings.HasPrefix(target, "../") {
		target = target[len("../"):]
	}
	return m[1] + " (docs/" + target + ")"
}
