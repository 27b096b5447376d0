package schema

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// rules are the rules of a validation annotation.
type rules struct {
	at      source.Span
	list    []rule            // in the order in which they are reported
	when    starlark.Callable // nil if they always apply
	notNull bool
	schema  bool // the annotation is in a schema, not in data values

	// The keyword rules in a form for other programs; nil for those not given.
	minLen, maxLen *float64
	min, max       *tree.Value
	oneOf          []tree.Value
	oneNotNull     *keySet
	matches        *regexp.Regexp
	format         *format
	multipleOf     *tree.Value
	unique         bool
}

// rule is a condition on a value: the user's function, or a built-in one that needs no Starlark.
type rule struct {
	must     string
	function starlark.Callable
	check    func(tree.Value) error // returns nil if the value is valid
}

// keySet is the argument of one_not_null.
type keySet struct {
	all  bool
	keys []tree.Value
}

// compileRules reads a validation annotation of n. It reports all errors.
func compileRules(a *tree.Annotation, n *node) (*rules, diag.List) {
	takes, _ := tree.MeaningOf(noteValidation)
	c := ruleCompiler{
		note: a, node: *n, takes: takes,
		rules: &rules{at: noteSpan(a), schema: a.Name != NoteAssert},
	}
	if len(a.Args) == 0 && len(a.Kwargs) == 0 {
		c.fail("expected annotation to have 2-tuple as argument(s), but found no arguments").
			WithHint("write rules as `(\"what a valid value is\", lambda v: ...)`, or "+
				"keywords: %s", strings.Join(c.takes.KeywordNames(), ", "))
		return nil, c.list
	}
	for _, x := range a.Args {
		c.custom(x)
	}
	for _, kw := range a.Kwargs {
		if err := tree.Freeze(kw[1]); err != nil { // goroutines share it from now on
			c.fail("%s", err)
			return nil, c.list
		}
		c.known(kw[0])
	}
	for _, known := range takes.Keywords {
		for _, kw := range a.Kwargs {
			if name, _ := starlark.AsString(kw[0]); name == known.Name {
				c.keyword(name, kw[1])
			}
		}
	}
	if c.list != nil {
		return nil, c.list
	}
	return c.rules, nil
}

type ruleCompiler struct {
	note  *tree.Annotation
	node  node
	takes *tree.Meaning // the keywords
	rules *rules
	list  diag.List
}

func (c *ruleCompiler) fail(format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(
		c.rules.at,
		CodeAnnotation,
		"invalid @%s annotation: %s",
		c.note.Name,
		fmt.Sprintf(format, args...),
	)
	c.list = append(c.list, c.node.annotated(d))
	return d
}

// custom reads a user-defined rule: ("what the value must be", function). The function may also be an
// object with a method check.
func (c *ruleCompiler) custom(x starlark.Value) {
	pair, ok := x.(starlark.Tuple)
	if !ok {
		c.fail("expected annotation to have 2-tuple as argument(s), but found: %s", x).
			WithHint("write `(\"what a valid value is\", lambda v: ...)`")
		return
	}
	if len(pair) != 2 {
		c.fail("expected 2-tuple, but found tuple with length %d", len(pair))
		return
	}
	must, ok := starlark.AsString(pair[0])
	if !ok {
		c.fail(
			"expected first item in the 2-tuple to be a string describing a valid value, but was %s",
			pair[0].Type(),
		)
		return
	}
	if err := tree.Freeze(pair[1]); err != nil {
		c.fail("%s", err)
		return
	}
	f, ok := pair[1].(starlark.Callable)
	if !ok {
		if object, isObject := pair[1].(starlark.HasAttrs); isObject {
			check, _ := object.Attr("check")
			f, ok = check.(starlark.Callable)
		}
	}
	if !ok {
		c.fail(
			"expected second item in tuple to be an assertion function or assertion object, but was %s",
			diag.Article(pair[1].Type()),
		)
		return
	}
	c.rules.list = append(c.rules.list, rule{must: must, function: f})
}

// known rejects unknown keywords.
func (c *ruleCompiler) known(key starlark.Value) {
	name, _ := starlark.AsString(key)
	if c.takes.Takes(name) {
		return
	}
	d := c.fail("unknown keyword argument %q", name).
		WithHint("keywords are %s", strings.Join(c.takes.KeywordNames(), ", ")).WithWord(name)
	if hint := synonyms.Get()[strings.ToLower(strings.ReplaceAll(name, "_", ""))]; hint != "" {
		d.WithHint("%s", hint)
	} else if near := diag.Nearest(name, c.takes.KeywordNames()); near != "" {
		d.WithHint("did you mean %s?", near).WithFix(name, near)
	}
}

// synonyms maps keywords of other schema languages, in lower case without `_`, to their
// replacements.
var synonyms = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"required":  requiredHint,
		"mandatory": requiredHint,
		"notempty":  "write `min_len=1`",
		"nonempty":  "write `min_len=1`",
		"nullable":  "put `#@schema/nullable` on its own line",
		"enum":      oneOfHint,
		"choices":   oneOfHint,
		"options":   oneOfHint,
		"oneof":     oneOfHint,
		"allowed":   oneOfHint,
		"values":    oneOfHint,
		"anyof":     oneOfHint,
		"const":     "write `one_of=[...]` with a single value",
		"minimum":   "write `min=...`",
		"maximum":   "write `max=...`",
		"minlength": lengthHint,
		"maxlength": lengthHint,
		"minitems":  lengthHint,
		"maxitems":  lengthHint,
		"pattern":   patternHint,
		"regex":     patternHint,
		"regexp":    patternHint,
		"match":     patternHint,

		"multipleof":  "write `multiple_of=...`",
		"uniqueitems": "write `unique=True`",
		"distinct":    "write `unique=True`",

		"type": "the type comes from the value below; put `#@schema/type any=True` on its own " +
			"line to allow any type",
		"default": "the default is the value below",
	}
}}

const (
	requiredHint = "for a value that must be set write `#@schema/required` on its own line; for a string " +
		"that must not be empty write `min_len=1`"
	oneOfHint   = "write `one_of=[...]`"
	lengthHint  = "write `min_len=...` or `max_len=...`"
	patternHint = "write `matches=\"...\"`"
)

// keyword reads a keyword argument. Keywords are read in the order in which their rules are
// reported.
func (c *ruleCompiler) keyword(name string, x starlark.Value) {
	r := c.rules
	switch name {
	case "min_len":
		r.minLen = c.length(
			name,
			x,
			"length >= ",
			func(n, limit float64) bool { return n >= limit },
		)
	case "max_len":
		r.maxLen = c.length(
			name,
			x,
			"length <= ",
			func(n, limit float64) bool { return n <= limit },
		)
	case "min":
		r.min = c.limit(x, "a value >= ", syntax.GE, "value < ")
	case "max":
		r.max = c.limit(x, "a value <= ", syntax.LE, "value > ")
	case "not_null":
		b, ok := x.(starlark.Bool)
		if !ok {
			c.fail("expected keyword argument %q to be a boolean, but was %s", name, x.Type())
		}
		r.notNull = bool(b)
	case "one_not_null":
		c.oneNotNull(x)
	case "one_of":
		c.oneOf(x)
	case "matches":
		c.matches(x)
	case "format":
		c.format(x)
	case "multiple_of":
		c.multipleOf(x)
	case "unique":
		c.unique(x)
	case "when":
		f, ok := x.(starlark.Callable)
		if !ok {
			c.fail("expected keyword argument %q to be a function, but was %s", name, x.Type())
		}
		r.when = f
	}
}

func (c *ruleCompiler) add(must string, check func(tree.Value) error) {
	c.rules.list = append(c.rules.list, rule{must: must, check: check})
}

// length adds a rule about the length of a string, in bytes as in Starlark, or about the number of
// items in a collection.
func (c *ruleCompiler) length(
	name string, x starlark.Value, must string, ok func(n, limit float64) bool,
) *float64 {
	limit, isNumber := starlark.AsFloat(x)
	if _, isBool := x.(starlark.Bool); !isNumber || isBool || math.IsNaN(limit) {
		c.fail("expected keyword argument %q to be a number, but was %s", name, x.Type())
		return nil
	}
	c.add(must+x.String(), func(v tree.Value) error {
		n, hasLength := length(v)
		if !hasLength {
			return fmt.Errorf("%s has no length", diag.Article(v.TypeName()))
		}
		if !ok(float64(n), limit) {
			if s, _ := v.Starlark().(starlark.String); utf8.RuneCountInString(string(s)) != len(s) {
				return fmt.Errorf("length = %d (in bytes)", n)
			}
			return fmt.Errorf("length = %d", n)
		}
		return nil
	})
	return &limit
}

func length(v tree.Value) (int, bool) {
	if v.Kind() != tree.ScalarKind {
		return v.Len(), true
	}
	s, ok := v.Starlark().(starlark.String)
	return len(s), ok
}

// compareDepth limits how deep values are compared. Starlark's limit of ten is for values that
// contain themselves, which these cannot.
const compareDepth = 1000

// limit adds a rule about the order of values. They are compared as in Starlark: numbers, strings,
// lists.
func (c *ruleCompiler) limit(
	x starlark.Value, must string, op syntax.Token, violated string,
) *tree.Value {
	limit, bound, ok := c.plain(x)
	if !ok {
		return nil
	}
	c.add(must+bound.String(), func(v tree.Value) error {
		have, err := tree.ToStarlark(v)
		if err != nil {
			return err
		}
		ok, err := starlark.CompareDepth(op, have, bound, compareDepth)
		switch {
		case err != nil && v.Kind() == tree.ArrayKind && limit.Kind() == tree.ArrayKind:
			return err // the error of comparing items
		case err != nil:
			return fmt.Errorf(
				"%s, which cannot be compared with %s",
				diag.Article(v.TypeName()),
				diag.Article(limit.TypeName()),
			)
		case !ok:
			return errors.New(violated + bound.String())
		}
		return nil
	})
	return &limit
}

// plain returns an argument as a YAML value and as a Starlark value, so that a fragment in an
// annotation can be used like a list.
func (c *ruleCompiler) plain(x starlark.Value) (tree.Value, starlark.Value, bool) {
	v, err := tree.FromStarlark(x)
	if err != nil {
		c.fail("%s", err)
		return tree.Value{}, nil, false
	}
	y, err := tree.ToStarlark(v)
	if err != nil {
		c.fail("%s", err)
		return tree.Value{}, nil, false
	}
	return v, y, true
}

func (c *ruleCompiler) oneOf(x starlark.Value) {
	seq, ok := x.(starlark.Sequence)
	if !ok {
		c.fail("expected keyword argument %q to be a sequence, but was %s", "one_of", x.Type()).
			WithHint("write one_of=[...]")
		return
	}
	c.rules.oneOf = []tree.Value{}
	var allowed []starlark.Value
	for e := range starlark.Elements(seq) {
		v, y, ok := c.plain(e)
		if !ok {
			return
		}
		c.rules.oneOf = append(c.rules.oneOf, v)
		allowed = append(allowed, y)
	}
	c.add("one of "+starlark.NewList(allowed).String(), func(v tree.Value) error {
		have, err := tree.ToStarlark(v)
		if err != nil {
			return err
		}
		for _, y := range allowed {
			if same, err := starlark.EqualDepth(have, y, compareDepth); err != nil || same {
				return err
			}
		}
		return errors.New("not one of allowed values")
	})
}

func (c *ruleCompiler) oneNotNull(x starlark.Value) {
	set := &keySet{}
	must := "exactly one of all children to be not null"
	switch x := x.(type) {
	case starlark.Bool:
		if !x {
			c.fail("one_not_null= cannot be False").WithHint("leave it out")
			return
		}
		set.all = true
	case starlark.Sequence:
		for e := range starlark.Elements(x) {
			key, _, ok := c.plain(e)
			if !ok {
				return
			}
			set.keys = append(set.keys, key)
		}
		must = "exactly one of " + x.String() + " to be not null"
	default:
		c.fail("one_not_null: expected True or a sequence of keys, but was a '%s'", x.Type())
		return
	}
	c.rules.oneNotNull = set
	c.add(must, set.check)
}

// check returns an error unless exactly one of the keys has a value that is not null. A missing key
// counts as null.
func (s *keySet) check(v tree.Value) error {
	m, ok := v.Map()
	if !ok {
		return fmt.Errorf("value must be a map, but was %s", diag.Article(v.TypeName()))
	}
	entries := m.Entries()
	if len(entries) == 0 {
		return errors.New("value is empty")
	}
	var filled []starlark.Value
	if s.all {
		for i := range entries {
			if !entries[i].Value.IsNull() {
				filled = append(filled, entries[i].Key.Starlark())
			}
		}
	} else {
		for _, key := range s.keys {
			if i := m.Find(key.Starlark()); i >= 0 && !entries[i].Value.IsNull() {
				filled = append(filled, key.Starlark())
			}
		}
	}
	switch len(filled) {
	case 0:
		return errors.New("all values are null")
	case 1:
		return nil
	}
	return fmt.Errorf("%s are not null", starlark.NewList(filled))
}
