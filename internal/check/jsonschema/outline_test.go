package jsonschema_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/source"
)

const outlined = `
$defs:
  node:
    description: A node.
    properties:
      next: {$ref: '#/$defs/node'}
      size: {type: [integer, 'null'], minimum: 1, default: 2}
  nest: {type: array, items: {$ref: '#/$defs/nest'}}
  either: {type: [string, array], items: {$ref: '#/$defs/either'}}
required: [name]
properties:
  name: {type: string, title: Name, description: What it is called.}
  kind: {enum: [a, b, 3]}
  tree: {$ref: '#/$defs/node'}
  old: {type: boolean, deprecated: true}
  list: {type: array, items: {type: object, properties: {x: {const: one}}}}
  pair: {prefixItems: [{type: string}, {type: boolean}]}
  nest: {$ref: '#/$defs/nest'}
  either: {$ref: '#/$defs/either'}
  never: false
patternProperties:
  '^x-': {type: boolean}
additionalProperties: {type: integer}
anyOf:
- {properties: {name: {enum: [one]}, more: {type: string}}, required: [more]}
- {required: [kind]}
`

// describeOutline writes everything that an outline says, to a depth.
func describeOutline(b *strings.Builder, o jsonschema.Outline, indent string, depth int) {
	for _, f := range o.Fields() {
		b.WriteString(indent + f.Name + ": " + f.Type())
		if f.Required {
			b.WriteString(" required")
		}
		if f.IsDeprecated() {
			b.WriteString(" deprecated")
		}
		for _, v := range f.Values() {
			b.WriteString(" =" + v.Text())
		}
		if v, ok := f.Default(); ok {
			b.WriteString(" default " + v.Text())
		}
		title, text := f.Documentation()
		for _, part := range append([]string{title, text}, f.Limits()...) {
			if part != "" {
				b.WriteString(" " + part)
			}
		}
		b.WriteByte('\n')
		if depth > 0 {
			describeOutline(b, f.Outline, indent+"  ", depth-1)
			describeOutline(b, f.Item(0), indent+"  - ", depth-1)
		}
	}
}

// An outline has the fields of all alternatives and references, and ends although references are circular.
func TestOutline(t *testing.T) {
	t.Parallel()
	f, err := (&source.Set{}).Add("schema.yml", []byte(outlined))
	if err != nil {
		t.Fatal(err)
	}
	s, list := (&jsonschema.Loader{}).Load(f, "schema.yml")
	if list != nil {
		t.Fatal(list)
	}
	var b strings.Builder
	describeOutline(&b, s.Outline(), "", 1)
	want := `name: string required =one Name What it is called.
kind: string =a =b =3
tree: map A node.
  next: map A node.
  size: integer default 2 minimum ` + "`1`" + `
old: boolean deprecated =true =false
list: list of maps
  - x: string =one
pair: list
nest: list of lists of lists
either: string or list
more: string
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	for _, x := range []struct{ name, want string }{{"x-a", "boolean"}, {"other", "integer"}} {
		if got := s.Outline().Field(x.name).Type(); got != x.want {
			t.Errorf("%s is %q, but expected %s", x.name, got, x.want)
		}
	}
	if got := s.Outline().Field("pair").Item(1).Type(); got != "boolean" {
		t.Errorf("the second item of pair is %q", got)
	}
}
