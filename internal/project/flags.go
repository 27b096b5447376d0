package project

// flagKeys returns the flags that a project may set. A test of the command line compares them with
// the flags that there are.
func flagKeys() []Key {
	return []Key{
		flag("strict", boolean()),
		flag("yaml", &Shape{Kind: Version, Choices: []string{"1.1", "1.2"}}),
		flag("ignore-unknown-comments", boolean()),
		flag("implicit-map-key-overrides", boolean()),
		flag("max-depth", &Shape{Kind: Count}),
		flag("max-nodes", &Shape{Kind: Count}),
		flag("max-steps", &Shape{Kind: Count}),
		flag("keep", oneOrMore(choice("comments", "literals", "blank-lines", "all", "none"))),
		flag("data-value-file", list(text())),
		flag("allow-symlink-destination", list(filePath())),
		flag("warn-unused", boolean()),
		flag("warnings", choice("on", "off", "error")),
		flag("jobs", &Shape{Kind: Count}),
		flag("timeout", &Shape{
			Kind: Text, Pattern: `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`,
			Expected: "a duration such as 30s",
		}),
		flag("quiet", boolean()),
		flag("timings", boolean()),
		flag("fsync", boolean()),
		flag("secret", list(text())),
		flag("ignore", list(text())),
		flag("merge-key", list(text())),
		flag("order", boolean()),
		flag("causes", boolean()),
	}
}

func flag(name string, shape *Shape) Key {
	return Key{Name: name, Where: Everywhere, Shape: shape}
}

// FlagNames returns the flags that a project may set.
func FlagNames() []string { return namesOf(flagKeys()) }

// InsteadOf returns what a project uses instead of a flag that it may not set, or "" if it has
// nothing like it.
func InsteadOf(flag string) string { return insteadOf[flag] }

// CommandLineOnly are flags that are up to who runs weft, or say what a single run does.
var CommandLineOnly = []string{
	"color", "debug", "diagnostics", "max-memory", "project", "allow-outside", "allow-env", "version", "help",
	"all", "write", "shard", "selector", "bulk-in", "bulk-out", "diff", "files-inspect",
	"data-values-inspect", "data-values-schema-inspect", "a", "b", "rev", "set", "prove", "long",
	"summary", "schema", "show-secrets", "watch",
}

// insteadOf are the keys that do what a flag does.
var insteadOf = map[string]string{
	"file": keyInputs, "file-mark": keyMarks, "output": keyOutput + ": {format: ...}",
	"data-values-file": keyValueFiles, "data-value": keyValues, "data-value-yaml": keyValues,
	"data-values-env": keyValuesFromEnv, "data-values-env-yaml": keyValuesFromEnv,
	"overrides": keyOverrides, "overrides-file": keyOverrides,
	"output-files": keyOutput + ": {dir: ...}", "prune": keyOutput + ": {prune: true}",
	"edition": keyWeft,
	"split":   keyOutput + ": {split: ...}", "environment": keyDefault, "env": keyEach,
}

func namesOf(keys []Key) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}

// IsList reports whether a flag takes a list, which the command line adds to.
func IsList(flag string) bool {
	for _, k := range flagKeys() {
		if k.Name == flag {
			return k.Shape.Kind == List || k.Shape.Kind == Either
		}
	}
	return false
}
