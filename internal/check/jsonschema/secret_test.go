package jsonschema

import (
	"slices"
	"testing"

	"weft/internal/lang/source"
)

// TestSecrets: each schema marks the values that begin with s, wherever it says so.
func TestSecrets(t *testing.T) {
	for schema, value := range map[string]string{
		`{}`: `{"a": "x"}`,
		`{"properties": {"a": {"writeOnly": true}, "b": {"writeOnly": false}}}`:                          `{"a": "s", "b": "x"}`,
		`{"patternProperties": {"^a": {"writeOnly": true}}, "additionalProperties": {"type": "string"}}`: `{"ab": "s", "b": "x"}`,
		`{"properties": {"b": {}}, "additionalProperties": {"writeOnly": true}}`:                         `{"a": "s", "b": "x"}`,
		`{"items": {"properties": {"t": {"writeOnly": true}}}}`:                                          `[{"t": "s1", "u": "x"}, {"t": "s2"}]`,
		`{"prefixItems": [{}, {"writeOnly": true}], "items": {"type": "string"}}`:                        `["x", "s", "x"]`,
		`{"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"a": {"writeOnly": true}}}}}`:              `{"a": "s"}`,
		`{"oneOf": [{"required": ["b"]}, {"properties": {"a": {"writeOnly": true}}}]}`:                   `{"a": "s"}`,
		`{"if": {"required": ["z"]}, "then": {"properties": {"a": {"writeOnly": true}}}}`:                `{"a": "s"}`,
		`{"properties": {"v": {"writeOnly": true}, "next": {"$ref": "#"}}}`:                              `{"v": "s1", "next": {"v": "s2", "next": {}}}`,
		`{"allOf": [{"$ref": "#"}], "properties": {"v": {"writeOnly": true}}}`:                           `{"v": "s"}`,
		`{"dependentSchemas": {"a": {"properties": {"b": {"writeOnly": true}}}}}`:                        `{"a": 1, "b": "s"}`,
		`{"unevaluatedProperties": {"writeOnly": true}, "properties": {"b": {}}}`:                        `{"a": "s", "b": "x"}`,
		`{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"$ref": "#/definitions/a", "writeOnly": true}},
		  "definitions": {"a": {}}}`: `{"a": "s"}`,
		`{"$dynamicAnchor": "n", "properties": {"v": {"writeOnly": true}, "next": {"$dynamicRef": "#n"}}}`: `{"next": {"v": "s"}}`,
	} {
		f, err := new(source.Set).Add("s.json", []byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		s, list := (&Loader{}).Load(f, "s.json")
		if list != nil {
			t.Fatalf("%s: %v", schema, list)
		}
		var got, want []string
		for _, v := range s.Secrets(valueOf(t, []byte(value))) {
			got = append(got, v.Text())
		}
		for i, c := range value {
			if c == 's' {
				end := i + 1
				for value[end] != '"' {
					end++
				}
				want = append(want, value[i:end])
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s marks %q in %s, want %q", schema, got, value, want)
		}
	}
}
