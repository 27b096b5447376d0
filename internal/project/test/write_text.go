package test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"weft/internal/lang/diag"
)

// TextOptions configures WriteText.
type TextOptions struct {
	Color bool
	Quiet bool // print only what failed
	Times bool // print how long each case took
}

const (
	colorOK   = "\x1b[32m"
	colorFail = "\x1b[31m"
	colorDim  = "\x1b[2m"
	colorEnd  = "\x1b[0m"
)

// WriteText writes a report for people:
//
//	ok    production [prod]
//	FAIL  whole [dev]
//	      golden/dev.yml:8: ~ Deployment/web  spec.replicas: 2 → 3   app.yml:14 ← replicas envs/dev.yml:2
//	2 tests, 1 failed
func (r *Report) WriteText(w io.Writer, opt TextOptions) error {
	p := textPrinter{TextOptions: opt}
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; !opt.Quiet || o.Failed() {
			p.outcome(o)
		}
	}
	if !opt.Quiet || r.Failed() > 0 {
		p.out.WriteString(r.Summary())
		if r.Coverage != nil {
			p.out.WriteString(" · " + r.Coverage.Report.Summary())
		}
		p.out.WriteString("\n")
		if r.Coverage != nil {
			p.out.WriteString(r.Coverage.notCovered())
		}
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

// Summary returns how many tests there are, and how many failed.
func (r *Report) Summary() string {
	s := diag.Count(len(r.Outcomes), "test")
	if n := r.Failed(); n > 0 {
		s += fmt.Sprintf(", %d failed", n)
	}
	if n := r.Updated(); n > 0 {
		s += ", " + diag.Count(n, "golden file") + " written"
	}
	return s
}

type textPrinter struct {
	TextOptions
	out bytes.Buffer
}

func (p *textPrinter) paint(color, text string) string {
	if !p.Color {
		return text
	}
	return color + text + colorEnd
}

// timeAt is the column of the time.
const timeAt = 42

func (p *textPrinter) outcome(o *Outcome) {
	verdict := p.paint(colorOK, "ok") + "    "
	switch {
	case o.Failed():
		verdict = p.paint(colorFail, "FAIL") + "  "
	case o.Updated != "":
		verdict = p.paint(colorOK, "wrote") + " "
	}
	title := diag.Visible(o.Title())
	if o.Updated != "" {
		title += "  " + diag.Visible(o.Updated)
	}
	if p.Times {
		gap := max(2, timeAt-utf8.RuneCountInString(title))
		title += strings.Repeat(" ", gap) + shortTime(o.Took)
	}
	p.out.WriteString(verdict + title + "\n")
	for _, line := range o.Lines() {
		p.out.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}

// indent is how far the lines below a test are indented.
const indent = "      "

func shortTime(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// Lines returns what is printed about a failed case.
func (o *Outcome) Lines() (lines []string) {
	for i := range o.Failures {
		f := &o.Failures[i]
		line := f.Line()
		if f.At != "" {
			line = diag.Visible(f.At) + ": " + line
		}
		if f.Found != "" {
			line += "   " + diag.Visible(f.Found)
		}
		lines = append(lines, line)
		for _, b := range f.Below {
			lines = append(lines, "    "+b)
		}
	}
	if o.Error != "" {
		lines = append(lines, strings.Split(strings.TrimRight(o.Error, "\n"), "\n")...)
	}
	return lines
}
