package diag

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"weft/internal/lang/source"
)

// RenderOptions configures Render. The zero value means plain text with the usual limits.
type RenderOptions struct {
	Color bool // mark up with ANSI escape sequences
	Full  int  // how many diagnostics are shown in full; 0 means 20
	// how many errors are shown in all, those after Full as one line per place; 0 means 1000
	Max   int
	Width int // maximum width of an excerpt in columns; 0 means 100
}

const (
	defaultFull  = 20
	defaultMax   = 1000
	defaultWidth = 100
)

// Lines returns the messages of a list, one per line: `config/app.yml:3:5: message`, or only the
// message if it has no place.
func Lines(files *source.Set, list List) string {
	var b strings.Builder
	for i, d := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		if files != nil {
			if f := files.File(d.At.Pos); f != nil {
				b.WriteString(files.Concealed(f.Where(d.At.Offset())) + ": ")
			}
		}
		b.WriteString(files.ConcealedMessage(d.Message))
	}
	return b.String()
}

// Render prints list for people, in order:
//
//	config.yml:3:5: error: found a tab in the indentation [yaml/tab-indentation]
//	  |
//	3 |     key: value
//	  | ^^^^
//	hint: indent with spaces
//
// Names and source text are untrusted: control characters are made visible and never reach the
// terminal.
func Render(w io.Writer, files *source.Set, list List, opt RenderOptions) error {
	if opt.Full <= 0 {
		opt.Full = defaultFull
	}
	if opt.Max <= 0 {
		opt.Max = defaultMax
	}
	if opt.Width <= 0 {
		opt.Width = defaultWidth
	}
	r := renderer{files: files, width: opt.Width}
	if opt.Color {
		r.style = ansi
	}
	failures := 0
	for _, d := range list {
		if d.Severity == Error {
			failures++
		}
	}
	shown := shorten(list, max(opt.Full, min(opt.Max, failures)))
	for i, d := range shown {
		if i > 0 && i <= opt.Full {
			r.out.WriteByte('\n')
		}
		if i < opt.Full {
			r.diagnostic(d)
		} else {
			r.brief(d)
		}
	}
	if more := len(list) - len(shown); more > 0 {
		fmt.Fprintf(&r.out, "\n... and %d more\n", more)
	}
	_, err := w.Write(r.out.Bytes())
	return err
}

// shorten keeps at most n diagnostics. It drops warnings first: a failed run must show why.
func shorten(list List, n int) List {
	if len(list) <= n {
		return list
	}
	warnings := n
	for _, d := range list {
		if d.Severity == Error && warnings > 0 {
			warnings--
		}
	}
	var kept List
	for _, d := range list {
		if len(kept) == n {
			break
		}
		if d.Severity == Warning {
			if warnings == 0 {
				continue
			}
			warnings--
		}
		kept = append(kept, d)
	}
	return kept
}

// styles are the escape sequences that begin each kind of text; all are empty without color.
type styles struct {
	place, err, warning, note, hint, gutter, code, reset string
}

var ansi = styles{
	place:   "\x1b[1m",
	err:     "\x1b[1;31m",
	warning: "\x1b[1;33m",
	note:    "\x1b[1;36m",
	hint:    "\x1b[1;32m",
	gutter:  "\x1b[34m",
	code:    "\x1b[2m",
	reset:   "\x1b[0m",
}

// renderer collects the text, so that it is written at once and lines of two runs do not mix.
type renderer struct {
	files *source.Set
	width int
	style styles
	out   bytes.Buffer
}

func (r *renderer) diagnostic(d *Diagnostic) {
	color := r.style.err
	switch d.Severity {
	case Warning:
		color = r.style.warning
	case Advice:
		color = r.style.note
	}
	r.headline(d.At, color, d.Severity.String(), d.Message, d.Code)
	r.excerpt(r.underlined(d), color)
	if d.Path != "" {
		r.paint(r.style.note, "in:")
		r.out.WriteByte(' ')
		r.text(d.Path)
		r.out.WriteByte('\n')
	}
	for _, rel := range d.Related {
		r.headline(rel.At, r.style.note, "note", rel.Message, "")
		r.excerpt(rel.At, r.style.note)
	}
	if d.Hint != "" {
		r.paint(r.style.hint, "hint:")
		r.out.WriteByte(' ')
		r.text(d.Hint)
		r.out.WriteByte('\n')
	}
}

// brief writes at most one line per place: with that many errors, people want to know where they
// are, and have already seen how to fix them.
func (r *renderer) brief(d *Diagnostic) {
	message := d.Message
	if d.Path != "" {
		message += ", in " + d.Path
	}
	r.headline(d.At, r.style.err, d.Severity.String(), message, d.Code)
	for _, rel := range d.Related {
		r.out.WriteString("  ")
		r.headline(rel.At, r.style.note, "note", rel.Message, "")
	}
}

// headline writes `config.yml:3:5: error: message [code]`, with "weft" in place of a missing place.
func (r *renderer) headline(at source.Span, color, label, message string, code Code) {
	place := "weft"
	if f := r.file(at); f != nil {
		place = visible(r.files.Concealed(f.Where(at.Offset())))
	}
	r.paint(r.style.place, place+":")
	r.out.WriteByte(' ')
	r.paint(color, label+":")
	r.out.WriteByte(' ')
	r.text(message)
	if code != "" {
		r.out.WriteByte(' ')
		r.paint(r.style.code, "["+string(code)+"]")
	}
	r.out.WriteByte('\n')
}

// text writes a message; the lines after the first are indented, so that none can be mistaken for
// another diagnostic.
func (r *renderer) text(s string) {
	first := true
	s = strings.TrimRight(r.files.ConcealedMessage(s), "\n")
	for line := range strings.SplitSeq(s, "\n") {
		if !first {
			r.out.WriteString("\n  ")
		}
		first = false
		r.out.WriteString(visible(line))
	}
}

// underlined returns the span for the carets: the wrong word, if it is on the line of the
// diagnostic.
func (r *renderer) underlined(d *Diagnostic) source.Span {
	f, at := r.file(d.At), d.Marked(r.files)
	if f == nil || !f.Holds(at.Pos) || f.Line(at.Offset()) != f.Line(d.At.Offset()) {
		return d.At
	}
	return at
}

// excerpt writes the line that at begins on, and a line of carets under the part that at covers.
func (r *renderer) excerpt(at source.Span, color string) {
	f := r.file(at)
	if f == nil {
		return
	}
	off := min(at.Offset(), len(f.Data()))
	line := f.Line(off)
	text := f.Text(line)
	// The column of Place does not count bytes, so compute the line's start in the data.
	start := f.LineStart(off)
	from := min(off-start, len(text))
	to := min(from+int(at.Len), len(text))
	text, from, to = r.concealed(text, from, to)
	shown, left, carets := window(text, from, to, r.width)

	number := strconv.Itoa(line)
	switch {
	case f.IsRendered():
		number = " " // it would be taken for a line of the file that the headline names
	case f.Argument():
		number = " " + number // set apart from lines of files, as in ytt: no editor can open it
	}
	blank := strings.Repeat(" ", len(number))
	r.paint(r.style.gutter, blank+" |")
	r.out.WriteByte('\n')
	r.paint(r.style.gutter, number+" |")
	if shown != "" {
		r.out.WriteByte(' ')
		r.out.WriteString(shown)
	}
	r.out.WriteByte('\n')
	r.paint(r.style.gutter, blank+" |")
	r.out.WriteString(strings.Repeat(" ", left+1))
	r.paint(color, strings.Repeat("^", carets))
	r.out.WriteByte('\n')
}

// concealed returns a line of a file with secrets hidden, and the new offsets of from and to. If
// these are inside a secret, they cover the whole line.
func (r *renderer) concealed(line []byte, from, to int) ([]byte, int, int) {
	all := r.files.Concealed(string(line))
	if all == string(line) {
		return line, from, to
	}
	before := r.files.Concealed(string(line[:from]))
	after := r.files.Concealed(string(line[to:]))
	rest, ok := strings.CutPrefix(all, before)
	if !ok || !strings.HasSuffix(rest, after) {
		return []byte(all), 0, len(all)
	}
	return []byte(all), len(before), len(all) - len(after)
}

// file returns the file that at points into, or nil: a list may be shown without any files, as for
// a bad flag.
func (r *renderer) file(at source.Span) *source.File {
	if r.files == nil || !at.IsValid() {
		return nil
	}
	return r.files.File(at.Pos)
}

func (r *renderer) paint(color, s string) {
	if color == "" {
		r.out.WriteString(s)
		return
	}
	r.out.WriteString(color)
	r.out.WriteString(s)
	r.out.WriteString(r.style.reset)
}

const (
	tabWidth = 4
	cut      = "..." // marks what a window leaves out
)

// cell is one displayed character.
type cell struct {
	text       string
	col, width int
	begin, end int // its bytes in the line
}

// window prepares a line for display: tabs become spaces, invisible characters become visible, and
// a line of more than width columns is cut to the part around from. It also returns the column of
// the carets under from..to, and their number, at least one.
func window(line []byte, from, to, width int) (shown string, left, carets int) {
	// Look only at what might be shown, so that a line of megabytes costs no more than a short one.
	// A character of one column may take several bytes, hence the factor.
	lo, hi := max(0, from-8*width), min(len(line), from+8*width)
	for lo > 0 && lo < len(line) && !utf8.RuneStart(line[lo]) {
		lo--
	}
	for hi < len(line) && !utf8.RuneStart(line[hi]) {
		hi++
	}
	cells, total := layOut(line, lo, hi)
	caret, end := columnsOf(cells, total, from, to)

	first, last := 0, max(total, end)
	cutLeft, cutRight := lo > 0, hi < len(line)
	if cutLeft || cutRight || total > width {
		// The caret is in the right third at most, so that some text follows it.
		if at := caret - (width*2/3 - len(cut)); cutLeft || at > 0 {
			first, cutLeft = max(at, 0), true
		}
		room := width - len(cut)
		if cutLeft {
			room -= len(cut)
		}
		if cutRight || last-first > room+len(cut) {
			last, cutRight = min(last, first+room), true
		}
	}

	var b strings.Builder
	if cutLeft {
		b.WriteString(cut)
		left += len(cut)
	}
	// A wide character across the left edge is left out, and the columns move with it.
	begin := -1
	for _, c := range cells {
		if c.col < first {
			continue
		}
		if c.col+c.width > last {
			break
		}
		if begin < 0 {
			begin = c.col
		}
		b.WriteString(c.text)
	}
	if begin < 0 {
		begin = first
	}
	if cutRight {
		b.WriteString(cut)
	}
	shown = b.String()
	if !cutRight {
		shown = strings.TrimRight(shown, " ")
	}
	return shown, left + caret - begin, max(1, min(end, last)-caret)
}

// columnsOf returns the column of the byte at from, and the column after the last byte before to.
func columnsOf(cells []cell, total, from, to int) (first, end int) {
	first, end = total, total
	for i := len(cells) - 1; i >= 0; i-- {
		c := cells[i]
		if c.begin >= to {
			end = c.col
		}
		if c.end > from {
			first = c.col
		}
	}
	return first, max(end, first+1)
}

// layOut returns the characters of line[lo:hi] with their columns, and the total number of columns.
func layOut(line []byte, lo, hi int) ([]cell, int) {
	var cells []cell
	col := 0
	for i := lo; i < hi; {
		r, size := utf8.DecodeRune(line[i:])
		c := cell{col: col, begin: i, end: i + size}
		switch {
		case r == '\t':
			c.width = tabWidth - col%tabWidth
			c.text = strings.Repeat(" ", c.width)
		case i == 0 && r == '\ufeff':
			// a byte order mark is not text and has no column
		default:
			c.text, c.width = show(r, line[i:i+size])
		}
		cells = append(cells, c)
		col += c.width
		i += size
	}
	return cells, col
}

// visible returns s with invisible characters made visible.
func visible(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= ' ' && s[i] < 0x7f
	}
	if plain {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		t, _ := show(r, []byte(s[i:i+size]))
		b.WriteString(t)
		i += size
	}
	return b.String()
}

// show returns the displayed form of the character r, encoded as raw, and its number of columns.
// Characters that control a terminal or the direction of text are spelled out.
func show(r rune, raw []byte) (string, int) {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf("\\x%02x", raw[0]), 4
	case r < ' ':
		return string('\u2400' + r), 1 // the picture of a control character
	case r == 0x7f:
		return "\u2421", 1
	case r < 0x7f:
		return string(r), 1
	case unicode.In(r, unicode.Mn, unicode.Me) || r == 0x200d:
		return string(r), 0
	case !unicode.IsPrint(r) && r != 0xa0 && r != 0x3000:
		t := fmt.Sprintf("\\u%04x", r)
		return t, len(t)
	case isWide(r):
		return string(r), 2
	}
	return string(r), 1
}

// wide lists the ranges of characters that terminals show in two columns: East Asian scripts and
// emoji. It is coarser than Unicode's table, since it only affects the place of a caret.
var wide = [...]struct{ lo, hi rune }{
	{0x1100, 0x115f},
	{0x231a, 0x231b},
	{0x23e9, 0x23ec},
	{0x25fd, 0x25fe},
	{0x2614, 0x2615},
	{0x2648, 0x2653},
	{0x26a1, 0x26a1},
	{0x26bd, 0x26be},
	{0x26d4, 0x26d4},
	{0x2705, 0x2705},
	{0x274c, 0x274c},
	{0x2753, 0x2755},
	{0x2795, 0x2797},
	{0x2e80, 0x303e},
	{0x3041, 0xa4cf},
	{0xa960, 0xa97f},
	{0xac00, 0xd7a3},
	{0xf900, 0xfaff},
	{0xfe30, 0xfe6f},
	{0xff00, 0xff60},
	{0xffe0, 0xffe6},
	{0x1f300, 0x1f64f},
	{0x1f680, 0x1f6ff},
	{0x1f900, 0x1faff},
	{0x20000, 0x3fffd},
}

func isWide(r rune) bool {
	for _, w := range wide {
		if r <= w.hi {
			return r >= w.lo
		}
	}
	return false
}
