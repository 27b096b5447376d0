package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// shown are the comparisons in the chart: rows of the benchmark table, and their titles.
var shown = []struct{ workload, title string }{
	{"w1-1000", "Render 1,000 templates"},
	{"w2-1000-10", "Patch 1,000 objects with 10 overlays"},
	{"w6-50", "Read and print 50 MB of YAML"},
}

// bar is the time of a program for a workload.
type bar struct {
	program string
	ms      float64
}

// comparison is the programs of a workload, the fastest first.
type comparison struct {
	title string
	bars  []bar
}

// times matches a row of the table: workload, other program, and the medians of weft and of the other.
var times = regexp.MustCompile(`(?m)^\| ([a-z0-9-]+) \| time \| ([a-z]+) ` +
	`\| ([0-9.]+) \([^)]*\) ms \| ([0-9.]+) \([^)]*\) ms \|`)

// chart draws the times in the table of the benchmark page.
func chart(page string) ([]byte, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	list, err := comparisons(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", page, err)
	}
	ytt, err := beside(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", page, err)
	}
	note := "Median wall-clock time. Each dashed line is ten times the one before. Shorter is better.\n" +
		machine(string(text)) + "\n" + ytt
	return bars(list, "Times of weft and other programs", note), nil
}

// fleetRow matches a row of the table of large fleets: command, environments, time on two processors, and
// the target.
var fleetRow = regexp.MustCompile(`(?m)^\| ` + "`([^`]+)`[^|]*" + `\| ([0-9,]+) \| [0-9]+ s ` +
	`\| ([0-9]+) s \| [^|]+ \| ≤ ([0-9]+) s`)

// fleetChart draws the times of a large fleet next to their targets.
func fleetChart(page string) ([]byte, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	var list []comparison
	for _, m := range fleetRow.FindAllStringSubmatch(string(text), -1) {
		took, _ := strconv.ParseFloat(m[3], 64) // the pattern allows only numbers
		target, _ := strconv.ParseFloat(m[4], 64)
		list = append(list, comparison{m[1], []bar{{"weft", took * 1000}, {"target", target * 1000}}})
	}
	if list == nil {
		return nil, fmt.Errorf("%s: no row has the times of a fleet", page)
	}
	note := "Processor time on two processors, partly scaled up from smaller fleets; shorter is better. " +
		"See bench/README.md."
	return bars(list, "Times of weft with 100,000 environments", note), nil
}

func comparisons(page string) (list []comparison, err error) {
	for _, s := range shown {
		c := comparison{title: s.title}
		for _, m := range times.FindAllStringSubmatch(page, -1) {
			if m[1] != s.workload {
				continue
			}
			weft, _ := strconv.ParseFloat(m[3], 64) // the pattern allows only numbers
			other, _ := strconv.ParseFloat(m[4], 64)
			if c.bars == nil {
				c.bars = []bar{{"weft", weft}}
			}
			c.bars = append(c.bars, bar{m[2], other})
		}
		if c.bars == nil {
			return nil, errors.New("no row of " + s.workload + " has times")
		}
		slices.SortFunc(c.bars, func(a, b bar) int { return cmp.Compare(a.ms, b.ms) })
		list = append(list, c)
	}
	return list, nil
}

// recorded matches the row of the table of ytt for templates: how many times as long ytt takes.
var recorded = regexp.MustCompile(`(?m)^\| w1-1000: templates \|.*\| ([0-9]+)[^|]* × \|$`)

// beside returns the line about ytt, which was measured beside an earlier weft.
func beside(page string) (string, error) {
	m := recorded.FindStringSubmatch(page)
	if m == nil {
		return "", errors.New("no row has the time of ytt for w1-1000")
	}
	return "ytt takes " + m[1] + " × the time of weft for 1,000 templates, measured beside it in an " +
		"earlier run. Repeat it: WEFT_YTT=/path/to/ytt bench/run w1", nil
}

// machine returns the line with the date and the machine of the measurements.
func machine(page string) string {
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "Commit ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// The chart, in pixels.
const (
	chartWidth = 832
	labelWidth = 110
	barsWidth  = 560
	barHeight  = 16
)

// bars draws comparisons on one scale.
func bars(list []comparison, title, note string) []byte {
	var b bytes.Buffer
	scale := scaleOf(list)
	y := 8
	for _, c := range list {
		y += 24
		fmt.Fprintf(&b, `<text class="title" x="16" y="%d">%s</text>`+"\n", y, html.EscapeString(c.title))
		for _, x := range c.bars {
			y += barHeight + 6
			width := scale.width(x.ms)
			class := "other"
			if x.program == "weft" {
				class = "weft"
			}
			fmt.Fprintf(&b, `<text class="name" x="%d" y="%d">%s</text>`+"\n", labelWidth-8, y, x.program)
			fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>`+"\n",
				class, labelWidth, y-barHeight+4, width, barHeight)
			fmt.Fprintf(&b, `<text class="time" x="%.1f" y="%d">%s</text>`+"\n",
				labelWidth+width+8, y, duration(x.ms))
		}
		y += 12
	}
	lines := scale.draw(y)
	y += 20
	for line := range strings.SplitSeq(note, "\n") {
		y += 18
		fmt.Fprintf(&b, `<text class="source" x="16" y="%d">%s</text>`+"\n", y, html.EscapeString(line))
	}
	var doc bytes.Buffer
	fmt.Fprintf(&doc, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`width="%d" height="%d" role="img">`+"\n",
		chartWidth, y+14, chartWidth, y+14)
	doc.WriteString("<title>" + title + "</title>\n<style>\n" +
		"text { font: 13px system-ui, sans-serif; fill: #24292f }\n" +
		".title { font-weight: 600; font-size: 14px } .name { text-anchor: end } .step { text-anchor: middle }\n" +
		".source, .step { font-size: 11px; fill: #57606a } .weft { fill: #1a7f5a } .other { fill: #afb8c1 }\n" +
		"line { stroke: #d0d7de; stroke-dasharray: 2 3 }\n" +
		"@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .source, .step { fill: #8d96a0 }\n" +
		"  .weft { fill: #3fb98b } .other { fill: #57606a } line { stroke: #30363d } }\n</style>\n")
	doc.Write(lines)
	doc.Write(b.Bytes())
	doc.WriteString("</svg>\n")
	return doc.Bytes()
}

// scale is where times are drawn.
type scale struct {
	steps []float64                // times that are marked, in milliseconds
	share func(ms float64) float64 // how much of the width a time takes
}

// scaleOf returns a scale for all bars. It is logarithmic if the longest would make the shortest invisible.
func scaleOf(list []comparison) scale {
	shortest, longest := math.Inf(1), 0.0
	for _, c := range list {
		for _, x := range c.bars {
			shortest, longest = min(shortest, x.ms), max(longest, x.ms)
		}
	}
	first, last := math.Ceil(math.Log10(shortest))-1, math.Ceil(math.Log10(longest))
	if last-first > 1 {
		var steps []float64
		for step := first; step <= last; step++ {
			steps = append(steps, math.Pow(10, step))
		}
		return scale{steps, func(ms float64) float64 { return (math.Log10(ms) - first) / (last - first) }}
	}
	steps := []float64{0, longest / 4, longest / 2, longest * 3 / 4, longest}
	return scale{steps, func(ms float64) float64 { return ms / longest }}
}

func (s scale) width(ms float64) float64 { return s.share(ms) * barsWidth }

// draw returns a line for each step of the scale, from the top to y.
func (s scale) draw(y int) []byte {
	var b bytes.Buffer
	for _, ms := range s.steps {
		x := labelWidth + s.width(ms)
		fmt.Fprintf(&b, `<line x1="%.1f" y1="40" x2="%.1f" y2="%d"/>`+"\n", x, x, y)
		fmt.Fprintf(&b, `<text class="step" x="%.1f" y="%d">%s</text>`+"\n", x, y+14, duration(ms))
	}
	return b.Bytes()
}

// duration returns a time as people write it: 26 ms, 1.2 s, 20 s.
func duration(ms float64) string {
	if ms >= 10_000 {
		return strconv.FormatFloat(ms/1000, 'f', 0, 64) + " s"
	}
	if ms >= 1000 {
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	}
	return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
}
