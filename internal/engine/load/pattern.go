package load

import "strings"

// pattern matches whole relative paths. It is the only language of patterns: that of file marks, and
// of exclude, marks, lint.paths, fmt.exclude and test.files in weft.yml. Stars are all it has:
//
//	**/*  one or more characters across segments: `**/*` alone matches every file
//	**/   whole segments, also none, where a segment begins
//	**    any characters, also none, across segments
//	*     one or more characters of one segment
//
// ytt supports only the first `**/*` and the first other star, and takes further stars literally, so
// that `*/*.yml` matches nothing there. Patterns that work in ytt mean the same here.
type pattern []token

type token struct {
	kind tokenKind
	text string // of literal
}

type tokenKind uint8

const (
	literal tokenKind = iota
	inSegment
	anything
	something
	segments
)

func parsePattern(s string) pattern {
	var p pattern
	for i := 0; i < len(s); {
		rest := s[i:]
		switch {
		case strings.HasPrefix(rest, "**/*") && !strings.HasPrefix(rest, "**/**"):
			p = append(p, token{kind: something})
			i += 4
		case strings.HasPrefix(rest, "**/") && (i == 0 || s[i-1] == '/'):
			p = append(p, token{kind: segments})
			i += 3
		case strings.HasPrefix(rest, "**"):
			p = append(p, token{kind: anything})
			i += 2
		case rest[0] == '*':
			p = append(p, token{kind: inSegment})
			i++
		default:
			n := strings.IndexByte(rest, '*')
			if n < 0 {
				n = len(rest)
			}
			p = append(p, token{kind: literal, text: rest[:n]})
			i += n
		}
	}
	return p
}

// match follows all ways through the pattern at once: after each token, at holds the offsets in path
// that can be reached. The cost is at most the product of the lengths, however many stars there are.
func (p pattern) match(path string) bool {
	at := make([]bool, len(path)+1)
	next := make([]bool, len(path)+1)
	at[0] = true
	for _, t := range p {
		clear(next)
		switch t.kind {
		case literal:
			for i := range at {
				if at[i] && strings.HasPrefix(path[i:], t.text) {
					next[i+len(t.text)] = true
				}
			}
		case inSegment:
			for i := range len(path) {
				next[i+1] = path[i] != '/' && (at[i] || next[i])
			}
		case something:
			for i := range len(path) {
				next[i+1] = at[i] || next[i]
			}
		case anything:
			next[0] = at[0]
			for i := range len(path) {
				next[i+1] = at[i+1] || next[i]
			}
		case segments:
			reached := false
			for i := range at {
				next[i] = at[i] || reached && i > 0 && path[i-1] == '/'
				reached = reached || at[i]
			}
		}
		at, next = next, at
	}
	return at[len(path)]
}

// MatchPath reports whether a pattern matches a relative path.
func MatchPath(pattern, path string) bool { return parsePattern(pattern).match(path) }
