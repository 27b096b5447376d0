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
	number     int         // which of those that the rest selects, from 1; 0 for all
	any        []Selector  // what a list in braces stands for; any of them may select
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
//	KIND/{NAME,NAME}                                              as weft diff lists them
//	KIND/NAME#N                                                   the Nth of that name
//	FILE, FILE#N, #N, document#N                                  by source or number
//	PATH=VALUE, PATH!=VALUE, PATH=~RE                             joined by commas
//
// The flag is for messages.
func Parse(flag, text string) (Selector, error) {
	text = strings.TrimSpace(text)
	s := Selector{written: text}
	if text == "" {
		return s, nil
	}
	if at := path.Index(text, '='); at < len(text) && at < path.Index(text, '#') {
		err := s.parseConditions(flag, text)
		return s, err
	}
	if err := s.parseList(flag, text); err != nil {
		return s, err
	}
	s.base = text
	if at := strings.LastIndexByte(text, '#'); at >= 0 {
		if n, err := strconv.Atoi(text[at+1:]); err == nil && n > 0 {
			s.base, s.number = text[:at], n
		}
	}
	if s.base == unnamed {
		s.base = ""
	}
	if kind, name, ok := strings.Cut(s.base, " "); ok && !strings.ContainsAny(s.base, "/.") &&
		!strings.Contains(name, " ") {
		s.base = kind + "/" + name // as people say it
	}
	s.parts = strings.Split(s.base, "/")
	return s, nil
}

// maxListed is the maximum number of names in a list.
const maxListed = 1000

// parseList reads a list of names in braces, if there is one: Service/{web,api}.
func (s *Selector) parseList(flag, text string) error {
	before, rest, ok := strings.Cut(text, "{")
	inside, after, closed := strings.Cut(rest, "}")
	if !ok || !closed || strings.ContainsAny(after, "{}") || strings.Contains(inside, "{") {
		return nil
	}
	words := strings.Split(inside, ",")
	if len(words) > maxListed {
		return diag.Failf(CodeSelector, "%s: expected at most %d names between the braces, but found %d", flag,
			maxListed, len(words))
	}
	for _, word := range words {
		one, err := Parse(flag, before+strings.TrimSpace(word)+after)
		if err != nil {
			return err
		}
		s.any = append(s.any, one)
	}
	return nil
}

// String returns the selector as it was written.
func (s Selector) String() string { return s.written }

// Paths returns the paths that the conditions of the selector are about, as they are written. It returns nil if
// the selector has no conditions.
func (s Selector) Paths() (list []string) {
	for i := range s.conditions {
		list = append(list, s.conditions[i].where)
	}
	return list
}

// IsZero reports whether all documents are selected.
func (s Selector) IsZero() bool { return s.written == "" }

// parseConditions reads conditions that are separated by commas.
func (s *Selector) parseConditions(flag, text string) error {
	for text != "" {
		end := path.Index(text, ',')
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
	at := path.Index(word, '=')
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
	case s.any != nil:
		return slices.ContainsFunc(s.any, func(x Selector) bool { return x.Matches(d) })
	case s.base == "", s.isOf(d):
		return s.base == "" || s.number == 0 || s.number == d.N
	}
	return s.Names(ObjectOf(d.Value)) || s.isKindOf(d.Value)
}

// Numbered reports whether the selector selects by a number, and so depends on the other documents.
func (s Selector) Numbered() bool {
	return s.number > 0 || slices.ContainsFunc(s.any, Selector.Numbered)
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
	file, also := Name{File: d.File, N: d.N}, Name{File: d.Also, N: d.N}
	if s.written == file.String() || d.Also != "" && s.written == also.String() {
		return true
	}
	o := Name{Object: ObjectOf(d.Value)}
	if o.Kind == "" {
		return false
	}
	alone := o.String()
	o.WithGroup = true
	return s.written == alone || s.written == o.String()
}

// isOf reports whether the selector names the file of a document.
func (s Selector) isOf(d Selectable) bool {
	return s.base != "" && (s.base == d.File || s.base == diag.Visible(d.File) || s.base == d.Also)
}

// Names reports whether the selector is the name of an object, or its kind alone.
func (s Selector) Names(o Object) bool {
	if o.IsZero() {
		return false
	}
	switch p := s.parts; len(p) {
	case 1:
		return o.isKind(p[0]) || o.isName(p[0])
	case 2:
		return o.isKind(p[0]) && o.isName(p[1])
	case 3:
		return o.isKind(p[0]) && o.isName(p[2]) && like(strings.ToLower(p[1]), strings.ToLower(o.Namespace))
	}
	return false
}

// isKindOf reports whether the selector is the kind of a document, which may have no name.
func (s Selector) isKindOf(v tree.Value) bool {
	kind := v.TextAt("kind")
	return kind != "" && len(s.parts) == 1 && Object{Kind: kind}.isKind(s.base)
}

func (o Object) isName(text string) bool {
	return like(strings.ToLower(text), strings.ToLower(o.Name))
}

// Select returns which of the documents are selected.
func (s Selector) Select(docs []Selectable) []bool {
	chosen := make([]bool, len(docs))
	if s.mayBeName() {
		found := false
		for i, name := range Names(docs) {
			chosen[i] = name == s.written
			found = found || chosen[i]
		}
		if found {
			return chosen
		}
	}
	if s.any != nil {
		return Any(s.any, docs)
	}
	n := 0
	for i, d := range docs {
		if !s.Matches(d) {
			continue
		}
		n++
		chosen[i] = s.takes(d, n)
	}
	return chosen
}

// mayBeName reports whether the selector may be the name of a document, to the letter.
func (s Selector) mayBeName() bool { return strings.ContainsAny(s.written, "/#") }

// takes reports whether a document is selected that matches as the nth of all.
func (s Selector) takes(d Selectable, n int) bool {
	return s.number == 0 || s.isOf(d) || s.isExactly(d) || n == s.number
}

// Any returns which of the documents any of the selectors selects: all, if there is no selector.
func Any(list []Selector, docs []Selectable) []bool {
	chosen := make([]bool, len(docs))
	for i := range chosen {
		chosen[i] = len(list) == 0
	}
	for _, s := range list {
		for i, ok := range s.Select(docs) {
			chosen[i] = chosen[i] || ok
		}
	}
	return chosen
}

// CodeNone is the code of errors about a selector that selects nothing.
const CodeNone diag.Code = "path/no-document"

// Unused returns an error about the first selector that selects none of the documents, or nil.
func Unused(flag string, list []Selector, docs []Selectable) error {
	for _, s := range list {
		if !slices.Contains(s.Select(docs), true) {
			return Unknown(flag+" "+s.written, s.written, Names(docs))
		}
	}
	return nil
}

// Unknown returns the error about a selector that selects none of the documents with these names.
func Unknown(what, written string, names []string) error {
	x := diag.Failf(CodeNone, "%s matches no document", diag.Shortened(what))
	if near := diag.Nearest(written, names); near != "" {
		return x.WithHint("did you mean %s?", diag.InShell(near))
	}
	if len(names) > 0 {
		return x.WithHint("a document is called KIND/NAME or FILE#N, such as %s", diag.InShell(names[0]))
	}
	return x.WithHint("there are no documents")
}

// ParseAll reads the values of a flag that may be repeated. Empty values are ignored.
func ParseAll(flag string, texts []string) ([]Selector, error) {
	var list []Selector
	for _, text := range texts {
		s, err := Parse(flag, text)
		if err != nil {
			return nil, err
		}
		if !s.IsZero() {
			list = append(list, s)
		}
	}
	return list, nil
}
