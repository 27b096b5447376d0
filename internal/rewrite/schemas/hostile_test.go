package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// TestHostile imports schemas that are made to hurt: each ends soon, with a schema that weft reads or an
// error.
func TestHostile(t *testing.T) {
	deep := func(n int, open, end string) string {
		return strings.Repeat(open, n) + "{}" + strings.Repeat(end, n)
	}
	doubling := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"$ref": "#/$defs/d0", "$defs": {`)
		for i := range n {
			fmt.Fprintf(&b, `"d%d": {"properties": {"a": {"$ref": "#/$defs/d%d"}, "b": {"$ref": "#/$defs/d%d"}}},`,
				i, i+1, i+1)
		}
		fmt.Fprintf(&b, `"d%d": {"type": "string"}}}`, n)
		return b.String()
	}
	chain := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"$ref": "#/$defs/d0", "$defs": {`)
		for i := range n {
			fmt.Fprintf(&b, `"d%d": {"properties": {"a": {"$ref": "#/$defs/d%d"}}},`, i, i+1)
		}
		fmt.Fprintf(&b, `"d%d": {"type": "string"}}}`, n)
		return b.String()
	}
	for name, c := range map[string]struct{ text, fails string }{
		"deep properties": {deep(100, `{"properties":{"a":`, `}}`), ""},
		"deeper":          {deep(240, `{"properties":{"a":`, `}}`), ""},
		"too deep":        {deep(5000, `{"properties":{"a":`, `}}`), "nested"},
		"deep allOf":      {deep(200, `{"allOf":[`, `]}`), ""},
		"deep items":      {deep(240, `{"items":`, `}`), ""},
		"deep anyOf":      {deep(100, `{"anyOf":[{"type":"string"},`, `]}`), ""},
		"doubling":        {doubling(40), "more than 100000 types"},
		"chain":           {chain(3000), ""},
		"many parts":      {`{"allOf":[` + strings.Repeat(`{"maxLength":1},`, 5000) + `{}]}`, ""},
		"circle":          {`{"allOf":[{"$ref":"#"}],"anyOf":[{"$ref":"#"},{"type":"null"}]}`, ""},
		"not UTF-8":       {"{\"title\": \"\xff\"}", "UTF-8"},
		"control":         {`{"title": "a\u0000\u001b[31m\u202e\n", "properties": {"a\u0000\n": {"type": "string"}}}`, ""},
		"surrogate":       {`{"title": "\ud800", "type": "string", "default": "\ud800"}`, "Unicode"},
		"keys":            {`{"properties": {"": {}, "_": {}, "a b": {}, "'\"": {}, "#@ x": {}, "- a": {}, "` + strings.Repeat("k", 5000) + `": {}}}`, ""},
		"numbers":         {`{"type": "integer", "minimum": 1e400, "maximum": -99999999999999999999999, "default": 1e30}`, ""},
		"wrong types":     {`{"type": 3, "properties": [], "required": {}, "enum": 1, "items": 2, "anyOf": {}, "allOf": 1, "default": {"a": [1]}, "pattern": 3, "minLength": "x", "$ref": []}`, ""},
		"code":            {`{"title": "x\n#@ fail('no')", "description": "(@= 1 @)", "default": {"a": "#@ fail('no')"}}`, ""},
		"empty":           {"", "empty"},
		"array":           {"[]", "map"},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			res, err := Import(Options{File: File{"s.json", []byte(c.text)}, From: JSONSchema})
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("it takes %s", took)
			}
			f, failed := err.(*diag.Failure)
			switch {
			case failed && (c.fails == "" || !strings.Contains(diag.Lines(f.Files, f.List), c.fails)):
				t.Fatal(diag.Lines(f.Files, f.List))
			case failed:
			case c.fails != "":
				t.Fatalf("want an error with %q", c.fails)
			default:
				typeOfSchema(t, res.Text)
			}
		})
	}
}

// TestHuge imports a long schema in time that grows with its length.
func TestHuge(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"properties": {"z": {}`)
	for i := range 20_000 {
		fmt.Fprintf(&b, `,"k%d": {"type": "string", "description": "a value", "default": "x"}`, i)
	}
	b.WriteString("}}")
	begin := time.Now()
	res, err := Import(Options{File: File{"s.json", []byte(b.String())}})
	if err != nil {
		t.Fatal(err)
	}
	typeOfSchema(t, res.Text)
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("20,000 keys take %s", took)
	}
}

// FuzzHostile holds that whatever is imported is a schema that weft reads, or an error, and that only
// the named files are opened.
func FuzzHostile(f *testing.F) {
	names, err := filepath.Glob("testdata/import/*.txtar")
	if err != nil || len(names) == 0 {
		f.Fatal(len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			for format := range len(Formats()) + 1 {
				f.Add(file.Data, uint8(format))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		res, err := Import(Options{
			File: File{"dir/s.json", data}, From: Format(format % 6), Values: &File{"dir/values.yaml", data},
			Open: func(name string, _ source.Span) ([]byte, error) {
				if strings.HasPrefix(name, "/") {
					t.Errorf("%q is opened", name)
				}
				return nil, errors.New("it is not there")
			},
		})
		if err != nil {
			if _, ok := err.(*diag.Failure); !ok {
				t.Fatal(err)
			}
			return
		}
		if _, err := evaluated(res.Text); err != nil {
			t.Errorf("weft does not read the schema: %v\n%s\nof\n%s", err, res.Text, data)
		}
	})
}

// FuzzAnySchema holds that each combination of keywords, right or wrong, is imported as a schema that weft
// reads. Beside it are values that may not fit.
func FuzzAnySchema(f *testing.F) {
	for i := range 60 {
		f.Add([]byte(strings.Repeat(string(rune('A'+i))+"q\x07"+string(rune(i*11)), 40)))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		g := &generator{choices: choices}
		text, values := g.anySchema(4), g.json(3)
		opt := Options{File: File{"values.schema.json", []byte(text)}, From: JSONSchema}
		if g.maybe(3) && strings.HasPrefix(values, "{") {
			opt.From, opt.Values = Helm, &File{"values.yaml", []byte(values)}
		}
		res, err := Import(opt)
		if f, ok := err.(*diag.Failure); ok {
			lines := diag.Lines(f.Files, f.List)
			if text[0] == '{' && !strings.Contains(lines, "types where references") {
				t.Fatalf("%s\n%s", lines, text)
			}
			return
		}
		if _, err := evaluated(res.Text); err != nil {
			t.Errorf("weft does not read the schema: %v\n%s\nof\n%s\n%s", err, res.Text, text, values)
		}
		if again, err := Import(opt); err != nil || again.Text != res.Text {
			t.Errorf("imported again, it differs: %v", err)
		}
	})
}

// keywordNames are those that a schema is made from.
var keywordNames = []string{
	"type", "properties", "required", "items", "additionalProperties", "default", "enum", "const", "anyOf",
	"oneOf", "allOf", "$ref", "title", "description", "minimum", "maximum", "exclusiveMinimum",
	"exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "pattern", "format",
	"multipleOf", "patternProperties", "propertyNames", "minProperties", "maxProperties", "nullable", "deprecated",
	"deprecationMessage", "writeOnly", "examples", "example", "not", "if", "discriminator",
	"x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-list-type",
}

// anySchema returns a JSON Schema whose keywords mostly have values of the right kind.
func (g *generator) anySchema(depth int) string {
	if depth == 0 || g.maybe(12) {
		return [...]string{"{}", "true", "false", `{"type": "string"}`, `{"type": "null"}`, "3"}[g.pick(6)]
	}
	var parts []string
	seen := map[string]bool{}
	for range 1 + g.pick(5) {
		name := keywordNames[g.pick(len(keywordNames))]
		if !seen[name] {
			seen[name] = true
			parts = append(parts, quotedJSON(name)+": "+g.keyword(name, depth-1))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// keyword returns the value of a keyword.
func (g *generator) keyword(name string, depth int) string {
	if g.maybe(20) {
		return g.json(2)
	}
	list := func(each func() string) string {
		var items []string
		for range 1 + g.pick(3) {
			items = append(items, each())
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	named := func(each func() string) string {
		return fmt.Sprintf(`{"a": %s, %s: %s}`, each(), quotedJSON(g.word()), each())
	}
	schema := func() string { return g.anySchema(depth) }
	typ := func() string {
		return quotedJSON([]string{
			"object", "array", "string", "integer", "number", "boolean", "null",
		}[g.pick(7)])
	}
	switch name {
	case "type":
		if g.maybe(3) {
			return list(typ)
		}
		return typ()
	case "properties", "patternProperties":
		return named(schema)
	case "required":
		return list(func() string { return quotedJSON([]string{"a", "b", g.word()}[g.pick(3)]) })
	case "items", "additionalProperties", "propertyNames", "not", "if":
		return schema()
	case "anyOf", "oneOf", "allOf":
		return list(schema)
	case "enum", "examples":
		return list(func() string { return g.json(1) })
	case "$ref":
		return quotedJSON([]string{"#", "#/properties/a", "#/items", "x.json", "#/allOf/0"}[g.pick(5)])
	case "title", "description", "pattern", "deprecationMessage":
		return quotedJSON(g.word())
	case "format":
		return quotedJSON([]string{"hostname", "ipv4", "int32", "byte", "date-time", "uri"}[g.pick(6)])
	case "discriminator":
		return `{"propertyName": "a"}`
	case "default", "const", "example":
		return g.json(3)
	case "uniqueItems", "nullable", "deprecated", "writeOnly", "x-kubernetes-int-or-string",
		"x-kubernetes-preserve-unknown-fields":
		return [...]string{"true", "false"}[g.pick(2)]
	case "x-kubernetes-list-type":
		return quotedJSON([]string{"set", "map", "atomic"}[g.pick(3)])
	}
	return [...]string{"0", "1", "2", "3.5", "-1", "1e3"}[g.pick(6)]
}

// json returns any value.
func (g *generator) json(depth int) string {
	kinds := 6
	if depth > 0 {
		kinds = 8
	}
	switch g.pick(kinds) {
	case 0:
		return "null"
	case 1:
		return [...]string{"true", "false"}[g.pick(2)]
	case 2:
		return fmt.Sprint(g.pick(20) - 5)
	case 3:
		return [...]string{"1.5", "2.0", "1e30", "-0.0"}[g.pick(4)]
	case 4, 5:
		return quotedJSON(g.word())
	case 6:
		return fmt.Sprintf("[%s, %s]", g.json(depth-1), g.json(depth-1))
	}
	return fmt.Sprintf(`{"a": %s, %s: %s}`, g.json(depth-1), quotedJSON("x"+g.word()), g.json(depth-1))
}

func quotedJSON(s string) string {
	text, _ := json.Marshal(s) // a string always has a form
	return string(text)
}
