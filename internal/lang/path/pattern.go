package path

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// CodePattern is the code of errors about an invalid path in a flag.
const CodePattern diag.Code = "path/pattern"

// Pattern matches paths. It is written like a path, with or without a leading dot; `*` matches any key or
// item, `**` any number of steps, `[*]` any item of a list and `[name=~RE]` those whose name matches. A
// step such as `0` is an item of a list and a key of a map; `["a.b"]` and `"a.b"` are keys.
type Pattern []step

// step matches a segment of a path.
type step struct {
	kind stepKind
	text string // a key, or the value of by
	by   string
	n    int // the index of an item; for a key, the index that it means in a list, or -1
	re   *regexp.Regexp
	odd  bool // the key may be written without quotes as something else than a string
}

type stepKind uint8

const (
	anyNumber stepKind = iota // **
	anyOne                    // *
	anyItem                   // [*]
	oneKey
	oneItem   // [3]
	keyedItem // [name=web]
	likeItem  // [name=~^web]
	end       // after the last step: see Patterns
)

// Parse parses a pattern. flag names the flag it comes from.
func Parse(flag, text string) (Pattern, error) {
	var list Pattern
	fail := func(at int, what string) (Pattern, error) {
		return nil, diag.Failf(CodePattern, "%s '%s': %s at column %d", flag, text, what, at+1).
			WithHint("%s", hintFor(text))
	}
	if strings.HasPrefix(text, "$.") || strings.HasPrefix(text, "$[") {
		return fail(0, "expected a key")
	}
	begins := true // a key may follow
	for i := leadingDot(text); i < len(text); {
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
			s, wrong := parseItem(text[i+1 : end])
			if wrong != "" {
				return fail(i, wrong)
			}
			list = append(list, s)
			i = end + 1
		case text[i] == '.':
			if i+1 == len(text) || text[i+1] == '.' {
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
			if text[i] != '"' && strings.Contains(key, " |") {
				return fail(i, "expected a key")
			}
			s := keyStep(key, -1)
			if text[i] != '"' {
				s = plainStep(key)
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
	quoted, depth := false, 0
	by, _, isLike := strings.Cut(text[i:], "=~")
	isLike = isLike && !strings.Contains(by, "]") // a regular expression may contain brackets
	for j := i + 1; j < len(text); j++ {
		switch {
		case (quoted || isLike) && text[j] == '\\':
			j++
		case text[j] == '"':
			quoted = !quoted
		case quoted:
		case text[j] == '[' && isLike:
			depth++
		case text[j] == ']' && depth > 0:
			depth--
		case text[j] == ']':
			return j
		}
	}
	return -1
}

// plainStep returns the step of a key without quotes.
func plainStep(key string) step {
	switch key {
	case "*":
		return step{kind: anyOne}
	case "**":
		return step{kind: anyNumber}
	}
	n, err := strconv.Atoi(key)
	if err != nil || strconv.Itoa(n) != key {
		n = -1
	}
	return keyStep(key, n)
}

func keyStep(key string, n int) step {
	text := []byte(key)
	odd := yaml.Core.Resolve(text).Kind != yaml.String || yaml.Compat.Resolve(text).Kind != yaml.String
	return step{kind: oneKey, text: key, n: n, odd: odd}
}

// parseItem reads what is between brackets, or says what is wrong with it.
func parseItem(text string) (s step, wrong string) {
	const expected = "expected a number, *, KEY=VALUE, KEY=~RE or a quoted key between the brackets"
	if text == "*" || text == "" {
		return step{kind: anyItem}, ""
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return step{kind: oneItem, n: n}, ""
	}
	if strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "'") {
		key, ok := unquote(text)
		if !ok {
			return step{}, "the quoted key is not closed or not valid"
		}
		return keyStep(key, -1), ""
	}
	by, id, ok := strings.Cut(text, "=")
	if !ok || by == "" || strings.HasPrefix(text, "?") || strings.HasPrefix(id, "=") {
		return step{}, expected
	}
	if expr, isLike := strings.CutPrefix(id, "~"); isLike {
		if expr, ok = unquoted(expr); !ok {
			return step{}, expected
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return step{}, "the regular expression is not valid: " +
				strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		}
		return step{kind: likeItem, by: by, re: re}, ""
	}
	if id, ok = unquoted(id); !ok {
		return step{}, expected
	}
	return step{kind: keyedItem, by: by, text: id}, ""
}

// unquoted returns a value without its double quotes, if it has any.
func unquoted(text string) (string, bool) {
	if !strings.HasPrefix(text, `"`) {
		return text, true
	}
	s, err := strconv.Unquote(text)
	return s, err == nil
}

// unquote returns the text in double or single quotes.
func unquote(text string) (string, bool) {
	if inner, ok := strings.CutPrefix(text, "'"); ok {
		return strings.CutSuffix(inner, "'")
	}
	return unquoted(text)
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

// MatchWhole reports whether the pattern matches a path as a whole. Items of lists need not be in the
// pattern: stages.envs is the envs of every item of stages.
func (p Pattern) MatchWhole(path Path) bool {
	f := Finder{steps: AnyOf(p).steps}
	f.open(0, 0)
	first := 0
	for i, to := range path {
		last := len(f.ways)
		for _, w := range f.ways[first:last] {
			switch f.steps[w].kind {
			case end:
			case anyNumber:
				f.open(last, w)
			default:
				if f.steps[w].matches(to) {
					f.open(last, w+1)
				}
			}
		}
		if to.Kind == Item && i < len(path)-1 {
			for _, w := range f.ways[first:last] {
				f.open(last, w)
			}
		}
		first = last
	}
	return slices.Contains(f.ways[first:], len(p))
}

// Index returns the index of c in a text, outside of brackets and double quotes, or the length of the text.
func Index(text string, c byte) int {
	quoted, depth := false, 0
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case quoted:
		case text[i] == '[':
			depth++
		case text[i] == ']':
			depth--
		case text[i] == c && depth <= 0:
			return i
		}
	}
	return len(text)
}

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
		id, ok := to.idBy(s.by)
		return ok && id == s.text
	case likeItem:
		id, ok := to.idBy(s.by)
		return ok && s.re.MatchString(id)
	}
	if to.Kind == Item {
		return s.n >= 0 && (to.Index == s.n || to.Was == s.n)
	}
	return to.Kind == Key && s.isKey(to.Key)
}

// isKey reports whether a key of a map is the one that the step names. A word in a path is always a
// string, even if YAML would read it as something else: `on` is the key `on:`.
func (s *step) isKey(key tree.Value) bool {
	if key.IsString(s.text) {
		return true
	}
	return s.odd && key.Kind() == tree.ScalarKind && (key.Text() == s.text || key.Written() == s.text)
}

// idBy returns the scalar that an item has at a key.
func (s Segment) idBy(key string) (string, bool) {
	if s.Kind != Item {
		return "", false
	}
	if s.By == key {
		return scalarText(s.ID), true
	}
	v, ok := s.Item.Lookup(key)
	return scalarText(v), ok && v.Kind() == tree.ScalarKind
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
