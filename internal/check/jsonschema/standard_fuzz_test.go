package jsonschema

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"weft/internal/lang/source"
	"weft/internal/testing/cases"
)

// FuzzStandard holds random values to random schemas of all drafts, and compares the verdicts with those of
// a library that implements all of JSON Schema.
func FuzzStandard(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { agreeOnDraft(t, seed) })
}

// TestStandardAgrees runs FuzzStandard on fixed seeds.
func TestStandardAgrees(t *testing.T) {
	n := uint64(1000)
	if cases.Long() {
		n = 10_000
	}
	for seed := range n {
		agreeOnDraft(t, seed)
	}
}

// draftNames are the values of $schema.
var draftNames = map[draft]string{
	draft4:    "http://json-schema.org/draft-04/schema#",
	draft6:    "http://json-schema.org/draft-06/schema#",
	draft7:    "http://json-schema.org/draft-07/schema#",
	draft2019: "https://json-schema.org/draft/2019-09/schema",
	draft2020: "https://json-schema.org/draft/2020-12/schema",
}

// agreeOnDraft compares one verdict.
func agreeOnDraft(t *testing.T, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	d := []draft{draft4, draft6, draft7, draft2019, draft2020}[random.IntN(5)]
	g := draftGenerator{generator{random, nil}, d}
	text, doc := asJSON(t, g.root()), asJSON(t, g.value(3))
	want, ok := draftVerdict(t, text, doc)
	if !ok {
		return
	}
	f, err := new(source.Set).Add("values.schema.json", text)
	if err != nil {
		t.Fatal(err)
	}
	s, list := (&Loader{}).Load(f, "values.schema.json")
	if list != nil {
		t.Fatalf("seed %d: the schema cannot be used: %v\nschema: %s", seed, list, text)
	}
	problems := s.Check(valueOf(t, doc), nil)
	if (len(problems) == 0) != want {
		t.Errorf("seed %d: valid is %v, want %v\nschema: %s\nvalue: %s\nproblems: %v", seed,
			len(problems) == 0, want, text, doc, messages(problems))
	}
}

// draftVerdict is what the library says. It reports false if the schema is wrong.
func draftVerdict(t *testing.T, schema, value []byte) (valid, ok bool) {
	t.Helper()
	decode := func(text []byte) any {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("values.schema.json", decode(schema)); err != nil {
		return false, false
	}
	s, err := c.Compile("values.schema.json")
	if err != nil {
		return false, false
	}
	return s.Validate(decode(value)) == nil, true
}

// draftGenerator makes schemas of one draft.
type draftGenerator struct {
	generator
	draft draft
}

// root makes a whole schema. References lead to definitions further down only: what a schema says that
// refers to itself below `not` is not defined.
func (g draftGenerator) root() any {
	id, defs := "$id", "$defs"
	if g.draft == draft4 {
		id = "id"
	}
	if g.draft < draft2019 {
		defs = "definitions"
	}
	names := []string{"a", "b", "c"}
	refs := func(from int) (list []any) {
		for _, name := range names[from:] {
			list = append(list, "values.schema.json#/"+defs+"/"+name)
			if from < 2 { // not in inner.json
				list = append(list, "#/"+defs+"/"+name)
			}
		}
		if from < 2 {
			list = append(list, "inner.json", "#named")
			if g.draft >= draft2019 {
				list = append(list, "inner.json#place")
			}
		}
		return list
	}
	object := func(from, depth int) map[string]any {
		h := g
		h.refs = refs(from)
		s := map[string]any{}
		for range 1 + g.IntN(3) {
			h.keyword(s, depth)
		}
		return s
	}
	a, b, c := object(1, 1), object(2, 1), object(3, 1)
	b[id] = "inner.json"
	if g.draft < draft2019 {
		a = map[string]any{"allOf": []any{a}}
		c[id] = "#named"
	} else {
		b[defs] = map[string]any{"p": map[string]any{"$anchor": "place", "maxProperties": g.IntN(3)}}
		c["$anchor"] = "named"
	}
	s := object(0, 3)
	if g.draft == draft2020 && g.IntN(3) == 0 {
		s["$dynamicAnchor"], b["$dynamicAnchor"] = "node", "node"
		b["additionalProperties"] = map[string]any{"$dynamicRef": "#node"}
	}
	if g.draft == draft2019 && g.IntN(3) == 0 {
		s["$recursiveAnchor"], b["$recursiveAnchor"] = true, g.IntN(2) == 0
		b["additionalProperties"] = map[string]any{"$recursiveRef": "#"}
	}
	s["$schema"] = draftNames[g.draft]
	s[defs] = map[string]any{"a": a, "b": b, "c": c}
	return s
}

func (g draftGenerator) schema(depth int) any {
	if g.IntN(12) == 0 && g.draft > draft4 {
		return g.IntN(3) > 0
	}
	s := map[string]any{}
	for range 1 + g.IntN(3) {
		g.keyword(s, depth)
	}
	if g.IntN(8) == 0 && g.refs != nil {
		s["$ref"] = pick(g.generator, g.refs...)
		if g.draft < draft2019 {
			// These have no meaning beside a reference, but the library obeys them.
			for _, name := range []string{"const", "contains", "propertyNames", "if"} {
				delete(s, name)
			}
		}
	}
	return s
}

// formatted are texts that have a format, or nearly have one.
var formatted = []any{
	"2024-01-02T03:04:05Z", "2024-02-30", "2024-02-28", "12:30:00Z", "12:30:00", "23:59:60Z", "22:59:60+01:00",
	"P1D", "PT1H", "P", "1.2.3.4", "1.2.3", "::1", "1::2::3", "a.example.com", "-a.b", "a_b", "ops@example.com",
	"ops@", "a@b@c", "https://example.com/x", "//x", "x y", "/a/b", "/a~", "0/a", "01", "0#", "[", "a*", "{x}", "{",
	"x/{y}", "123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000",
}

func (g draftGenerator) value(depth int) any {
	if depth < 3 && g.IntN(6) == 0 {
		return pick(g.generator, formatted...)
	}
	switch n := g.IntN(10); {
	case depth > 0 && n < 4:
		m := map[string]any{}
		for range g.IntN(4) {
			m[g.name()] = g.value(depth - 1)
		}
		return m
	case depth > 0 && n < 6:
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(depth-1))
		}
		return list
	case n == 9:
		return nil
	}
	return g.scalar()
}

// keyword adds a word to a schema.
func (g draftGenerator) keyword(s map[string]any, depth int) {
	switch n := g.IntN(10); {
	case n == 0:
		s["format"] = pick[any](g.generator, "date-time", "date", "time", "duration", "ipv4", "ipv6", "hostname",
			"email", "uri", "uri-reference", "json-pointer", "relative-json-pointer", "regex", "uuid", "uri-template",
			"nobody-knows")
	case n == 1 && g.draft == draft4:
		s["minimum"], s["exclusiveMinimum"] = g.IntN(3), g.IntN(2) == 0
	case n < 5 || depth == 0:
		g.generator.keyword(s, 0)
		delete(s, "nullable")
	default:
		g.applicator(s, depth)
	}
}

// applicator adds a word that holds parts of a value, or the value, to other schemas.
func (g draftGenerator) applicator(s map[string]any, depth int) {
	sub := func() any { return g.schema(depth - 1) }
	list := func() (all []any) {
		for range 1 + g.IntN(3) {
			all = append(all, sub())
		}
		return all
	}
	switch g.IntN(19) {
	case 0, 1:
		s["properties"] = map[string]any{g.name(): sub(), g.name(): sub()}
	case 2:
		s["additionalProperties"] = pick(g.generator, any(false), sub())
	case 3:
		s["patternProperties"] = map[string]any{pick(g.generator, "^a", "e$"): sub()}
	case 4:
		s["items"] = sub()
	case 5:
		s["items"], s["additionalItems"] = list(), sub()
	case 6:
		s["allOf"] = list()
	case 7:
		s["anyOf"] = list()
	case 8:
		s["oneOf"] = list()
	case 9:
		s["not"] = sub()
	case 10:
		s["if"], s["then"], s["else"] = sub(), sub(), sub()
	case 11:
		s["contains"] = sub()
	case 12:
		s["contains"], s["minContains"], s["maxContains"] = sub(), g.IntN(3), g.IntN(4)
	case 13:
		s["dependencies"] = map[string]any{g.name(): []any{g.name()}, g.name() + "x": sub()}
	case 14:
		s["dependentRequired"] = map[string]any{g.name(): []any{g.name()}}
		s["dependentSchemas"] = map[string]any{g.name(): sub()}
	case 15, 16:
		s["unevaluatedProperties"] = pick(g.generator, any(false), sub())
	case 17:
		s["unevaluatedItems"] = pick(g.generator, any(false), sub())
	case 18:
		s["prefixItems"] = list()
		s["propertyNames"] = any(map[string]any{"maxLength": g.IntN(5)})
	}
}
