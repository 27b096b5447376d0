package project_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"weft/internal/lang/source"
	"weft/internal/project"
)

// TestSchemaAgrees holds the JSON Schema to the decoder: both accept the same files, and refuse the
// same ones. What is in refused/text is refused before anybody asks what it means.
func TestSchemaAgrees(t *testing.T) {
	schema := compiledSchema(t)
	for _, dir := range []string{"accepted", "refused"} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.yml"))
		if err != nil || len(files) == 0 {
			t.Fatal(err, "no files")
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := yaml.Unmarshal(data, &v); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); (err == nil) != (dir == "accepted") {
				t.Errorf("%s: the schema says %v", path, err)
			}
		}
	}
}

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(project.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("weft.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("weft.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestSchemaAgreesOnChanges puts something else at each place of a file with all keys, and adds a key
// to each mapping: the schema and the decoder are of one opinion about each.
func TestSchemaAgreesOnChanges(t *testing.T) {
	schema := compiledSchema(t)
	data, err := os.ReadFile("testdata/accepted/every-key.yml")
	if err != nil {
		t.Fatal(err)
	}
	var top any
	if err := yaml.Unmarshal(data, &top); err != nil {
		t.Fatal(err)
	}
	others := []any{
		nil, true, false, 0, 1, 2026, 101, "", "x", "true", "a*b", "a/b", `a\b`, "{env}", "{x}",
		"comments", "off", "dev",
		[]any{},
		[]any{"x"},
		[]any{1},
		[]any{""},
		map[string]any{},
		map[string]any{"x": 1},
		map[string]any{"x": "off"},
		map[string]any{"": "x"},
		map[string]any{"dir": "x", "file": "y"},
		map[string]any{"prefix": "X"},
	}
	count, accepted := 0, 0
	check := func(where string) {
		count++
		text, err := json.Marshal(top) // JSON is YAML
		if err != nil {
			t.Fatal(err)
		}
		var set source.Set
		f, err := set.Add("weft.yml", text)
		if err != nil {
			t.Fatal(err)
		}
		_, refused := project.Decode(f)
		if refused == nil {
			accepted++
		}
		if err := schema.Validate(top); (err == nil) != (refused == nil) {
			t.Errorf("%s: the schema says %v, the decoder %v", where, err, refused)
		}
	}
	var walk func(where string, v any, put func(any))
	walk = func(where string, v any, put func(any)) {
		for _, other := range others {
			put(other)
			check(fmt.Sprintf("%s = %#v", where, other))
		}
		put(v)
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(where+"."+key, v[key], func(x any) { v[key] = x })
				was := v[key]
				delete(v, key)
				check(where + " without " + key)
				v[key] = was
			}
			for _, key := range []string{"x", "a b", "*", "weft", "each", "values", "file"} {
				if _, ok := v[key]; !ok {
					v[key] = map[string]any{}
					check(where + " with " + key)
					delete(v, key)
				}
			}
		case []any:
			for i := range v {
				walk(fmt.Sprintf("%s[%d]", where, i), v[i], func(x any) { v[i] = x })
			}
		}
	}
	walk("", top, func(v any) { top = v })
	if count < 1000 || accepted < 100 || accepted > count/2 {
		t.Errorf("%d changes, %d of them accepted", count, accepted)
	}
}

// TestTableIsComplete has something to say of each key, and an example that the decoder accepts.
func TestTableIsComplete(t *testing.T) {
	for _, k := range append(project.Keys(), project.EnvironmentKeys()...) {
		if k.Doc == "" || k.Example == "" {
			t.Errorf("%s: no text or no example", k.Name)
		}
	}
}
