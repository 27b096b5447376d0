package secret

import (
	"iter"
	"strings"
)

// chained finds a text whatever formats have escaped it, one inside of the other: JSON in JSON in
// quotes of YAML on a page. Letters and digits stay as they are in all of them, so the text is
// its runs of these, and what is between two runs is compared when nothing in it is escaped anymore.
type chained struct {
	runs     []string
	before   []string // what is before each run, without escapes
	maxBytes []int    // how many bytes that may be in another text
	first    string   // what is before the first run
	last     string   // what is after the last run
	anchor   int      // the run that is looked for: the first of at least shortest bytes, or the longest
	lead     int      // how many bytes may be before the anchor
}

const (
	// mostRuns is how many runs a text has that is found so. The lines of a longer one are.
	mostRuns = 64
	// escapedByte is how many bytes formats make of one, if they are not nested too deep.
	escapedByte = 24
)

// newChained returns nil for a text that all formats write in the same way, and for one that has
// no letters and digits.
func newChained(text string) *chained {
	c := new(chained)
	for rest := text; ; {
		i := 0
		for i < len(rest) && !isAlnum(rest[i]) {
			i++
		}
		between := rest[:i]
		if rest = rest[i:]; rest == "" {
			c.last = between
			break
		}
		for i = 0; i < len(rest) && isAlnum(rest[i]); {
			i++
		}
		if len(c.runs) == 0 {
			c.first = between
		}
		c.add(between, rest[:i])
		rest = rest[i:]
	}
	if len(c.runs) == 0 || len(c.runs) > mostRuns ||
		len(c.runs) == 1 && c.first == "" && c.last == "" {
		return nil
	}
	for i := range c.anchor {
		c.lead += len(c.runs[i]) + c.maxBytes[i+1]
	}
	return c
}

func (c *chained) add(between, run string) {
	if len(c.runs) > 0 {
		if best := len(c.runs[c.anchor]); best < shortest && len(run) > best {
			c.anchor = len(c.runs)
		}
	}
	c.runs = append(c.runs, run)
	c.before = append(c.before, unescaped(between))
	c.maxBytes = append(c.maxBytes, escapedByte*len(between))
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// start returns what a text has where c may be found.
func (c *chained) start() string {
	return c.runs[c.anchor][:min(len(c.runs[c.anchor]), shortest)]
}

// find returns where the whole is in a text that has the start of c at a place.
func (c *chained) find(text string, at int) (span, bool) {
	for from := at; from >= max(0, at-c.lead); from-- {
		if !strings.HasPrefix(text[from:], c.runs[0]) {
			continue
		}
		if to := c.end(text, from+len(c.runs[0])); to > at {
			return c.around(text, span{from, to}), true
		}
	}
	return span{}, false
}

// end returns where the last run ends if the first one ends at a place; 0 if not all are found.
// Escapes have letters, too, so that there may be several places for a run.
func (c *chained) end(text string, first int) int {
	ends := []int{first}
	for i, run := range c.runs[1:] {
		var next []int
		for _, from := range ends {
			for to := range c.places(text, from, i+1) {
				if len(next) == 0 || next[len(next)-1] < to+len(run) {
					next = append(next, to+len(run))
				}
			}
		}
		if ends = next; ends == nil {
			return 0
		}
	}
	return ends[len(ends)-1]
}

// places returns where run i begins if the one before ends at a place.
func (c *chained) places(text string, from, i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		last := min(len(text)-len(c.runs[i]), from+c.maxBytes[i])
		for to := from; to <= last; to++ {
			if strings.HasPrefix(text[to:], c.runs[i]) && unescaped(text[from:to]) == c.before[i] && !yield(to) {
				return
			}
		}
	}
}

// around extends a span to what is before the first run and after the last one.
func (c *chained) around(text string, s span) span {
	for n := range min(s.from, escapedByte*len(c.first)) {
		if same(text[s.from-n-1:s.from], c.first) {
			s.from -= n + 1
			break
		}
	}
	for n := range min(len(text)-s.to, escapedByte*len(c.last)) {
		if same(text[s.to:s.to+n+1], c.last) {
			s.to += n + 1
			break
		}
	}
	return s
}

// same reports whether an escaped text is another one.
func same(escaped, text string) bool {
	if plain := unescaped(text); plain != "" {
		return unescaped(escaped) == plain
	}
	escaped, text = withoutEscapes(escaped), withoutEscapes(text)
	return escaped == text || escaped == strings.ReplaceAll(text, "'", "''")
}

// unescaped returns a text without any escapes, and without what formats may double or use for a
// blank.
func unescaped(text string) string {
	return strings.NewReplacer("'", "", "+", "").Replace(withoutEscapes(text))
}

// withoutEscapes returns a text without any escapes and blanks.
func withoutEscapes(text string) string {
	for {
		plain := unescape(text)
		if plain == text {
			return strings.ReplaceAll(withoutBlanks(text), `\`, "")
		}
		text = plain
	}
}
