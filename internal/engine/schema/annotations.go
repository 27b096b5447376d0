package schema

import (
	"fmt"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// bad reports an invalid annotation.
func (b *builder) bad(n node, a *tree.Annotation, found, expected string) *diag.Diagnostic {
	return b.refuse(
		n,
		a,
		fmt.Sprintf(
			"syntax error in @%s annotation: found %s, expected %s",
			a.Name,
			found,
			expected,
		),
	)
}

func (b *builder) refuse(n node, a *tree.Annotation, message string) *diag.Diagnostic {
	d := diag.Errorf(noteSpan(a), CodeAnnotation, "invalid schema: %s", message)
	n.annotated(d)
	b.fail(d)
	return d
}

// nullable reads @schema/nullable.
func (b *builder) nullable(n node) bool {
	a := n.notes.Get(noteNullable)
	if a == nil {
		return false
	}
	const hint = "remove the annotation if the value must not be null"
	if len(a.Kwargs) > 0 {
		d := b.bad(n, a, "keyword argument", "none").WithHint(hint)
		if name, _ := starlark.AsString(a.Kwargs[0][0]); name == "default" {
			d.WithHint("the default of a nullable value is null: write `#@schema/default ...` " +
				"on its own line for another default")
		}
	} else if len(a.Args) > 0 { // ytt ignores it, so existing schemas may contain it
		d := diag.Warningf(noteSpan(a), CodeAnnotation,
			"the argument of @%s has no effect: @schema/nullable always allows null", a.Name)
		b.report(n.annotated(d).WithHint(hint))
	}
	return true
}

// anyType reads @schema/type.
func (b *builder) anyType(n node) bool {
	a := n.notes.Get(noteType)
	if a == nil {
		return false
	}
	const supported = "write any=True or any=False"
	if len(a.Kwargs) == 0 {
		b.refuse(n, a, "expected @schema/type annotation to have keyword argument and value: found none").
			WithHint(supported)
		return false
	}
	anything := false
	for _, kw := range a.Kwargs {
		name, _ := starlark.AsString(kw[0])
		if name != "any" {
			b.refuse(n, a, fmt.Sprintf("unknown @schema/type annotation keyword argument: found "+
				"%s, expected any", name)).
				WithHint("%s", typeHint(name, supported))
			continue
		}
		v, ok := kw[1].(starlark.Bool)
		if !ok {
			b.refuse(n, a, fmt.Sprintf("wrong value of @schema/type annotation keyword argument "+
				"any: found %s (%s), expected True or False", kw[1], kw[1].Type())).
				WithHint(supported)
			continue
		}
		anything = bool(v)
	}
	return anything
}

// typeHint returns a hint for an unknown keyword of @schema/type.
func typeHint(keyword, supported string) string {
	switch keyword {
	case "nullable", "null", "optional":
		return "write `#@schema/nullable`"
	case "default":
		return "write `#@schema/default ...`"
	case "enum", "one_of":
		return "write `#@schema/validation one_of=[...]`"
	case "type":
		return "the type comes from the value below"
	}
	return supported
}

// describe reads the annotations that only document a value.
func (b *builder) describe(t *Type, n node) {
	if a := n.notes.Get(noteTitle); a != nil {
		t.title, _ = b.text(n, a)
	}
	if a := n.notes.Get(noteDesc); a != nil {
		t.desc, _ = b.text(n, a)
	}
	if a := n.notes.Get(noteSecret); a != nil {
		b.secret(t, n, a)
	}
	if a := n.notes.Get(noteDeprecated); a != nil {
		if n.what == tree.DocumentNode {
			b.refuse(n, a, "@schema/deprecated not supported on a document").
				WithHint("deprecate single keys")
			return
		}
		if s, ok := b.text(n, a); ok {
			t.deprecation = &s
		}
	}
}

// secret reads @schema/secret.
func (b *builder) secret(t *Type, n node, a *tree.Annotation) {
	switch {
	case n.what == tree.DocumentNode:
		b.refuse(n, a, "@schema/secret not supported on a document").WithHint("mark single keys")
	case len(a.Args)+len(a.Kwargs) > 0:
		b.bad(n, a, "an argument", "none").WithHint("write `#@schema/secret`")
	default:
		t.secret = true
	}
}

// text reads the only argument of an annotation, a string.
func (b *builder) text(n node, a *tree.Annotation) (string, bool) {
	x, ok := b.one(n, a, "string", "this annotation takes one argument: a string")
	if !ok {
		return "", false
	}
	s, ok := starlark.AsString(x)
	if !ok {
		b.bad(n, a, "non-string value ("+x.Type()+")", "string")
	}
	return s, ok
}

// one reads the only argument of an annotation.
func (b *builder) one(n node, a *tree.Annotation, expected, hint string) (starlark.Value, bool) {
	switch {
	case len(a.Kwargs) > 0:
		b.bad(n, a, "keyword argument", expected).WithHint("%s", hint)
	case len(a.Args) == 0:
		b.bad(n, a, "no value", expected).WithHint("%s", hint)
	case len(a.Args) > 1:
		b.bad(n, a, fmt.Sprintf("%d values", len(a.Args)), expected).WithHint("%s", hint)
	default:
		return a.Args[0], true
	}
	return nil, false
}

// setDefault reads @schema/default. sound means that the type itself has no errors.
func (b *builder) setDefault(t *Type, n node, sound bool) {
	a := n.notes.Get(noteDefault)
	if a == nil {
		return
	}
	if n.what == tree.ArrayItem {
		b.refuse(n, a, "@schema/default not supported on array item").
			WithHint("do you mean to set a default value for the array? annotate the array itself, above")
		return
	}
	x, ok := b.one(
		n,
		a,
		t.kind.String(),
		"this annotation takes one argument, the default in Starlark: {'key': 'value'}, [1, 2], True",
	)
	if !ok {
		return
	}
	v, ok := b.value(n, a, x)
	if ok && sound {
		t.def, _ = b.checked(t, n, a, v, "@schema/default is wrong type")
	}
}

// examples reads @schema/examples.
func (b *builder) examples(t *Type, n node, sound bool) {
	a := n.notes.Get(noteExamples)
	if a == nil {
		return
	}
	const expected = "2-tuple containing description (string) and example value (of expected type)"
	const hint = "write `#@schema/examples (\"what it is for\", value), (...)`"
	switch {
	case len(a.Kwargs) > 0:
		b.bad(n, a, "keyword argument", expected).WithHint(hint)
		return
	case len(a.Args) == 0:
		b.bad(n, a, "no value", expected).WithHint(hint)
		return
	}
	for _, x := range a.Args {
		pair, ok := x.(starlark.Tuple)
		switch {
		case !ok:
			b.bad(n, a, diag.Article(x.Type()), expected).WithHint(hint)
			continue
		case len(pair) == 0:
			b.bad(n, a, "empty tuple", expected).WithHint(hint)
			continue
		case len(pair) != 2:
			b.bad(n, a, fmt.Sprintf("%d-tuple", len(pair)), expected).WithHint(hint)
			continue
		}
		desc, ok := starlark.AsString(pair[0])
		if !ok {
			b.bad(n, a, diag.Article(pair[0].Type())+" as description", expected).WithHint(hint)
			continue
		}
		v, ok := b.value(n, a, pair[1])
		if !ok {
			continue
		}
		if sound {
			if _, ok = b.checked(t, n, a, v, "@schema/examples has wrong type"); !ok {
				continue
			}
		}
		t.examples = append(t.examples, example{desc: desc, value: v})
	}
}

// value converts an argument to a YAML value. A value created by Starlark has no place in a file,
// so it gets that of the annotation.
func (b *builder) value(n node, a *tree.Annotation, x starlark.Value) (tree.Value, bool) {
	v, err := tree.FromStarlark(x)
	if err != nil {
		b.refuse(n, a, fmt.Sprintf("@%s: %s", a.Name, err))
		return tree.Value{}, false
	}
	return tree.Doc{Value: v, Pos: a.Pos}.Placed().Value, true
}

// checked returns a value of an annotation with the type assigned to it.
func (b *builder) checked(
	t *Type, n node, a *tree.Annotation, v tree.Value, wrong string,
) (tree.Value, bool) {
	c := checker{Steps: &Steps{}, path: b.path}
	v = c.assign(t, node{value: v, pos: a.Pos, what: n.what}, tree.Value{})
	for _, d := range c.list {
		d.At = noteSpan(a)
		d.Message = "invalid schema: " + wrong + ": " + d.Message
		if d.Code == CodeType {
			d.Hint = "" // the hint is for people who set values
		}
		if t.at != n.span() || d.Related[0].At != t.at {
			n.annotated(d)
		}
		b.fail(d)
	}
	return v, len(c.list) == 0
}
