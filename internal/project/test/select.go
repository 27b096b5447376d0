package test

import (
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// Selector selects documents by content: all conditions must hold.
type Selector []condition

// condition requires that a scalar at a place equals a text, or that none does.
type condition struct {
	place   path.Pattern
	text    string
	differs bool
	written string
}

// matches reports whether a document is selected.
func (s Selector) matches(doc tree.Value) bool {
	for i := range s {
		if s[i].found(doc) == s[i].differs {
			return false
		}
	}
	return true
}

func (c *condition) found(doc tree.Value) bool {
	for _, f := range c.place.Find(doc) {
		if f.Value.Kind() == tree.ScalarKind && f.Value.Text() == c.text {
			return true
		}
	}
	return false
}

func (s Selector) String() string {
	words := make([]string, len(s))
	for i := range s {
		words[i] = s[i].written
	}
	return strings.Join(words, ", ")
}

// selector reads conditions such as `kind=Deployment, metadata.name=shop`.
func (d *decoder) selector(v tree.Value) (s Selector) {
	rest := textOf(v).Text
	for rest != "" {
		end := cut(rest, ',')
		word := strings.TrimSpace(rest[:end])
		rest = strings.TrimPrefix(rest[end:], ",")
		if c, ok := d.condition(v, word); ok {
			s = append(s, c)
		}
	}
	return s
}

func (d *decoder) condition(v tree.Value, word string) (c condition, ok bool) {
	at := cut(word, '=')
	if at == len(word) || at == 0 {
		d.Fail(v.Span(), CodeValue, "expected a condition PATH=VALUE, but found '%s'",
			diag.Shortened(word)).WithHint("write what the document has, such as kind=Deployment")
		return c, false
	}
	where, text := word[:at], strings.TrimSpace(word[at+1:])
	c.written = word
	where, c.differs = strings.CutSuffix(where, "!")
	var err error
	if c.place, err = path.Parse("path", strings.TrimSpace(where)); err != nil {
		e := diag.Of(err)[0]
		d.Fail(v.Span(), CodeValue, "%s", e.Message).WithHint("%s", e.Hint)
		return c, false
	}
	if strings.HasPrefix(text, `"`) {
		if text, err = strconv.Unquote(text); err != nil {
			d.Fail(v.Span(), CodeValue, "the quotes in '%s' are not closed or not valid",
				diag.Shortened(word))
			return c, false
		}
	}
	c.text = text
	return c, true
}

// cut returns the index of c in s, outside of brackets and double quotes, or the length of s.
func cut(s string, c byte) int {
	quoted, depth := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case quoted:
		case s[i] == '[':
			depth++
		case s[i] == ']':
			depth--
		case s[i] == c && depth <= 0:
			return i
		}
	}
	return len(s)
}
