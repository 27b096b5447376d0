package main

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// kindChart is the node kind of charts.
var kindChart = ast.NewNodeKind("Chart")

// chart is a bar chart of the programs that ran a workload.
type chart struct {
	ast.BaseBlock
	title string
	bars  []bar
}

type bar struct {
	program string
	ms      float64
	least   bool // the program was stopped, so the time is a lower bound
}

// Kind implements ast.Node.
func (*chart) Kind() ast.NodeKind { return kindChart }

// Dump implements ast.Node.
func (c *chart) Dump(source []byte, level int) { ast.DumpHelper(c, source, level, nil, nil) }

// row matches a line of the table in bench/README.md that compares times with another program.
var row = regexp.MustCompile(`(?m)^\| ([a-z0-9-]+) \| time \| ([a-z]+) \| ([^|]*) \| ([^|]*) \|`)

// cell matches a time: the median, and the best in parentheses.
var cell = regexp.MustCompile(`^(>? ?)([\d.]+)(?: \([\d.]+\))? ms$`)

// addCharts inserts a chart above the table of measurements for each workload with other tools.
func (p *page) addCharts() error {
	charts, err := chartsOf(string(p.text))
	if err != nil {
		return fmt.Errorf("%s: %w", p.source, err)
	}
	table := p.doc.FirstChild()
	for table != nil && table.Kind().String() != "Table" {
		table = table.NextSibling()
	}
	if len(charts) == 0 || table == nil {
		return fmt.Errorf("%s: expected a table of measurements", p.source)
	}
	for _, c := range charts {
		p.doc.InsertBefore(p.doc, table, c)
	}
	return nil
}

// chartsOf reads the charts from the table.
func chartsOf(text string) ([]*chart, error) {
	var list []*chart
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		workload, other := m[1], m[2]
		weft, other2 := strings.TrimSpace(m[3]), strings.TrimSpace(m[4])
		if other2 == "" {
			continue // it was not run
		}
		mine, err := barOf("weft", weft)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", workload, err)
		}
		theirs, err := barOf(other, other2)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", workload, err)
		}
		if n := len(list); n == 0 || list[n-1].title != workload {
			list = append(list, &chart{title: workload, bars: []bar{mine}})
		}
		last := list[len(list)-1]
		last.bars = append(last.bars, theirs)
	}
	return list, nil
}

func barOf(program, text string) (bar, error) {
	m := cell.FindStringSubmatch(text)
	if m == nil {
		return bar{}, fmt.Errorf("expected a time in ms, but found '%s'", text)
	}
	ms, err := strconv.ParseFloat(m[2], 64)
	return bar{program, ms, m[1] != ""}, err
}

// svg draws a chart. The scale is linear and starts at zero. Every bar is labeled, since some are too
// short to be visible.
func (c *chart) svg() string {
	const left, right, height, width = 90, 90, 26, 640
	most := 0.0
	var words []string
	for _, b := range c.bars {
		most = max(most, b.ms)
		words = append(words, b.program+" "+b.label())
	}
	var s strings.Builder
	title := html.EscapeString("Time for " + c.title + ": " + strings.Join(words, ", "))
	fmt.Fprintf(&s, "<figure class=\"chart\">\n<figcaption>%s: time, shorter is better</figcaption>\n",
		html.EscapeString(c.title))
	fmt.Fprintf(&s, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", width,
		height*len(c.bars), title)
	for i, b := range c.bars {
		y := i * height
		length := max(1.5, b.ms/most*(width-left-right))
		class := "other"
		if b.program == "weft" {
			class = "weft"
		}
		fmt.Fprintf(&s, "<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>"+
			"<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"1\"/>"+
			"<text class=\"figure\" x=\"%.1f\" y=\"%d\">%s</text>\n", left-10, y+18, b.program,
			class, left, y+4, length, height-8, left+length+8, y+18, html.EscapeString(b.label()))
	}
	s.WriteString("</svg>\n</figure>\n")
	return s.String()
}

// label returns the label of a bar.
func (b bar) label() string {
	if b.least {
		return "> " + duration(b.ms)
	}
	return duration(b.ms)
}

// duration returns a time with three digits.
func duration(ms float64) string {
	if ms >= 1000 {
		return strconv.FormatFloat(ms/1000, 'g', 3, 64) + " s"
	}
	return strconv.FormatFloat(ms, 'g', 3, 64) + " ms"
}
