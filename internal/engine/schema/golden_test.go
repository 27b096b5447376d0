package schema_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/testing/cases"
)

// TestGolden holds each testdata/*/*.txtar to what it says: input files, then
//
//	want.values      the final data values
//	want.err         what is wrong
//	want.warn        the warnings
//	want.openapi     the schema as OpenAPI; want.json-schema: as JSON Schema
//
// Of these a file has those that are of interest. An archive without any of them gets want.values
// or want.err with -update.
func TestGolden(t *testing.T) {
	for _, path := range cases.Paths(t, "testdata/*/*.txtar") {
		group, name := filepath.Base(filepath.Dir(path)), filepath.Base(path)
		t.Run(group+"/"+strings.TrimSuffix(name, ".txtar"), func(t *testing.T) { golden(t, path) })
	}
}

func golden(t *testing.T, path string) {
	a := cases.Archive(t, path)
	var files []load.Memory
	want := map[string]string{}
	var input []txtar.File
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "want.") {
			want[f.Name] = string(f.Data)
			continue
		}
		input = append(input, f)
		files = append(files, load.Memory{Path: f.Name, Data: f.Data})
	}
	got := map[string]string{}
	p, list := run(t, files)
	var told diag.List
	if list == nil {
		typ, built := p.typ()
		if list = built; !list.Failed() {
			told = list
			if _, ok := want["want.openapi"]; ok {
				got["want.openapi"] = print(typ.OpenAPI())
			}
			if _, ok := want["want.json-schema"]; ok {
				got["want.json-schema"] = print(typ.JSONSchema())
			}
			doc, violations := p.resolve(typ, p.values, &told)
			if list = violations; list == nil && len(got) == 0 {
				got["want.values"] = print(doc.Value)
			}
		}
	}
	if list != nil {
		got["want.err"] = p.render(list)
	}
	if told != nil {
		got["want.warn"] = p.render(told)
	}
	if *cases.Update {
		a.Files = input
		for _, key := range []string{"want.values", "want.openapi", "want.json-schema", "want.warn", "want.err"} {
			if s, ok := got[key]; ok {
				a.Files = append(a.Files, txtar.File{Name: key, Data: []byte(s)})
			}
		}
		if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
