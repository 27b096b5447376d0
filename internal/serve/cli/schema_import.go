package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
	"weft/internal/rewrite/schemas"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// schemaImportFlags are the flags of weft schema import.
type schemaImportFlags struct {
	from, name, version string
	strict              bool
}

// newSchemaImport makes the command that imports a schema.
func newSchemaImport() *cobra.Command {
	f := &schemaImportFlags{}
	cmd := &cobra.Command{
		Use:   "import FILE [flags]",
		Short: "Make a weft schema from a JSON Schema, OpenAPI, a CRD or a Helm chart",
		Long: `import prints a weft schema with the types, defaults, descriptions and rules of FILE: a file, the
directory of a Helm chart, or - for standard input. Beside values.schema.json, the defaults are those
of values.yaml. What a weft schema cannot say becomes a comment with the line of FILE.

weft reads FILE, the values beside it, and files of the project that it refers to. It fetches nothing.`,
		Example: `  weft schema import values.schema.json > schema.yml
  weft schema import charts/web > schema.yml
  weft schema import crd.yml --version v1beta1
  weft schema import openapi.yml --name Pet
  weft schema import config.yml --from values`,
		RunE: f.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "read FILE as `FORMAT`: "+strings.Join(schemas.Formats(), ", ")+
		" (default: what it looks like)")
	flags.StringVar(&f.name, "name", "", "import the schema `NAME`, of several in FILE")
	flags.StringVar(&f.version, "version", "",
		"import `VERSION` of a custom resource (default: the one that is stored)")
	help.Input.Of(flags)
	flags.BoolVarP(&f.strict, "strict", "s", false, "fail if a part of FILE cannot be imported")
	help.Rules.Of(flags)
	return cmd
}

func (f *schemaImportFlags) run(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return process.Usagef("schema import takes one FILE, but found %d", len(args)).
			WithHint("weft schema import values.schema.json")
	}
	if f.from != "" {
		if err := oneOf("--from", f.from, schemas.Formats()); err != nil {
			return err
		}
	}
	opt, err := importOptions(args[0], cmd.InOrStdin())
	if err != nil {
		return err
	}
	if f.from != "" {
		opt.From = schemas.ParseFormat(f.from)
	}
	opt.Name, opt.Version = f.name, f.version
	res, err := schemas.Import(opt)
	if err != nil {
		return err
	}
	if f.strict && len(res.Losses) > 0 {
		return refuseLosses(res)
	}
	if err := process.WriteOut(cmd, []byte(res.Text)); err != nil {
		return err
	}
	if len(res.Losses) > 0 {
		process.MessagesOf(cmd).Note(importSummary(res))
	}
	return nil
}

// importSummary says how much was not imported.
func importSummary(res *schemas.Result) string {
	text := diag.Count(len(res.Losses), "part") + " of the file"
	if res.Keywords > 0 {
		text = strconv.Itoa(len(res.Losses)) + " of " + diag.Count(res.Keywords, "keyword")
	}
	return "schema import: " + text + " could not be imported; comments in the schema say which\n"
}

// refuseLosses returns an error for each part that could not be imported.
func refuseLosses(res *schemas.Result) error {
	var list diag.List
	for _, l := range res.Losses {
		why := l.Why
		if why == "" {
			why = "a weft schema has nothing like it"
		}
		list = append(list, diag.Errorf(l.At, schemas.CodeImport, "cannot import %s at %s: %s", l.What,
			rootName(l.Path), why))
	}
	list[len(list)-1].WithHint("without --strict, it becomes a comment")
	return &diag.Failure{Files: res.Files, List: list}
}

func rootName(pointer string) string {
	if pointer == "" {
		return "the root"
	}
	return pointer
}

// importOptions reads the file that is imported, and the values of a chart.
func importOptions(name string, stdin io.Reader) (opt schemas.Options, err error) {
	if name == "-" {
		opt.File.Name = "standard input"
		opt.File.Data, err = io.ReadAll(stdin)
		if err != nil {
			err = process.Usagef("cannot read standard input: %s", reasonOf(err))
		}
		return opt, err
	}
	bounds := project.BoundsOf(name, nil)
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		dir := name
		if name = chartFile(dir); name == "" {
			return opt, process.Usagef("'%s' has neither values.schema.json nor values.yaml", dir).
				WithHint("name the file, or the directory of a Helm chart")
		}
		bounds = project.BoundsOf(name, nil)
		opt.From = schemas.Helm
	}
	if err := leadsOut(bounds, name); err != nil {
		return opt, err
	}
	if opt.File, err = readRegular(name); err != nil {
		return opt, process.Usagef("cannot read '%s': %s", name, reasonOf(err))
	}
	opt.Values, err = valuesBeside(name, bounds)
	opt.Open = func(name string, at source.Span) ([]byte, error) {
		if d := bounds.CheckInside(filepath.FromSlash(name), at); d != nil {
			return nil, errors.New(d.Message)
		}
		file, err := readRegular(filepath.FromSlash(name))
		if err != nil {
			return nil, errors.New(reasonOf(err))
		}
		return file.Data, nil
	}
	return opt, err
}

// chartFile returns the file of a chart that is imported, or "".
func chartFile(dir string) string {
	for _, base := range []string{"values.schema.json", "values.yaml", "values.yml"} {
		name := filepath.Join(dir, base)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// valuesBeside returns the values beside the schema of a chart, or nil.
func valuesBeside(name string, bounds *project.Bounds) (*schemas.File, error) {
	if !strings.HasPrefix(filepath.Base(name), "values.schema.") {
		return nil, nil
	}
	for _, base := range []string{"values.yaml", "values.yml"} {
		beside := filepath.Join(filepath.Dir(name), base)
		if _, err := os.Stat(beside); err != nil {
			continue
		}
		if err := leadsOut(bounds, beside); err != nil {
			return nil, err
		}
		file, err := readRegular(beside)
		if err != nil {
			return nil, process.Usagef("cannot read '%s': %s", beside, reasonOf(err))
		}
		return &file, nil
	}
	return nil, nil
}

// leadsOut returns an error for a file that is a link, or in one, which leads out of the repository: what is
// there would become part of a schema that is committed.
func leadsOut(bounds *project.Bounds, name string) error {
	if _, err := os.Stat(name); err != nil {
		return nil // reading it reports the error
	}
	d := bounds.CheckInside(name, source.Span{})
	if d == nil {
		return nil
	}
	if d.Code == project.CodeOutside {
		d.Hint = "name the file that it leads to, or copy it into the repository"
	}
	return d
}

// readRegular reads a regular file. It refuses devices and pipes, which may block or never end.
func readRegular(name string) (schemas.File, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return schemas.File{}, err
	}
	data, err := os.ReadFile(name)
	return schemas.File{Name: path.Clean(filepath.ToSlash(name)), Data: data}, err
}

// reasonOf returns an error of the system without the path.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}
