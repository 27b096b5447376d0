package cli

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/rewrite/schemas"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
	"weft/internal/serve/lsp/index"
)

// schemaInferFlags are the flags of weft schema infer.
type schemaInferFlags struct{ inputs []string }

// newSchemaInfer makes the command that makes a schema for values and templates.
func newSchemaInfer() *cobra.Command {
	f := &schemaInferFlags{}
	cmd := &cobra.Command{
		Use:   "infer [VALUES...] [flags]",
		Short: "Make a weft schema from values and templates",
		Long: `infer prints a weft schema for files of values: types and defaults are those of the values, and
descriptions are the comments above them. The first file has the defaults; keys that only others have
are null by default. With -f, values that templates read are added, and so are documents with
#@data/values above them.

A schema that is inferred is a draft. Read it: a value says little about what else may be set.`,
		Example: `  weft schema infer values.yml > schema.yml
  weft schema infer values/default.yml values/prod.yml
  weft schema infer values.yml -f config > config/schema.yml`,
		RunE: f.run,
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.inputs, "file", "f", nil,
		"read templates at `PATH`, a file or a directory, and add the data values that they use (repeatable)")
	help.Input.Of(flags)
	return cmd
}

func (f *schemaInferFlags) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && len(f.inputs) == 0 {
		return process.Usagef("schema infer needs files of values, or templates").
			WithHint("weft schema infer values.yml, or weft schema infer -f config")
	}
	values, err := readValues(cmd, args)
	if err != nil {
		return err
	}
	more, uses, err := f.templates(cmd)
	if err != nil {
		return err
	}
	res, err := schemas.Infer(slices.Concat(more, values), uses)
	if err != nil {
		return err
	}
	return process.WriteOut(cmd, []byte(res.Text))
}

// readValues reads files of values.
func readValues(cmd *cobra.Command, names []string) ([]schemas.File, error) {
	var list []schemas.File
	for _, name := range names {
		opt, err := importOptions(name, cmd.InOrStdin())
		if err != nil {
			return nil, err
		}
		if bytes.Contains(opt.File.Data, []byte(schemaMark)) {
			return nil, process.Usagef("'%s' is a schema already", name)
		}
		list = append(list, opt.File)
	}
	return list, nil
}

// schemaMark and valuesMark are how documents with a schema and with data values begin.
const (
	schemaMark = "#@data/values-schema"
	valuesMark = "#@data/values"
)

// templates reads the inputs: the values among them, and what templates use.
func (f *schemaInferFlags) templates(cmd *cobra.Command) ([]schemas.File, []schemas.Use, error) {
	set := &source.Set{}
	inputs, err := load.Read(set, load.Options{Paths: f.inputs, Stdin: cmd.InOrStdin()})
	if err != nil {
		return nil, nil, &diag.Failure{Files: set, List: diag.Of(err)}
	}
	var values []schemas.File
	var sources []*index.Source
	shown := map[*index.Source]*source.File{}
	for _, in := range inputs {
		if in.File == nil || in.Type == load.Data || isBelowLibrary(in.Path) {
			continue
		}
		data := in.File.Data()
		if bytes.Contains(data, []byte(valuesMark)) && !bytes.Contains(data, []byte(schemaMark)) {
			values = append(values, schemas.File{Name: in.File.Shown(), Data: data})
		}
		s := &index.Source{Path: in.Path, Input: in.Path}
		s.File = index.ReadFile(compile.Analyse(in.File, engine.KindOf(in), compile.Options{}))
		sources, shown[s] = append(sources, s), in.File
	}
	return values, usesOf(index.New(sources), shown), nil
}

// isBelowLibrary reports whether a file belongs to a private library, whose data values are its own.
func isBelowLibrary(name string) bool {
	return strings.HasPrefix(name, index.PrivateDir+"/") ||
		strings.Contains(path.Dir(name)+"/", "/"+index.PrivateDir+"/")
}

// usesOf returns the data values that files read by their names.
func usesOf(all *index.Index, files map[*index.Source]*source.File) []schemas.Use {
	var uses []schemas.Use
	for _, s := range all.Sources {
		for i := range s.File.Reads {
			r := &s.File.Reads[i]
			if r.Whole || r.Dynamic {
				continue
			}
			for _, v := range all.ValuesOf(s, r) {
				if v.Library != "" {
					continue
				}
				keys := slices.Clone(v.Path)
				for i, step := range keys {
					if step == index.Any {
						keys[i] = ""
					}
				}
				where := filepath.ToSlash(files[s].WhereLine(r.At.Start))
				uses = append(uses, schemas.Use{Path: keys, Where: where})
			}
		}
	}
	return uses
}
