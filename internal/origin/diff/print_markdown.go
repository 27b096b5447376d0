package diff

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
)

// MaxMarkdown is the maximum number of characters that WriteMarkdown writes: fewer than the 65,536 that
// GitHub allows in a comment.
const MaxMarkdown = 65_000

// maxRows is the maximum number of documents in the table of a Markdown summary.
const maxRows = 100

// WriteMarkdown writes a difference for a comment on a pull request: a table of the documents, and a
// collapsed section for each cause. Sections that do not fit are counted. With summary, it writes only the
// table.
func (d *Difference) WriteMarkdown(w io.Writer, summary bool) error {
	p := markdownPrinter{}
	p.table(d)
	if !summary {
		p.sections(d.sections())
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

type markdownPrinter struct {
	out  strings.Builder
	size int // characters so far
}

func (p *markdownPrinter) write(s string) {
	p.out.WriteString(s)
	p.size += utf8.RuneCountInString(s)
}

// table writes the documents that changed, and the number of those that did not.
func (p *markdownPrinter) table(d *Difference) {
	s := d.Summary()
	if d.Empty() {
		p.write("**No changes** in " + diag.Count(s.Same, "document") + ".\n")
		return
	}
	p.write(fmt.Sprintf("**%d changed, %d added, %d removed**, %d unchanged\n\n",
		s.Changed, s.Added, s.Removed, s.Same))
	p.write("| | document | changes |\n|---|---|---|\n")
	tallies := d.tallies()
	for _, t := range tallies[:min(len(tallies), maxRows)] {
		o, count := t.object, fmt.Sprint(t.count)
		mark, name := "~", code(o.Name.String())
		switch {
		case o.A < 0:
			mark, count = "+", "added"
		case o.B < 0:
			mark, count = "-", "removed"
		case o.renamed:
			name = code(o.Was.String()) + " → " + name
		}
		p.write("| " + mark + " | " + strings.ReplaceAll(name, "|", `\|`) + " | " + count + " |\n")
	}
	if more := len(tallies) - maxRows; more > 0 {
		p.write("| | … " + diag.Count(more, "document") + " more | |\n")
	}
}

// code returns text between more backquotes than it contains in a row.
func code(s string) string {
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// longestRun returns the length of the longest run of backquotes.
func longestRun(s string) int {
	most, n := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}

// room is reserved for the lines that report omitted sections.
const room = 400

func (p *markdownPrinter) sections(list []section) {
	for i := range list {
		head, lines := p.section(&list[i])
		fence := "```"
		for _, line := range lines {
			fence = strings.Repeat("`", max(len(fence), longestRun(line)+1))
		}
		before := "\n<details><summary>" + html.EscapeString(head) + "</summary>\n\n" +
			fence + "diff\n"
		after := fence + "\n\n</details>\n"
		left := MaxMarkdown - room - p.size - len(before) - len(after)
		shown := 0
		for _, line := range lines {
			if left -= utf8.RuneCountInString(line) + 1; left < 0 {
				break
			}
			shown++
		}
		if shown == 0 {
			p.leftOut(list[i:])
			return
		}
		p.write(before)
		for _, line := range lines[:shown] {
			p.write(line + "\n")
		}
		if more := len(lines) - shown; more > 0 {
			p.write("… " + diag.Count(more, "line") + " more\n")
		}
		p.write(after)
		if shown < len(lines) {
			p.leftOut(list[i+1:])
			return
		}
	}
}

// leftOut counts the sections that did not fit.
func (p *markdownPrinter) leftOut(list []section) {
	changes := 0
	for _, s := range list {
		for _, e := range s.entries {
			changes += len(e.objects)
		}
	}
	if changes > 0 {
		p.write("\n" + diag.Count(changes, "more change") + " not shown: the comment would be too " +
			"long.\n")
	}
}

// section returns the changes of a cause as the lines of a diff.
func (p *markdownPrinter) section(s *section) (head string, lines []string) {
	head = "changes"
	if s.cause != nil {
		head = s.cause.heading()
	}
	head += ": " + diag.Count(s.objects, "document")
	for _, e := range s.entries {
		mark, _ := e.Op.mark()
		line := mark + " " + e.name()
		if e.Op == Renamed {
			line = mark + " " + e.objects[0].Was.String() + " → " + e.objects[0].Name.String()
		} else if e.path != "" {
			line += "  " + e.path
		}
		value, below := e.shown(s.cause)
		lines = append(lines, line+value)
		for _, l := range below {
			lines = append(lines, strings.TrimRight(string(l.mark)+"     "+l.text, " "))
		}
	}
	return head, lines
}
