package diff

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
)

// TextOptions configure WriteText.
type TextOptions struct {
	Color   bool
	Summary bool // only list the documents that changed, and how much
}

// WriteText writes a difference as text:
//
//	replicas 2 → 5  (envs/prod.yml:2)                3 documents
//	  ~ Deployment/{web,api,job}  spec.replicas
//	production.yml (only in prod)                    1 document
//	  + Deployment/web  metadata.labels.stage: production
//	= 41 documents
//
// Without causes, changes are not indented. If nothing changed, only the last line is printed.
func (d *Difference) WriteText(w io.Writer, opt TextOptions) error {
	p := textPrinter{opt: opt}
	if opt.Summary {
		p.summary(d)
	} else {
		for _, s := range d.sections() {
			p.section(&s)
		}
	}
	p.line(styleNone, "= "+diag.Count(d.Same, "document"))
	_, err := w.Write(p.out.Bytes())
	return err
}

const hiddenChange = secret.Changed

type textPrinter struct {
	opt TextOptions
	out bytes.Buffer
}

// style is the color of a line.
type style string

const (
	styleNone    style = ""
	styleHeading style = "\x1b[1m"
	styleAdded   style = "\x1b[32m"
	styleRemoved style = "\x1b[31m"
	styleChanged style = "\x1b[33m"
	styleQuiet   style = "\x1b[2m"
	styleReset         = "\x1b[0m"
)

func (p *textPrinter) line(s style, text string) {
	if !p.opt.Color || s == styleNone {
		p.out.WriteString(text + "\n")
		return
	}
	p.out.WriteString(string(s) + text + styleReset + "\n")
}

// mark returns the mark and the color of a change.
func (op Op) mark() (string, style) {
	switch op {
	case Added:
		return "+", styleAdded
	case Removed:
		return "-", styleRemoved
	case Moved:
		return ">", styleChanged
	}
	return "~", styleChanged
}

// countAt is the column of a cause's document count.
const countAt = 48

func (p *textPrinter) section(s *section) {
	indent := ""
	if s.cause != nil {
		head := s.cause.heading()
		gap := max(2, countAt-utf8.RuneCountInString(head))
		p.line(styleHeading, head+strings.Repeat(" ", gap)+diag.Count(s.objects, "document"))
		indent = "  "
	}
	for _, e := range s.entries {
		p.entry(e, s.cause, indent)
	}
}

// Limits for the values shown. JSON output contains them in full.
const (
	maxBlock = 30 // lines of a value
	maxDiff  = 60 // lines of a string that changed
)

func (p *textPrinter) entry(e *entry, cause *Cause, indent string) {
	mark, color := e.Op.mark()
	head := indent + mark + " " + e.name()
	switch {
	case e.Op == Renamed:
		head = indent + mark + " " + e.objects[0].Was.String() + " → " + e.objects[0].Name.String()
	case e.path != "":
		head += "  " + e.path
	}
	value, lines := e.shown(cause)
	p.line(color, head+value)
	for _, l := range lines {
		p.line(lineStyle(l.mark), strings.TrimRight(indent+"    "+string(l.mark)+" "+l.text, " "))
	}
}

func lineStyle(mark byte) style {
	switch mark {
	case '+':
		return styleAdded
	case '-':
		return styleRemoved
	}
	return styleQuiet
}

// shown returns how the values of a change are shown: on the line of its path, and below it.
func (e *entry) shown(cause *Cause) (value string, lines []textLine) {
	sep := ": "
	if e.path == "" {
		sep = "  "
	}
	switch e.Op {
	case Renamed:
		return "", nil
	case Moved:
		return sep + "moved from " + e.Before.Text() + " to " + e.After.Text(), nil
	case Added, Removed:
		v, mark := e.After, byte('+')
		if e.Op == Removed {
			v, mark = e.Before, '-'
		}
		if s := inline(v); s != "" && e.path != "" {
			return sep + s, nil
		}
		return "", cut(marked(mark, block(v)), maxBlock)
	}
	if e.Secret {
		return sep + hiddenChange, nil
	}
	if isLines(e.Before, e.After) {
		return "", cut(changedLines(e.Before.Text(), e.After.Text()), maxDiff)
	}
	x, y := inline(e.Before), inline(e.After)
	if x == "" || y == "" || utf8.RuneCountInString(x+y) > widest {
		below := append(marked('-', block(e.Before)), marked('+', block(e.After))...)
		return kindChange(e.Before, e.After, sep), cut(below, maxDiff)
	}
	if s := x + " → " + y; cause == nil || s != cause.values() {
		return sep + s, nil
	}
	return "", nil
}

// kindChange describes a change of type, for values that do not show it.
func kindChange(x, y tree.Value, sep string) string {
	if a, b := x.TypeName(), y.TypeName(); a != b {
		return sep + a + " → " + b
	}
	return ""
}

func marked(mark byte, lines []string) []textLine {
	list := make([]textLine, len(lines))
	for i, line := range lines {
		list[i] = textLine{mark, line}
	}
	return list
}
