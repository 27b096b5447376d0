package weft_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// jsonType returns what a command prints with -o json: a Go type, and the folder of its package.
func jsonType(name string) (dir, expr string) {
	switch name {
	case "blame":
		return "internal/origin/blame", "struct {\n" +
			"Nodes []jsonNode `json:\"nodes\"` // the values of the output\n" +
			"Texts []jsonText `json:\"texts\"` // the lines of its text files\n" +
			"Absent []jsonAbsent `json:\"absent\"` // what is left out or removed\n" +
			"Values map[string][]jsonLayer `json:\"values\"` // the data values that are named, and what sets them\n}"
	case "explain":
		return "internal/engine/overlay/explain", "[]jsonStep"
	case "impact":
		return "internal/origin/blame", "[]jsonImpact"
	case "diff":
		return "internal/origin/diff", "[]jsonChange"
	case "diff --summary":
		return "internal/origin/diff", "Summary"
	case "lint":
		return ".", "[]Finding"
	case "lint --list":
		return "internal/serve/cli", "[]jsonRule"
	case "test":
		return "internal/project/test", "jsonReport"
	case "env":
		return "internal/serve/cli", "[]jsonEnvironment"
	case "env --changed":
		return "internal/serve/cli", "[]jsonChanged"
	case "env --inputs":
		return "internal/serve/cli", "[]decision"
	case "vendor outdated":
		return "internal/serve/cli", "[]jsonOutdated"
	case "vendor update":
		return "internal/serve/upgrade", "Report"
	case "several environments":
		return "internal/serve/cli", "[]jsonGroup"
	}
	return "", ""
}

// jsonSchema returns the JSON Schema of what a command prints with -o json, as a block of Markdown.
func jsonSchema(t *testing.T, name string) string {
	dir, expr := jsonType(name)
	if dir == "" {
		t.Fatalf("there is no JSON of %q", name)
	}
	s := schemaWriter{t: t, types: jsonTypes(t, dir), done: map[string]bool{}}
	var b strings.Builder
	b.WriteString("```json\n{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n")
	fields, err := parser.ParseFile(token.NewFileSet(), "", "package p\ntype t "+expr, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	top := fields.Decls[0].(*ast.GenDecl).Specs[0].(*ast.TypeSpec).Type
	if whole, ok := top.(*ast.StructType); ok {
		b.WriteString(s.object(whole, "  "))
	} else {
		schema := s.of(top)
		b.WriteString("  " + schema[1:len(schema)-1])
	}
	var defs []string
	for i := 0; i < len(s.named); i++ {
		def := s.object(s.types[s.named[i]].(*ast.StructType), "      ")
		defs = append(defs, fmt.Sprintf("    %q: {\n%s\n    }", defName(s.named[i]), def))
	}
	if defs != nil {
		b.WriteString(",\n  \"$defs\": {\n" + strings.Join(defs, ",\n") + "\n  }")
	}
	b.WriteString("\n}\n```\n")
	return b.String()
}

// jsonTypes returns the types of a package by their names.
func jsonTypes(t *testing.T, dir string) map[string]ast.Expr {
	types := map[string]ast.Expr{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				types[spec.Name.Name] = spec.Type
			}
			_, body := n.(*ast.FuncDecl)
			return !body
		})
	}
	return types
}

// schemaWriter writes Go types of one package as JSON Schemas. Structs become definitions.
type schemaWriter struct {
	t     *testing.T
	types map[string]ast.Expr
	named []string // the structs that are referred to
	done  map[string]bool
}

// of returns the schema of a type.
func (s *schemaWriter) of(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.ArrayType:
		return `{"type": "array", "items": ` + s.of(x.Elt) + `}`
	case *ast.MapType:
		return `{"type": "object", "additionalProperties": ` + s.of(x.Value) + `}`
	case *ast.StarExpr:
		return `{"anyOf": [` + s.of(x.X) + `, {"type": "null"}]}`
	case *ast.SelectorExpr: // json.RawMessage
		return `{}`
	case *ast.Ident:
		if basic, ok := map[string]string{
			"string": "string", "int": "integer", "float64": "number", "bool": "boolean",
		}[x.Name]; ok {
			return fmt.Sprintf(`{"type": %q}`, basic)
		}
		if x.Name == "any" {
			return `{}`
		}
		if _, ok := s.types[x.Name].(*ast.StructType); !ok && s.types[x.Name] != nil {
			return s.of(s.types[x.Name])
		}
		if s.types[x.Name] == nil {
			s.t.Fatalf("there is no type %s", x.Name)
		}
		if !s.done[x.Name] {
			s.done[x.Name], s.named = true, append(s.named, x.Name)
		}
		return fmt.Sprintf(`{"$ref": "#/$defs/%s"}`, defName(x.Name))
	}
	s.t.Fatalf("no schema for %T", x)
	return ""
}

// object returns the members of the schema of a struct.
func (s *schemaWriter) object(x *ast.StructType, indent string) string {
	required, properties := s.fields(x, indent+"  ")
	text := indent + "\"type\": \"object\",\n"
	if required != nil {
		text += indent + "\"required\": [" + strings.Join(required, ", ") + "],\n"
	}
	return text + indent + "\"properties\": {\n" + strings.Join(properties, ",\n") + "\n" + indent + "}"
}

// fields returns the properties of a struct and of those that it embeds, and which of them are always
// present.
func (s *schemaWriter) fields(x *ast.StructType, indent string) (required, properties []string) {
	for _, f := range x.Fields.List {
		if len(f.Names) == 0 {
			more, inner := s.fields(s.types[f.Type.(*ast.Ident).Name].(*ast.StructType), indent)
			required, properties = append(required, more...), append(properties, inner...)
			continue
		}
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			s.t.Fatal(err)
		}
		tag := strings.Split(reflect.StructTag(text).Get("json"), ",")
		if tag[0] == "-" {
			continue
		}
		name, kind := strconv.Quote(tag[0]), f.Type
		if !slices.Contains(tag, "omitempty") {
			required = append(required, name)
		} else if star, ok := kind.(*ast.StarExpr); ok {
			kind = star.X // nil is left out
		}
		schema := s.of(kind)
		if about := strings.TrimSpace(f.Comment.Text()); about != "" {
			schema = strings.TrimSuffix(schema, "}")
			if schema != "{" {
				schema += ", "
			}
			schema += fmt.Sprintf(`"description": %q}`, about)
		}
		properties = append(properties, indent+name+": "+schema)
	}
	return required, properties
}

// defName returns the name of a type in a schema: place for jsonPlace.
func defName(name string) string {
	name = strings.TrimPrefix(name, "json")
	return strings.ToLower(name[:1]) + name[1:]
}
