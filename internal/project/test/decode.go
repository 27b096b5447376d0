package test

import (
	"regexp"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/shape"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// syntax is how test files are parsed: always as YAML 1.2, like project files.
var syntax = yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core, MaxNodes: 10_000_000}

// Decode parses a test file. The error is a diag.List of all errors.
func Decode(f *source.File) (*Suite, error) {
	t, err := yaml.Parse(f, syntax)
	if err != nil {
		return nil, diag.Of(err)
	}
	if list := append(t.Check(false), t.Duplicates()...); list.Failed() {
		return nil, list
	}
	if t.Len() == 0 || !t.More(t.First()) {
		return nil, diag.List{diag.Errorf(f.Span(0, 0), CodeNone, "the test file is empty").
			WithHint("begin it with `tests:`, a list of tests")}
	}
	d := decoder{shape.New(language())}
	if second := t.Next(t.First()); t.More(second) {
		at := t.Start(second)
		d.Fail(at.To(at.Offset()+1), CodeValue, "expected one document, but found another one").
			WithHint("remove the `---` line, or what follows it")
	}
	suite := &Suite{File: f, Tests: d.file(tree.FromSyntax(t, t.Root(t.First())))}
	if d.List != nil {
		d.List.Sort()
		return nil, d.List
	}
	return suite, nil
}

// decoder reads one file and collects all errors: first about shapes, then about meanings. Values
// with the wrong shape are treated as missing.
type decoder struct{ *shape.Checker }

func (d *decoder) file(v tree.Value) (tests []*Test) {
	if v.IsNull() || v.Kind() == tree.ArrayKind {
		d.Mismatch(v, top.Get(), "a mapping with the key `tests`")
		return nil
	}
	d.Check(v, top.Get())
	list, ok := v.Lookup("tests")
	if !ok && d.List == nil {
		d.Fail(source.Span{Pos: v.Start()}, CodeKey, "the key 'tests' is missing").
			WithHint("a test file is `tests:` and a list of tests")
	}
	names := map[string]source.Span{}
	for x := range list.Elements() {
		t := d.test(x)
		d.once(names, t.Name, "two tests have the name '%s'", "the first one is here")
		tests = append(tests, t)
	}
	return tests
}

// once reports a duplicate text; seen has the earlier ones. It returns whether t is the first.
func (d *decoder) once(seen map[string]source.Span, t Text, again, first string) bool {
	at, known := seen[t.Text]
	if known && t.Text != "" {
		d.Fail(t.At, CodeValue, again, diag.Shortened(t.Text)).WithRelated(at, "%s", first)
		return false
	}
	seen[t.Text] = t.At
	return true
}

func (d *decoder) test(v tree.Value) *Test {
	t := &Test{
		Name: textAt(v, "name"), Each: textAt(v, "each"), Golden: textAt(v, "golden"),
		Error: d.expectedError(v),
	}
	d.checks(v)
	envs, _ := v.Lookup("envs")
	t.AllEnvs = envs.IsString("all")
	seen := map[string]source.Span{}
	for x := range envs.Elements() {
		if e := textOf(x); d.once(seen, e, "environment '%s' is listed twice", "it is already here") {
			t.Envs = append(t.Envs, e)
		}
	}
	if values, _ := v.Lookup("values"); values.Kind() == tree.MapKind && values.Len() > 0 {
		t.Values = values.Span()
	}
	files, _ := v.Lookup("valueFiles")
	for x := range files.Elements() {
		t.ValueFiles = append(t.ValueFiles, textOf(x))
	}
	expect, _ := v.Lookup("expect")
	for x := range expect.Elements() {
		t.Expect = append(t.Expect, d.expectation(x))
	}
	if star, ok := v.Lookup("star"); ok {
		t.Star = &Star{textAt(star, "file"), textAt(star, "call")}
	}
	return t
}

// checks reports a test that checks nothing, or has contradictory checks.
func (d *decoder) checks(v tree.Value) {
	if v.Kind() != tree.MapKind {
		return
	}
	first := ""
	for _, key := range []string{"star", "golden", "expect"} {
		if _, ok := v.Lookup(key); ok {
			first = key
		}
	}
	_, fails := v.Lookup("error")
	switch {
	case fails && first != "":
		d.Fail(keySpan(v, "error"), CodeKey, "'error' and '%s' cannot be used together", first).
			WithRelated(keySpan(v, first), "the other one is here").
			WithHint("a render that fails makes no documents: write two tests")
	case !fails && first == "":
		d.Fail(source.Span{Pos: v.Start()}, CodeKey, "the test checks nothing").
			WithHint("add `expect`, `golden`, `star` or `error`")
	}
}

// keySpan returns where a key of a mapping is.
func keySpan(v tree.Value, key string) source.Span {
	for _, it := range v.Entries() {
		if it.Key.IsString(key) {
			return it.Key.Span()
		}
	}
	return source.Span{}
}

// textAt returns the text of a key, or an empty Text.
func textAt(v tree.Value, key string) Text {
	x, _ := v.Lookup(key)
	return textOf(x)
}

func textOf(v tree.Value) Text {
	t := Text{At: v.Span()}
	if isText(v) {
		t.Text = v.Text()
	}
	return t
}

func isText(v tree.Value) bool { return v.TypeName() == "string" }

func (d *decoder) expectation(v tree.Value) Expectation {
	e := Expectation{At: source.Span{Pos: v.Start()}, Least: 1, Most: 1}
	count, _ := v.Lookup("count")
	if least, most, ok := readCount(count); ok {
		e.Least, e.Most = least, most
	}
	for _, it := range v.Entries() {
		key := shape.KeyText(it.Key)
		switch key {
		case "select":
			e.Select = d.selector(it.Value)
			continue
		case "equal":
			d.places(it.Value, func(p Place, v tree.Value) { e.Equal = append(e.Equal, Equal{p, v}) })
		case "matches":
			d.places(it.Value, func(p Place, v tree.Value) {
				if re := d.regexp(v); re != nil {
					e.Matches = append(e.Matches, Match{p, re})
				}
			})
		case "contains":
			e.Contains = &it.Value
		case "absent":
			for x := range it.Value.Elements() {
				if p, ok := d.place(x); ok {
					e.Absent = append(e.Absent, p)
				}
			}
		default:
			continue
		}
		if e.Most == 0 {
			d.Fail(it.Key.Span(), CodeKey, "'%s' has nothing to look at: `count` is 0", key).
				WithRelated(keySpan(v, "count"), "here")
		}
	}
	return e
}

// places calls read for each path that is a key of a mapping, with its value.
func (d *decoder) places(v tree.Value, read func(Place, tree.Value)) {
	if v.Kind() != tree.MapKind {
		return
	}
	for _, it := range v.Entries() {
		if !isPlace(it.Key) {
			d.Mismatch(it.Key, place(), expectedPlace)
		} else if p, ok := d.place(it.Key); ok {
			read(p, it.Value)
		}
	}
}

// isPlace reports whether a value has the shape of a path in a document.
func isPlace(v tree.Value) bool { return v.Kind() == tree.ScalarKind && !v.IsNull() && v.Text() != "" }

// place reads a path in a document.
func (d *decoder) place(v tree.Value) (Place, bool) {
	if !isPlace(v) {
		return Place{}, false
	}
	p := Place{Text: Text{v.Text(), v.Span()}}
	var err error
	if p.Pattern, err = path.Parse("path", v.Text()); err != nil {
		e := diag.Of(err)[0]
		d.Fail(v.Span(), CodeValue, "%s", e.Message).WithHint("%s", e.Hint)
		return p, false
	}
	return p, true
}

func (d *decoder) regexp(v tree.Value) *regexp.Regexp {
	if v.Kind() != tree.ScalarKind || v.IsNull() {
		return nil
	}
	re, err := regexp.Compile(v.Text())
	if err != nil {
		d.Fail(v.Span(), CodeValue, "expected a regular expression, but found '%s': %s",
			diag.Shortened(v.Text()), strings.TrimPrefix(err.Error(), "error parsing regexp: ")).
			WithHint("see the syntax at https://pkg.go.dev/regexp/syntax, and put it in single quotes")
	}
	return re
}

// expectedError reads how the render of a test must fail, if it must.
func (d *decoder) expectedError(test tree.Value) *ExpectedError {
	v, ok := test.Lookup("error")
	if !ok {
		return nil
	}
	message, _ := v.Lookup("matches")
	code := textAt(v, "code")
	d.code(code)
	return &ExpectedError{
		At: v.Span(), Code: code.Text, Place: textAt(v, "at").Text, Message: d.regexp(message),
	}
}

// code reports an unknown error code.
func (d *decoder) code(t Text) {
	if _, known := diag.About(diag.Code(t.Text)); known || t.Text == "" {
		return
	}
	var names []string
	for _, info := range diag.Codes() {
		names = append(names, string(info.Code))
	}
	d.Fail(t.At, CodeValue, "there is no error with the code '%s'", diag.Shortened(t.Text)).
		WithHint("messages show codes in brackets, such as [schema/validation]").
		WithNearest(t.Text, names)
}
