package cli

import (
	"os"

	"github.com/spf13/pflag"

	"weft"
)

// addValues adds the flags of data values.
func addValues(flags *pflag.FlagSet, o *weft.Options, inspect *inspectFlags) {
	v := &o.DataValues
	flags.StringArrayVar(&v.Files, "data-values-file", nil, "data values from plain YAML: a file, a directory, a URL or - at `PATH` (repeatable)")
	flags.StringArrayVar(&v.Env, "data-values-env", nil, "data values from environment variables that begin with `PREFIX`_, as strings; __ parts the keys (repeatable)")
	flags.StringArrayVar(&v.EnvYAML, "data-values-env-yaml", nil, "the same, as YAML, from variables that begin with `PREFIX`_ (repeatable)")
	flags.StringArrayVarP(&v.KV, "data-value", "v", nil, "one data value as a string: `KEY=VALUE`; a.b is b in a, a\\.b has a dot (repeatable)")
	flags.StringArrayVar(&v.KVYAML, "data-value-yaml", nil, "one data value as YAML: `KEY=VALUE` (repeatable)")
	flags.StringArrayVar(&v.KVFile, "data-value-file", nil, "one data value from the content of a file or URL: `KEY=PATH` (repeatable)")
	inspect.add(flags)
	flags.BoolVar(&o.DisableValidation, "dangerous-data-values-disable-validation", false, "do not run the validations of data values")
	flags.BoolVar(&o.WarnUnused, "warn-unused", false, "warn of data values that no template reads")
	o.Env = os.Environ()
}
