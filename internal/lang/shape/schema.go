package shape

import (
	"bytes"
	"encoding/json"
	"maps"
)

// Object is a JSON object.
type Object map[string]any

// Schema returns a JSON Schema (2020-12) of files with a shape, for editors.
func Schema(title, description string, s *Shape, defs Object) []byte {
	top := Object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"title":       title,
		"description": description,
	}
	for k, v := range s.Schema() {
		top[k] = v
	}
	if defs != nil {
		top["$defs"] = defs
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(top); err != nil {
		panic(err) // everything in it can be written as JSON
	}
	return b.Bytes()
}

// Schema returns the JSON Schema of values with the shape.
func (s *Shape) Schema() Object {
	if s.JSON != nil {
		return maps.Clone(s.JSON)
	}
	switch s.Kind {
	case Text:
		o := Object{"type": "string", "minLength": 1}
		if s.Pattern != "" {
			o["pattern"] = s.Pattern
		}
		return o
	case Bool:
		return Object{"type": "boolean"}
	case True:
		return Object{"const": true}
	case Number:
		o := Object{"type": "integer", "minimum": s.Min}
		if s.Max != 0 {
			o["maximum"] = s.Max
		}
		return o
	case Choice:
		return Object{"enum": s.Choices}
	case Version:
		all := []any{}
		for _, c := range s.Choices {
			all = append(all, c, json.Number(c))
		}
		return Object{"enum": all}
	case Scalar:
		return Object{"type": []string{"string", "number", "boolean"}}
	case List:
		return s.full(Object{"type": "array", "items": s.Item.Schema()}, "minItems")
	case Map:
		return s.full(Object{
			"type": "object", "additionalProperties": s.Item.Schema(),
			"propertyNames": Object{"minLength": 1},
		}, "minProperties")
	case AnyMap:
		return Object{"type": "object"}
	case Either:
		var all []Object
		for _, alternative := range s.Either {
			all = append(all, alternative.Schema())
		}
		return Object{"anyOf": all}
	case Record:
		return s.full(s.record(), "minProperties")
	}
	return Object{}
}

// full returns the schema of a collection: of a nonempty one, if the shape requires that.
func (s *Shape) full(o Object, least string) Object {
	if s.Full {
		o[least] = 1
	}
	return o
}

func (s *Shape) record() Object {
	properties := Object{}
	for _, k := range s.Keys {
		p := k.Shape.Schema()
		if k.Doc != "" {
			p["description"] = k.Doc
		}
		properties[k.Name] = p
	}
	o := Object{"type": "object", "properties": properties, "additionalProperties": false}
	if s.Required != nil {
		o["required"] = s.Required
	}
	if s.Excluded != nil {
		o["not"] = Object{"required": s.Excluded}
	}
	return o
}
