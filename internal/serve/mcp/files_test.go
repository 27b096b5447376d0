package mcp

import (
	"maps"
	"os"
	"strings"
	"testing"
)

// A project says which of its values are secret. Read without it, its files would show them: as inputs, or as a
// project file in which every key is wrong.
func TestFilesOfProjectsAreNotReadAlone(t *testing.T) {
	const hidden = "nightingale99"
	values := map[string]string{
		"values/prod.yml":   "password: " + hidden + "\n",
		"values/over.yml":   "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=9\n---\na: 1\n",
		"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: \"\"\n",
		"config/app.yml":    "#@ load(\"@ytt:data\", \"data\")\n---\np: #@ data.values.password\n",
		"other/plain.yml":   "a: 1\n",
	}
	const project = "weft: 2026\ninputs: [config]\nenvironments:\n  prod: {valueFiles: [values/prod.yml]}\n"
	below := strings.NewReplacer("config]", "../config]", "values/", "../values/").Replace(project)
	for name, test := range map[string]struct{ file, text, dir string }{
		"in the directory of the server": {"weft.yml", project, "."},
		"above it, in the repository":    {"weft.yml", project, "values"},
		"below it":                       {"shop/weft.yml", below, "."},
		"beside it, in the repository":   {"shop/weft.yml", below, "values"},
		"with a mistake":                 {"weft.yml", project + "wrong: [", "."},
	} {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(values)
			files[test.file] = test.text
			for _, name := range []string{".git/HEAD", ".git/objects/x", ".git/refs/x"} {
				files[name] = ""
			}
			inDir(t, files)
			if err := os.Chdir(test.dir); err != nil {
				t.Fatal(err)
			}
			c := start(t, Options{})
			for _, tool := range tools() {
				for _, with := range []args{
					{"files": []string{"values"}, "path": "**"},
					{"files": []string{"values/prod.yml"}},
					{"files": []string{"prod.yml"}},
					{"files": []string{"over.yml", "prod.yml"}},
					{"files": []string{"."}},
					{"files": []string{"other/plain.yml"}},
					{"project": "values/prod.yml"},
					{"project": "prod.yml"},
					{"project": "values"},
				} {
					with = maps.Clone(with)
					if tool.name != "render" && tool.name != "blame" {
						delete(with, "path")
					}
					switch tool.name {
					case "suggest":
						with["changes"] = []string{"#1:a=2"}
					case "impact":
						with["value"] = "password"
					case "diff":
						with["from"], with["to"] = "prod", "prod"
					}
					if _, err := tool.decode(encoded(t, with)); err != nil {
						continue
					}
					r := c.call(tool.name, with)
					if !r.IsError || strings.Contains(r.Content[0].Text, hidden) {
						t.Errorf("%s %v: got %v\n%s", tool.name, with, r.IsError, r.Content[0].Text)
					}
				}
			}
			r := c.call("render", args{"files": []string{"."}})
			if !strings.Contains(r.StructuredContent.Data, "there is a project here") ||
				!strings.Contains(r.StructuredContent.Data, "weft.yml") {
				t.Errorf("got\n%s", r.StructuredContent.Data)
			}
		})
	}
}
