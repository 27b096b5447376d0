package schema_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"weft/internal/engine/load"
)

// FuzzJSONSchemaVerdicts makes random schemas and random values, and holds weft to the verdict of an
// independent program on the exported JSON Schema.
func FuzzJSONSchemaVerdicts(f *testing.F) {
	for seed := range uint64(350) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		root := g.declared(3)
		root.kind = "map"
		var text strings.Builder
		text.WriteString("#@data/values-schema\n---\n")
		if len(root.fields) == 0 {
			text.WriteString("{}\n")
		}
		for i, x := range root.fields {
			x.write(&text, fmt.Sprintf("k%d", i), "")
		}
		p, list := run(t, []load.Memory{{Path: "schema.yml", Data: []byte(text.String())}})
		if list != nil {
			t.Fatal(p.render(list), text.String())
		}
		typ, list := p.typ()
		if list.Failed() {
			t.Fatal(p.render(list), text.String())
		}
		js := compileJSONSchema(t, typ)
		for range 30 {
			data, err := json.Marshal(g.value(root))
			if err != nil {
				t.Fatal(err)
			}
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
			if err != nil {
				t.Fatal(err)
			}
			theirs, ours := js.Validate(v), p.given(t, typ, string(data))
			if (theirs == nil) != (ours == nil) {
				t.Fatalf("of %s\nJSON Schema says %v,\nweft says %v\nof the schema\n%s%s",
					data, theirs, ours, text.String(), toJSON(t, typ.JSONSchema()))
			}
		}
	})
}

// generator makes schemas and values.
type generator struct{ *rand.Rand }

// declared is a value that a schema declares.
type declared struct {
	kind            string
	notes           []string
	fields          []*declared // of a map
	item            *declared   // of a list, or of a map with arbitrary keys
	nullable, unset bool
}

// declared returns a random declaration, at most so deep.
func (g generator) declared(depth int) *declared {
	kinds := []string{"1", "a", "true", "1.5", "any-of"}
	if depth > 0 {
		kinds = append(kinds, "map", "map", "list", "open", "open", "one-of", "one-of")
	}
	x := &declared{kind: kinds[g.IntN(len(kinds))]}
	if depth == 3 {
		x.kind = "map"
	}
	switch x.kind {
	case "map":
		for range g.IntN(5) {
			x.fields = append(x.fields, g.field(depth-1))
		}
	case "list":
		x.item = g.declared(depth - 1)
		if x.item.kind == "1" && len(x.item.notes) == 0 && g.IntN(2) == 0 {
			x.notes = append(x.notes, "schema/validation unique=True")
		}
	case "open":
		x.item = g.declared(depth - 1)
		note := "schema/map"
		switch g.IntN(4) {
		case 0:
			note += ` keys="^[a-c]+$"`
		case 1:
			note += " min_len=1"
		case 2:
			note += " max_len=2"
		}
		x.notes = append(x.notes, note)
	case "any-of":
		x.notes = append(x.notes, `schema/any-of 1, "a", [""]`)
	case "one-of":
		x.notes = append(x.notes, `schema/one-of by="tag", one={"size": 1}, two={"name": "a", "size": "b"}`)
	case "1":
		if note := []string{"", "", "multiple_of=1", `format="port"`, "min=1, max=3"}[g.IntN(5)]; note != "" {
			x.notes = append(x.notes, "schema/validation "+note)
		}
	case "a":
		if note := []string{"", "", `matches="^a*$"`, `format="dns-label"`}[g.IntN(4)]; note != "" {
			x.notes = append(x.notes, "schema/validation "+note)
		}
	}
	if x.kind != "open" && depth < 3 && g.IntN(5) == 0 {
		x.nullable = true
		x.notes = append(x.notes, "schema/nullable")
	}
	return x
}

// field returns a random declaration of a key.
func (g generator) field(depth int) *declared {
	x := g.declared(depth)
	scalar := len(x.kind) == 1 || x.kind == "true" || x.kind == "1.5"
	switch g.IntN(6) {
	case 0:
		x.unset = true
		x.notes = append(x.notes, "schema/required")
	case 1:
		if scalar {
			x.unset = true
			x.notes = append(x.notes, "schema/computed lambda v: "+
				map[string]string{"1": "1", "a": `"a"`, "true": "True", "1.5": "1.5"}[x.kind])
		}
	}
	return x
}

// write writes the declaration of a key.
func (x *declared) write(b *strings.Builder, key, indent string) {
	for _, note := range x.notes {
		fmt.Fprintf(b, "%s#@%s\n", indent, note)
	}
	switch {
	case x.kind == "map" && len(x.fields) == 0:
		fmt.Fprintf(b, "%s%s: {}\n", indent, key)
	case x.kind == "map":
		fmt.Fprintf(b, "%s%s:\n", indent, key)
		for i, f := range x.fields {
			f.write(b, fmt.Sprintf("k%d", i), indent+"  ")
		}
	case x.kind == "open":
		fmt.Fprintf(b, "%s%s:\n", indent, key)
		x.item.write(b, "_", indent+"  ")
	case x.kind == "list":
		// A map around the item, so that all notes have a line.
		inner := &declared{kind: "map", fields: []*declared{x.item}}
		if len(x.item.notes) == 0 && (x.item.kind == "1" || x.item.kind == "a") {
			fmt.Fprintf(b, "%s%s:\n%s- %s\n", indent, key, indent, x.item.kind)
			return
		}
		x.item = inner
		fmt.Fprintf(b, "%s%s:\n%s- plain: 1\n", indent, key, indent)
		inner.fields[0].write(b, "k0", indent+"  ")
	case x.kind == "any-of":
		fmt.Fprintf(b, "%s%s: 1\n", indent, key)
	case x.kind == "one-of":
		fmt.Fprintf(b, "%s%s: {tag: one}\n", indent, key)
	default:
		fmt.Fprintf(b, "%s%s: %s\n", indent, key, x.kind)
	}
}

// value returns a random value, most often one that the declaration allows.
func (g generator) value(x *declared) any {
	if g.IntN(25) == 0 {
		return []any{nil, 7, "zz", true, 0.25, []any{}, map[string]any{}, map[string]any{"z": 1}}[g.IntN(8)]
	}
	if x.nullable && g.IntN(4) == 0 {
		return nil
	}
	switch x.kind {
	case "map":
		m := map[string]any{}
		for i, f := range x.fields {
			if g.IntN(3) > 0 || f.unset && g.IntN(4) > 0 {
				m[fmt.Sprintf("k%d", i)] = g.value(f)
			}
		}
		return m
	case "open":
		m := map[string]any{}
		for range g.IntN(4) {
			m[[]string{"a", "b", "ab", "c", "A", "_"}[g.IntN(20)*g.IntN(2)%6]] = g.value(x.item)
		}
		return m
	case "list":
		list := []any{}
		for range g.IntN(3) {
			list = append(list, g.value(x.item))
		}
		return list
	case "any-of":
		return []any{1, "a", []any{"x"}, []any{1}, true}[g.IntN(5)]
	case "one-of":
		return []any{
			map[string]any{},
			map[string]any{"tag": "one", "size": 2},
			map[string]any{"size": 2},
			map[string]any{"tag": "two", "size": "x"},
			map[string]any{"tag": "two", "size": 1},
			map[string]any{"tag": "two"},
			map[string]any{"tag": "three"},
			map[string]any{"name": "x"},
		}[g.IntN(8)]
	case "1":
		return g.IntN(4)
	case "a":
		return []string{"a", "aa", "b", "-"}[g.IntN(4)]
	case "true":
		return g.IntN(2) == 0
	}
	return 0.5 + float64(g.IntN(3))
}
