package kubernetes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// FuzzReferences checks that schemas of others, with whatever they refer to, have no file read that is not
// among them: the paths that are read are compared with the folder as text.
func FuzzReferences(f *testing.F) {
	base := f.TempDir()
	for _, name := range []string{"schemas/v1.31.0-standalone", "schemas/other", "schemas-2", "above"} {
		if err := os.MkdirAll(filepath.Join(base, name), 0o755); err != nil {
			f.Fatal(err)
		}
		for _, file := range []string{"x.json", "widget-v1.json"} {
			if err := os.WriteFile(filepath.Join(base, name, file), []byte(`{"$ref": "../../above/x.json"}`), 0o644); err != nil {
				f.Fatal(err)
			}
		}
	}
	for _, ref := range []string{
		"x.json", "../other/x.json", "../../above/x.json", "../../schemas-2/x.json", "/etc/passwd", "file:///etc/passwd",
		"https://example.com/x", "..\\..\\above\\x.json", "%2e%2e/%2e%2e/above/x.json", "a/../../../above/x.json", "#/definitions/a",
		"..", ".", "../", "//host/x", "x.json#/a", "\x00", base + "/above/x.json", "../../schemas/../above/x.json",
	} {
		f.Add(ref, "")
		f.Add("x.json", ref)
	}
	f.Fuzz(func(t *testing.T, ref, id string) {
		text, err := json.Marshal(map[string]any{"$id": id, "$ref": ref, "allOf": []any{map[string]any{"$ref": ref}}})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(base, "schemas")
		if err := os.WriteFile(filepath.Join(dir, "v1.31.0-standalone", "widget-v1.json"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(Options{
			Version: "1.31.0", Locations: []string{dir},
			Files: Files{Reads: func(name string) {
				if name = filepath.Clean(name); name != dir && !strings.HasPrefix(name, dir+string(filepath.Separator)) {
					t.Errorf("%q and %q have '%s' read", ref, id, name)
				}
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		schema, err := s.Find(Type{APIVersion: "v1", Kind: "Widget"})
		if err != nil || schema == nil {
			t.Fatal("the schema is not found", err)
		}
		file, err := new(source.Set).Add("a.yml", []byte("kind: Widget\n"))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := yaml.Parse(file, yaml.Options{})
		if err != nil {
			t.Fatal(err)
		}
		schema.Check(tree.FromSyntax(doc, doc.Root(doc.First())), nil)
	})
}
