package test

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"weft/internal/lang/secret"
)

// WriteJUnit writes a report as JUnit XML, which CI systems show: a suite for each test file.
func (r *Report) WriteJUnit(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	fmt.Fprintf(&b, "<testsuites %s>\n", junitTotals(r.Outcomes))
	for rest := r.Outcomes; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].File == rest[0].File {
			n++
		}
		writeJUnitSuite(&b, rest[:n])
		rest = rest[n:]
	}
	b.WriteString("</testsuites>\n")
	_, err := w.Write(b.Bytes())
	return err
}

func writeJUnitSuite(b *bytes.Buffer, outcomes []Outcome) {
	name := secret.EscapeXML(outcomes[0].File)
	fmt.Fprintf(b, "  <testsuite name=\"%s\" %s>\n", name, junitTotals(outcomes))
	for i := range outcomes {
		o := &outcomes[i]
		fmt.Fprintf(b, `    <testcase name="%s" classname="%s" file="%s" line="%d" time="%s">`,
			secret.EscapeXML(o.Title()), name, name, o.Line, seconds(o.Took))
		if o.Failed() {
			lines := o.Lines()
			fmt.Fprintf(b, "\n      <failure message=\"%s\">%s</failure>\n    ",
				secret.EscapeXML(lines[0]), secret.EscapeXML(strings.Join(lines, "\n")))
		}
		b.WriteString("</testcase>\n")
	}
	b.WriteString("  </testsuite>\n")
}

// junitTotals returns the attributes that count outcomes.
func junitTotals(outcomes []Outcome) string {
	failed, took := 0, time.Duration(0)
	for i := range outcomes {
		if outcomes[i].Failed() {
			failed++
		}
		took += outcomes[i].Took
	}
	return fmt.Sprintf(`tests="%d" failures="%d" time="%s"`, len(outcomes), failed, seconds(took))
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 4, 64) }
