package project

import (
	"bytes"
	"encoding/json"
)

// Schema returns the JSON Schema (2020-12) of project files, for editors.
func Schema() []byte {
	top := object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"title":       "weft.yml",
		"description": "A project of weft: what to render, for which environments, and where to.",
	}
	for k, v := range schemaOf(topShape()) {
		top[k] = v
	}
	top["$defs"] = object{
		"environment":  nullable(schemaOf(plainShape())),
		"environments": schemaOf(familyShape()),
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(top); err != nil {
		panic(err) // it has nothing that JSON cannot say
	}
	return b.Bytes()
}

type object map[string]any

func nullable(s object) object {
	s["type"] = []string{"object", "null"}
	return s
}

func schemaOf(s *Shape) object {
	switch s.Kind {
	case Text:
		o := object{"type": "string", "minLength": 1}
		if s.Pattern != "" {
			o["pattern"] = s.Pattern
		}
		return o
	case Release: // an editor takes 1.30 for a number
		return object{"type": []string{"string", "number"}, "pattern": s.Pattern}
	case Bool:
		return object{"type": "boolean"}
	case True:
		return object{"const": true}
	case Percent:
		return object{"type": "integer", "minimum": 0, "maximum": 100}
	case Count:
		return object{"type": "integer", "minimum": 1}
	case Choice:
		return object{"enum": s.Choices}
	case Version:
		all := []any{}
		for _, c := range s.Choices {
			all = append(all, c, json.Number(c))
		}
		return object{"enum": all}
	case EditionKind:
		return object{"enum": []any{2026, "ytt"}}
	case List:
		return object{"type": "array", "items": schemaOf(s.Item)}
	case Map:
		return object{
			"type": "object", "additionalProperties": schemaOf(s.Item),
			"propertyNames": object{"minLength": 1},
		}
	case AnyMap:
		return object{"type": "object"}
	case Environments:
		return object{
			"type": "object", "additionalProperties": false,
			"patternProperties": object{
				namePattern:   object{"$ref": "#/$defs/environment"},
				familyPattern: object{"$ref": "#/$defs/environments"},
			},
		}
	case Either:
		var all []object
		for _, alternative := range s.Either {
			all = append(all, schemaOf(alternative))
		}
		return object{"anyOf": all}
	}
	return recordSchema(s)
}

func recordSchema(s *Shape) object {
	properties := object{}
	for _, k := range s.Keys {
		p := schemaOf(k.Shape)
		if k.Doc != "" {
			p["description"] = k.Doc
		}
		properties[k.Name] = p
	}
	o := object{"type": "object", "properties": properties, "additionalProperties": false}
	if s.Required != nil {
		o["required"] = s.Required
	}
	if s.Excluded != nil {
		o["not"] = object{"required": s.Excluded}
	}
	return o
}
