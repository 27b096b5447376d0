package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
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
	note := "Median wall-clock time, shorter is better. " + machine(string(text))
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

// bars draws each comparison with its own scale. A bar that would make the others too short is cut off
// and labeled with its time.
func bars(list []comparison, title, note string) []byte {
	var b bytes.Buffer
	y := 8
	for _, c := range list {
		y += 24
		fmt.Fprintf(&b, `<text class="title" x="16" y="%d">%s</text>`+"\n", y, html.EscapeString(c.title))
		scale := c.bars[0].ms * 25 // relative to the fastest; longer bars are cut off
		longest := 0.0
		for _, x := range c.bars {
			longest = max(longest, min(x.ms, scale))
		}
		for _, x := range c.bars {
			y += barHeight + 6
			width := max(2, min(x.ms, scale)/longest*barsWidth)
			class := "other"
			if x.program == "weft" {
				class = "weft"
			}
			fmt.Fprintf(&b, `<text class="name" x="%d" y="%d">%s</text>`+"\n", labelWidth-8, y, x.program)
			fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>`+"\n",
				class, labelWidth, y-barHeight+4, width, barHeight)
			if x.ms > scale {
				fmt.Fprintf(&b, `<path class="cut" d="M%.1f %d l6 -%d"/>`+"\n",
					labelWidth+width-24, y+5, barHeight+2)
			}
			fmt.Fprintf(&b, `<text class="time" x="%.1f" y="%d">%s</text>`+"\n",
				labelWidth+width+8, y, duration(x.ms))
		}
		y += 12
	}
	y += 20
	fmt.Fprintf(&b, `<text class="source" x="16" y="%d">%s</text>`+"\n", y, html.EscapeString(note))
	var doc bytes.Buffer
	fmt.Fprintf(&doc, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`width="%d" height="%d" role="img">`+"\n",
		chartWidth, y+14, chartWidth, y+14)
	doc.WriteString("<title>" + title + "</title>\n<style>\n" +
		"text { font: 13px system-ui, sans-serif; fill: #24292f }\n" +
		".title { font-weight: 600; font-size: 14px } .name { text-anchor: end }\n" +
		".source { font-size: 11px; fill: #57606a } .weft { fill: #1a7f5a } .other { fill: #afb8c1 }\n" +
		".cut { stroke: #fff; stroke-width: 4; fill: none }\n" +
		"@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .source { fill: #8d96a0 }\n" +
		"  .weft { fill: #3fb98b } .other { fill: #57606a } .cut { stroke: #0d1117 } }\n</style>\n")
	doc.Write(b.Bytes())
	doc.WriteString("</svg>\n")
	return doc.Bytes()
}

func duration(ms float64) string {
	if ms >= 1000 {
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	}
	return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
}
