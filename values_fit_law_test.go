package weft_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"weft"
)

// FuzzValuesFit checks random data values of several layers against random JSON Schemas, and compares the
// verdict with that of a library on what --data-values-inspect prints without the schemas.
func FuzzValuesFit(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { valuesFit(t, seed) })
}

// TestValuesFit runs FuzzValuesFit on fixed seeds, and fails if nothing is refused or nothing is accepted.
func TestValuesFit(t *testing.T) {
	accepted := 0
	const all = 200
	for seed := range uint64(all) {
		if valuesFit(t, seed) {
			accepted++
		}
	}
	if accepted < all/10 || accepted > all*9/10 {
		t.Errorf("%d of %d values fit", accepted, all)
	}
}

// valuesFit reports whether random data values fit.
func valuesFit(t *testing.T, seed uint64) bool {
	t.Helper()
	g := fitGenerator{rand.New(rand.NewPCG(seed, 0))}
	main, port := g.schema(3, true), g.schema(1, false)
	files := fstest.MapFS{}
	add := func(name string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	add("values.schema.json", main)
	add("parts/part.json", map[string]any{"$defs": map[string]any{"part": port}})
	add("a.yml", g.object(2))
	add("b.yml", g.object(2))
	files["t.yml"] = &fstest.MapFile{Data: []byte("a: 1\n")}
	opts := weft.Options{FS: files, Inputs: []string{"t.yml"}, Format: weft.JSON}
	opts.DataValues = weft.DataValues{
		Files: []string{"a.yml", "b.yml"}, KVYAML: []string{"c=" + g.text()},
	}
	plain, err := weft.InspectDataValues(context.Background(), opts)
	if err != nil {
		return false // a layer sets a key inside a value that is not a map
	}
	var out bytes.Buffer
	if _, err := plain.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	want, ok := fits(t, files, out.Bytes())
	if !ok {
		return false
	}
	opts.DataValues.JSONSchemas = []string{"values.schema.json"}
	_, err = weft.Render(context.Background(), opts)
	if (err == nil) != want {
		t.Errorf("seed %d: valid is %v, want %v\nschema: %s\npart: %s\nvalues: %s\nerror: %v", seed, err == nil,
			want, files["values.schema.json"].Data, files["parts/part.json"].Data, &out, err)
	}
	if e, isErr := errors.AsType[*weft.Error](err); isErr {
		for _, d := range e.Diagnostics() {
			if d.Code != "values/fit" || d.Place.Line == 0 && d.Path != "" {
				t.Errorf("seed %d: unexpected error %+v", seed, d)
			}
		}
	}
	return want
}

// fits is what a library says about values. It reports false if the schema is wrong.
func fits(t *testing.T, files fstest.MapFS, values []byte) (valid, ok bool) {
	t.Helper()
	decode := func(text []byte) any {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	c := jsonschema.NewCompiler()
	for _, name := range []string{"values.schema.json", "parts/part.json"} {
		if err := c.AddResource("file:///"+name, decode(files[name].Data)); err != nil {
			return false, false
		}
	}
	s, err := c.Compile("file:///values.schema.json")
	if err != nil {
		return false, false
	}
	return s.Validate(decode(values)) == nil, true
}

// fitGenerator makes schemas and values that have something to do with each other.
type fitGenerator struct{ *rand.Rand }

func (g fitGenerator) name() string { return []string{"a", "b", "c", "d"}[g.IntN(4)] }

func (g fitGenerator) scalar() any {
	return []any{"", "x", "xy", "3", 0, 1, 2, -1, 1.5, 3.0, true, false, nil}[g.IntN(13)]
}

func (g fitGenerator) text() string {
	text, _ := json.Marshal(g.value(1))
	return string(text)
}

func (g fitGenerator) object(depth int) any {
	m := map[string]any{}
	for range g.IntN(4) {
		m[g.name()] = g.value(depth)
	}
	return m
}

func (g fitGenerator) value(depth int) any {
	switch n := g.IntN(8); {
	case depth > 0 && n < 2:
		return g.object(depth - 1)
	case depth > 0 && n < 4:
		list := []any{}
		for range g.IntN(3) {
			list = append(list, g.value(depth-1))
		}
		return list
	}
	return g.scalar()
}

// schema makes a schema. One of the whole values is mostly about maps, or nothing would fit.
func (g fitGenerator) schema(depth int, top bool) any {
	s := map[string]any{}
	sub := func() any { return g.schema(depth-1, false) }
	for range 1 + g.IntN(2) {
		n := g.IntN(14)
		if depth == 0 || top && n < 6 {
			n %= 6
		}
		if top {
			n = 6 + n%8
		}
		switch n {
		case 0, 1:
			s["type"] = []string{"string", "integer", "number", "boolean", "object", "array"}[g.IntN(6)]
		case 2:
			s["enum"] = []any{g.scalar(), g.scalar(), "x"}
		case 3:
			s["minimum"] = g.IntN(3)
		case 4:
			s["maxLength"] = g.IntN(3)
		case 5:
			s["minItems"] = g.IntN(2)
		case 6, 7:
			s["properties"] = map[string]any{g.name(): sub(), g.name(): sub()}
		case 8:
			s["required"] = []any{g.name()}
		case 9:
			s["additionalProperties"] = slices.Contains([]int{0, 1}, g.IntN(6))
		case 10:
			s["patternProperties"] = map[string]any{"^[ab]": sub()}
		case 11:
			s["anyOf"] = []any{sub(), sub()}
		case 12:
			s["$ref"] = "parts/part.json#/$defs/part"
			if depth < 2 {
				delete(s, "$ref") // part.json refers to nothing
			}
		case 13:
			s["unevaluatedProperties"] = false
		}
	}
	return s
}
