package project

import (
	"math"
	"slices"

	"weft/internal/lang/lazy"
	"weft/internal/lang/shape"
)

// Where the keys of the table may be.
const (
	top         uint8 = 1 << iota // at the top of the file
	environment                   // in an environment
)

// Keys returns the keys at the top of weft.yml, in the order of the reference.
func Keys() []shape.Key { return keysAt(top) }

// EnvironmentKeys returns the keys of an environment.
func EnvironmentKeys() []shape.Key { return keysAt(environment) }

func keysAt(where uint8) []shape.Key {
	return slices.DeleteFunc(slices.Clone(table.Get()), func(k shape.Key) bool {
		return k.Where != 0 && k.Where&where == 0
	})
}

// The names of keys that code uses.
const (
	keyWeft           = "weft"
	keyExtends        = "extends"
	keyInputs         = "inputs"
	keyExclude        = "exclude"
	keyMarks          = "marks"
	keyOverlays       = "overlays"
	keyOverrides      = "overrides"
	keyKubernetes     = "kubernetes"
	keyCharts         = "charts"
	keyKustomizations = "kustomizations"
	keyValueFiles     = "valueFiles"
	keyValues         = "values"
	keyValuesFromEnv  = "valuesFromEnv"
	keyRequire        = "require"
	keyValuesSchema   = "valuesSchema"
	keyOutput         = "output"
	keyFlags          = "flags"
	keyDefault        = "default"
	keyEnvironments   = "environments"
	keyEach           = "each"
	keyLabels         = "labels"
	keyReplace        = "replace"
	keyLint           = "lint"
	keyFmt            = "fmt"
	keyTest           = "test"
	keyVendor         = "vendor"
	keyVendorDir      = "vendorDir"
)

// table is built on first use: most runs have no project.
var table = lazy.Value[[]shape.Key]{New: func() []shape.Key {
	return []shape.Key{
		{
			Name: keyWeft, Where: top, Shape: editions(), Example: "2026",
			Doc: "The edition: the rules for the files of the project. Required. `2026` is the " +
				"current edition; `ytt` reads files as ytt does.",
		},
		{
			Name: keyExtends, Where: top, Shape: shape.OneOrMore(filePath()), Example: "[../base/weft.yml]",
			Doc: "Other project files that this one builds on, from left to right: a path or a list " +
				"of paths.",
		},
		{
			Name: keyExtends, Where: environment, Shape: shape.OneOrMore(name()), Example: "[dev, large]",
			Doc: "Other environments that this one builds on, from left to right: a name or a list " +
				"of names.",
		},
		{
			Name: keyEach, Where: environment, Example: "envs/eu-*.yml",
			Shape: eachPattern(),
			Doc: "Creates one environment for each file that matches the pattern. `*` matches any " +
				"characters within a name, and replaces the `*` in the name of the environment. " +
				"The file is the last of the environment's `valueFiles`.",
		},
		{
			Name: keyLabels, Where: environment, Shape: shape.MapOf(text()), Example: "{region: eu}",
			Doc: "Labels, by which `weft render -l region=eu --write` selects environments.",
		},
		{
			Name: keyReplace, Example: "[valueFiles]",
			Shape: shape.ListOf(shape.OneOf(replaceable...)),
			Doc:   "Keys whose inherited values are replaced, not extended.",
		},
		{
			Name: keyInputs, Shape: shape.ListOf(input()), Example: "[config]",
			Doc: "Files and directories to read, as with `-f`: templates, schemas, data values and " +
				"overlays. `-` is standard input, and `NAME=PATH` gives a file another name.",
		},
		{
			Name: keyExclude, Shape: shape.ListOf(filePath()), Example: "['**/*.md']",
			Doc: "Patterns of relative paths to leave out of the inputs, as in `--file-mark`.",
		},
		{
			Name: keyMarks, Example: "{gen.txt: {type: text-template}}",
			Shape: shape.MapOf(shape.RecordOf(markKeys()...)),
			Doc:   "How to treat files, by patterns of relative paths, as with `--file-mark`.",
		},
		{
			Name: keyOverlays, Shape: shape.ListOf(input()), Example: "[common.yml]",
			Doc: "Inputs that come after all other inputs. List overlays here that must see " +
				"everything else.",
		},
		{
			Name: keyOverrides, Example: "[o.yml, {file: p.yml, select: Deployment/web}]",
			Shape: shape.ListOf(shape.EitherOf("a path, or {file: PATH, select: …}", filePath(),
				shape.RecordOf(overrideKeys()...).Requiring("file"))),
			Doc: "Files of [overrides](overrides.md) to apply at the end, as with `--overrides-file`; " +
				"`select` limits one to some documents.",
		},
		{
			Name: keyKubernetes, Example: "{images: {acme/app: {tag: '1.2'}}, namespace: shop}",
			Shape: shape.RecordOf(kubernetesKeys()...),
			Doc: "Common changes of Kubernetes objects: see [short cuts for " +
				"Kubernetes](#short-cuts-for-kubernetes). They apply after overlays and before `overrides`.",
		},
		{
			Name: keyCharts, Example: "{web: {chart: vendor/web, kubernetes: 1.31, values: [web.yml]}}",
			Shape: shape.MapOf(shape.RecordOf(chartKeys()...)),
			Doc: "Helm charts whose documents come before overlays, by name: see [charts](#charts). They need " +
				"the program `weft-engines`.",
		},
		{
			Name: keyKustomizations, Example: "{shop: 'overlays/{env}'}", Shape: shape.MapOf(filePath()),
			Doc: "Directories with a kustomization whose documents come before overlays, by name. `{env}` is the " +
				"name of the environment. They need the program `weft-engines`.",
		},
		{
			Name: keyValueFiles, Shape: shape.ListOf(filePath()), Example: "[values.yml]",
			Doc: "Plain YAML files of data values, as with `--data-values-file`. The last one wins.",
		},
		{
			Name: keyValues, Shape: &shape.Shape{Kind: shape.AnyMap}, Example: "{registry: r.io}",
			Doc: "Data values. They override the `valueFiles` at the same level.",
		},
		{
			Name: keyValuesFromEnv, Example: "[APP, {prefix: X, yaml: true}]",
			Shape: shape.ListOf(shape.EitherOf("a prefix, or {prefix: PREFIX, yaml: true}", prefix(), shape.RecordOf(
				shape.Key{
					Name: "prefix", Shape: prefix(),
					Doc: "The prefix, without the underscore that follows it. Required.",
				},
				shape.Key{
					Name: "yaml", Shape: boolean(),
					Doc: "Read the variables as YAML instead of as strings.",
				},
			).Requiring("prefix"))),
			Doc: "Prefixes of environment variables with data values, as with `--data-values-env`. " +
				"They override all files and `values`.",
		},
		{
			Name: keyRequire, Shape: shape.ListOf(text()), Example: "[version]",
			Doc: "Paths of data values that must be set elsewhere: by an environment that extends this " +
				"one, an environment variable, or a flag.",
		},
		{
			Name: keyValuesSchema, Shape: shape.OneOrMore(filePath()), Example: "values.schema.json",
			Doc: "A [JSON Schema](schema.md#json-schema-as-it-is) that the final data values must fit, as with " +
				"`--data-values-json-schema`: a path or a list of paths.",
		},
		{
			Name: keyOutput, Example: "{dir: 'out/{env}', prune: true}",
			Shape: shape.RecordOf(outputKeys()...).Excluding("dir", "file"),
			Doc:   "Where `weft render --write` writes, also with `--all`. Without `--write`, it prints.",
		},
		{
			Name: keyFlags, Example: "{jobs: 2}",
			Shape: shape.RecordOf(flagKeys()...),
			Doc:   "Flags, by their long names without dashes. Flags on the command line override them.",
		},
		{
			Name: keyDefault, Where: top, Shape: name(), Example: "dev",
			Doc: "The environment to use if the command line does not name one.",
		},
		{
			Name: keyEnvironments, Where: top, Shape: environments(),
			Example: "{dev: {valueFiles: [envs/dev.yml]}}",
			Doc:     "The environments, by name.",
		},
		{
			Name: keyVendor, Where: top, Example: "{lantern: {git: 'https://git.example.com/lantern', version: ^2.4}}",
			Shape: shape.MapOf(shape.RecordOf(vendorKeys()...)),
			Doc: "Sources that others release, by name: see [vendored sources](#vendored-sources). " +
				"`weft vendor` keeps their files in the folder `vendor`.",
		},
		{
			Name: keyVendorDir, Where: top, Shape: filePath(), Example: "upstream",
			Doc: "The folder of vendored sources, instead of `vendor`. Use another name in a Go module, where " +
				"`vendor` belongs to Go.",
		},
		{
			Name: keyLint, Where: top, Example: "{rules: {values/unread: error}}",
			Shape: shape.RecordOf(lintKeys()...),
			Doc:   "Settings of `weft lint`.",
		},
		{
			Name: keyFmt, Where: top, Example: "{sequences: keep, exclude: [vendor]}", Shape: shape.RecordOf(
				shape.Key{
					Name: "sequences", Shape: shape.OneOf("keep", "flush", "indented"),
					Doc: "How lists in mappings are indented: as most of them are in each file " +
						"(`keep`), not at all (`flush`), or by two spaces (`indented`).",
				},
				shape.Key{
					Name: "exclude", Shape: shape.ListOf(filePath()),
					Doc: "Patterns of files and directories to skip, such as `vendor`. Files named on the " +
						"command line are formatted anyway, unless `--force-exclude` is set.",
				},
			),
			Doc: "Settings of `weft fmt`.",
		},
		{
			Name: keyTest, Where: top, Example: "{files: ['tests/**'], min: 80}", Shape: shape.RecordOf(
				shape.Key{
					Name: "files", Shape: shape.ListOf(filePath()),
					Doc: "Patterns of [test files](tests.md). The default is `tests/**/*.test.yml`.",
				},
				shape.Key{
					Name: "min", Shape: percent(),
					Doc: "The minimum [coverage](tests.md#coverage) in percent: `weft test` fails if the tests " +
						"together cover fewer nodes and branches.",
				},
			),
			Doc: "Settings of `weft test`.",
		},
	}
}}

// replaceable are the keys whose inherited values can be replaced.
var replaceable = []string{
	keyInputs, keyExclude, keyMarks, keyOverlays, keyOverrides, keyKubernetes, keyCharts,
	keyKustomizations, keyValueFiles, keyValues, keyValuesFromEnv, keyRequire, keyValuesSchema,
	keyOutput, keyFlags, keyLabels,
}

func markKeys() []shape.Key {
	return []shape.Key{
		{
			Name: "type", Doc: "The type of the file.",
			Shape: shape.OneOf("yaml-template", "yaml-plain", "text-template", "text-plain", "starlark",
				"data"),
		},
		{Name: "path", Shape: filePath(), Doc: "The relative path to use instead."},
		{
			Name: "exclude", Shape: &shape.Shape{Kind: shape.True},
			Doc: "Leave the file out.",
		},
		{
			Name: "for-output", Shape: &shape.Shape{Kind: shape.True},
			Doc: "Make its result part of the output.",
		},
		{
			Name: "exclusive-for-output", Shape: &shape.Shape{Kind: shape.True},
			Doc: "Make only the results of files with this mark part of the output.",
		},
	}
}

func kubernetesKeys() []shape.Key {
	image := shape.RecordOf(
		shape.Key{Name: "name", Shape: imageName(), Doc: "The new name, with its registry."},
		shape.Key{Name: "tag", Shape: imageTag(), Doc: "The new tag. It replaces a digest."},
		shape.Key{
			Name: "digest", Shape: imageDigest(),
			Doc: "The new digest, such as `sha256:…`. It replaces a tag.",
		},
	)
	image.Full, image.Expected = true, "a mapping with name, tag or digest"
	return []shape.Key{
		{
			Name: "images", Shape: shape.MapOf(image),
			Doc: "Images of containers, by their names without tag and digest, and what is different: `name`, " +
				"`tag`, `digest`.",
		},
		{
			Name: "replicas", Doc: "The number of replicas of objects, by their names.",
			Shape: shape.MapOf(&shape.Shape{
				Kind: shape.Number, Max: math.MaxInt32, Expected: "a number from 0 to 2147483647",
			}),
		},
		{
			Name: "namespace", Shape: namespace(),
			Doc: "The namespace of all objects that have one, and of service accounts in role bindings.",
		},
		{
			Name: "labels", Shape: shape.MapOf(labelValue()),
			Doc: "Labels of all objects and pod templates. Selectors stay.",
		},
		{
			Name: "annotations", Shape: shape.MapOf(text()),
			Doc: "Annotations of all objects and pod templates.",
		},
	}
}

func overrideKeys() []shape.Key {
	return []shape.Key{
		{Name: "file", Shape: filePath(), Doc: "The file, or a directory of files. Required."},
		{
			Name: "select", Shape: selection(),
			Doc: "The documents to change: a name such as `Deployment/web`, conditions such as " +
				"`{kind: Deployment, metadata.name: {$matches: ^web-}}`, or a list of these, of which any may match.",
		},
	}
}

func outputKeys() []shape.Key {
	return []shape.Key{
		{
			Name: "dir", Shape: outputPath(),
			Doc: "The directory to write to. `{env}` is the name of the environment.",
		},
		{
			Name: "file", Shape: outputPath(),
			Doc: "The file to write all documents to, instead of a directory.",
		},
		{
			Name: "prune", Shape: boolean(),
			Doc: "Delete files that earlier runs wrote to the directory and this one does not.",
		},
		{
			Name: "format", Shape: shape.OneOf("yaml", "json"),
			Doc: "The format of printed output and of `file`. Files in a directory stay YAML.",
		},
		{
			Name: "split", Shape: filePath(),
			Doc: "Write each document to its own file in the directory, such as " +
				"`'{kind}-{name}.yml'`.",
		},
		{
			Name: "validate", Shape: shape.RecordOf(validateKeys()...),
			Doc: "Schemas that `weft lint` [validates the output against](#validate).",
		},
	}
}

func validateKeys() []shape.Key {
	return []shape.Key{
		{
			Name: "kubernetes", Shape: kubernetesVersion(),
			Doc: "The version of Kubernetes, as with `--kubernetes`: `1.31`, `1.31.4` or `master`.",
		},
		{
			Name: "schemas", Shape: shape.ListOf(filePath()),
			Doc: "Where the schemas are, as with `--kubernetes-schemas`, or the name of a vendored source.",
		},
	}
}

func lintKeys() []shape.Key {
	return []shape.Key{
		{
			Name: "rules", Shape: shape.MapOf(shape.OneOf("error", "warning", "info", "off")),
			Doc: "The level of each rule, by its code.",
		},
		{
			Name: "paths",
			Shape: shape.MapOf(shape.EitherOf("off, or the level of each rule", shape.OneOf("off"),
				shape.MapOf(shape.OneOf("error", "warning", "info", "off")))),
			Doc: "The same for files, by patterns of their paths as in `--file-mark`: `off`, or the level of " +
				"each rule.",
		},
	}
}
