package schemas

import (
	"errors"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/testing/cases"
)

// TestImport imports the first file of each case. The last one is the schema, which weft reads, or the
// error. A line `name: X` of the comment sets an option.
func TestImport(t *testing.T) {
	cases.Each(t, "testdata/import/*.txtar", func(t *testing.T, file string) {
		a := cases.Archive(t, file)
		res, err := Import(optionsOf(a))
		got := ""
		switch f, failed := err.(*diag.Failure); {
		case failed:
			got = diag.Lines(f.Files, f.List) + "\n"
		case err != nil:
			t.Fatal(err)
		default:
			got = res.Text
		}
		last := &a.Files[len(a.Files)-1]
		if *cases.Update {
			last.Data = []byte(got)
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(string(last.Data), got); diff != "" {
			t.Error(diff)
		}
		if res != nil {
			typeOfSchema(t, got)
		}
	})
}

// optionsOf returns what a case imports. Files are found by their names.
func optionsOf(a *txtar.Archive) Options {
	files := map[string][]byte{}
	for _, f := range a.Files[:len(a.Files)-1] {
		files[f.Name] = f.Data
	}
	opt := Options{File: File{a.Files[0].Name, a.Files[0].Data}}
	for line := range strings.Lines(string(a.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "from":
			opt.From = ParseFormat(value)
		case "name":
			opt.Name = value
		case "version":
			opt.Version = value
		}
	}
	beside := path.Join(path.Dir(opt.File.Name), "values.yaml")
	if values := files[beside]; values != nil && beside != opt.File.Name {
		opt.Values = &File{beside, values}
	}
	opt.Open = func(name string, _ source.Span) ([]byte, error) {
		if data, ok := files[name]; ok && !strings.HasPrefix(name, "..") {
			return data, nil
		}
		return nil, errors.New("there is no such file")
	}
	return opt
}
