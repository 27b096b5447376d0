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

// panes are the parts of the demonstration. A file is shown as it is, a command with what it prints.
var panes = []pane{
	{title: "A template is YAML, with code in comments", file: "quickstart/app.yml", at: place{0, 0}, lines: 28},
	{title: "Its output", command: "weft -f quickstart -v name=shop", at: place{0, 52}, lines: 28},
	{
		title:   "A mistake is an error, with the place and a hint",
		command: "weft -f quickstart -f mistakes/overlay.yml", at: place{30, 0}, lines: 12,
	},
	{
		title:   "Each line of the output knows where it comes from",
		command: "weft blame -f quickstart -f production.yml -v name=shop", at: place{44, 0}, lines: 10,
	},
	{
		title:   "Change the output: weft finds the line to change, and proves it",
		command: "weft suggest -f quickstart -f production.yml --set Deployment/hello:spec.replicas=7",
		at:      place{57, 0}, lines: 4,
	},
}

// pane shows either a file or a command, and the first lines of it.
type pane struct {
	title, file, command string
	at                   place
	lines                int
}

// place is a place in the picture, in characters.
type place struct{ row, column int }

// The size of the demonstration in characters, and that of one character in pixels.
const (
	columns, rows        = 104, 62
	charWidth, lineSpace = 8, 18
	margin               = 16
)

// demonstration returns a picture of a template, its output, and what else weft says about both.
func demonstration(root string) ([]byte, error) {
	var b bytes.Buffer
	width, height := columns*charWidth+2*margin, rows*lineSpace+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`width="%d" height="%d" role="img">`+"\n",
		width, height, width, height)
	b.WriteString("<title>A template, its output, an error with its hint, where lines come from, and how to " +
		"change one</title>\n" +
		"<style>\ntext { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; " +
		"white-space: pre }\n</style>\n" +
		`<rect width="100%" height="100%" rx="8" fill="#16181d"/>` + "\n")
	for _, p := range panes {
		lines, err := p.text(root + "/examples")
		if err != nil {
			return nil, err
		}
		at := p.at
		for _, line := range lines {
			write(&b, at, line)
			at.row++
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// text returns the lines of a pane: its title, the command or the name of the file, and what they show.
func (p pane) text(dir string) ([][]span, error) {
	head := []span{{"$ ", "#98c379", true}, {p.command, "#ffffff", true}}
	shown := p.output
	if p.file != "" {
		head = []span{{p.file, "#ffffff", true}}
		shown = p.source
	}
	lines, err := shown(dir)
	if err != nil {
		return nil, err
	}
	title := []span{{"# " + p.title, "#7f8c98", false}}
	return append([][]span{title, head}, lines[:min(len(lines), p.lines)]...), nil
}

// source returns the lines of the file. Those with code are highlighted.
func (p pane) source(dir string) (lines [][]span, err error) {
	text, err := os.ReadFile(dir + "/" + p.file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		yaml, code, found := strings.Cut(strings.TrimRight(line, "\n"), "#@")
		spans := []span{{yaml, plain, false}}
		if found {
			spans = append(spans, span{"#@" + code, "#61afef", false})
		}
		lines = append(lines, spans)
	}
	return lines, nil
}

// output runs the command in the folder, and returns the lines that a terminal shows.
func (p pane) output(dir string) ([][]span, error) {
	back, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	defer os.Chdir(back)
	var out bytes.Buffer
	args := append(strings.Fields(p.command)[1:], "--color", "always")
	if code := cli.Main(args, strings.NewReader(""), &out, &out); code > 1 {
		return nil, fmt.Errorf("%s: exit code %d: %s", p.command, code, out.String())
	}
	var lines [][]span
	for line := range strings.Lines(strings.TrimRight(out.String(), "\n")) {
		lines = append(lines, wrap(spans(strings.TrimRight(line, "\n")), columns)...)
	}
	return lines, nil
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
func write(b *bytes.Buffer, at place, line []span) {
	column := at.column
	for _, s := range line {
		n := utf8.RuneCountInString(s.text)
		if strings.TrimSpace(s.text) != "" {
			weight := ""
			if s.bold {
				weight = ` font-weight="bold"`
			}
			x, y := margin+column*charWidth, margin+(at.row+1)*lineSpace-4
			fmt.Fprintf(b, `<text x="%d" y="%d" textLength="%d" fill="%s"%s xml:space="preserve">%s</text>`+"\n",
				x, y, n*charWidth, s.color, weight, html.EscapeString(s.text))
		}
		column += n
	}
}
