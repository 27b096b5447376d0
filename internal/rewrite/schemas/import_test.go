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
		compare(t, file, a, got)
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

// TestExport writes the schema that is the first file of each case as a table and as a file to fill in.
func TestExport(t *testing.T) {
	cases.Each(t, "testdata/export/*.txtar", func(t *testing.T, file string) {
		a := cases.Archive(t, file)
		typ := typeOfSchema(t, string(a.Files[0].Data))
		compare(t, file, a, Markdown(typ), Skeleton(typ))
	})
}

// TestInfer infers a schema from the values of each case. Lines of the comment are uses: a path, and where
// it is.
func TestInfer(t *testing.T) {
	cases.Each(t, "testdata/infer/*.txtar", func(t *testing.T, file string) {
		a := cases.Archive(t, file)
		var uses []Use
		for line := range strings.Lines(string(a.Comment)) {
			keys, where, _ := strings.Cut(strings.TrimSpace(line), " ")
			uses = append(uses, Use{Path: strings.Split(strings.ReplaceAll(keys, "*", ""), "."), Where: where})
		}
		var values []File
		for _, f := range a.Files[:len(a.Files)-1] {
			values = append(values, File{f.Name, f.Data})
		}
		res, err := Infer(values, uses)
		if err != nil {
			t.Fatal(explained(err))
		}
		compare(t, file, a, res.Text)
		typeOfSchema(t, res.Text)
	})
}

// compare compares the last files of a case with texts, or rewrites them.
func compare(t *testing.T, file string, a *txtar.Archive, texts ...string) {
	t.Helper()
	want := a.Files[len(a.Files)-len(texts):]
	for i, text := range texts {
		if *cases.Update {
			want[i].Data = []byte(text)
		} else if diff := cmp.Diff(string(want[i].Data), text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want[i].Name, diff)
		}
	}
	if *cases.Update {
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplace keeps all but the text between the marks.
func TestReplace(t *testing.T) {
	const begin, end = RegionBegin, RegionEnd
	for _, c := range []struct{ file, want, fails string }{
		{file: "a\n" + begin + "\nold\n" + end + "\nb", want: "a\n" + begin + "\n\nnew\n\n" + end + "\nb"},
		{file: begin + end, want: begin + "\n\nnew\n\n" + end},
		{file: "a\r\n" + begin + "\r\n" + end + "\r\n", want: "a\r\n" + begin + "\r\n\r\nnew\r\n\r\n" + end + "\r\n"},
		{file: "a", fails: "no place"},
		{file: begin, fails: "not the line that ends"},
		{file: end + begin, fails: "not the line that ends"},
		{file: begin + end + begin + end, fails: "twice"},
	} {
		got, err := Replace(File{"README.md", []byte(c.file)}, "new\n")
		switch {
		case err != nil && (c.fails == "" || !strings.Contains(err.Error(), c.fails)):
			t.Errorf("%q: %v", c.file, err)
		case err == nil && (c.fails != "" || string(got) != c.want):
			t.Errorf("%q: got %q, want %q", c.file, got, c.want)
		}
		if err == nil {
			again, err := Replace(File{"README.md", got}, "new\n")
			if err != nil || string(again) != string(got) {
				t.Errorf("%q: the second time it is %q, %v", c.file, again, err)
			}
		}
	}
}
