package test_test

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"weft/internal/lang/source"
	"weft/internal/project/test"
)

// TestSchemaAgrees holds the JSON Schema to the decoder: both accept the same files, and refuse the
// same ones, apart from what only the decoder can know, such as whether there is a code.
func TestSchemaAgrees(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(test.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tests.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("tests.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []struct {
		text     string
		accepted bool
	}{
		{"tests: [{name: a, expect: [{select: kind=A}]}]", true},
		{"tests: [{name: a, envs: all, golden: x.yml, star: {file: a.star, call: f}}]", true},
		{"tests: [{name: a, envs: [dev], values: {}, valueFiles: [], error: {code: schema/validation}}]", true},
		{"tests: [{name: a, each: x/*, error: {at: 'a:1', matches: 5}}]", true},
		{"tests: [{name: a, expect: [{count: 1+, equal: {a: ~, b: x}, matches: {b: x}}]}]", true},
		{"tests: [{name: a, expect: [{count: 0}, {contains: [1], absent: [a, 5]}]}]", true},

		{"{}", false},
		{"[]", false},
		{"tests: []", false},
		{"tests: {}", false},
		{"tests: [{name: a, golden: x}]\nmore: 1", false},
		{"tests: [{golden: x}]", false},
		{"tests: [{name: '', golden: x}]", false},
		{"tests: [{name: 5, golden: x}]", false},
		{"tests: [{name: a}]", false},
		{"tests: [{name: a, golden: x, error: {code: schema/validation}}]", false},
		{"tests: [{name: a, golden: x, snapshot: y}]", false},
		{`tests: [{name: a, golden: 'x\y'}]`, false},
		{"tests: [{name: a, golden: x, envs: prod}]", false},
		{"tests: [{name: a, golden: x, envs: []}]", false},
		{"tests: [{name: a, golden: x, envs: [5]}]", false},
		{"tests: [{name: a, golden: x, values: [1]}]", false},
		{"tests: [{name: a, golden: x, valueFiles: y}]", false},
		{"tests: [{name: a, golden: x, values: ~}]", false},
		{"tests: [{name: a, error: {}}]", false},
		{"tests: [{name: a, error: x}]", false},
		{"tests: [{name: a, star: {file: x}}]", false},
		{"tests: [{name: a, expect: {select: a=b}}]", false},
		{"tests: [{name: a, expect: []}]", false},
		{"tests: [{name: a, expect: [{}]}]", false},
		{"tests: [{name: a, expect: [{count: 0+}]}]", false},
		{"tests: [{name: a, expect: [{count: -1}]}]", false},
		{"tests: [{name: a, expect: [{equal: {}}]}]", false},
		{"tests: [{name: a, expect: [{matches: {a: [b]}}]}]", false},
		{"tests: [{name: a, expect: [{contains: x}]}]", false},
		{"tests: [{name: a, expect: [{contains: {}}]}]", false},
		{"tests: [{name: a, expect: [{absent: x}]}]", false},
		{"tests: [{name: a, expect: [{absent: [[]]}]}]", false},
	} {
		var set source.Set
		f, err := set.Add("a.test.yml", []byte(file.text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := test.Decode(f); (err == nil) != file.accepted {
			t.Errorf("%s: the decoder says %v", file.text, err)
		}
		var v any
		if err := yaml.Unmarshal([]byte(file.text), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != file.accepted {
			t.Errorf("%s: the schema says %v", file.text, err)
		}
	}
}
