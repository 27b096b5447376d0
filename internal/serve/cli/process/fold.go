package process

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Width returns the width of the terminal that standard output is, or 0 if it is a file or a pipe.
func Width(cmd *cobra.Command) int {
	msg := MessagesOf(cmd)
	if msg.Stdout == nil {
		return 0
	}
	width := TerminalWidth(msg.Stdout)
	if width == 0 {
		return 0
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	}
	return width
}

// TerminalWidth returns the width of the terminal that w prints on, or 0.
func TerminalWidth(w io.Writer) int {
	if o, ok := w.(*Stdout); ok {
		w = o.Underlying()
	}
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// fold breaks the lines of a report that are wider than a terminal, between words: a word may be a path to
// open. What follows is indented more than the beginning of the line.
func fold(text []byte, width int) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		foldLine(&out, line, width)
	}
	return out.Bytes()
}

func foldLine(out *bytes.Buffer, line []byte, width int) {
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	indent = min(indent+4, width/2)
	for first := true; ; first = false {
		room := width
		if !first {
			out.Write(bytes.Repeat([]byte(" "), indent))
			room -= indent
		}
		end := lastGap(line, room)
		if end == 0 {
			out.Write(line)
			return
		}
		out.Write(bytes.TrimRight(line[:end], " "))
		out.WriteByte('\n')
		line = bytes.TrimLeft(line[end:], " ")
	}
}

// shortest is the least that remains of a line that is broken: a marker is not alone.
const shortest = 6

// lastGap returns where to break a line so that its beginning fits into width columns: at the last gap
// between words, at one of two or more spaces if the line is half full there. It returns 0 if the line
// fits, or cannot be broken.
func lastGap(line []byte, width int) int {
	text := bytes.TrimRight(line, " \r\n")
	single, double, column, inWord := 0, 0, 0, false
	for i := 0; i < len(text); {
		if n := escapeLen(text[i:]); n > 0 {
			i += n
			continue
		}
		if column >= width && (text[i] != ' ' || column > width) && single > 0 {
			if double > 0 {
				return double
			}
			return single
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == ' ' && inWord && column >= shortest {
			single = i
			if i+1 < len(text) && text[i+1] == ' ' && column > width/2 {
				double = i
			}
		}
		inWord = r != ' '
		column++
		i += n
	}
	return 0
}

// escapeLen returns the length of the escape sequence that text begins with, or 0. It takes no columns.
func escapeLen(text []byte) int {
	if !bytes.HasPrefix(text, []byte("\x1b[")) {
		return 0
	}
	if end := bytes.IndexByte(text, 'm'); end > 0 {
		return end + 1
	}
	return 0
}
