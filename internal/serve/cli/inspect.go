package cli

import (
	"context"

	"github.com/spf13/pflag"

	"weft"
	"weft/internal/serve/cli/process"
)

// inspectFlags request something other than documents.
type inspectFlags struct {
	files, values, schema bool
	forms                 []weft.SchemaFormat // the formats that -o names; the first one counts
}

func (f *inspectFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.values, "data-values-inspect", false, "print the final data values and exit")
	flags.BoolVar(&f.schema, "data-values-schema-inspect", false,
		"print the schema of data values and exit; needs -o openapi-v3 or -o json-schema")
}

// any reports whether something is to be inspected.
func (f *inspectFlags) any() bool { return f.files || f.values || f.schema }

// check rejects a schema format that is missing, or has no effect.
func (f *inspectFlags) check() error {
	switch {
	case f.schema && f.forms == nil:
		return process.Usagef("data values schema export only supported in OpenAPI v3 format and as JSON " +
			"Schema; specify format with --output=openapi-v3 or --output=json-schema flag")
	case !f.schema && f.forms != nil:
		return process.Usagef(
			"output type currently only supported for data values schema (i.e. include --data-values-schema-inspect)",
		)
	}
	return nil
}

// evaluate returns what the flags request, or the documents.
func (f *inspectFlags) evaluate(ctx context.Context, opts weft.Options) (*weft.Result, error) {
	switch {
	case f.files:
		return weft.InspectFiles(ctx, opts)
	case f.schema:
		return weft.InspectSchema(ctx, opts, f.forms[0])
	case f.values:
		return weft.InspectDataValues(ctx, opts)
	}
	return weft.Render(ctx, opts)
}
