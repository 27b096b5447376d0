package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"weft/internal/serve/cli"
)

// scenes are the commands of the demonstration: what each shows, and how many of its lines.
var scenes = []scene{
	{"Render a template", "weft -f quickstart -v name=shop", 18},
	{"A typo is an error, with the place and a hint", "weft -f quickstart -f mistakes/overlay.yml", 18},
	{"See what an overlay matches and changes", "weft explain -f quickstart -f production.yml", 18},
	{"See where each line comes from", "weft blame -f quickstart -f production.yml -v name=shop", 18},
}

type scene struct {
	title, command string
	lines          int
}

// The terminal of the demonstration, in characters, and the size of one in pixels.
const (
	columns, rows        = 100, 20
	charWidth, lineSpace = 8, 18
	margin               = 16
	seconds              = 5 // for each scene
)

// demonstration returns a terminal session as an animated picture. With reduced motion, it shows the
// last scene.
func demonstration(root string) ([]byte, error) {
	var b bytes.Buffer
	width, height := columns*charWidth+2*margin, (rows+1)*lineSpace+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`width="%d" height="%d" role="img">`+"\n",
		width, height, width, height)
	b.WriteString("<title>A terminal with four commands of weft: " +
		"render, an error with its hint, explain and blame</title>\n")
	b.WriteString(style(len(scenes)))
	b.WriteString(`<rect width="100%" height="100%" rx="8" fill="#16181d"/>` + "\n")
	for i, s := range scenes {
		out, err := s.run(root)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `<g class="scene s%d">`+"\n", i)
		write(&b, 0, []span{{"# " + s.title, "#7f8c98", false}})
		write(&b, 1, []span{{"$ ", "#98c379", true}, {s.command, "#ffffff", true}})
		b.WriteString("<g class=\"out\">\n")
		for n, line := range out {
			write(&b, n+2, line)
		}
		b.WriteString("</g>\n</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// style returns the styles that show one scene after another.
func style(n int) string {
	total, share := n*seconds, 100/float64(n)
	var b strings.Builder
	b.WriteString("<style>\n")
	b.WriteString("text { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; " +
		"white-space: pre }\n")
	fmt.Fprintf(&b, ".scene { opacity: 0; animation: scene %ds steps(1) infinite }\n", total)
	fmt.Fprintf(&b, ".out { animation: out %ds steps(1) infinite }\n", total)
	for i := range n {
		fmt.Fprintf(&b, ".s%d, .s%d .out { animation-delay: %ds }\n", i, i, i*seconds)
	}
	fmt.Fprintf(&b, "@keyframes scene { 0%% { opacity: 1 } %.2f%%, 100%% { opacity: 0 } }\n", share)
	fmt.Fprintf(&b, "@keyframes out { 0%% { opacity: 0 } %.2f%%, 100%% { opacity: 1 } }\n", share/8)
	fmt.Fprintf(&b, "@media (prefers-reduced-motion: reduce) "+
		"{ .scene, .out { animation: none } .s%d { opacity: 1 } }\n", n-1)
	b.WriteString("</style>\n")
	return b.String()
}

// run runs the command in the folder of examples, and returns the lines that a terminal shows.
func (s scene) run(root string) ([][]span, error) {
	back, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(root + "/examples"); err != nil {
		return nil, err
	}
	defer os.Chdir(back)
	var out bytes.Buffer
	args := append(strings.Fields(s.command)[1:], "--color", "always")
	if code := cli.Main(args, strings.NewReader(""), &out, &out); code > 1 {
		return nil, fmt.Errorf("%s: exit code %d: %s", s.command, code, out.String())
	}
	var lines [][]span
	for line := range strings.Lines(strings.TrimRight(out.String(), "\n")) {
		lines = append(lines, wrap(spans(strings.TrimRight(line, "\n")), columns)...)
	}
	return lines[:min(len(lines), s.lines)], nil
}

// span is text in one color.
type span struct {
	text, color string
	bold        bool
}

// escape is a change of color.
var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// colors are those of a terminal, by their numbers.
var colors = map[string]string{
	"2": "#7f8c98", "31": "#ff6b6b", "32": "#98c379", "33": "#e5c07b", "34": "#61afef", "36": "#56b6c2",
}

const plain = "#d7dae0"

// spans returns the parts of a line that a terminal would color.
func spans(line string) (list []span) {
	current := span{color: plain}
	for line != "" {
		at := escape.FindStringSubmatchIndex(line)
		if at == nil {
			at = []int{len(line), len(line), 0, 0}
		}
		if current.text = line[:at[0]]; current.text != "" {
			list = append(list, current)
		}
		if at[0] < len(line) {
			current = span{color: plain}
			for code := range strings.SplitSeq(line[at[2]:at[3]], ";") {
				current.bold = current.bold || code == "1"
				if c := colors[code]; c != "" {
					current.color = c
				}
			}
		}
		line = line[at[1]:]
	}
	return list
}

// wrap breaks a line where a terminal would.
func wrap(line []span, width int) (lines [][]span) {
	var current []span
	used := 0
	for _, s := range line {
		for _, r := range s.text {
			if used == width {
				lines, current, used = append(lines, current), nil, 0
			}
			if n := len(current); n > 0 && current[n-1].color == s.color && current[n-1].bold == s.bold {
				current[n-1].text += string(r)
			} else {
				current = append(current, span{string(r), s.color, s.bold})
			}
			used++
		}
	}
	return append(lines, current)
}

// write writes a line. Each span has a fixed position and width, independent of the font.
func write(b *bytes.Buffer, row int, line []span) {
	column := 0
	for _, s := range line {
		n := utf8.RuneCountInString(s.text)
		if strings.TrimSpace(s.text) != "" {
			weight := ""
			if s.bold {
				weight = ` font-weight="bold"`
			}
			x, y := margin+column*charWidth, margin+(row+1)*lineSpace-4
			fmt.Fprintf(b, `<text x="%d" y="%d" textLength="%d" fill="%s"%s xml:space="preserve">%s</text>`+"\n",
				x, y, n*charWidth, s.color, weight, html.EscapeString(s.text))
		}
		column += n
	}
}
