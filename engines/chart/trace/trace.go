// Package trace finds the lines of Go templates that rendered text comes from. Templates are rendered once
// more with marks in their text, which name lines, and all functions compute without marks: what is rendered
// is the same but for the marks.
//
//	trace.go     the tracer: chains of places, the origins of rendered lines
//	mark.go      marks in texts
//	rewrite.go   templates → templates with marks
//	calls.go     functions that rewritten templates call
//	keep.go      functions whose results keep the marks of their arguments
//	values.go    the values of a chart, recognized in templates
package trace

import (
	"strings"

	"weft/internal/project/engines/wire"
)

// Tracer traces one render of a chart.
type Tracer struct {
	values  *Values
	files   map[string]string // paths of files by their text
	places  []wire.Place      // by number
	numbers map[key]int       // numbers of places
	chains  []chain           // chains[0] is not used
	known   map[chain]int     // numbers of chains
	stack   []any             // arguments of the calls that are under way
}

// key identifies a place.
type key struct {
	file   string
	line   int
	values string
}

// chain is a place and the chain of what came from there before: the inner part.
type chain struct{ inner, place, depth int }

// maxDepth is the number of places of the longest chains: of deeper ones, the inner places are known.
const maxDepth = 100

// New returns a tracer for templates that see values. Files are those that templates can read, by their text.
func New(values *Values, files map[string]string) *Tracer {
	return &Tracer{
		values: values, files: files,
		numbers: map[key]int{}, known: map[chain]int{}, chains: make([]chain, 1),
	}
}

// line returns the number of a line of a file.
func (t *Tracer) line(file string, line int) int {
	return t.number(key{file, line, ""}, wire.Place{File: file, Line: line})
}

// value returns the number of a value.
func (t *Tracer) value(p wire.Place) int {
	return t.number(key{p.File, p.Line, strings.Join(p.Values, "\x00")}, p)
}

func (t *Tracer) number(k key, p wire.Place) int {
	n, ok := t.numbers[k]
	if !ok {
		n = len(t.places)
		t.places = append(t.places, p)
		t.numbers[k] = n
	}
	return n
}

// chain returns the number of a chain: what a place made of an inner chain, which is 0 if there is none.
func (t *Tracer) chain(inner, place int) int {
	c := chain{inner, place, 1}
	if inner != 0 {
		c.depth = t.chains[inner].depth + 1
		if t.chains[inner].place == place || c.depth > maxDepth {
			return inner
		}
	}
	n, ok := t.known[c]
	if !ok {
		n = len(t.chains)
		t.chains = append(t.chains, c)
		t.known[c] = n
	}
	return n
}

// Lines returns a rendered text without marks, and the chain of places of each of its lines.
func (t *Tracer) Lines(marked string) (lines []string, origins [][]wire.Place) {
	for line := range strings.SplitSeq(marked, "\n") {
		text, marks := t.split(line)
		lines = append(lines, text)
		origins = append(origins, t.origin(marks))
	}
	return lines, origins
}

// origin returns the chain of a line with marks: the values on this line, then the longest chain of lines
// that all others end with. Where there are several such chains, what they have in common counts; and where
// they have nothing in common, because line breaks were removed, the first one does.
func (t *Tracer) origin(marks []int) []wire.Place {
	var values []int
	var longest []int
	for i, m := range marks {
		var lines []int
		for _, p := range t.unfold(m) {
			if t.places[p].Values == nil {
				lines = append(lines, p)
			} else if !contains(values, p) {
				values = append(values, p)
			}
		}
		if i == 0 {
			longest = lines
			continue
		}
		n := common(longest, lines)
		switch {
		case n == len(longest) && n < len(lines):
			longest = lines
		case n == 0 || n == len(lines):
		default:
			longest = longest[len(longest)-n:]
		}
	}
	var out []wire.Place
	for _, p := range append(values, longest...) {
		out = append(out, t.places[p])
	}
	return out
}

// unfold returns the places of a chain, innermost first.
func (t *Tracer) unfold(n int) []int {
	out := make([]int, t.chains[n].depth)
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = t.chains[n].place
		n = t.chains[n].inner
	}
	return out
}

func contains(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

// common returns how many places two chains have in common at their ends.
func common(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
