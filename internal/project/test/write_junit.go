package test

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`

	took time.Duration
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a report as JUnit XML, which CI systems show: a suite for each test file.
func (r *Report) WriteJUnit(w io.Writer) error {
	out := junitSuites{Tests: len(r.Outcomes), Failures: r.Failed()}
	var all time.Duration
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if i == 0 || o.File != r.Outcomes[i-1].File {
			out.Suites = append(out.Suites, junitSuite{Name: o.File})
		}
		s := &out.Suites[len(out.Suites)-1]
		s.add(o)
		all += o.Took
	}
	for i := range out.Suites {
		out.Suites[i].Time = seconds(out.Suites[i].took)
	}
	out.Time = seconds(all)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(o *Outcome) {
	c := junitCase{
		Name: o.Title(), Class: o.File, File: o.File, Line: o.Line, Time: seconds(o.Took),
	}
	if o.Failed() {
		lines := o.Lines()
		c.Failure = &junitFailure{Message: lines[0], Text: strings.Join(lines, "\n")}
		s.Failures++
	}
	s.Tests++
	s.took += o.Took
	s.Cases = append(s.Cases, c)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 4, 64) }
