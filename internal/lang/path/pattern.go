package path

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// CodePattern is the code of errors about an invalid path in a flag.
const CodePattern diag.Code = "path/pattern"

// Pattern matches paths. It is written like a path; `*` matches any key or item, `**` any number of
// steps, and `[*]` any item of a list.
type Pattern []step

// step matches a segment of a path.
type step struct {
	kind stepKind
	text string // a key, or the value of by
	by   string
	n    int // the index of an item
}

type stepKind uint8

const (
	anyNumber stepKind = iota // **
	anyOne                    // *
	anyItem                   // [*]
	oneKey
	oneItem   // [3]
	keyedItem // [name=web]
)

// Parse parses a pattern. flag names the flag it comes from.
func Parse(flag, text string) (Pattern, error) {
	var list Pattern
	fail := func(at int, what string) (Pattern, error) {
		return nil, diag.Failf(CodePattern, "%s '%s': %s at column %d", flag, text, what, at+1).
			WithHint("write a path such as spec.template.*.image, spec.containers[name=web] or " +
				`metadata.annotations."example.com/hash"`)
	}
	begins := true // a key may follow
	for i := 0; i < len(text); {
		begin := begins
		begins = false
		switch {
		case i > 0 && !begin && intoString(text[i:]) > 0:
			if i += intoString(text[i:]); i == len(text) {
				return fail(i, "expected a key or an item")
			}
			begins = true
		case text[i] == '[':
			end := itemEnd(text, i)
			if end < 0 {
				return fail(i, "'[' is never closed")
			}
			s, ok := parseItem(text[i+1 : end])
			if !ok {
				return fail(i, "expected a number, *, or KEY=VALUE between the brackets")
			}
			list = append(list, s)
			i = end + 1
		case text[i] == '.':
			if i == 0 || i+1 == len(text) || text[i+1] == '.' || text[i+1] == '[' {
				return fail(i, "expected a key next to the dot")
			}
			i, begins = i+1, true
		default:
			if !begin {
				return fail(i, "expected '.' or '['")
			}
			key, end, ok := parseKey(text, i)
			if !ok {
				return fail(i, "the quoted key is not closed or not valid")
			}
			s := step{kind: oneKey, text: key}
			if text[i] != '"' {
				switch key {
				case "*":
					s = step{kind: anyOne}
				case "**":
					s = step{kind: anyNumber}
				}
			}
			list = append(list, s)
			i = end
		}
	}
	if len(list) == 0 {
		return nil, diag.Failf(CodePattern, "%s takes a path, but found an empty one", flag)
	}
	return list, nil
}

// intoString returns the length of the notation for a step into a string at the beginning of text,
// or 0. It begins with a blank, which no unquoted key contains. Patterns have no such step: see
// outside.
func intoString(text string) int {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " "), inside)
	if !ok || text[0] != ' ' {
		return 0
	}
	return len(text) - len(strings.TrimLeft(rest, " "))
}

// itemEnd returns the end of the bracket that opens at i, or -1. A quoted value may contain
// brackets.
func itemEnd(text string, i int) int {
	quoted := false
	for j := i + 1; j < len(text); j++ {
		switch {
		case quoted && text[j] == '\\':
			j++
		case text[j] == '"':
			quoted = !quoted
		case text[j] == ']' && !quoted:
			return j
		}
	}
	return -1
}

func parseItem(text string) (step, bool) {
	if text == "*" || text == "" {
		return step{kind: anyItem}, true
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return step{kind: oneItem, n: n}, true
	}
	by, id, ok := strings.Cut(text, "=")
	if !ok || by == "" {
		return step{}, false
	}
	if strings.HasPrefix(id, `"`) {
		s, err := strconv.Unquote(id)
		if err != nil {
			return step{}, false
		}
		id = s
	}
	return step{kind: keyedItem, by: by, text: id}, true
}

// parseKey reads the key that begins at i.
func parseKey(text string, i int) (key string, end int, ok bool) {
	if text[i] == '"' {
		quoted, err := strconv.QuotedPrefix(text[i:])
		if err != nil {
			return "", 0, false
		}
		key, err = strconv.Unquote(quoted)
		return key, i + len(quoted), err == nil
	}
	end = i
	for end < len(text) && text[end] != '.' && text[end] != '[' && intoString(text[end:]) == 0 {
		end++
	}
	return text[i:end], end, true
}

// Match reports whether the pattern matches a path or one of its ancestors: everything below a
// match matches too.
func (p Pattern) Match(path Path) bool { return p.match(path.outside()) }

// MayMatchBelow reports whether the pattern matches the path or could match something below it.
func (p Pattern) MayMatchBelow(path Path) bool {
	path = path.outside()
	for _, s := range p {
		if s.kind == anyNumber || len(path) == 0 {
			return true
		}
		if !s.matches(path[0]) {
			return false
		}
		path = path[1:]
	}
	return true
}

// outside returns the path without steps into strings: users need not know that a value is inside a
// string.
func (p Path) outside() Path {
	for i := range p {
		if p[i].Kind == Inside {
			return slices.DeleteFunc(p.Clone(), func(s Segment) bool { return s.Kind == Inside })
		}
	}
	return p
}

// match reports whether the pattern matches the beginning of a path.
func (p Pattern) match(path Path) bool {
	for i, s := range p {
		if s.kind == anyNumber {
			for ; !p[i+1:].match(path); path = path[1:] {
				if len(path) == 0 {
					return false
				}
			}
			return true
		}
		if len(path) == 0 || !s.matches(path[0]) {
			return false
		}
		path = path[1:]
	}
	return true
}

func (s *step) matches(to Segment) bool {
	switch s.kind {
	case anyOne:
		return true
	case anyItem:
		return to.Kind == Item
	case oneItem:
		return to.Kind == Item && (to.Index == s.n || to.Was == s.n)
	case keyedItem:
		id, isItem := to.ID, to.Kind == Item
		if to.By != s.by {
			v, ok := to.Item.Lookup(s.by)
			id, isItem = v, isItem && ok && v.Kind() == tree.ScalarKind
		}
		return isItem && scalarText(id) == s.text
	}
	return to.Kind == Key && to.Key.Kind() == tree.ScalarKind && scalarText(to.Key) == s.text
}

// Read parses a path as String formats it. It returns false for paths into strings and for
// patterns.
func Read(text string) (Path, bool) {
	if text == "" {
		return nil, true
	}
	p, err := Parse("", text)
	if err != nil {
		return nil, false
	}
	var out Path
	for _, s := range p {
		switch s.kind {
		case oneKey:
			out = append(out, ToKey(tree.String(s.text)))
		case oneItem:
			out = append(out, ToItem(s.n, s.n))
		case keyedItem:
			to := ToItem(-1, -1)
			to.By, to.ID = s.by, tree.String(s.text)
			out = append(out, to)
		default:
			return nil, false
		}
	}
	return out, true
}
