package blame

import (
	"strings"
	"unicode/utf8"
)

// wrap breaks a note into lines of at most width columns: between data values and before a symbol, or
// between words if a part is too wide. It never breaks a word, which may be a path to open.
func wrap(note string, width int) []string {
	if utf8.RuneCountInString(note) <= width {
		return []string{note}
	}
	var lines []string
	for _, part := range parts(note) {
		lines = fill(lines, part, width)
	}
	return lines
}

// fill adds a part of a note to its last line, or to new lines.
func fill(lines []string, part string, width int) []string {
	if n := len(lines); n > 0 {
		if joined := lines[n-1] + gap(lines[n-1]) + part; utf8.RuneCountInString(joined) <= width {
			lines[n-1] = joined
			return lines
		}
		part = hanging + part
	}
	if utf8.RuneCountInString(part) > width {
		if at := lastGap(part, width); at > 0 {
			return fill(append(lines, part[:at]), strings.TrimLeft(part[at:], " "), width)
		}
	}
	return append(lines, part)
}

// hanging indents the continuation lines of a note.
const hanging = "  "

// gap returns the separator before the next part.
func gap(before string) string {
	if strings.HasSuffix(before, ",") {
		return " "
	}
	return "  "
}

// lastGap returns where to break a part so that its beginning fits: at two spaces if possible, otherwise
// at one. If the first word alone is too wide, it returns the gap after it, or 0 if there is none.
func lastGap(part string, width int) int {
	part = strings.TrimRight(part, " ")
	single, double, column := 0, 0, 0
	inWord := false
	for i, r := range part {
		if column > width && single > 0 {
			break
		}
		if r == ' ' && inWord {
			single = i
			if strings.HasPrefix(part[i:], "  ") {
				double = i
			}
		}
		inWord = r != ' '
		column++
	}
	if double > 0 {
		return double
	}
	return single
}

// parts splits a note after each comma between data values and before each symbol.
func parts(note string) []string {
	var list []string
	for _, words := range strings.SplitAfter(note, ", ") {
		begin := 0
		for i := 1; i+3 < len(words); i++ {
			if words[i:i+2] == "  " && words[i+3] == ' ' && strings.Contains("=~+>-?", words[i+2:i+3]) {
				list = append(list, words[begin:i])
				begin = i + 2
			}
		}
		list = append(list, strings.TrimRight(words[begin:], " "))
	}
	return list
}
