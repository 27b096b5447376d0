package test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// syntax is how test files are read: they are always YAML 1.2, as project files are.
var syntax = yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core, MaxNodes: 10_000_000}

// Decode reads a test file. The error is a diag.List with all that is wrong with it.
func Decode(f *source.File) (*Suite, error) {
	t, err := yaml.Parse(f, syntax)
	if err != nil {
		return nil, diag.Of(err)
	}
	if list := append(t.Check(false), t.Duplicates()...); list.Failed() {
		return nil, list
	}
	d := decoder{suite: &Suite{File: f}}
	if t.Len() == 0 || !t.More(t.First()) {
		return nil, diag.List{diag.Errorf(f.Span(0, 0), CodeNone, "the test file is empty").
			WithHint("begin it with `tests:`, a list of tests")}
	}
	if second := t.Next(t.First()); t.More(second) {
		at := t.Start(second)
		d.fail(at.To(at.Offset()+1), CodeValue, "expected one document, but found another one").
			WithHint("remove the `---` line, or what follows it")
	}
	d.file(tree.FromSyntax(t, t.Root(t.First())))
	if d.list != nil {
		d.list.Sort()
		return nil, d.list
	}
	return d.suite, nil
}

// decoder reads one file and gathers all that is wrong with it.
type decoder struct {
	suite *Suite
	list  diag.List
}

func (d *decoder) fail(at source.Span, code diag.Code, format string, args ...any) *diag.Diagnostic {
	e := diag.Errorf(at, code, format, args...)
	d.list = append(d.list, e)
	return e
}

// field is a key of a mapping, and what reads its value.
type field struct {
	name string
	read func(v tree.Value)
}

// record reads a mapping with known keys, and reports which of them there are.
func (d *decoder) record(v tree.Value, fields ...field) (has map[string]source.Span) {
	if v.Kind() != tree.MapKind {
		d.mismatch(v, "a mapping")
		return nil
	}
	has = map[string]source.Span{}
	for _, it := range v.Entries() {
		key := it.Key.Span()
		name := ""
		if it.Key.Kind() == tree.ScalarKind {
			name = it.Key.Text()
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if i < 0 {
			d.unknown(key, name, fields)
			continue
		}
		has[name] = key
		fields[i].read(it.Value)
	}
	return has
}

// unknown says that there is no such key, and which may be meant.
func (d *decoder) unknown(at source.Span, name string, fields []field) {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	e := d.fail(at, CodeKey, "unknown key '%s'", diag.Shortened(name))
	near := synonyms[name]
	if !slices.Contains(names, near) {
		near = diag.Nearest(name, names)
	}
	if near != "" {
		e.WithHint("did you mean %s?", near)
		return
	}
	e.WithHint("keys are %s", strings.Join(names, ", "))
}

// synonyms are what other tools call a key.
var synonyms = map[string]string{
	"it": "name", "env": "envs", "environment": "envs", "environments": "envs", "set": "values",
	"dataValues": "values", "valuesFiles": "valueFiles", "asserts": "expect", "assert": "expect",
	"expects": "expect", "snapshot": "golden", "fails": "error", "foreach": "each",
	"documentSelector": "select", "selector": "select", "equals": "equal", "matchRegex": "matches",
	"match": "matches", "subset": "contains", "notExists": "absent", "hasDocuments": "count",
	"message": "matches", "place": "at", "path": "file", "function": "call",
}

// mismatch says that a value is not what it has to be.
func (d *decoder) mismatch(v tree.Value, expected string) *diag.Diagnostic {
	e := d.fail(v.Span(), CodeValue, "expected %s, but found %s", expected, found(v))
	if v.IsNull() {
		e.WithHint("remove the key, or give it a value")
	}
	return e
}

// found returns what messages call a value.
func found(v tree.Value) string {
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
	}
	if val, text := v.Scalar(); val.Kind == yaml.String {
		if len(text) == 0 {
			return "empty text"
		}
		return "'" + diag.Shortened(string(text)) + "'"
	}
	return diag.Shortened(v.Written())
}

func (d *decoder) file(v tree.Value) {
	if v.IsNull() || v.Kind() == tree.ArrayKind {
		d.mismatch(v, "a mapping with the key `tests`")
		return
	}
	has := d.record(v, field{"tests", d.tests})
	if _, ok := has["tests"]; !ok && d.list == nil {
		d.fail(source.Span{Pos: v.Start()}, CodeKey, "the key 'tests' is missing").
			WithHint("a test file is `tests:` and a list of tests")
	}
}

func (d *decoder) tests(v tree.Value) {
	if v.Kind() != tree.ArrayKind || v.Len() == 0 {
		d.mismatch(v, "a list of tests")
		return
	}
	names := map[string]source.Span{}
	for x := range v.Elements() {
		t := d.test(x)
		if first, again := names[t.Name.Text]; again && t.Name.Text != "" {
			d.fail(t.Name.At, CodeValue, "two tests have the name '%s'", diag.Shortened(t.Name.Text)).
				WithRelated(first, "the first one is here")
		}
		names[t.Name.Text] = t.Name.At
		d.suite.Tests = append(d.suite.Tests, t)
	}
}

func (d *decoder) test(v tree.Value) *Test {
	t := &Test{}
	has := d.record(v,
		field{"name", func(v tree.Value) { t.Name = d.text(v, "a name") }},
		field{"each", func(v tree.Value) { t.Each = d.path(v, "a pattern of directories") }},
		field{"envs", func(v tree.Value) { d.envs(v, t) }},
		field{"values", func(v tree.Value) { d.values(v, t) }},
		field{"valueFiles", func(v tree.Value) { t.ValueFiles = d.paths(v) }},
		field{"expect", func(v tree.Value) { d.expect(v, t) }},
		field{"error", func(v tree.Value) { t.Error = d.expectedError(v) }},
		field{"golden", func(v tree.Value) { t.Golden = d.path(v, "a path") }},
		field{"star", func(v tree.Value) { t.Star = d.star(v) }},
	)
	if has == nil {
		return t
	}
	if _, ok := has["name"]; !ok {
		d.fail(source.Span{Pos: v.Start()}, CodeKey, "the test has no name").
			WithHint("add `name:`; messages and --run use it")
	}
	var checks []string
	for _, key := range []string{"expect", "golden", "star"} {
		if _, ok := has[key]; ok {
			checks = append(checks, key)
		}
	}
	at, fails := has["error"]
	switch {
	case fails && checks != nil:
		d.fail(at, CodeKey, "'error' and '%s' cannot be used together", checks[0]).
			WithRelated(has[checks[0]], "the other one is here").
			WithHint("a render that fails makes no documents: write two tests")
	case !fails && checks == nil:
		d.fail(source.Span{Pos: v.Start()}, CodeKey, "the test checks nothing").
			WithHint("add `expect`, `golden`, `star` or `error`")
	}
	return t
}

// text reads a string that is not empty.
func (d *decoder) text(v tree.Value, expected string) Text {
	if !isText(v) {
		e := d.mismatch(v, expected)
		if v.Kind() == tree.ScalarKind && !v.IsNull() && v.Text() != "" {
			e.WithHint("put it in quotes: '%s'", diag.Shortened(v.Written()))
		}
		return Text{At: v.Span()}
	}
	return Text{v.Text(), v.Span()}
}

func isText(v tree.Value) bool {
	if v.Kind() != tree.ScalarKind {
		return false
	}
	val, text := v.Scalar()
	return val.Kind == yaml.String && len(text) > 0
}

// path reads a path, which has forward slashes on every system.
func (d *decoder) path(v tree.Value, expected string) Text {
	t := d.text(v, expected)
	if strings.Contains(t.Text, `\`) {
		d.mismatch(v, "a path with forward slashes").WithHint("write %s: paths have forward slashes "+
			"on every system", strings.ReplaceAll(t.Text, `\`, "/"))
	}
	return t
}

// paths reads a list of paths.
func (d *decoder) paths(v tree.Value) (list []Text) {
	if v.Kind() != tree.ArrayKind {
		e := d.mismatch(v, "a list of paths")
		if isText(v) {
			e.WithHint("write a list: [%s]", diag.Shortened(v.Text()))
		}
		return nil
	}
	for x := range v.Elements() {
		list = append(list, d.path(x, "a path"))
	}
	return list
}

func (d *decoder) envs(v tree.Value, t *Test) {
	const expected = "a list of environments, or `all`"
	switch {
	case v.IsString("all"):
		t.AllEnvs = true
		return
	case isText(v):
		d.mismatch(v, expected).WithHint("write a list: [%s]", diag.Shortened(v.Text()))
		return
	case v.Kind() != tree.ArrayKind || v.Len() == 0:
		d.mismatch(v, expected)
		return
	}
	seen := map[string]source.Span{}
	for x := range v.Elements() {
		e := d.text(x, "the name of an environment")
		if first, again := seen[e.Text]; again && e.Text != "" {
			d.fail(e.At, CodeValue, "environment '%s' is listed twice", diag.Shortened(e.Text)).
				WithRelated(first, "it is already here")
			continue
		}
		seen[e.Text] = e.At
		t.Envs = append(t.Envs, e)
	}
}

func (d *decoder) values(v tree.Value, t *Test) {
	if v.Kind() != tree.MapKind {
		d.mismatch(v, "a mapping of data values")
		return
	}
	if v.Len() > 0 {
		t.Values = v.Span()
	}
}

func (d *decoder) expect(v tree.Value, t *Test) {
	if v.Kind() != tree.ArrayKind || v.Len() == 0 {
		e := d.mismatch(v, "a list of expectations")
		if v.Kind() == tree.MapKind {
			e.WithHint("begin it with a dash: `- select: ...`")
		}
		return
	}
	for x := range v.Elements() {
		t.Expect = append(t.Expect, d.expectation(x))
	}
}

func (d *decoder) expectation(v tree.Value) Expectation {
	e := Expectation{At: source.Span{Pos: v.Start()}, Least: 1, Most: 1}
	has := d.record(v,
		field{"select", func(v tree.Value) { e.Select = d.selector(v) }},
		field{"count", func(v tree.Value) { e.Least, e.Most = d.count(v) }},
		field{"equal", func(v tree.Value) { e.Equal = d.equal(v) }},
		field{"matches", func(v tree.Value) { e.Matches = d.matches(v) }},
		field{"contains", func(v tree.Value) { e.Contains = d.contains(v) }},
		field{"absent", func(v tree.Value) { e.Absent = d.absent(v) }},
	)
	if has != nil && len(has) == 0 {
		d.mismatch(v, "an expectation").WithHint("add `select` and what holds for it")
	}
	for _, key := range []string{"equal", "matches", "contains", "absent"} {
		if at, ok := has[key]; ok && e.Most == 0 {
			d.fail(at, CodeKey, "'%s' has nothing to look at: `count` is 0", key).
				WithRelated(has["count"], "here")
		}
	}
	return e
}

// count reads how many documents are selected: a number, or one with a + for at least so many.
func (d *decoder) count(v tree.Value) (least, most int) {
	const expected = "a number of documents, or one with a plus for at least so many, such as 1+"
	if v.Kind() != tree.ScalarKind || v.IsNull() {
		d.mismatch(v, expected)
		return 1, 1
	}
	text, open := strings.CutSuffix(v.Text(), "+")
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 0 || text != strconv.Itoa(n):
		d.mismatch(v, expected)
		return 1, 1
	case open && n == 0:
		d.mismatch(v, expected).WithHint("with 0+ nothing could fail: write 1+, or a number")
		return 1, 1
	case open:
		return n, -1
	}
	return n, n
}

// places calls read for each path that is a key of a mapping, with its value.
func (d *decoder) places(v tree.Value, read func(Place, tree.Value)) {
	if v.Kind() != tree.MapKind || v.Len() == 0 {
		d.mismatch(v, "a mapping of paths")
		return
	}
	for _, it := range v.Entries() {
		if p, ok := d.place(it.Key); ok {
			read(p, it.Value)
		}
	}
}

// place reads a path in a document. Numbers are keys, too.
func (d *decoder) place(v tree.Value) (Place, bool) {
	if v.Kind() != tree.ScalarKind || v.IsNull() || v.Text() == "" {
		d.mismatch(v, "a path in a document, such as spec.replicas")
		return Place{}, false
	}
	p := Place{Text: Text{v.Text(), v.Span()}}
	var err error
	if p.Pattern, err = path.Parse("path", v.Text()); err != nil {
		e := diag.Of(err)[0]
		d.fail(v.Span(), CodeValue, "%s", e.Message).WithHint("%s", e.Hint)
		return p, false
	}
	return p, true
}

func (d *decoder) equal(v tree.Value) (list []Equal) {
	d.places(v, func(p Place, v tree.Value) { list = append(list, Equal{p, v}) })
	return list
}

func (d *decoder) matches(v tree.Value) (list []Match) {
	d.places(v, func(p Place, v tree.Value) {
		if re := d.regexp(v); re != nil {
			list = append(list, Match{p, re})
		}
	})
	return list
}

func (d *decoder) regexp(v tree.Value) *regexp.Regexp {
	if v.Kind() != tree.ScalarKind || v.IsNull() {
		d.mismatch(v, "a regular expression")
		return nil
	}
	re, err := regexp.Compile(v.Text())
	if err != nil {
		d.fail(v.Span(), CodeValue, "expected a regular expression, but found '%s': %s",
			diag.Shortened(v.Text()), strings.TrimPrefix(err.Error(), "error parsing regexp: ")).
			WithHint("see the syntax at https://pkg.go.dev/regexp/syntax, and put it in single quotes")
	}
	return re
}

func (d *decoder) contains(v tree.Value) *tree.Value {
	if v.Kind() == tree.ScalarKind || v.Len() == 0 {
		d.mismatch(v, "a part of a document")
		return nil
	}
	return &v
}

func (d *decoder) absent(v tree.Value) (list []Place) {
	if v.Kind() != tree.ArrayKind || v.Len() == 0 {
		e := d.mismatch(v, "a list of paths")
		if isText(v) {
			e.WithHint("write a list: [%s]", diag.Shortened(v.Text()))
		}
		return nil
	}
	for x := range v.Elements() {
		if p, ok := d.place(x); ok {
			list = append(list, p)
		}
	}
	return list
}

func (d *decoder) expectedError(v tree.Value) *ExpectedError {
	e := &ExpectedError{At: v.Span()}
	has := d.record(v,
		field{"code", func(v tree.Value) { e.Code = d.code(v) }},
		field{"at", func(v tree.Value) { e.Place = d.text(v, "a place, such as schema.yml:5").Text }},
		field{"matches", func(v tree.Value) { e.Message = d.regexp(v) }},
	)
	if has != nil && len(has) == 0 {
		d.mismatch(v, "what the error is like").
			WithHint("write its code: `error: {code: schema/validation}`")
	}
	return e
}

// code reads the code of a diagnostic, of which there is a table.
func (d *decoder) code(v tree.Value) string {
	t := d.text(v, "the code of an error, such as schema/validation")
	if _, known := diag.About(diag.Code(t.Text)); known || t.Text == "" {
		return t.Text
	}
	var names []string
	for _, info := range diag.Codes() {
		names = append(names, string(info.Code))
	}
	e := d.fail(t.At, CodeValue, "there is no error with the code '%s'", diag.Shortened(t.Text))
	if near := diag.Nearest(t.Text, names); near != "" {
		e.WithHint("did you mean %s?", near)
	} else {
		e.WithHint("messages show codes in brackets, such as [schema/validation]")
	}
	return t.Text
}

func (d *decoder) star(v tree.Value) *Star {
	s := &Star{}
	has := d.record(v,
		field{"file", func(v tree.Value) { s.File = d.path(v, "a path") }},
		field{"call", func(v tree.Value) { s.Call = d.text(v, "the name of a function") }},
	)
	for _, key := range []string{"file", "call"} {
		if _, ok := has[key]; !ok && has != nil {
			d.fail(source.Span{Pos: v.Start()}, CodeKey, "the key '%s' is missing", key).
				WithHint("write `star: {file: checks.star, call: check}`")
		}
	}
	return s
}
