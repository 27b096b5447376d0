package source

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLines(t *testing.T) {
	tests := []struct {
		name string
		data string
		want []string
	}{
		{"empty", "", []string{""}},
		{"no break", "a", []string{"a"}},
		{"lf", "a\nb\n", []string{"a", "b", ""}},
		{"crlf", "a\r\nb\r\n", []string{"a", "b", ""}},
		{"lone cr", "a\rb\r", []string{"a", "b", ""}},
		{"mixed", "a\rb\nc\r\nd", []string{"a", "b", "c", "d"}},
		{"cr before crlf", "a\r\r\nb", []string{"a", "", "b"}},
		{"lf before cr", "a\n\rb", []string{"a", "", "b"}},
		{"cr far behind lf", "a\nb\nc\nd\re", []string{"a", "b", "c", "d", "e"}},
		{"only breaks", "\n\r\n\r", []string{"", "", "", ""}},
		{
			"other breaks of Unicode are text",
			"a\u0085b\u2028c\v\f",
			[]string{"a\u0085b\u2028c\v\f"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := add(t, tt.data)
			var got []string
			for n := 1; n <= f.Lines(); n++ {
				got = append(got, string(f.Text(n)))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("lines of %q: got %q, want %q", tt.data, got, tt.want)
			}
			if f.Text(0) != nil || f.Text(f.Lines()+1) != nil {
				t.Error("a line outside the file has text")
			}
		})
	}
}

// The line table must agree with a reader that looks at one byte at a time.
func TestLinesRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := make([]byte, rnd.IntN(12))
		for i := range data {
			data[i] = "ab\n\r"[rnd.IntN(4)]
		}
		f := add(t, string(data))
		line := 1
		for off := range len(data) + 1 {
			if off > 0 &&
				(data[off-1] == '\n' || data[off-1] == '\r' && !(off < len(data) && data[off] == '\n')) {
				line++
			}
			if got := f.Line(off); got != line {
				t.Fatalf("line of offset %d in %q: got %d, want %d", off, data, got, line)
			}
		}
	}
}

// LineStart and LineEnd look at one line, and agree with the table of all lines.
func TestLineBoundsRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		data := make([]byte, rnd.IntN(12))
		for i := range data {
			data[i] = "ab\r\n"[rnd.IntN(4)]
		}
		f := add(t, string(data))
		for off := range len(data) + 1 {
			line := f.Line(off)
			start, end := f.lineStart(line), len(data)
			if line < f.Lines() {
				end = f.lineStart(line + 1)
			}
			if f.LineStart(off) != start || f.LineEnd(off) != end {
				t.Fatalf("%q at %d: line is %d to %d, want %d to %d",
					data, off, f.LineStart(off), f.LineEnd(off), start, end)
			}
		}
	}
}

func TestPlace(t *testing.T) {
	tests := []struct {
		name string
		data string
		at   string // the place is that of the first occurrence
		want Place
	}{
		{"start", "abc", "a", Place{1, 1}},
		{"second line", "a\n  b", "b", Place{2, 3}},
		{"behind crlf", "a\r\nb", "b", Place{2, 1}},
		{"the break belongs to its line", "ab\ncd", "\n", Place{1, 3}},
		{"characters, not bytes", "äöü: é!", "!", Place{1, 7}},
		{"outside the BMP", "\U0001F600x", "x", Place{1, 2}},
		{"tab is one column", "\tx", "x", Place{1, 2}},
		{"byte order mark has no column", "\ufeffa: 1", "a", Place{1, 1}},
		{"byte order mark before a later document", "a\n\ufeffb", "b", Place{2, 1}},
		{"invalid bytes count one each", "\xff\xfex", "x", Place{1, 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := add(t, tt.data)
			if got := f.Place(strings.Index(tt.data, tt.at)); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	f := add(t, "a\nbc")
	if got, want := f.Place(99), (Place{2, 3}); got != want {
		t.Errorf("place behind the end: got %v, want %v", got, want)
	}
}

func TestSet(t *testing.T) {
	var set Set
	a, _ := set.Add("a", []byte("x"))
	b, _ := set.Add("b", []byte("y"))
	if set.File(a.Pos(0)) != a || set.File(b.Pos(1)) != b {
		t.Error("a position does not lead back to its file")
	}
	if set.File(Pos{}) != nil || (Pos{}).IsValid() {
		t.Error("the zero position points somewhere")
	}
	var other Set
	if other.File(b.Pos(0)) != nil {
		t.Error("a set knows a file that was never added to it")
	}
	s := a.Span(0, 1)
	if s.Offset() != 0 || s.End() != 1 || a.Span(1, 0).End() != 1 {
		t.Error("spans have the wrong ends")
	}
}

func BenchmarkLines(b *testing.B) {
	// The only carriage return is at the far end: the shape that makes a careless search
	// quadratic.
	data := append(bytes.Repeat([]byte("key: value\n"), 100_000), '\r')
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		f := File{data: data}
		f.findLines()
	}
}

func add(t *testing.T, data string) *File {
	t.Helper()
	var set Set
	f, err := set.Add("test.yml", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A fork has the files that were there, under the same positions; what is added later is not
// shared.
func TestFork(t *testing.T) {
	var s Set
	a, _ := s.Add("a", []byte("a"))
	f, g := s.Fork(), s.Fork()
	inF, _ := f.Add("f", []byte("f"))
	inG, _ := g.Add("g", []byte("g"))
	later, _ := s.Add("later", []byte("l"))
	for _, c := range []struct {
		set  *Set
		pos  Pos
		want *File
	}{{f, a.Pos(0), a}, {g, a.Pos(0), a}, {f, inF.Pos(0), inF}, {g, inG.Pos(0), inG}, {&s, later.Pos(0), later}} {
		if got := c.set.File(c.pos); got != c.want {
			t.Errorf("got %v, want %v", got.Name(), c.want.Name())
		}
	}
}

// FuzzColumns: whatever a column counts, Offset is the inverse of Line and Column at each
// character.
func FuzzColumns(f *testing.F) {
	f.Add([]byte("a: \U0001F600b\r\n\u00e9\ufeff\n"))
	f.Add([]byte("\ufeffa\xff\r\rb"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var set Set
		file, err := set.Add("f", data)
		if err != nil {
			t.Skip()
		}
		for n := 1; n <= file.Lines(); n++ {
			text := file.Text(n)
			start := file.lineStart(n)
			if rest, ok := bytes.CutPrefix(text, bom); ok {
				text, start = rest, start+len(bom)
			}
			for at := 0; ; {
				for _, unit := range []Unit{Characters, Bytes, UTF16} {
					if got := file.Offset(n, file.Column(start+at, unit), unit); got != start+at {
						t.Errorf(
							"unit %d: offset %d in line %d comes back as %d",
							unit,
							start+at,
							n,
							got,
						)
					}
				}
				if at == len(text) {
					break
				}
				_, size := utf8.DecodeRune(text[at:])
				at += size
			}
		}
	})
}

func TestColumn(t *testing.T) {
	var set Set
	file, _ := set.Add("f", []byte("x\n\u00e9\U0001F600z\n"))
	off := 2 + 2 + 4 // before z
	for unit, want := range map[Unit]int{Characters: 3, Bytes: 7, UTF16: 4} {
		if got := file.Column(off, unit); got != want {
			t.Errorf("unit %d: column %d, want %d", unit, got, want)
		}
	}
	if got := file.Offset(2, 100, UTF16); got != 9 {
		t.Errorf("behind the end: %d, want 9", got)
	}
}
