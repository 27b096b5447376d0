package main

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"
)

// style is how a cell of the terminal looks.
type style struct {
	fg, bg                  string // colors of CSS; "" is the default
	bold, italic, underline bool
	reverse                 bool
}

// run is cells of one style.
type run struct {
	style
	column int
	text   string
}

// parse reads the lines of a terminal, with the escape sequences that tmux capture-pane -e writes.
func parse(screen []byte) [][]run {
	var lines [][]run
	var now style
	for line := range strings.Lines(string(screen)) {
		var runs []run
		column := 0
		for rest := strings.TrimSuffix(line, "\n"); rest != ""; {
			if code, after, ok := escape(rest); ok {
				now = now.apply(code)
				rest = after
				continue
			}
			text, after := rest, ""
			if i := strings.IndexByte(rest, '\x1b'); i > 0 {
				text, after = rest[:i], rest[i:]
			}
			runs = append(runs, run{now, column, text})
			column += len([]rune(text))
			rest = after
		}
		lines = append(lines, runs)
	}
	return lines
}

// escape cuts off a sequence ESC [ … m.
func escape(s string) (code, rest string, ok bool) {
	if after, found := strings.CutPrefix(s, "\x1b["); found {
		return strings.Cut(after, "m")
	}
	return "", s, false
}

// apply changes a style by the numbers of a sequence.
func (s style) apply(code string) style {
	n := numbers(code)
	for i := 0; i < len(n); i++ {
		switch c := n[i]; {
		case c == 0:
			s = style{}
		case c == 1:
			s.bold = true
		case c == 3:
			s.italic = true
		case c == 4:
			s.underline = true
		case c == 7:
			s.reverse = true
		case c == 27:
			s.reverse = false
		case c >= 30 && c < 38:
			s.fg = palette(c - 30)
		case c >= 90 && c < 98:
			s.fg = palette(c - 90 + 8)
		case c >= 40 && c < 48:
			s.bg = palette(c - 40)
		case c >= 100 && c < 108:
			s.bg = palette(c - 100 + 8)
		case c == 39:
			s.fg = ""
		case c == 49:
			s.bg = ""
		case (c == 38 || c == 48) && i+2 < len(n):
			color := palette(n[i+2])
			skip := 2
			if n[i+1] == 2 && i+4 < len(n) {
				color, skip = fmt.Sprintf("#%02x%02x%02x", n[i+2], n[i+3], n[i+4]), 4
			}
			if i += skip; c == 38 {
				s.fg = color
			} else {
				s.bg = color
			}
		}
	}
	return s
}

func numbers(code string) []int {
	var list []int
	for part := range strings.SplitSeq(code, ";") {
		n, err := strconv.Atoi(part)
		if err != nil {
			n = 0 // an empty number is 0
		}
		list = append(list, n)
	}
	return list
}

// palette returns one of the 256 colors of terminals.
func palette(n int) string {
	first := []string{
		"#1d1f21", "#cc6666", "#b5bd68", "#f0c674", "#81a2be", "#b294bb", "#8abeb7", "#c5c8c6",
		"#707880", "#d54e53", "#b9ca4a", "#e7c547", "#7aa6da", "#c397d8", "#70c0b1", "#eaeaea",
	}
	switch {
	case n < 16:
		return first[max(n, 0)]
	case n < 232:
		level := []int{0, 95, 135, 175, 215, 255}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level[n/36], level[n/6%6], level[n%6])
	default:
		gray := 8 + 10*(min(n, 255)-232)
		return fmt.Sprintf("#%02x%02x%02x", gray, gray, gray)
	}
}

const (
	cellWidth, cellHeight = 8, 18
	foreground            = "#d0d0d0"
	background            = "#1d1f21"
)

// draw returns a picture of lines.
func draw(lines [][]run, title string) []byte {
	var b bytes.Buffer
	width, height := columns*cellWidth+16, len(lines)*cellHeight+16
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", background)
	b.WriteString(`<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">` + "\n")
	for i, runs := range lines {
		for _, r := range runs {
			drawRun(&b, r, 8+r.column*cellWidth, 8+i*cellHeight)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

func drawRun(b *bytes.Buffer, r run, x, y int) {
	fg, bg := r.fg, r.bg
	if r.reverse {
		fg, bg = bg, fg
		if fg == "" {
			fg = background
		}
		if bg == "" {
			bg = foreground
		}
	}
	if fg == "" {
		fg = foreground
	}
	width := len([]rune(r.text)) * cellWidth
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x, y, width, cellHeight, bg)
	}
	if strings.TrimSpace(r.text) == "" {
		return
	}
	attributes := ""
	if r.bold {
		attributes += ` font-weight="bold"`
	}
	if r.italic {
		attributes += ` font-style="italic"`
	}
	if r.underline {
		attributes += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" textLength="%d" fill="%s"%s xml:space="preserve">%s</text>`+"\n",
		x, y+13, width, fg, attributes, html.EscapeString(r.text))
}
