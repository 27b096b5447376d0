package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/unified"
	"weft/internal/rewrite/schemas"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// schemaExportFlags are the flags of weft schema export.
type schemaExportFlags struct {
	render renderFlags
	to     string
	form   string
	file   string // that is written, or compared
	write  bool
	shown  diffForm
}

// exportForms are the values of --to.
var exportForms = []string{"json-schema", "openapi", "markdown", "values"}

// newSchemaExport makes the command that exports the schema of data values.
func newSchemaExport() *cobra.Command {
	f := &schemaExportFlags{}
	cmd := &cobra.Command{
		Use:   "export [ENV] [FILE] [flags]",
		Short: "Print the schema of data values as JSON Schema, OpenAPI, Markdown or values",
		Long: `export prints the schema of the project, or of the inputs that -f names: as JSON Schema for editors,
as OpenAPI, as a Markdown table for people, or as a file of values to fill in, with comments.

With --write it writes FILE. In a Markdown file it replaces what is between these two lines:
  ` + schemas.RegionBegin + `
  ` + schemas.RegionEnd,
		Example: `  weft schema export > values.schema.yml
  weft schema export --write values.schema.json
  weft schema export --to markdown --write README.md
  weft schema export --to markdown --check README.md      in CI
  weft schema export -f config --to values > values.yml`,
		Args: cobra.ArbitraryArgs,
		RunE: f.run,
	}
	without := slices.Concat(valueFlags, []string{"overrides", "overrides-file"})
	flags := f.render.addTo(cmd, renderedBy(without...))
	flags.StringVar(&f.to, "to", "json-schema", "export as `FORMAT`: "+strings.Join(exportForms, ", "))
	flags.StringVarP(&f.form, "output", "o", "",
		"print JSON Schema and OpenAPI as `FORMAT`: yaml or json (default yaml, or json if FILE ends in .json)")
	flags.BoolVarP(&f.write, "write", "w", false, "write FILE instead of printing")
	f.shown.addCheck(flags, "list FILE if it would change, and write nothing; exit code 1 if it would")
	f.shown.addUnified(flags,
		"show what would change in FILE, and write nothing; exit code 1 if something would")
	help.Output.Of(flags)
	return cmd
}

func (f *schemaExportFlags) run(cmd *cobra.Command, args []string) error {
	if err := oneOf("--to", f.to, exportForms); err != nil {
		return err
	}
	rest, err := f.render.project.takeFirst(cmd, args)
	if err != nil {
		return err
	}
	if err := f.takeFile(rest); err != nil {
		return err
	}
	opts, err := f.render.inProject(cmd)
	if err != nil {
		return err
	}
	if opts.Format, err = f.format(); err != nil {
		return err
	}
	return f.render.how.Run(cmd, opts, f.export)
}

// takeFile takes the file that --write, --check and --diff are about.
func (f *schemaExportFlags) takeFile(args []string) error {
	writes := f.write || f.shown != noDiff
	switch {
	case f.write && f.shown != noDiff:
		return process.Usagef("%s writes nothing, and cannot be used with --write", f.shown.flag())
	case writes && len(args) == 0:
		return process.Usagef("expected the FILE to write or to compare").
			WithHint("weft schema export --to markdown --write README.md")
	case len(args) > 1:
		return process.Usagef("schema export takes an environment and one FILE, but found '%s'",
			strings.Join(args, "', '")).WithHint("name inputs with -f")
	case !writes && len(args) == 1:
		return process.Usagef("'%s' is not an environment of the project", args[0]).
			WithHint("to write a file, add --write; name inputs with -f")
	case len(args) == 1:
		f.file = args[0]
	}
	return nil
}

// format returns the format in which the schema is written.
func (f *schemaExportFlags) format() (weft.Format, error) {
	switch {
	case f.form != "" && f.form != "yaml" && f.form != "json":
		return 0, process.Usagef("unknown output type '%s': --output takes yaml or json", f.form)
	case f.form != "" && (f.to == "markdown" || f.to == "values"):
		return 0, process.Usagef("-o is for JSON Schema and OpenAPI, and cannot be used with --to %s", f.to)
	case f.to == "markdown":
		return weft.Markdown, nil
	case f.to == "values":
		return weft.Text, nil
	case f.form == "json", f.form == "" && path.Ext(f.file) == ".json":
		return weft.JSON, nil
	}
	return weft.YAML, nil
}

func (f *schemaExportFlags) export(cmd *cobra.Command, opts weft.Options) error {
	format := weft.JSONSchema
	if f.to == "openapi" {
		format = weft.OpenAPI
	}
	res, err := weft.InspectSchema(cmd.Context(), opts, format)
	if err != nil {
		return err
	}
	process.MessagesOf(cmd).Warn(res)
	var text bytes.Buffer
	if _, err := res.WriteTo(&text); err != nil {
		return err
	}
	if opts.Format == weft.JSON {
		var indented bytes.Buffer
		if err := json.Indent(&indented, text.Bytes(), "", "  "); err != nil {
			return err
		}
		text = indented
	}
	if f.file == "" {
		return process.WriteOut(cmd, text.Bytes())
	}
	return f.toFile(cmd, text.Bytes())
}

// toFile writes a file, or shows what would change in it.
func (f *schemaExportFlags) toFile(cmd *cobra.Command, text []byte) error {
	old, err := readRegular(f.file)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !missing:
		return process.Usagef("cannot read '%s': %s", f.file, reasonOf(err))
	case f.to == "markdown" && missing:
		return process.Usagef("'%s' does not exist", f.file).
			WithHint("make it, with the two lines %s and %s", schemas.RegionBegin, schemas.RegionEnd)
	case f.to == "markdown":
		if text, err = schemas.Replace(old, string(text)); err != nil {
			return err
		}
	}
	name := filepath.ToSlash(f.file)
	if f.shown != noDiff {
		return f.shown.write(cmd, difference{unified: func(w io.Writer) ([]string, error) {
			if bytes.Equal(old.Data, text) {
				return nil, nil
			}
			shown := diag.Visible(name)
			_, err := w.Write(unified.Append(nil, shown, shown, old.Data, text))
			return []string{name}, err
		}})
	}
	if bytes.Equal(old.Data, text) {
		return nil
	}
	out := process.MessagesOf(cmd).Stdout
	if !out.Begin() {
		return context.Canceled
	}
	defer out.End()
	if err := outdir.WriteFile(cmd.Context(), f.file, text); err != nil {
		return err
	}
	process.MessagesOf(cmd).Note("updating: " + diag.Visible(name) + "\n")
	return nil
}
