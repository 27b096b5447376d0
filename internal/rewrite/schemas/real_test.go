package schemas

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/testing/cases"
)

// TestReal imports the schemas of charts and the custom resources in a folder of real ones, such as clones
// of public repositories: WEFT_TEST_SCHEMAS=DIR go test ./internal/rewrite/schemas -run TestReal -v. weft
// reads each result. The log says how many keywords are kept.
func TestReal(t *testing.T) {
	dir := cases.Folder(t, "WEFT_TEST_SCHEMAS")
	charts, resources := &tally{name: "values.schema.json"}, &tally{name: "custom resources"}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch base := filepath.Base(name); {
		case base == "values.schema.json" && len(data) > 0:
			opt := Options{File: File{name, data}, From: Helm}
			if values, err := os.ReadFile(filepath.Join(filepath.Dir(name), "values.yaml")); err == nil {
				opt.Values = &File{"values.yaml", values}
			}
			charts.add(t, opt)
		case strings.HasSuffix(base, ".yaml") && bytes.Contains(data, []byte("openAPIV3Schema:")) &&
			!bytes.Contains(data, []byte("{{")):
			for _, crd := range resourcesIn(t, File{name, data}) {
				resources.add(t, Options{File: File{name, data}, From: CRD, Name: crd})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	charts.log(t)
	resources.log(t)
}

// resourcesIn returns the names of the custom resources in a file, each once.
func resourcesIn(t *testing.T, f File) (names []string) {
	t.Helper()
	i := &importer{files: &source.Set{}}
	docs, err := i.parse(f)
	if err != nil {
		t.Logf("%s is not YAML: %v", f.Name, err)
		return nil
	}
	for _, d := range docs {
		for _, v := range withItems(d.root) {
			versions, _ := lookup(v, "spec", "versions")
			if name := textAt(v, "metadata", "name"); isCRD(v) && hasSchema(versions) &&
				!slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// hasSchema reports whether a version has a schema.
func hasSchema(versions tree.Value) bool {
	for v := range versions.Elements() {
		if s, ok := lookup(v, "schema", "openAPIV3Schema"); ok && s.Kind() == tree.MapKind {
			return true
		}
	}
	return false
}

// tally is what was imported.
type tally struct {
	name                  string
	files, keywords, lost int
	of                    map[string]int
}

func (c *tally) add(t *testing.T, opt Options) {
	t.Helper()
	res, err := Import(opt)
	if err != nil {
		f, _ := err.(*diag.Failure)
		t.Errorf("%s: %s", opt.File.Name, diag.Lines(f.Files, f.List))
		return
	}
	if _, err := evaluated(res.Text); err != nil {
		t.Errorf("%s %s: weft does not read the schema: %.1000v", opt.File.Name, opt.Name, err)
	}
	if c.of == nil {
		c.of = map[string]int{}
	}
	c.files++
	c.keywords += res.Keywords
	c.lost += len(res.Losses)
	for _, l := range res.Losses {
		what, _, _ := strings.Cut(l.What, " ")
		c.of[what]++
	}
}

func (c *tally) log(t *testing.T) {
	t.Helper()
	if c.files == 0 {
		t.Errorf("there are no %s", c.name)
		return
	}
	t.Logf("%d %s: %d of %d keywords kept, %.1f %%", c.files, c.name, c.keywords-c.lost, c.keywords,
		100*float64(c.keywords-c.lost)/float64(c.keywords))
	for _, what := range slices.SortedFunc(maps.Keys(c.of), func(a, b string) int { return c.of[b] - c.of[a] }) {
		t.Logf("  %6d %s", c.of[what], what)
	}
}
