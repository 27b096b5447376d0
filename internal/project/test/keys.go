package test

import (
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/shape"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// top is the shape of a test file, built on first use.
var top = lazy.Value[*shape.Shape]{New: func() *shape.Shape {
	return shape.RecordOf(testsOf(shape.RecordOf(keys()...).Requiring("name")))
}}

func testsOf(test *shape.Shape) shape.Key {
	return shape.Key{Name: "tests", Shape: fullList("a list of tests", test), Doc: "The tests."}
}

func keys() []shape.Key {
	return []shape.Key{
		{
			Name: "name", Shape: text("a name"),
			Doc: "The name of the test. Required, and unique in its file.",
		},
		{
			Name: "each", Shape: filePath("a pattern of directories"),
			Doc: "Creates one test for each directory that matches. `{dir}` is the directory, in `name`, " +
				"`valueFiles`, `golden` and `star.file`. `*` matches any characters within a name.",
		},
		{
			Name: "envs", Shape: environments(),
			Doc: "The environments to run the test in. The default is the default environment.",
		},
		{
			Name: "values", Shape: &shape.Shape{Kind: shape.AnyMap, Expected: "a mapping of data values"},
			Doc: "Data values that override all files. Flags such as `-v` override them.",
		},
		{
			Name:  "valueFiles",
			Shape: &shape.Shape{Kind: shape.List, Item: filePath("a path"), Expected: "a list of paths"},
			Doc:   "Data values, as the last of all [data values files](which-value-wins.md).",
		},
		{
			Name: "expect", Shape: expectations(),
			Doc: "What the documents must contain: see below.",
		},
		{
			Name: "error", Shape: failure(),
			Doc: "The error that rendering must fail with. Cannot be combined with `expect`, `golden` or `star`.",
		},
		{
			Name: "golden", Shape: filePath("a path"),
			Doc: "A file with the expected output. `{env}` is the environment.",
		},
		{
			Name: "star", Shape: star(),
			Doc: "A Starlark file, and its function that checks the documents.",
		},
	}
}

func expectationKeys() []shape.Key {
	return []shape.Key{
		{
			Name: "select", Shape: called("documents",
				text("documents, such as Deployment/shop or kind=Deployment, metadata.name=shop")),
			Doc: "The documents to check: a name such as `Deployment/shop`, or conditions on paths such as " +
				"`kind=Deployment, metadata.name=shop`, `kind!=Job` and `metadata.name=~^web`. The default is all " +
				"documents.",
		},
		{
			Name: "count", Shape: count(),
			Doc: "How many documents must be selected: an exact number, or a minimum such as `2+`. " +
				"The default is exactly one. The other keys must hold for each of them.",
		},
		{
			Name: "equal", Shape: called("paths to values", places(&shape.Shape{Kind: shape.Any})),
			Doc: "The value at the path. The order of keys does not matter; the type does: `1` is not `\"1\"`.",
		},
		{
			Name: "matches", Shape: called("paths to regular expressions", places(pattern())),
			Doc: "A part of the text at the path [matches](https://pkg.go.dev/regexp/syntax).",
		},
		{
			Name: "contains", Shape: part(),
			Doc: "A part that the document must contain: all keys of mappings, and for each list item an item " +
				"that contains it.",
		},
		{
			Name: "absent", Shape: called("list of paths", fullList("a list of paths", place())),
			Doc: "Paths that must not exist.",
		},
	}
}

func called(noun string, s *shape.Shape) *shape.Shape {
	s.Noun = noun
	return s
}

func text(expected string) *shape.Shape { return &shape.Shape{Kind: shape.Text, Expected: expected} }

// filePath returns the shape of a path, which has forward slashes on every system.
func filePath(expected string) *shape.Shape {
	return &shape.Shape{
		Kind: shape.Text, Pattern: `^[^\\]+$`, Expected: expected, Matching: "a path with forward slashes",
		Noun: strings.TrimPrefix(expected, "a "),
	}
}

func fullList(expected string, item *shape.Shape) *shape.Shape {
	return &shape.Shape{Kind: shape.List, Item: item, Full: true, Expected: expected, Noun: "list"}
}

func environments() *shape.Shape {
	const expected = "a list of environments, or `all`"
	all := &shape.Shape{Kind: shape.Choice, Choices: []string{"all"}, Expected: expected}
	return called("list of names, or `all`",
		shape.EitherOf(expected, all, fullList(expected, text("the name of an environment"))))
}

func expectations() *shape.Shape {
	return fullList("a list of expectations", &shape.Shape{
		Kind: shape.Record, Keys: expectationKeys(), Full: true, Matching: "an expectation",
	})
}

func star() *shape.Shape {
	return called("`{file, call}`", shape.RecordOf(
		shape.Key{Name: "file", Shape: filePath("a path"), Doc: "The Starlark file."},
		shape.Key{Name: "call", Shape: text("the name of a function"), Doc: "The function."},
	).Requiring("file", "call"))
}

func failure() *shape.Shape {
	return &shape.Shape{
		Kind: shape.Record, Full: true, Matching: "what the error is like", Noun: "`{code, at, matches}`",
		Keys: []shape.Key{
			{
				Name: "code", Shape: text("the code of an error, such as schema/validation"),
				Doc: "The code in brackets after the message.",
			},
			{
				Name: "at", Shape: text("a place, such as schema.yml:5"),
				Doc: "The place of the error, or of one of its notes.",
			},
			{Name: "matches", Shape: pattern(), Doc: "A regular expression for its text."},
		},
	}
}

const expectedCount = "a number of documents, or one with a plus for at least so many, such as 1+"

// count returns the shape of the number of selected documents: a number, or a number with a + for at
// least that many.
func count() *shape.Shape {
	return &shape.Shape{
		Kind: shape.Custom, Expected: expectedCount, Noun: "number, or `1+`",
		Fits: func(v tree.Value) bool {
			_, _, ok := readCount(v)
			return ok
		},
		JSON: shape.Object{"anyOf": []shape.Object{
			{"type": "integer", "minimum": 0},
			{"type": "string", "pattern": `^(0|[1-9][0-9]*\+?)$`},
		}},
	}
}

// readCount returns the minimum and the maximum of a count; the maximum is -1 if there is none.
func readCount(v tree.Value) (least, most int, ok bool) {
	if v.Kind() != tree.ScalarKind || v.IsNull() {
		return 0, 0, false
	}
	text, open := strings.CutSuffix(v.Text(), "+")
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 0 || text != strconv.Itoa(n) || open && n == 0:
		return 0, 0, false
	case open:
		return n, -1, true
	}
	return n, n, true
}

// places returns the shape of a mapping of paths in documents.
func places(value *shape.Shape) *shape.Shape {
	return &shape.Shape{Kind: shape.Map, Item: value, Full: true, Expected: "a mapping of paths"}
}

const expectedPlace = "a path in a document, such as spec.replicas"

// place returns the shape of a path in a document. A number can be a key, too.
func place() *shape.Shape {
	return &shape.Shape{Kind: shape.Scalar, Pattern: `(?s).`, Expected: expectedPlace}
}

func pattern() *shape.Shape {
	return &shape.Shape{Kind: shape.Scalar, Expected: "a regular expression", Noun: "regular expression"}
}

// part returns the shape of a part of a document, which must not be empty.
func part() *shape.Shape {
	return &shape.Shape{
		Kind: shape.Custom, Expected: "a part of a document", Noun: "part of a document",
		Fits: func(v tree.Value) bool { return v.Kind() != tree.ScalarKind && v.Len() > 0 },
		JSON: shape.Object{"type": []string{"object", "array"}, "minItems": 1, "minProperties": 1},
	}
}

// language returns what differs in the messages about test files.
func language() *shape.Language {
	return &shape.Language{
		Key: CodeKey, Value: CodeValue, Synonyms: synonyms.Get(),
		Unknown: unknownKey, Missing: missingKey, Mismatch: mismatch,
	}
}

// synonyms maps keys of other tools to weft's keys.
var synonyms = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"it": "name", "env": "envs", "environment": "envs", "environments": "envs", "set": "values",
		"dataValues": "values", "valuesFiles": "valueFiles", "asserts": "expect", "assert": "expect",
		"expects": "expect", "snapshot": "golden", "fails": "error", "foreach": "each",
		"documentSelector": "select", "selector": "select", "equals": "equal", "matchRegex": "matches",
		"match": "matches", "subset": "contains", "notExists": "absent", "hasDocuments": "count",
		"message": "matches", "place": "at", "path": "file", "function": "call",
	}
}}

func unknownKey(d *diag.Diagnostic, _ string, of *shape.Shape) {
	if d.Fix == nil {
		d.WithHint("keys are %s", strings.Join(shape.Names(of.Keys), ", "))
	}
}

func missingKey(d *diag.Diagnostic, key string, in tree.Value) {
	d.At = source.Span{Pos: in.Start()}
	switch key {
	case "name":
		d.Message = "the test has no name"
		d.WithHint("add `name:`; messages and --run use it")
	case "file", "call":
		d.WithHint("write `star: {file: checks.star, call: check}`")
	}
}

func mismatch(d *diag.Diagnostic, v tree.Value, s *shape.Shape) {
	switch {
	case s.Kind == shape.Choice && v.TypeName() == "string" && v.Text() != "":
		d.WithHint("write a list: [%s]", diag.Shortened(v.Text()))
	case s.Expected == expectedCount && v.IsString("0+"):
		d.WithHint("with 0+ nothing could fail: write 1+, or a number")
	case s.Kind == shape.List && v.Kind() == tree.MapKind && s.Item.Matching == "an expectation":
		d.WithHint("begin it with a dash: `- select: ...`")
	case s.Kind == shape.Record && v.Kind() == tree.MapKind && s.Matching == "an expectation":
		d.WithHint("add `select` and what holds for it")
	case s.Kind == shape.Record && v.Kind() == tree.MapKind:
		d.WithHint("write its code: `error: {code: schema/validation}`")
	}
}

// Schema returns the JSON Schema (2020-12) of test files, for editors.
func Schema() []byte {
	var checks []shape.Object
	for _, key := range []string{"expect", "golden", "star"} {
		checks = append(checks, shape.Object{"required": []string{key}})
	}
	fails := shape.Object{"required": []string{"error"}}
	test := shape.RecordOf(keys()...).Requiring("name").Schema()
	test["oneOf"] = []shape.Object{fails, {"anyOf": checks}}
	return shape.Schema("*.test.yml", "Tests of a configuration, which `weft test` runs.",
		shape.RecordOf(testsOf(&shape.Shape{JSON: test})).Requiring("tests"), nil)
}

// Reference returns a Markdown table of keys, for the reference: those of a test, or of the mapping
// that one of its keys takes.
func Reference(of string) string {
	if of == "test" {
		return shape.Table(keys())
	}
	for _, k := range keys() {
		if k.Name == of {
			return shape.Table(k.Shape.RecordKeys())
		}
	}
	return ""
}
