package shape

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Language has what differs between the messages about different kinds of files. All functions may be
// nil; they add to the common message.
type Language struct {
	Key, Value diag.Code         // codes of errors about keys and about values
	Synonyms   map[string]string // names of keys in other tools

	Unknown  func(d *diag.Diagnostic, key string, of *Shape)
	Missing  func(d *diag.Diagnostic, key string, in tree.Value)
	Mismatch func(d *diag.Diagnostic, v tree.Value, s *Shape)
	Path     string // the path of the whole value; if not empty, each message contains the path of its key

	Entry func(c *Checker, entry tree.Item) // checks an entry of a Map without Item
}

// Checker checks values against shapes, and collects all errors.
type Checker struct {
	Language *Language
	List     diag.List

	path string // the path of the current record or key, if the language has paths
}

// New returns a checker for the messages of a language.
func New(l *Language) *Checker { return &Checker{Language: l, path: l.Path} }

// Fail adds an error and returns it, so that the caller can add hints.
func (c *Checker) Fail(at source.Span, code diag.Code, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(at, code, format, args...)
	d.Path = c.path
	c.List = append(c.List, d)
	return d
}

// Check checks a value against a shape.
func (c *Checker) Check(v tree.Value, s *Shape) {
	switch s.Kind {
	case Any:
	case Either:
		c.either(v, s)
	case List:
		if !c.collection(v, s) {
			return
		}
		for item := range v.Elements() {
			c.Check(item, s.Item)
		}
	case Map:
		if !c.collection(v, s) {
			return
		}
		for _, it := range v.Entries() {
			if s.Item == nil {
				c.Language.Entry(c, it)
				continue
			}
			if KeyText(it.Key) == "" && it.Key.Kind() == tree.ScalarKind {
				c.Fail(it.Key.Span(), c.Language.Key, "expected a key, but found empty text")
			}
			c.Check(it.Value, s.Item)
		}
	case AnyMap:
		c.collection(v, s)
	case Record:
		c.record(v, s)
	default:
		c.scalar(v, s)
	}
}

// KeyText returns the text of a key that is a scalar, or "".
func KeyText(key tree.Value) string {
	if key.Kind() != tree.ScalarKind {
		return ""
	}
	return key.Written()
}

// collection checks that a value is of the kind of a shape, and that it is not empty if the shape
// forbids that.
func (c *Checker) collection(v tree.Value, s *Shape) bool {
	switch {
	case v.Kind() != s.kindOf():
		c.Mismatch(v, s, s.expected())
	case s.Full && v.Len() == 0:
		c.wrong(v, s)
	default:
		return true
	}
	return false
}

// either checks a value against the alternative of its kind.
func (c *Checker) either(v tree.Value, s *Shape) {
	for _, alternative := range s.Either {
		if v.Kind() == alternative.kindOf() && !v.IsNull() {
			c.Check(v, alternative)
			return
		}
	}
	c.Mismatch(v, s, s.expected())
}

// record checks a mapping with known keys.
func (c *Checker) record(v tree.Value, s *Shape) {
	if v.Kind() != tree.MapKind {
		c.Mismatch(v, s, s.expected())
		return
	}
	names := Names(s.Keys)
	here := map[string]tree.Value{}
	for _, it := range v.Entries() {
		name := KeyText(it.Key)
		if i := slices.Index(names, name); i >= 0 {
			here[name] = it.Value
			c.below(name, func() { c.Check(it.Value, s.Keys[i].Shape) })
		} else {
			c.below(name, func() { c.unknown(it.Key.Span(), name, s) })
		}
	}
	if s.Full && v.Len() == 0 {
		c.wrong(v, s)
	}
	for _, key := range s.Required {
		if _, ok := here[key]; !ok {
			d := c.Fail(source.Span{Pos: v.Span().Pos}, c.Language.Key, "the key '%s' is missing", key)
			if c.Language.Missing != nil {
				c.Language.Missing(d, key, v)
			}
		}
	}
	if s.Excluded != nil {
		first, a := here[s.Excluded[0]]
		second, b := here[s.Excluded[1]]
		if a && b {
			c.Fail(second.Span(), c.Language.Key, "'%s' and '%s' cannot be used together",
				s.Excluded[0], s.Excluded[1]).WithRelated(first.Span(), "the other one is here")
		}
	}
}

// below calls check with the path extended by a key.
func (c *Checker) below(key string, check func()) {
	if c.Language.Path == "" {
		check()
		return
	}
	path := c.path
	c.path += "." + key
	check()
	c.path = path
}

// unknown reports a key that a record does not have, and suggests another.
func (c *Checker) unknown(at source.Span, key string, s *Shape) {
	names := Names(s.Keys)
	d := c.Fail(at, c.Language.Key, "unknown key '%s'", diag.Shortened(key))
	near := c.Language.Synonyms[key]
	if !slices.Contains(names, near) {
		near = diag.Nearest(key, names)
	}
	if near != "" {
		d.WithHint("did you mean %s?", near).WithFix(key, near)
	} else {
		d.WithHint("keys are %s", Words(names))
	}
	if c.Language.Unknown != nil {
		c.Language.Unknown(d, key, s)
	}
}

// scalar checks a value that has to be a scalar.
func (c *Checker) scalar(v tree.Value, s *Shape) {
	if s.Kind == Custom {
		if !s.Fits(v) {
			c.Mismatch(v, s, s.expected())
		}
		return
	}
	if v.Kind() != tree.ScalarKind {
		c.Mismatch(v, s, s.expected())
		return
	}
	val, _ := v.Scalar()
	text := v.Written()
	ok := false
	switch s.Kind {
	case Text:
		ok = val.Kind == yaml.String && text != ""
	case Scalar:
		ok = val.Kind != yaml.Null
	case Choice:
		ok = val.Kind == yaml.String && slices.Contains(s.Choices, text)
	case Version:
		ok = slices.Contains(s.Choices, text)
	case Bool:
		ok = val.Kind == yaml.Bool
	case True:
		ok = val.Kind == yaml.Bool && val.Bool()
	case Number:
		ok = val.Kind == yaml.Int && val.Int() >= int64(s.Min) && (s.Max == 0 || val.Int() <= int64(s.Max))
	}
	switch {
	case !ok:
		c.Mismatch(v, s, s.expected())
	case s.Pattern != "" && !Matches(s.Pattern, text):
		c.wrong(v, s)
	}
}

// wrong reports a value of the right kind that is not valid.
func (c *Checker) wrong(v tree.Value, s *Shape) {
	expected := s.Matching
	if expected == "" {
		expected = s.expected()
	}
	c.Mismatch(v, s, expected)
}

// Mismatch reports a value that does not have the required shape, which messages call expected.
func (c *Checker) Mismatch(v tree.Value, s *Shape, expected string) {
	d := c.Fail(v.Span(), c.Language.Value, "expected %s, but found %s", expected, Found(v))
	scalar := v.Kind() == tree.ScalarKind && !v.IsNull()
	switch {
	case v.IsNull():
		d.WithHint("remove the key, or give it a value")
	case s.Kind == Text && scalar && v.TypeName() != "string" &&
		(s.Pattern == "" || Matches(s.Pattern, v.Written())):
		d.WithHint("put it in quotes: '%s'", diag.Shortened(v.Written()))
	case s.Kind == Text && scalar && strings.Contains(v.Written(), `\`):
		d.WithHint("write %s: paths have forward slashes on every system",
			strings.ReplaceAll(v.Written(), `\`, "/"))
	case s.Kind == Choice && scalar:
		d.WithNearest(v.Written(), s.Choices)
	case s.Kind == List && scalar && s.Item.Kind != Record:
		d.WithHint("write a list: [%s]", diag.Shortened(v.Written()))
	}
	if c.Language.Mismatch != nil {
		c.Language.Mismatch(d, v, s)
	}
}

// Found describes a value that is not what was expected.
func Found(v tree.Value) string {
	switch {
	case v.Kind() == tree.MapKind && v.Len() == 0:
		return "an empty mapping"
	case v.Kind() == tree.MapKind:
		return "a mapping"
	case v.Kind() == tree.ArrayKind && v.Len() == 0:
		return "an empty list"
	case v.Kind() == tree.ArrayKind:
		return "a list"
	case v.IsNull():
		return "nothing"
	case v.TypeName() != "string":
		return diag.Shortened(v.Written())
	case v.Written() == "":
		return "empty text"
	}
	return "'" + diag.Shortened(v.Written()) + "'"
}
