package project

import (
	"fmt"
	"strings"

	"weft/internal/lang/lazy"
	"weft/internal/lang/shape"
)

// flagKeys returns the flags that a project may set. A test compares them with the flags of the
// command line.
func flagKeys() []shape.Key {
	return []shape.Key{
		flag("strict", boolean()),
		flag("yaml", &shape.Shape{Kind: shape.Version, Choices: []string{"1.1", "1.2"}}),
		flag("ignore-unknown-comments", boolean()),
		flag("implicit-map-key-overrides", boolean()),
		flag("max-depth", atLeastOne()),
		flag("max-nodes", atLeastOne()),
		flag("max-steps", atLeastOne()),
		flag("keep", shape.OneOrMore(shape.OneOf("comments", "literals", "blank-lines", "all", "none"))),
		flag("data-value-file", shape.ListOf(text())),
		flag("allow-symlink-destination", shape.ListOf(filePath())),
		flag("warn-unused", boolean()),
		flag("warnings", shape.OneOf("on", "off", "error")),
		flag("jobs", atLeastOne()),
		flag("timeout", &shape.Shape{
			Kind: shape.Text, Pattern: `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`,
			Expected: "a duration such as 30s", Noun: "duration",
		}),
		flag("quiet", boolean()),
		flag("timings", boolean()),
		flag("fsync", boolean()),
		flag("secret", shape.ListOf(text())),
		flag("ignore", shape.ListOf(text())),
		flag("merge-key", shape.ListOf(text())),
		flag("order", boolean()),
		flag("causes", boolean()),
	}
}

func flag(name string, takes *shape.Shape) shape.Key {
	return shape.Key{Name: name, Shape: takes}
}

// flagReference returns a Markdown table of the flags.
func flagReference() string {
	var b strings.Builder
	b.WriteString("| flag | value |\n|---|---|\n")
	for _, k := range flagKeys() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.Name, k.Shape.Called())
	}
	return b.String()
}

// FlagNames returns the flags that a project may set.
func FlagNames() []string { return shape.Names(flagKeys()) }

// InsteadOf returns the key to use instead of a flag that a project may not set, or "" if there is
// none.
func InsteadOf(flag string) string { return insteadOf.Get()[flag] }

// CommandLineOnly are flags that belong to the person who runs weft, or to a single run.
var CommandLineOnly = []string{
	"color", "debug", "diagnostics", "max-memory", "project", "allow-outside", "allow-env", "engines",
	"version", "help",
	"all", "check", "write", "shard", "selector", "bulk-in", "bulk-out", "diff", "files-inspect",
	"data-values-inspect", "data-values-schema-inspect", "a", "b", "rev", "set", "prove", "long",
	"select", "summary", "schema", "show-secrets", "watch",
}

// insteadOf maps flags to the keys with the same effect.
var insteadOf = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"file": keyInputs, "file-mark": keyMarks, "output": keyOutput + ": {format: ...}",
		"data-values-file": keyValueFiles, "data-value": keyValues, "data-value-yaml": keyValues,
		"data-values-env": keyValuesFromEnv, "data-values-env-yaml": keyValuesFromEnv,
		"data-values-json-schema": keyValuesSchema,
		"overrides":               keyOverrides, "overrides-file": keyOverrides,
		"output-files": keyOutput + ": {dir: ...}", "prune": keyOutput + ": {prune: true}",
		"edition": keyWeft,
		"split":   keyOutput + ": {split: ...}", "environment": keyDefault, "env": keyEach,
	}
}}

// IsList reports whether a flag is a list; then flags on the command line add to it.
func IsList(flag string) bool {
	for _, k := range flagKeys() {
		if k.Name == flag {
			return k.Shape.Kind == shape.List || k.Shape.Kind == shape.Either
		}
	}
	return false
}
