package jsonschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// FuzzCheck holds random documents to random schemas of Kubernetes, and compares the verdicts with those of
// a library that implements all of JSON Schema.
func FuzzCheck(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { agree(t, seed) })
}

// agree compares one verdict.
func agree(t *testing.T, seed uint64) {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(seed, 0)), []any{"#/definitions/d", "#/definitions/e~1f"}}
	text, doc := asJSON(t, g.schema(3)), asJSON(t, g.value(3))
	want, ok := libraryVerdict(t, text, doc)
	if !ok {
		return
	}
	problems := schemaOf(t, text).Check(valueOf(t, doc), nil)
	if (len(problems) == 0) != want {
		t.Errorf("seed %d: valid is %v, want %v\nschema: %s\nvalue: %s\nproblems: %v", seed,
			len(problems) == 0, want, text, doc, messages(problems))
	}
	for _, p := range problems {
		if p.Message(nil) == "" {
			t.Errorf("a problem has no words: %+v", p)
		}
		p.Hint(true)
		p.Hint(false)
	}
}

// generator makes schemas and values that have something to do with each other.
type generator struct {
	*rand.Rand
	refs []any // the definitions that a schema may refer to
}

func pick[T any](g generator, list ...T) T { return list[g.IntN(len(list))] }

func (g generator) name() string { return pick(g, "a", "b", "name", "size") }

func (g generator) scalar() any {
	return pick[any](g, "", "a", "abc", "3", "2024-01-02T03:04:05Z", "aGk=", "é€", 0, 1, 2, -1, 1.5, 0.1,
		3.0, 1<<40, true, false)
}

func (g generator) value(depth int) any {
	switch n := g.IntN(10); {
	case depth > 0 && n < 4:
		m := map[string]any{}
		for range g.IntN(4) {
			m[g.name()] = g.value(depth - 1)
		}
		return m
	case depth > 0 && n < 6:
		var list []any
		for range g.IntN(4) {
			list = append(list, g.value(depth-1))
		}
		return append([]any{}, list...)
	}
	return g.scalar()
}

func (g generator) schema(depth int) any {
	if g.IntN(12) == 0 {
		return g.IntN(3) > 0
	}
	s := map[string]any{}
	for range 1 + g.IntN(3) {
		g.keyword(s, depth)
	}
	if g.IntN(15) == 0 && g.refs != nil {
		s = map[string]any{"$ref": pick(g, g.refs...)}
	}
	if depth == 3 {
		// No circles: with `not`, what a schema says that refers to itself is up to who reads it.
		last, middle := g, g
		last.refs, middle.refs = nil, []any{"#/definitions/e~1f"}
		s["definitions"] = map[string]any{"d": middle.schema(1), "e/f": last.schema(0)}
	}
	return s
}

func (g generator) schemas(depth int) (list []any) {
	for range 1 + g.IntN(3) {
		list = append(list, g.schema(depth))
	}
	return list
}

// keyword adds a word to a schema.
func (g generator) keyword(s map[string]any, depth int) {
	types := []any{"string", "integer", "number", "boolean", "object", "array", "null"}
	switch g.IntN(15) {
	case 0, 1:
		s["type"] = pick(g, types...)
	case 2:
		s["type"] = []any{pick(g, types[:3]...), pick(g, types[3:]...)}
	case 3:
		s["enum"] = []any{g.value(1), g.scalar(), g.scalar()}
	case 4:
		s["const"] = g.value(1)
	case 5:
		s[pick(g, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")] = pick[any](g, 0, 1, 1.5, -1)
	case 6:
		s[pick(g, "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")] = g.IntN(4)
	case 7:
		s["multipleOf"] = pick[any](g, 1, 2, 0.1, 0.5)
	case 8:
		s["pattern"] = pick(g, "^a", "b", "^$", "[0-9]")
	case 9:
		s["format"] = pick(g, "date-time", "byte", "int32", "nobody-knows")
	case 10:
		s["required"] = []any{g.name()}
	case 11:
		s["uniqueItems"] = g.IntN(2) == 0
	default:
		g.applicator(s, depth)
	}
}

// applicator adds a word that holds parts of a value, or the value, to other schemas.
func (g generator) applicator(s map[string]any, depth int) {
	if depth == 0 {
		return
	}
	sub := func() any { return g.schema(depth - 1) }
	switch g.IntN(13) {
	case 0, 1:
		s["properties"] = map[string]any{g.name(): sub(), g.name(): sub()}
	case 2:
		s["additionalProperties"] = pick(g, any(false), sub())
	case 3:
		s["patternProperties"] = map[string]any{pick(g, "^a", "e$"): sub()}
	case 4:
		s["items"] = sub()
	case 5:
		s["items"], s["additionalItems"] = g.schemas(depth-1), sub()
	case 6:
		s["allOf"] = g.schemas(depth - 1)
	case 7:
		s["anyOf"] = g.schemas(depth - 1)
	case 8:
		s["oneOf"] = g.schemas(depth - 1)
	case 9:
		s["not"] = sub()
	case 10:
		s["if"], s["then"], s["else"] = sub(), sub(), sub()
	case 11:
		s["contains"] = sub()
	case 12:
		s["dependencies"] = map[string]any{g.name(): []any{g.name()}, g.name() + "x": sub()}
		s["propertyNames"] = pick(g, any(true), any(map[string]any{"maxLength": g.IntN(5)}))
	}
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// libraryVerdict is what the library says. It reports false if the schema is wrong.
func libraryVerdict(t *testing.T, schema, value []byte) (valid, ok bool) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	for name, f := range formats.Get() {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
			val, text := yaml.Value{}, ""
			switch v := v.(type) {
			case string:
				val, text = yaml.StringValue(), v
			case json.Number:
				val = yaml.Core.Resolve([]byte(v))
			}
			if !f.has(val, []byte(text)) {
				return errors.New("has another format")
			}
			return nil
		}})
	}
	decode := func(text []byte) any {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if err := c.AddResource("schema.json", decode(schema)); err != nil {
		return false, false
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		return false, false
	}
	return s.Validate(decode(value)) == nil, true
}

// schemaOf is a text as a schema of Kubernetes.
func schemaOf(t *testing.T, text []byte) *Schema {
	t.Helper()
	return New(valueOf(t, text), Options{Name: "schema.json"})
}

func valueOf(t *testing.T, text []byte) tree.Value {
	t.Helper()
	f, err := new(source.Set).Add("value.yml", text)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) == 0 {
		return tree.Null
	}
	return docs[0]
}

func messages(problems []Problem) (list []string) {
	for _, p := range problems {
		text := p.Message(nil)
		if at := p.Path.String(); at != "" {
			text = at + ": " + text
		}
		if hint := p.Hint(false); hint != "" {
			text += " (" + hint + ")"
		}
		list = append(list, text)
	}
	return list
}
