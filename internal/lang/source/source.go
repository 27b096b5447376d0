// Package source holds the bytes that weft reads and the positions that point into them.
//
// A Set numbers the files of one run, so that a position takes eight bytes (file number and offset)
// and fits on every node. Lines and columns are computed on demand, from a line table that a file
// builds on first use: most files never need it.
package source

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxSize is the size of the largest file that positions can point into.
const MaxSize = math.MaxUint32 - 1

// Pos is a place in a file of a Set: eight bytes, comparable, and the zero value means "nowhere".
type Pos struct {
	file uint32 // number of the file in its Set, from 1
	off  uint32
}

// IsValid reports whether p points anywhere.
func (p Pos) IsValid() bool { return p.file != 0 }

// SameFile reports whether both are places in the same file.
func (p Pos) SameFile(q Pos) bool { return p.IsValid() && p.file == q.file }

// Compare orders positions by file, in the order of the set, and then by offset. The zero Pos comes
// first.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.file, q.file), cmp.Compare(p.off, q.off))
}

// Offset returns the byte offset of p in its file.
func (p Pos) Offset() int { return int(p.off) }

// To returns the span from p up to the byte offset end of the same file.
func (p Pos) To(end int) Span {
	if end < int(p.off) {
		end = int(p.off)
	}
	return Span{Pos: p, Len: uint32(end) - p.off}
}

// Span is a run of bytes in one file. A span of length 0 is a place between two bytes.
type Span struct {
	Pos
	Len uint32
}

// End returns the offset after the last byte of s.
func (s Span) End() int { return int(s.off) + int(s.Len) }

// Place is a position for people: both numbers count from 1, columns count characters.
type Place struct {
	Line, Column int
}

// Set numbers the files of one run. It is safe for concurrent use.
type Set struct {
	mu      sync.RWMutex
	files   []*File
	conceal Concealer // see Conceal
	hidden  []string  // see Hide
}

// Single returns a set that contains only f, a file of another set: positions of f are valid in it.
func Single(f *File) *Set {
	s := &Set{files: make([]*File, f.id)}
	s.files[f.id-1] = f
	return s
}

// Add registers data under a name, which messages show too. The set keeps data: do not change it.
func (s *Set) Add(name string, data []byte) (*File, error) {
	return s.add(&File{name: name, shown: name, data: data})
}

// AddShown registers a file with two names: templates use name, and messages show shown, the path
// at which the user can open it.
func (s *Set) AddShown(name, shown string, data []byte) (*File, error) {
	return s.add(&File{name: name, shown: shown, data: data})
}

// AddArgument registers text from the command line or the environment. shown identifies it; for a
// text of one line, messages show only that, without line and column.
func (s *Set) AddArgument(name, shown string, data []byte) (*File, error) {
	return s.add(&File{name: name, shown: shown, argument: true, data: data})
}

func (s *Set) add(f *File) (*File, error) {
	if err := checkSize(f.shown, f.data); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.id = uint32(len(s.files) + 1)
	s.files = append(s.files, f)
	return f, nil
}

// checkSize rejects files too large for positions.
func checkSize(shown string, data []byte) error {
	if len(data) > MaxSize {
		return fmt.Errorf(
			"%s: %d bytes, but files of at most %d bytes can be read",
			shown,
			len(data),
			MaxSize,
		)
	}
	return nil
}

// Fork returns a new set that begins with the files of s. Runs that share those files can add others
// independently of each other.
func (s *Set) Fork() *Set {
	s.mu.RLock()
	defer s.mu.RUnlock()
	// clipped, so that adding to either set copies the slice
	return &Set{files: slices.Clip(s.files), conceal: s.conceal, hidden: s.hidden}
}

// Copy returns a new set with the same files, on which Replace and Remove may be called: sets that
// others read never lose a file. What is secret in the next run is not known yet, so nothing is concealed.
func (s *Set) Copy() *Set {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return &Set{files: slices.Clone(s.files)}
}

// Len returns how many files were added so far, including removed ones.
func (s *Set) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.files)
}

// From returns the files added after the first n.
func (s *Set) From(n int) []*File {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.files[n:])
}

// Take adds files of another set. There must have been as many files before them as s has now, so
// that their positions stay valid.
func (s *Set) Take(files []*File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = append(s.files, files...)
}

// Replace registers new data for a file of the set. Positions in the old data become invalid in
// this set.
func (s *Set) Replace(old *File, data []byte) (*File, error) {
	if err := checkSize(old.shown, data); err != nil {
		return nil, err
	}
	f := &File{name: old.name, shown: old.shown, argument: old.argument, data: data, id: old.id}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[old.id-1] = f
	return f, nil
}

// Remove forgets a file. Positions in it become invalid in this set.
func (s *Set) Remove(old *File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[old.id-1] = nil
}

// Conceal sets the function that removes secrets from texts of the files before messages show them.
func (s *Set) Conceal(hide Concealer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conceal = hide
}

// Hide replaces the texts to hide in messages, and the function that hides them. add gets the texts of
// earlier runs and must return them, too, since messages of these runs may be shown later.
func (s *Set) Hide(add func(hidden []string) ([]string, Concealer)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hidden, s.conceal = add(s.hidden)
}

// Concealer removes secrets from a text. From a message it also removes parts of secrets: functions
// and libraries quote parts of their arguments.
type Concealer func(text string, message bool) string

// Concealed returns a text for people, such as a line of a file, without secrets. The receiver may
// be nil.
func (s *Set) Concealed(text string) string { return s.concealed(text, false) }

// ConcealedMessage is like Concealed for messages.
func (s *Set) ConcealedMessage(text string) string { return s.concealed(text, true) }

func (s *Set) concealed(text string, message bool) string {
	if s == nil {
		return text
	}
	s.mu.RLock()
	hide := s.conceal
	s.mu.RUnlock()
	if hide == nil {
		return text
	}
	return hide(text, message)
}

// All returns the files of the set, in the order in which they were added. The receiver may be nil.
func (s *Set) All() []*File {
	if s == nil {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.DeleteFunc(slices.Clone(s.files), func(f *File) bool { return f == nil })
}

// File returns the file that p points into, or nil if p is not valid. The receiver may be nil.
func (s *Set) File(p Pos) *File {
	if s == nil {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if p.file == 0 || int(p.file) > len(s.files) {
		return nil
	}
	return s.files[p.file-1]
}

// File is one input: its two names and its bytes. It never changes.
type File struct {
	name     string
	shown    string
	argument bool // text of the command line or the environment, not a file
	data     []byte
	id       uint32

	rendered *rendered // see SetOrigins

	once   sync.Once
	starts []uint32 // offset of each line's first byte
}

// Name returns the file's name for templates and -o pos: for a file below a directory of -f, its
// path below that directory.
func (f *File) Name() string { return f.name }

// Shown returns the file's name for messages: the path at which the user can open it, or a
// description. No two inputs share it.
func (f *File) Shown() string { return f.shown }

// Argument reports whether f is text from the command line or the environment.
func (f *File) Argument() bool { return f.argument }

// Where returns the place of byte offset off for people: `config/app.yml:3:5`. An argument of one
// line has neither line nor column. For text that another program rendered, it is the line or the
// file that the text comes from.
func (f *File) Where(off int) string {
	if f.oneLine() || f.rendered != nil {
		return f.WhereLine(off)
	}
	p := f.Place(off)
	return f.shown + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// WhereLine returns the line of byte offset off for people: `config/app.yml:3`. For text that another program
// rendered, it is the line or the file that the text comes from.
func (f *File) WhereLine(off int) string {
	if f.oneLine() {
		return f.shown
	}
	if from := f.Origins(off); from != nil {
		return from[0].String()
	}
	return f.shown + ":" + strconv.Itoa(f.Line(off))
}

// oneLine reports whether the name alone identifies a place: an argument of one line.
func (f *File) oneLine() bool { return f.argument && f.Lines() == 1 }

// Data returns the file's bytes. Do not change them.
func (f *File) Data() []byte { return f.data }

// SameText reports whether two files have the same bytes. A file that is read again becomes another
// File, so comparing pointers is not enough.
func (f *File) SameText(g *File) bool { return f == g || bytes.Equal(f.data, g.data) }

// Holds reports whether a position is in the file.
func (f *File) Holds(p Pos) bool { return p.file == f.id }

// Pos returns the position of byte offset off.
func (f *File) Pos(off int) Pos { return Pos{file: f.id, off: uint32(off)} }

// Span returns the bytes from start up to end.
func (f *File) Span(start, end int) Span { return f.Pos(start).To(end) }

// Line returns the number of the line that holds byte offset off, from 1.
func (f *File) Line(off int) int {
	f.once.Do(f.findLines)
	i, found := slices.BinarySearch(f.starts, uint32(off))
	if found {
		return i + 1
	}
	return i
}

// Place returns the line and column of byte offset off.
func (f *File) Place(off int) Place {
	off = min(off, len(f.data))
	return Place{Line: f.Line(off), Column: f.Column(off, Characters)}
}

// Unit is what a column counts.
type Unit uint8

// The units.
const (
	Characters Unit = iota // as people count
	Bytes
	UTF16 // as editors count
)

// Column returns the column of byte offset off in its line, from 1. A byte order mark has no
// column.
func (f *File) Column(off int, unit Unit) int {
	off = min(off, len(f.data))
	start := f.lineStart(f.Line(off))
	text := bytes.TrimPrefix(f.data[start:off], bom)
	return width(text, unit) + 1
}

// Offset returns the byte offset of a line and a column, both from 1: the inverse of Line and
// Column. A place after the end of a line becomes that end.
func (f *File) Offset(line, column int, unit Unit) int {
	f.once.Do(f.findLines)
	line = min(max(line, 1), len(f.starts))
	text := f.Text(line)
	start := f.lineStart(line)
	if rest, ok := bytes.CutPrefix(text, bom); ok {
		text, start = rest, start+len(bom)
	}
	at := 0
	for column > 1 && at < len(text) {
		_, size := utf8.DecodeRune(text[at:])
		column -= width(text[at:at+size], unit)
		at += size
	}
	return start + at
}

// LineStart returns the offset of the first byte of the line that contains byte offset off. It
// reads only that line.
func (f *File) LineStart(off int) int {
	off = min(off, len(f.data))
	if off > 0 && off < len(f.data) && f.data[off] == '\n' && f.data[off-1] == '\r' {
		off-- // in the middle of "\r\n", which belongs to the previous line
	}
	return bytes.LastIndexAny(f.data[:off], "\r\n") + 1
}

// LineEnd returns the offset after the line break of the line that contains byte offset off, or the
// end of the file. It reads only that line.
func (f *File) LineEnd(off int) int {
	i := bytes.IndexAny(f.data[off:], "\r\n")
	if i < 0 {
		return len(f.data)
	}
	if end := off + i + 2; f.data[off+i] == '\r' && end <= len(f.data) && f.data[end-1] == '\n' {
		return end
	}
	return off + i + 1
}

// lineStart returns the offset of the first byte of a line, from 1.
func (f *File) lineStart(line int) int { return int(f.starts[line-1]) }

// width returns the number of units in a text.
func width(text []byte, unit Unit) int {
	switch unit {
	case Bytes:
		return len(text)
	case UTF16:
		n := 0
		for _, r := range string(text) {
			n += max(1, utf16.RuneLen(r))
		}
		return n
	}
	return utf8.RuneCount(text)
}

var bom = []byte("\ufeff")

// Lines returns the number of lines; a file that ends in a line break has an empty last one.
func (f *File) Lines() int {
	f.once.Do(f.findLines)
	return len(f.starts)
}

// Text returns the text of line n (from 1) without its line break.
func (f *File) Text(n int) []byte {
	f.once.Do(f.findLines)
	if n < 1 || n > len(f.starts) {
		return nil
	}
	end := len(f.data)
	if n < len(f.starts) {
		end = int(f.starts[n])
	}
	return bytes.TrimRight(f.data[f.starts[n-1]:end], "\r\n")
}

// findLines fills the line table. A line ends at "\n", "\r\n" or a lone "\r", as in YAML. The places
// of the next "\n" and the next "\r" are both kept until they are passed, so that every byte is
// searched at most twice, even if the only "\r" is at the end of a long file.
func (f *File) findLines() {
	f.starts = make([]uint32, 1, bytes.Count(f.data, []byte{'\n'})+1)
	lf, cr := f.index('\n', 0), f.index('\r', 0)
	for {
		i := min(lf, cr)
		if i == len(f.data) {
			return
		}
		if lf == cr+1 && lf < len(f.data) {
			i = lf
		}
		i++
		f.starts = append(f.starts, uint32(i))
		if lf < i {
			lf = f.index('\n', i)
		}
		if cr < i {
			cr = f.index('\r', i)
		}
	}
}

// index returns the offset of the first c at or after from, or the end of the file.
func (f *File) index(c byte, from int) int {
	if i := bytes.IndexByte(f.data[from:], c); i >= 0 {
		return from + i
	}
	return len(f.data)
}
