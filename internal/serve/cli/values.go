package cli

import (
	"os"

	"weft/internal/serve/cli/help"

	"github.com/spf13/pflag"

	"weft"
)

// addValues adds the flags of data values.
func addValues(flags *pflag.FlagSet, o *weft.Options, inspect *inspectFlags) {
	v := &o.DataValues
	addList(flags, &v.Files, "data-values-file", "",
		"read data values from plain YAML at `PATH`: a file, a directory, a URL or - (repeatable)")
	addList(flags, &v.Env, "data-values-env", "",
		"read data values from environment variables that start with `PREFIX`_, as -v sets them; __ "+
			"separates nested keys (repeatable)")
	addList(flags, &v.EnvYAML, "data-values-env-yaml", "",
		"like --data-values-env, but read the values of `PREFIX`_ variables as YAML (repeatable)")
	addList(flags, &v.KV, "data-value", "v",
		"set a data value: `KEY=VALUE`, a string, or in edition 2026 what the schema declares; a.b is b in "+
			"a, a\\.b is a key with a dot (repeatable)")
	addList(flags, &v.KVYAML, "data-value-yaml", "",
		"set a data value to YAML: `KEY=VALUE` (repeatable)")
	addList(flags, &v.KVFile, "data-value-file", "",
		"set a data value to the contents of a file or URL: `KEY=PATH` (repeatable)")
	addList(flags, &v.JSONSchemas, "data-values-json-schema", "",
		"check the final data values against the JSON Schema in `FILE` (repeatable)")
	help.DataValues.Of(flags)
	inspect.add(flags)
	flags.BoolVar(&o.WarnUnused, "warn-unused", false,
		"warn about data values that no template reads")
	help.Inspect.Of(flags)
	flags.BoolVar(&o.DisableValidation, "dangerous-data-values-disable-validation", false,
		"skip the validations of data values")
	help.Validation.Of(flags)
	o.Env = os.Environ()
}
