package upgrade

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"weft/internal/lang/diag"
)

// WriteMarkdown writes a report as the text of a pull request. The differences of environments are folded.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	for _, s := range r.Sources {
		fmt.Fprintf(&b, "### %s\n\n", escaped(s.title()))
		ids := escaped(arrow(short(s.OldID), short(s.NewID)))
		fmt.Fprintf(&b, "%s %s: %s.\n\n", s.Kind, ids, counted(s.Summary))
	}
	b.WriteString("| | |\n|---|---|\n")
	fmt.Fprintf(&b, "| your output | %s |\n", escaped(r.output()))
	fmt.Fprintf(&b, "| overlays | %s |\n", r.Overlays.counts())
	fmt.Fprintf(&b, "| tests | %s |\n\n", escaped(r.Tests.counts()))
	r.markdownLists(&b)
	for _, e := range r.Environments {
		if e.Difference == nil || e.Difference.Empty() {
			continue
		}
		fmt.Fprintf(&b, "<details><summary>%s: %s</summary>\n\n", escaped(e.title()), counted(e.Summary))
		if err := e.Difference.WriteMarkdown(&b, false); err != nil {
			return err
		}
		b.WriteString("\n</details>\n\n")
	}
	_, err := w.Write(append(bytes.TrimRight(b.Bytes(), "\n"), '\n'))
	return err
}

// markdownLists writes what needs attention.
func (r *Report) markdownLists(b *bytes.Buffer) {
	list := func(title string, overlays []Overlay) {
		if len(overlays) == 0 {
			return
		}
		fmt.Fprintf(b, "**%s**\n\n", title)
		for _, o := range overlays {
			fmt.Fprintf(b, "- %s %s", code(o.Place), escaped(o.Message))
			if len(o.Environments) > 0 {
				fmt.Fprintf(b, " (%s)", escaped(r.where(&o)))
			}
			b.WriteByte('\n')
			for _, n := range o.Near {
				fmt.Fprintf(b, "  - %s", escaped(n.Message))
				if n.Place != "" {
					b.WriteString(" " + code(n.Place))
				}
				b.WriteByte('\n')
			}
			if o.Hint != "" {
				fmt.Fprintf(b, "  - hint: %s\n", escaped(o.Hint))
			}
			if len(o.Fits) > 0 && len(o.Environments) > 0 {
				fmt.Fprintf(b, "  - fits in %s\n", escaped(strings.Join(o.Fits, ", ")))
			}
		}
		b.WriteByte('\n')
	}
	list("Broken overlays", r.Overlays.Broken)
	list("Overlays that need a broken one", r.Overlays.Dependent)
	list("Overlays that are no longer needed", r.Overlays.Unneeded)
	list("Lines that change nothing any more", r.Overlays.Partly)
	for _, e := range r.Environments {
		for _, text := range e.Errors {
			fmt.Fprintf(b, "- %s does not render with the new files: %s\n", escaped(e.title()), escaped(text))
		}
	}
	for _, p := range r.Unknown {
		fmt.Fprintf(b, "- could not tell: %s\n", escaped(p.text()))
	}
	for _, p := range r.Failed {
		fmt.Fprintf(b, "- %s\n", escaped(p.text()))
	}
	if r.IsUnknown() || r.Failed != nil {
		b.WriteByte('\n')
	}
}

// code returns text as code in Markdown.
func code(text string) string {
	return "`" + strings.ReplaceAll(diag.Visible(text), "`", "'") + "`"
}

// escaped returns text in which nothing is Markdown or HTML: it comes from files of others.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range diag.Visible(text) {
		switch c {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '@':
			b.WriteString("&#64;") // no mention of a person
		case '\\', '`', '*', '_', '[', ']', '#', '|', '~', '!':
			b.WriteString("\\" + string(c))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
