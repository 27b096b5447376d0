package project

import (
	"slices"
	"sync"
)

// Key is a key of weft.yml: the one place that says what it is called, what it takes, where it may
// stand and what it does. The decoder, the JSON Schema, the reference and the hints are made of
// this table.
type Key struct {
	Name    string
	Shape   *Shape
	Where   Where
	Doc     string // what it does, as Markdown
	Example string // its value in the example of the reference
}

// Where says where a key may be.
type Where uint8

// The places.
const (
	Top         Where = 1 << iota // at the top of the file
	Environment                   // in an environment
	Everywhere  = Top | Environment
)

// Keys returns the keys at the top of weft.yml, in the order of the reference.
func Keys() []Key { return keysAt(Top) }

// EnvironmentKeys returns the keys of an environment.
func EnvironmentKeys() []Key { return keysAt(Environment) }

func keysAt(where Where) []Key {
	return slices.DeleteFunc(slices.Clone(table()), func(k Key) bool { return k.Where&where == 0 })
}

// The names of keys that code asks for.
const (
	keyWeft          = "weft"
	keyExtends       = "extends"
	keyInputs        = "inputs"
	keyExclude       = "exclude"
	keyMarks         = "marks"
	keyOverlays      = "overlays"
	keyOverrides     = "overrides"
	keyValueFiles    = "valueFiles"
	keyValues        = "values"
	keyValuesFromEnv = "valuesFromEnv"
	keyRequire       = "require"
	keyOutput        = "output"
	keyFlags         = "flags"
	keyDefault       = "default"
	keyEnvironments  = "environments"
	keyEach          = "each"
	keyLabels        = "labels"
	keyReplace       = "replace"
	keyLint          = "lint"
	keyFmt           = "fmt"
	keyTest          = "test"
)

// table is made when someone asks: most runs have no project.
var table = sync.OnceValue(func() []Key {
	return []Key{
		{
			Name: keyWeft, Where: Top, Shape: &Shape{Kind: EditionKind}, Example: "2026",
			Doc: "The edition: the rules for the files of the project. Required. `2026` is the " +
				"current edition; `ytt` reads files as ytt does.",
		},
		{
			Name: keyExtends, Where: Top, Shape: oneOrMore(filePath()), Example: "[../base/weft.yml]",
			Doc: "Other project files that this one builds on, from left to right: a path or a list " +
				"of paths.",
		},
		{
			Name: keyExtends, Where: Environment, Shape: oneOrMore(name()), Example: "[dev, large]",
			Doc: "Other environments that this one builds on, from left to right: a name or a list " +
				"of names.",
		},
		{
			Name: keyEach, Where: Environment, Example: "envs/eu-*.yml",
			Shape: &Shape{Kind: Text, Pattern: `^[^*\\]*\*[^*\\]*$`, Expected: "a path with one *"},
			Doc: "Makes one environment of each file that matches the pattern. `*` stands for any " +
				"characters of one name; the `*` in the name of the environment is replaced by them. " +
				"The file is the last of the environment's `valueFiles`.",
		},
		{
			Name: keyLabels, Where: Environment, Shape: mapOf(text()), Example: "{region: eu}",
			Doc: "Labels, by which `weft fleet -l region=eu` selects environments.",
		},
		{
			Name: keyReplace, Where: Everywhere, Example: "[valueFiles]",
			Shape: list(&Shape{Kind: Choice, Choices: replaceable}),
			Doc:   "Keys whose inherited value is dropped instead of being extended.",
		},
		{
			Name: keyInputs, Where: Everywhere, Shape: list(input()), Example: "[config]",
			Doc: "Files and directories to read, as with `-f`: templates, schemas, data values and " +
				"overlays. `-` is standard input, and `NAME=PATH` gives a file another name.",
		},
		{
			Name: keyExclude, Where: Everywhere, Shape: list(filePath()), Example: "['**/*.md']",
			Doc: "Patterns of relative paths to leave out of the inputs, as in `--file-mark`.",
		},
		{
			Name: keyMarks, Where: Everywhere, Example: "{gen.txt: {type: text-template}}",
			Shape: mapOf(record(markKeys()...)),
			Doc:   "How to treat files, by patterns of relative paths, as with `--file-mark`.",
		},
		{
			Name: keyOverlays, Where: Everywhere, Shape: list(input()), Example: "[common.yml]",
			Doc: "Inputs that come after all other inputs. List overlays here that must see " +
				"everything else.",
		},
		{
			Name: keyOverrides, Where: Everywhere, Shape: list(filePath()), Example: "[o.yml]",
			Doc: "Overrides to apply to all documents at the end, as with `--overrides-file`.",
		},
		{
			Name: keyValueFiles, Where: Everywhere, Shape: list(filePath()), Example: "[values.yml]",
			Doc: "Plain YAML files of data values, as with `--data-values-file`. The last one wins.",
		},
		{
			Name: keyValues, Where: Everywhere, Shape: &Shape{Kind: AnyMap}, Example: "{registry: r.io}",
			Doc: "Data values. They win over the `valueFiles` beside them.",
		},
		{
			Name: keyValuesFromEnv, Where: Everywhere, Example: "[APP, {prefix: X, yaml: true}]",
			Shape: list(either("a prefix, or {prefix: PREFIX, yaml: true}", prefix(), record(
				Key{
					Name: "prefix", Shape: prefix(), Where: Everywhere,
					Doc: "The prefix, without the underscore that follows it. Required.",
				},
				Key{
					Name: "yaml", Shape: boolean(), Where: Everywhere,
					Doc: "Read the variables as YAML instead of as strings.",
				},
			).requiring("prefix"))),
			Doc: "Prefixes of environment variables with data values, as with `--data-values-env`. " +
				"They win over all files and `values`.",
		},
		{
			Name: keyRequire, Where: Everywhere, Shape: list(text()), Example: "[version]",
			Doc: "Paths of data values that must be set by something stronger: an environment that " +
				"builds on this, an environment variable, or a flag.",
		},
		{
			Name: keyOutput, Where: Everywhere, Example: "{dir: 'out/{env}', prune: true}",
			Shape: record(outputKeys()...).excluding("dir", "file"),
			Doc: "Where `weft fleet` and `weft render --write` write. `weft render` prints in any " +
				"case.",
		},
		{
			Name: keyFlags, Where: Everywhere, Example: "{jobs: 2}",
			Shape: &Shape{Kind: Record, Keys: flagKeys(), Flags: true},
			Doc: "Flags of the command line, by their long names without dashes. The command line " +
				"wins.",
		},
		{
			Name: keyDefault, Where: Top, Shape: name(), Example: "dev",
			Doc: "The environment to use if the command line names none.",
		},
		{
			Name: keyEnvironments, Where: Top, Shape: &Shape{Kind: Environments},
			Example: "{dev: {valueFiles: [envs/dev.yml]}}",
			Doc:     "The environments, by name.",
		},
		{
			Name: keyLint, Where: Top, Example: "{rules: {values/unread: error}}",
			Shape: record(lintKeys()...),
			Doc:   "Settings of `weft lint`.",
		},
		{
			Name: keyFmt, Where: Top, Example: "{sequences: keep, exclude: [vendor]}", Shape: record(
				Key{
					Name: "sequences", Where: Everywhere, Shape: choice("keep", "flush", "indented"),
					Doc: "How lists in mappings are indented: as most of them are in each file " +
						"(`keep`), not at all (`flush`), or by two spaces (`indented`).",
				},
				Key{
					Name: "exclude", Where: Everywhere, Shape: list(filePath()),
					Doc: "Patterns of files and directories to leave alone, such as `vendor`. A file that " +
						"the command line names is formatted in any case, unless with `--force-exclude`.",
				},
			),
			Doc: "Settings of `weft fmt`.",
		},
		{
			Name: keyTest, Where: Top, Example: "{files: ['tests/**'], min: 80}", Shape: record(
				Key{
					Name: "files", Where: Everywhere, Shape: list(filePath()),
					Doc: "Patterns of [test files](tests.md); without it, `tests/**/*.test.yml`.",
				},
				Key{
					Name: "min", Where: Everywhere, Shape: &Shape{Kind: Percent},
					Doc: "The least [coverage](tests.md#coverage) in percent: `weft test` fails if all " +
						"tests together cover less of nodes and branches.",
				},
			),
			Doc: "Settings of `weft test`.",
		},
	}
})

// replaceable are the keys that inherit.
var replaceable = []string{
	keyInputs, keyExclude, keyMarks, keyOverlays, keyOverrides, keyValueFiles, keyValues,
	keyValuesFromEnv, keyRequire, keyOutput, keyFlags, keyLabels,
}

func markKeys() []Key {
	return []Key{
		{
			Name: "type", Where: Everywhere, Doc: "What the file is.",
			Shape: choice("yaml-template", "yaml-plain", "text-template", "text-plain", "starlark",
				"data"),
		},
		{Name: "path", Where: Everywhere, Shape: filePath(), Doc: "Another relative path."},
		{
			Name: "exclude", Where: Everywhere, Shape: &Shape{Kind: True},
			Doc: "Leave the file out.",
		},
		{
			Name: "for-output", Where: Everywhere, Shape: &Shape{Kind: True},
			Doc: "Make its result part of the output.",
		},
		{
			Name: "exclusive-for-output", Where: Everywhere, Shape: &Shape{Kind: True},
			Doc: "Make only the results of files with this mark part of the output.",
		},
	}
}

func outputKeys() []Key {
	return []Key{
		{
			Name: "dir", Where: Everywhere, Shape: outputPath(),
			Doc: "The directory to write to. `{env}` is the name of the environment.",
		},
		{
			Name: "file", Where: Everywhere, Shape: outputPath(),
			Doc: "The file to write all documents to, instead of a directory.",
		},
		{
			Name: "prune", Where: Everywhere, Shape: boolean(),
			Doc: "Delete files that earlier runs wrote to the directory and this one does not.",
		},
		{
			Name: "format", Where: Everywhere, Shape: choice("yaml", "json"),
			Doc: "The format of what is printed, and of `file`. Files in a directory stay YAML.",
		},
		{
			Name: "split", Where: Everywhere, Shape: filePath(),
			Doc: "Write each document to its own file in the directory, such as " +
				"`'{kind}-{name}.yml'`.",
		},
		{
			Name: "validate", Where: Everywhere, Shape: record(validateKeys()...),
			Doc: "Schemas that `weft lint` [holds the output to](#validate).",
		},
	}
}

func validateKeys() []Key {
	return []Key{
		{
			Name: "kubernetes", Where: Everywhere, Shape: kubernetesVersion(),
			Doc: "The version of Kubernetes, as with `--kubernetes`: `1.31`, `1.31.4` or `master`.",
		},
		{
			Name: "schemas", Where: Everywhere, Shape: list(filePath()),
			Doc: "Where the schemas are, as with `--kubernetes-schemas`.",
		},
	}
}

func lintKeys() []Key {
	return []Key{
		{
			Name: "rules", Where: Everywhere, Shape: mapOf(choice("error", "warning", "info", "off")),
			Doc: "The level of each rule, by its code.",
		},
		{
			Name: "paths", Where: Everywhere,
			Shape: mapOf(either("off, or the level of each rule", choice("off"),
				mapOf(choice("error", "warning", "info", "off")))),
			Doc: "The same for files, by patterns of their paths as in `--file-mark`: `off`, or the level of " +
				"each rule.",
		},
	}
}
