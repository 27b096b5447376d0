package selector

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// CodeSelector is the code of errors about a selector that cannot be read.
const CodeSelector diag.Code = "path/selector"

// Selector selects documents. The zero value selects all of them.
type Selector struct {
	written    string
	conditions []condition // all must be true; if there are any, the other fields are not used
	parts      []string    // KIND/NAMESPACE/NAME, or one part: a kind, a name or a file
	base       string      // what is written before the number
	number     int         // which of the documents that the rest selects, from 1; 0 for all
}

// condition is about the scalars at a place of a document.
type condition struct {
	place  path.Pattern
	where  string // the place as it is written
	wants  Scalar
	differ bool // `!=`: no scalar may match
}

// Scalar says which scalars are wanted: any of some texts, or those that match a regular expression.
type Scalar struct {
	texts []string
	re    *regexp.Regexp // used instead of the texts, if not nil
}

// Parse reads a selector:
//
//	KIND, NAME, KIND/NAME, KIND/NAMESPACE/NAME, KIND.GROUP/NAME   with * in each part
//	FILE, FILE#N, #N                                              by source or number
//	PATH=VALUE, PATH!=VALUE, PATH=~RE                             joined by commas
//
// The flag is for messages.
func Parse(flag, text string) (Selector, error) {
	text = strings.TrimSpace(text)
	s := Selector{written: text}
	if text == "" {
		return s, nil
	}
	if at := cut(text, '='); at < len(text) && at < cut(text, '#') {
		err := s.parseConditions(flag, text)
		return s, err
	}
	s.base = text
	if at := strings.LastIndexByte(text, '#'); at >= 0 {
		if n, err := strconv.Atoi(text[at+1:]); err == nil && n > 0 {
			s.base, s.number = text[:at], n
		}
	}
	if kind, name, ok := strings.Cut(s.base, " "); ok && !strings.ContainsAny(name, " /") {
		s.base = kind + "/" + name // the form in messages about overlays
	}
	s.parts = strings.Split(s.base, "/")
	return s, nil
}

// String returns the selector as it was written.
func (s Selector) String() string { return s.written }

// IsZero reports whether all documents are selected.
func (s Selector) IsZero() bool { return s.written == "" }

// parseConditions reads conditions that are separated by commas.
func (s *Selector) parseConditions(flag, text string) error {
	for text != "" {
		end := cut(text, ',')
		word := strings.TrimSpace(text[:end])
		text = strings.TrimPrefix(text[end:], ",")
		c, err := parseCondition(flag, word)
		if err != nil {
			return err
		}
		s.conditions = append(s.conditions, c)
	}
	return nil
}

func parseCondition(flag, word string) (c condition, err error) {
	at := cut(word, '=')
	if at == len(word) || at == 0 {
		return c, diag.Failf(CodeSelector, "%s takes conditions PATH=VALUE, but found '%s'", flag,
			diag.Shortened(word)).WithHint("write what the document has, such as kind=Deployment")
	}
	where, text := word[:at], strings.TrimSpace(word[at+1:])
	where, c.differ = strings.CutSuffix(where, "!")
	c.where = strings.TrimSpace(where)
	if c.place, err = path.Parse(flag, c.where); err != nil {
		return c, err
	}
	expr, isRE := strings.CutPrefix(text, "~")
	if isRE {
		text = strings.TrimSpace(expr)
	}
	if strings.HasPrefix(text, `"`) {
		if text, err = strconv.Unquote(text); err != nil {
			return c, diag.Failf(CodeSelector, "%s: the quotes in '%s' are not closed or not valid", flag,
				diag.Shortened(word))
		}
	}
	if c.wants.texts = []string{text}; isRE {
		if c.wants.re, err = regexp.Compile(text); err != nil {
			return c, diag.Failf(CodeSelector, "%s: the regular expression in '%s' is not valid: %s", flag,
				diag.Shortened(word), reason(err))
		}
	}
	return c, nil
}

// reason returns why a regular expression is not valid.
func reason(err error) string { return strings.TrimPrefix(err.Error(), "error parsing regexp: ") }

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

// holds reports whether the condition is true of a document.
func (c *condition) holds(v tree.Value) bool {
	found := false
	for _, f := range c.place.Find(v) {
		found = found || c.wants.Matches(f.Value)
	}
	return found != c.differ
}

// Matches reports whether a value is a scalar that is wanted: as it was written, or as it is printed.
func (s Scalar) Matches(v tree.Value) bool {
	switch {
	case v.Kind() != tree.ScalarKind:
		return false
	case s.re != nil:
		return s.re.MatchString(v.Text())
	}
	return slices.Contains(s.texts, v.Text()) || slices.Contains(s.texts, v.Written())
}

// Matches reports whether a document is selected, without regard to other documents: it ignores the
// number in NAME#N.
func (s Selector) Matches(d Selectable) bool {
	switch {
	case s.IsZero(), s.isExactly(d):
		return true
	case s.conditions != nil:
		return s.Holds(d.Value)
	case s.base == "", s.isOf(d):
		return s.base == "" || s.number == 0 || s.number == d.N
	}
	return s.names(d.Value)
}

// Holds reports whether all conditions of the selector are true of a value.
func (s Selector) Holds(v tree.Value) bool {
	for i := range s.conditions {
		if !s.conditions[i].holds(v) {
			return false
		}
	}
	return true
}

// isExactly reports whether the selector is the name of a document, to the letter: names may have
// characters that mean something else in a selector.
func (s Selector) isExactly(d Selectable) bool {
	o := objectOf(d.Value)
	return s.written == d.text() || o.kind != "" && (s.written == o.text(false) || s.written == o.text(true))
}

// isOf reports whether the selector names the file of a document.
func (s Selector) isOf(d Selectable) bool {
	return s.base != "" && (s.base == d.File || s.base == diag.Visible(d.File) || s.base == d.Also)
}

// names reports whether the selector is the name of an object, or its kind alone.
func (s Selector) names(v tree.Value) bool {
	o := objectOf(v)
	if o.kind == "" {
		o.kind = v.TextAt("kind")
		return o.kind != "" && len(s.parts) == 1 && o.isKind(s.base)
	}
	switch p := s.parts; len(p) {
	case 1:
		return o.isKind(p[0]) || o.isName(p[0])
	case 2:
		return o.isKind(p[0]) && o.isName(p[1])
	case 3:
		return o.isKind(p[0]) && o.isName(p[2]) && like(strings.ToLower(p[1]), strings.ToLower(o.namespace))
	}
	return false
}

func (o object) isName(text string) bool {
	return like(strings.ToLower(text), strings.ToLower(o.name))
}

// Select returns which of the documents are selected.
func (s Selector) Select(docs []Selectable) []bool {
	chosen := make([]bool, len(docs))
	n := 0
	for i, d := range docs {
		if !s.Matches(d) {
			continue
		}
		n++
		chosen[i] = s.number == 0 || s.isOf(d) || s.isExactly(d) || n == s.number
	}
	return chosen
}

// Number numbers consecutive documents, file by file.
func Number(docs []Selectable) {
	count := map[string]int{}
	for i := range docs {
		count[docs[i].File]++
		docs[i].N = count[docs[i].File]
	}
}
