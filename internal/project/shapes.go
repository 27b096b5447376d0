package project

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/shape"
	"weft/internal/lang/tree"
)

// The pattern of names of environments: they are arguments of commands and names of directories. A
// name with a star defines an environment for each matching file: see keyEach.
const (
	nameChars     = `\p{L}\p{N}._-`
	namePattern   = `^[\p{L}\p{N}_][` + nameChars + `]*$`
	familyPattern = `^([\p{L}\p{N}_][` + nameChars + `]*)?\*[` + nameChars + `]*$`
)

// IsName reports whether s can be the name of an environment.
func IsName(s string) bool { return shape.Matches(namePattern, s) }

func text() *shape.Shape    { return &shape.Shape{Kind: shape.Text} }
func boolean() *shape.Shape { return &shape.Shape{Kind: shape.Bool} }

// described returns the shape of a text that matches a pattern.
func described(noun, pattern, expected string) *shape.Shape {
	return &shape.Shape{Kind: shape.Text, Pattern: pattern, Expected: expected, Noun: noun}
}

func filePath() *shape.Shape {
	return described("path", `^[^\\]+$`, "a path with forward slashes")
}

// input returns the shape of a value of -f.
func input() *shape.Shape { return filePath() }

// selection returns the shape of a selection of documents, which override.SelectorOf reads.
func selection() *shape.Shape {
	value := &shape.Shape{Kind: shape.Scalar, Expected: "a value"}
	wants := shape.EitherOf("a value, a list of values, or {$matches: REGEXP}", value, shape.ListOf(value),
		shape.RecordOf(
			shape.Key{Name: "$matches", Shape: text(), Doc: "A regular expression that the value must match."},
			shape.Key{Name: "$not", Shape: &shape.Shape{Kind: shape.Any}, Doc: "What the value must not be."},
		))
	conditions := &shape.Shape{
		Kind: shape.Map, Item: wants, Full: true, Expected: "conditions such as {kind: Deployment}",
	}
	one := shape.EitherOf("the name of a document, or conditions", text(), conditions)
	return shape.EitherOf("the name of a document, conditions, or a list of these", text(), conditions,
		&shape.Shape{Kind: shape.List, Item: one, Full: true})
}

func outputPath() *shape.Shape {
	return described("path", `^([^{}\\]|\{env\})+$`,
		"a path with forward slashes, in which only {env} is in braces")
}

func eachPattern() *shape.Shape {
	return described("pattern", `^[^*\\]*\*[^*\\]*$`, "a path with one *")
}

func name() *shape.Shape { return described("name", namePattern, "the name of an environment") }

func prefix() *shape.Shape {
	return described("prefix", `^[A-Za-z0-9_.-]+$`, "a prefix of environment variables")
}

func percent() *shape.Shape {
	return &shape.Shape{Kind: shape.Number, Max: 100, Expected: "a number from 0 to 100"}
}

func atLeastOne() *shape.Shape {
	return &shape.Shape{Kind: shape.Number, Min: 1, Expected: "a number of at least 1"}
}

// kubernetesVersion returns a version of Kubernetes: see kubernetes.CheckVersion. It may be a number:
// editors read 1.30 as one.
func kubernetesVersion() *shape.Shape {
	const pattern = `^(v?[0-9]{1,9}(\.[0-9]{1,9}){1,2}|master)$`
	return &shape.Shape{
		Kind: shape.Scalar, Pattern: pattern, Expected: "a version of Kubernetes such as 1.31",
		Noun: "version", JSON: shape.Object{"type": []string{"string", "number"}, "pattern": pattern},
	}
}

// matching returns the shape of a text that must match a pattern.
func matching(noun, pattern, what string) *shape.Shape {
	return &shape.Shape{Kind: shape.Text, Pattern: pattern, Expected: "text", Matching: what, Noun: noun}
}

func imageName() *shape.Shape {
	return matching("name", `^([^@/ ]+/)*[^@:/ ]+$`, "the name of an image, without tag and digest")
}

func imageTag() *shape.Shape {
	return matching("tag", `^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`, "a tag of letters, digits, `_`, `.` and `-`")
}

func imageDigest() *shape.Shape {
	return matching("digest", `^[a-z0-9]+([+._-][a-z0-9]+)*:[0-9a-f]+$`, "a digest such as sha256:1f2e…")
}

func namespace() *shape.Shape {
	return matching("name", `^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`,
		"a name of lower-case letters, digits and `-`")
}

func labelValue() *shape.Shape {
	return matching("text", `^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$`,
		"at most 63 letters, digits, `_`, `.` and `-`")
}

// editions returns the editions.
func editions() *shape.Shape {
	return &shape.Shape{
		Kind:     shape.Custom,
		Fits:     func(v tree.Value) bool { return v.IsString("ytt") || isNumber(v) && v.Text() == "2026" },
		Expected: "the edition 2026 or ytt", Noun: "`2026` or `ytt`",
		JSON: shape.Object{"enum": []any{2026, "ytt"}},
	}
}

func isNumber(v tree.Value) bool { return v.Kind() == tree.ScalarKind && v.TypeName() == "integer" }

// environments returns a mapping of names to records of EnvironmentKeys.
func environments() *shape.Shape {
	return &shape.Shape{
		Kind: shape.Map, Noun: "mapping of environments",
		JSON: shape.Object{
			"type": "object", "additionalProperties": false,
			"patternProperties": shape.Object{
				namePattern:   shape.Object{"$ref": "#/$defs/environment"},
				familyPattern: shape.Object{"$ref": "#/$defs/environments"},
			},
		},
	}
}

// The shapes of a file, of an environment, and of an environment with `each`.
var (
	topShape = lazy.Value[*shape.Shape]{New: func() *shape.Shape {
		return shape.RecordOf(Keys()...).Requiring(keyWeft)
	}}

	plainShape = lazy.Value[*shape.Shape]{New: func() *shape.Shape {
		return shape.RecordOf(without(EnvironmentKeys(), keyEach)...)
	}}
	familyShape = lazy.Value[*shape.Shape]{New: func() *shape.Shape {
		return shape.RecordOf(EnvironmentKeys()...).Requiring(keyEach)
	}}
)

// checkEnvironment checks one environment, which may be empty.
func checkEnvironment(c *shape.Checker, e tree.Item) {
	name, at := shape.KeyText(e.Key), e.Key.Span()
	family := strings.Contains(name, "*")
	pattern, of := namePattern, plainShape.Get()
	if family {
		pattern, of = familyPattern, familyShape.Get()
	}
	each, hasEach := e.Value.Lookup(keyEach)
	switch {
	case !shape.Matches(pattern, name):
		c.Fail(at, CodeKey, "'%s' cannot be the name of an environment", diag.Shortened(name)).
			WithHint("names have letters, digits, '.', '_' and '-', and begin with a letter, a " +
				"digit or '_'; one * is replaced by what the * of `each` matches")
	case e.Value.IsNull() && !family:
	case e.Value.IsNull():
		c.Fail(at, CodeKey, "environment '%s' needs the key 'each'", name).
			WithHint("its * stands for what the * of `each` matches, such as `each: envs/*.yml`")
	case !family && hasEach:
		c.Fail(at, CodeKey, "environment '%s' has `each`, but no * in its name", name).
			WithRelated(each.Span(), "each is here").
			WithHint("add a * to the name: it is replaced by what the * of `each` matches")
	default:
		c.Check(e.Value, of)
	}
}

// Schema returns the JSON Schema (2020-12) of project files, for editors.
func Schema() []byte {
	plain := plainShape.Get().Schema()
	plain["type"] = []string{"object", "null"}
	return shape.Schema("weft.yml",
		"A project of weft: what to render, for which environments, and where to.", topShape.Get(),
		shape.Object{"environment": plain, "environments": familyShape.Get().Schema()})
}

// Reference returns a Markdown table of keys, for the reference: those at the top of the file,
// those of an environment, the flags, or those of the mapping that a key takes.
func Reference(of string) string {
	switch of {
	case "top":
		return shape.Table(Keys())
	case "environment":
		return shape.Table(EnvironmentKeys())
	case "flags":
		return flagReference()
	}
	for _, k := range append(table.Get(), outputKeys()...) {
		if k.Name == of {
			return shape.Table(k.Shape.RecordKeys())
		}
	}
	return ""
}
