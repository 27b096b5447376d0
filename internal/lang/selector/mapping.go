package selector

import (
	"regexp"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The keys of a mapping that describes the wanted scalars.
const (
	keyMatches = "$matches" // a regular expression
	keyNot     = "$not"     // scalars that must not be there
)

// FromMapping reads conditions that are written as a mapping. Its keys are paths, and all must hold:
//
//	PATH: VALUE            exactly this
//	PATH: [A, B]           one of these
//	PATH: {$matches: RE}   a regular expression, not anchored
//	PATH: {$not: …}        none of these
//
// what is the key that has the mapping, for messages.
func FromMapping(what string, v tree.Value) (Selector, error) {
	var s Selector
	if v.Kind() != tree.MapKind || v.Len() == 0 {
		return s, expected(what, v, "conditions, as in {kind: Deployment}")
	}
	var r tree.Reader
	var words []string
	for _, it := range r.Items(nil, v) {
		c := condition{where: it.Key.Text()}
		wants := it.Value
		if not, ok := lookup(wants, keyNot); ok {
			c.differ, wants = true, not
		}
		var err error
		if c.place, err = path.Parse(what, c.where); err != nil {
			return s, at(err, it.Key, it.Value)
		}
		if c.wants, err = FromScalars(what, wants); err != nil {
			return s, nested(err, c.where, wants)
		}
		s.conditions = append(s.conditions, c)
		words = append(words, c.String())
	}
	s.written = strings.Join(words, ",")
	return s, nil
}

// FromScalars reads a description of the wanted scalars: one, a list of them, or {$matches: RE}.
func FromScalars(what string, v tree.Value) (s Scalar, err error) {
	const forms = "a value, a list of values, or {$matches: REGEXP}"
	switch v.Kind() {
	case tree.ScalarKind:
		if v.IsNull() {
			return s, expected(what, v, forms)
		}
		return Scalar{texts: textsOf(v)}, nil
	case tree.ArrayKind:
		for _, it := range v.Entries() {
			if it.Value.Kind() != tree.ScalarKind || it.Value.IsNull() {
				return s, expected(what, it.Value, "a value in this list")
			}
			s.texts = append(s.texts, textsOf(it.Value)...)
		}
		if s.texts == nil {
			return s, expected(what, v, forms)
		}
		return s, nil
	}
	expr, ok := lookup(v, keyMatches)
	if !ok || v.Len() != 1 || expr.Kind() != tree.ScalarKind || expr.IsNull() {
		return s, expected(what, v, forms)
	}
	if s.re, err = regexp.Compile(expr.Written()); err != nil {
		return s, diag.Errorf(start(expr), CodeSelector, "%s: the regular expression is not valid: %s", what,
			reason(err))
	}
	return s, nil
}

// textsOf returns a scalar as it is printed and, if that differs, as it was written.
func textsOf(v tree.Value) []string {
	if text, written := v.Text(), v.Written(); text != written {
		return []string{text, written}
	}
	return []string{v.Text()}
}

// String returns a condition as Parse reads it.
func (c *condition) String() string {
	sign := "="
	if c.differ {
		sign = "!="
	}
	switch {
	case c.wants.re != nil:
		return c.where + sign + "~" + c.wants.re.String()
	case len(c.wants.texts) == 1:
		return c.where + sign + c.wants.texts[0]
	}
	var words []string
	for _, text := range c.wants.texts {
		words = append(words, regexp.QuoteMeta(text))
	}
	return c.where + sign + "~^(" + strings.Join(words, "|") + ")$"
}

// lookup returns the value of a key of a mapping.
func lookup(v tree.Value, key string) (tree.Value, bool) {
	if v.Kind() != tree.MapKind {
		return tree.Value{}, false
	}
	return v.Lookup(key)
}

// expected returns the error for a value of another kind.
func expected(what string, v tree.Value, forms string) *diag.Diagnostic {
	found := "nothing"
	switch {
	case v.Kind() == tree.MapKind:
		found = "a mapping"
	case v.Kind() == tree.ArrayKind:
		found = "a list"
	case !v.IsNull():
		found = "'" + diag.Shortened(v.Written()) + "'"
	}
	return diag.Errorf(start(v), CodeSelector, "%s takes %s, but found %s", what, forms, found)
}

// nested adds the correct spelling to an error about a mapping inside a mapping.
func nested(err error, where string, v tree.Value) error {
	d := diag.Of(err)[0]
	if v.Kind() != tree.MapKind {
		return d
	}
	for _, it := range v.Entries() {
		if key := it.Key.Text(); !strings.HasPrefix(key, "$") {
			return d.WithHint("write the path as one key: `%s.%s: …`", where, key)
		}
	}
	return d
}

// at returns an error at a key, or at its value if the key has no place.
func at(err error, key, value tree.Value) error {
	d := diag.Of(err)[0]
	if d.At = start(key); !d.At.IsValid() {
		d.At = start(value)
	}
	return d
}

// start returns the span for messages about a value.
func start(v tree.Value) source.Span {
	if t, n, ok := v.Syntax(); ok && v.Kind() == tree.ScalarKind {
		return t.Span(n)
	}
	return v.Start().To(v.Start().Offset() + 1)
}
