package secret

import (
	"iter"
	"strings"
)

// chained finds a text even if several formats have escaped it, one after the other: JSON in JSON in
// YAML quotes on a page. All formats leave letters and digits alone, so the text is split into runs
// of letters and digits. What is between two runs is compared after all escapes are removed.
type chained struct {
	runs     []string
	before   []string // the text before each run, without escapes
	maxBytes []int    // the maximum length of that text when it is escaped
	first    string   // the text before the first run
	last     string   // the text after the last run
	anchor   int      // the run to search for: the first of at least shortest bytes, or the longest
	lead     int      // how many bytes may be before the anchor
}

const (
	// maxRuns is the maximum number of runs of a text found this way. Longer texts are found line
	// by line.
	maxRuns = 64
	// escapedByte is the maximum number of bytes for one escaped byte, if formats are not nested
	// too deeply.
	escapedByte = 24
)

// newChained returns nil for a text that all formats write the same way, and for one without letters
// and digits.
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
	if len(c.runs) == 0 || len(c.runs) > maxRuns ||
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

// start returns the text to search for.
func (c *chained) start() string {
	return c.runs[c.anchor][:min(len(c.runs[c.anchor]), shortest)]
}

// find returns the span of the whole text, given the place where start was found.
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

// end returns where the last run ends, given where the first one ends; 0 if not all are found.
// Escapes contain letters too, so a run may be found in several places.
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

// places yields where run i may begin, given where the previous one ends.
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

// around extends a span to the text before the first run and after the last one.
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

// same reports whether an escaped text, without its escapes, equals another one.
func same(escaped, text string) bool {
	if plain := unescaped(text); plain != "" {
		return unescaped(escaped) == plain
	}
	escaped, text = withoutEscapes(escaped), withoutEscapes(text)
	return escaped == text || escaped == strings.ReplaceAll(text, "'", "''")
}

// unescaped returns a text without escapes, and without characters that formats may double or write
// as a blank.
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
