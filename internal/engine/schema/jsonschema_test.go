package schema_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"weft/internal/engine/emit"
	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/lang/tree"
)

// compileJSONSchema compiles a type's JSON Schema with an independent implementation, which checks
// it against the meta-schema.
func compileJSONSchema(t testing.TB, typ *schema.Type) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(toJSON(t, typ.JSONSchema())))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	meta, err := c.Compile(schema.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	if err := meta.Validate(doc); err != nil {
		t.Fatalf("not a JSON Schema: %v", err)
	}
	if err := c.AddResource("values.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("values.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func toJSON(t testing.TB, v tree.Value) string {
	t.Helper()
	docs := []tree.Doc{{Value: v}}
	if list := emit.CheckJSON(docs); list != nil {
		t.Fatalf("not JSON: %v", list)
	}
	var b bytes.Buffer
	if _, err := emit.JSON(&b, docs); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestJSONSchema holds the JSON Schema of a type to values that weft takes, and to values that it
// refuses. Both programs are asked.
func TestJSONSchema(t *testing.T) {
	tests := map[string]struct {
		schema       string
		take, refuse []string
	}{
		"scalars": {
			schema: "i: 1\nf: 1.5\ns: x\nb: true\n",
			take:   []string{`{}`, `{"i": 2, "f": 2, "s": "", "b": false}`, `{"f": 2.5}`},
			refuse: []string{
				`{"i": "2"}`,
				`{"i": 1.5}`,
				`{"f": "2"}`,
				`{"s": 1}`,
				`{"b": "true"}`,
				`{"s": null}`,
				`{"x": 1}`,
				`[]`,
				`"x"`,
			},
		},
		"nullable": {
			schema: "#@schema/nullable\na: 1\n#@schema/nullable\nm:\n  x: 1\n#@schema/nullable\nl:\n- 1\n",
			take: []string{
				`{}`,
				`{"a": null, "m": null, "l": null}`,
				`{"a": 2, "m": {}, "l": []}`,
				`{"m": {"x": 2}, "l": [1]}`,
			},
			refuse: []string{
				`{"a": "x"}`,
				`{"m": {"x": null}}`,
				`{"m": {"z": 1}}`,
				`{"l": [null]}`,
			},
		},
		"any": {
			schema: "#@schema/type any=True\na: 1\nl:\n#@schema/type any=True\n- 0\n",
			take:   []string{`{}`, `{"a": null}`, `{"a": {"x": [1]}, "l": [1, "x", null]}`},
			refuse: []string{`{"l": 1}`, `{"b": 1}`},
		},
		"arrays": {
			schema: "l:\n- name: \"\"\n  port: 80\n",
			take:   []string{`{"l": []}`, `{"l": [{}, {"name": "x"}, {"port": 1}]}`},
			refuse: []string{
				`{"l": {}}`,
				`{"l": ["x"]}`,
				`{"l": [{"name": 1}]}`,
				`{"l": [{"zz": 1}]}`,
			},
		},
		"document of another kind": {
			schema: "- 1\n",
			take:   []string{`[]`, `[1, 2]`},
			refuse: []string{`{}`, `["x"]`},
		},
		"lengths": {
			schema: "#@schema/validation min_len=1, max_len=3\ns: ab\n#@schema/validation min_len=1, max_len=2\n#@schema/default [1]\nl:\n- 1\n#@schema/validation max_len=2\nm:\n  a: 1\n  b: 1\n",
			take: []string{
				`{}`,
				`{"s": "abc", "l": [1, 2]}`,
				`{"s": "a", "l": [1]}`,
				`{"m": {}}`,
			},
			refuse: []string{`{"s": ""}`, `{"s": "abcd"}`, `{"l": []}`, `{"l": [1, 2, 3]}`},
		},
		"order": {
			schema: "#@schema/validation min=1, max=10\ni: 5\n#@schema/validation min=0.5\nf: 1.0\n",
			take:   []string{`{"i": 1}`, `{"i": 10, "f": 0.5}`, `{"f": 1}`},
			refuse: []string{`{"i": 0}`, `{"i": 11}`, `{"f": 0.4}`},
		},
		"one of": {
			schema: "#@schema/validation one_of=[\"a\", \"b\"]\ns: a\n#@schema/nullable\n#@schema/validation one_of=[1, 2]\ni: 1\n#@schema/validation one_of=[[], [1]]\nl:\n- 1\n",
			take:   []string{`{}`, `{"s": "b", "i": 2, "l": [1]}`, `{"i": null}`, `{"l": []}`},
			refuse: []string{`{"s": "c"}`, `{"i": 3}`, `{"l": [2]}`},
		},
		"not null": {
			schema: "#@schema/nullable\n#@schema/validation not_null=True\na: \"\"\n",
			take:   []string{`{"a": "x"}`},
			refuse: []string{`{}`, `{"a": null}`},
		},
		"not null, somewhere below": {
			schema: "m:\n  deep:\n    #@schema/nullable\n    #@schema/validation not_null=True\n    a: \"\"\n    b: 1\n#@schema/nullable\nk:\n  #@schema/nullable\n  #@schema/validation not_null=True\n  a: \"\"\n",
			take: []string{
				`{"m": {"deep": {"a": "x"}}}`,
				`{"m": {"deep": {"a": "x"}}, "k": {"a": "x"}}`,
				`{"m": {"deep": {"a": "x"}}, "k": null}`,
			},
			refuse: []string{
				`{}`,
				`{"m": {}}`,
				`{"m": {"deep": {"b": 1}}}`,
				`{"m": {"deep": {"a": "x"}}, "k": {}}`,
			},
		},
		"not null, but with a default around it": {
			schema: "#@schema/default {\"a\": \"x\"}\nm:\n  #@schema/nullable\n  #@schema/validation not_null=True\n  a: \"\"\n",
			take:   []string{`{}`, `{"m": {}}`, `{"m": {"a": "z"}}`},
			refuse: []string{`{"m": {"a": null}}`},
		},
		"one not null": {
			schema: "#@schema/validation one_not_null=True\nm:\n  #@schema/nullable\n  a: 1\n  #@schema/nullable\n  b: 1\n",
			take:   []string{`{"m": {"a": 1}}`, `{"m": {"a": null, "b": 1}}`},
			refuse: []string{`{}`, `{"m": {}}`, `{"m": {"a": 1, "b": 1}}`, `{"m": {"a": null}}`},
		},
		"one not null of some": {
			schema: "#@schema/validation one_not_null=[\"a\", \"b\"]\nm:\n  #@schema/nullable\n  a: 1\n  #@schema/nullable\n  b: 1\n  c: 1\n",
			take:   []string{`{"m": {"a": 1, "c": 2}}`},
			refuse: []string{`{"m": {"c": 2}}`, `{"m": {"a": 1, "b": 1}}`},
		},
		"one not null by default": {
			schema: "#@schema/validation one_not_null=True\nm:\n  a: 1\n  #@schema/nullable\n  b: 1\n",
			take:   []string{`{}`, `{"m": {}}`, `{"m": {"a": 2}}`},
		},
		"any, not null": {
			schema: "#@schema/type any=True\n#@schema/validation not_null=True, min_len=2\na: null\n",
			take:   []string{`{"a": "ab"}`, `{"a": [1, 2]}`, `{"a": {"x": 1, "z": 2}}`},
			refuse: []string{`{}`, `{"a": null}`, `{"a": "a"}`, `{"a": [1]}`, `{"a": {"x": 1}}`},
		},
		"conditions say nothing": {
			schema: "on_: false\n#@schema/nullable\n#@schema/validation not_null=True, min=5, when=lambda v, ctx: ctx.parent[\"on_\"]\na: 1\n",
			take:   []string{`{}`, `{"a": 1}`, `{"a": 7, "on_": true}`},
		},
		"keys that are no strings": {
			schema: "1: a\n",
			take:   []string{`{}`},
			refuse: []string{`{"2": "x"}`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p, list := run(
				t,
				[]load.Memory{
					{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\n" + test.schema)},
				},
			)
			if list != nil {
				t.Fatal(p.render(list))
			}
			typ, list := p.typ()
			if list != nil {
				t.Fatal(p.render(list))
			}
			js := compileJSONSchema(t, typ)
			ask := func(text string) (theirs, ours error) {
				v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				theirs = js.Validate(v)
				if list := p.given(t, typ, text); list != nil {
					ours = list
				}
				return theirs, ours
			}
			for _, text := range test.take {
				theirs, ours := ask(text)
				if theirs != nil || ours != nil {
					t.Errorf("%s is refused: %v, %v", text, theirs, ours)
				}
			}
			for _, text := range test.refuse {
				theirs, ours := ask(text)
				if theirs == nil || ours == nil {
					t.Errorf(
						"%s is taken: by JSON Schema %t, by weft %t",
						text,
						theirs == nil,
						ours == nil,
					)
				}
			}
		})
	}
}

// given is what weft says of values that a user gives as JSON.
func (p *program) given(t testing.TB, typ *schema.Type, text string) error {
	t.Helper()
	q, list := run(
		t,
		[]load.Memory{{Path: "values.yml", Data: []byte("#@data/values\n---\n" + text)}},
	)
	if list != nil {
		t.Fatal(q.render(list))
	}
	doc := typ.Default()
	doc.Value = merge(doc.Value, q.values[0].Value, false)
	doc, list = typ.Assign(doc, typ.Default())
	if list != nil {
		return list
	}
	if list = typ.Missing(doc); list != nil {
		return list
	}
	if doc, list = typ.Compute(doc, schema.Computing{Call: p.call}); list != nil {
		return list
	}
	if list = typ.Validate(doc, p.call, nil); list != nil {
		return list
	}
	return nil
}

// TestJSONSchemaLeavesOut sees to it that what JSON has no form for does not get into the schema.
func TestJSONSchemaLeavesOut(t *testing.T) {
	p, list := run(
		t,
		[]load.Memory{
			{
				Path: "schema.yml",
				Data: []byte(
					"#@data/values-schema\n---\n#@schema/examples (\"x\", 1.0)\n#@schema/validation one_of=[.5, float(\"inf\")]\nf: .inf\n#@schema/type any=True\nm: {1: x}\n#@schema/validation min_len=-1, max_len=1e300\ns: x\n",
				),
			},
		},
	)
	if list != nil {
		t.Fatal(p.render(list))
	}
	typ, list := p.typ()
	if list != nil {
		t.Fatal(p.render(list))
	}
	compileJSONSchema(t, typ)
	var got struct {
		Properties map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(toJSON(t, typ.JSONSchema())), &got); err != nil {
		t.Fatal(err)
	}
	for key, absent := range map[string]string{"f": "default", "m": "default", "s": "minLength"} {
		if v, ok := got.Properties[key][absent]; ok {
			t.Errorf("%s has %s %v", key, absent, v)
		}
	}
	if enum, _ := got.Properties["f"]["enum"].([]any); len(enum) != 1 {
		t.Errorf("got enum %v, want [0.5]", enum)
	}
}
