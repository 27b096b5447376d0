package engine

import (
	"testing"

	"weft/internal/engine/values"
)

// variants are contents that each file of app takes in turn: right ones and wrong ones, such that
// other files depend on them in another way. An empty one means that the file is gone.
var variants = map[string][]string{
	"schema.yml": {
		"#@data/values-schema\n---\nname: other\nport: 80\n",
		"#@data/values-schema\n---\nname: 1\nport: 80\n",
		"",
	},
	"values.yml": {"#@data/values\n---\nport: 8080\n", "", "a: [\n"},
	"names.star": {
		"default = \"x\"\n",
		"default = 1/0\n",
		"",
		"load(\"labels.lib.yml\", \"labels\")\ndefault = \"y\"\n",
	},
	"labels.lib.yml": {
		"#@ def labels():\nnone: true\n#@ end\n",
		"#@ load(\"names.star\", \"default\")\n#@ def labels():\napp: #@ default\n#@ end\n",
		"",
	},
	"a.yml": {
		"#@ load(\"names.star\", \"default\")\na: #@ default\n",
		"#@data/values\n---\nname: fromA\n",
		"a: #@ nothing\n",
		"",
	},
	"b.yml": {
		"#@ load(\"@ytt:assert\", \"assert\")\n#@ load(\"@ytt:data\", \"data\")\nb: #@ assert.try_to(lambda: data.read(\"new.bin\"))[0]\n",
		"b: 1\n",
	},
	"c.yml": {
		"c: 3\n",
		"#@ load(\"@ytt:math\", \"math\")\nc: #@ math.floor(2.5)\n",
		"#@ print(\"c\")\nc: 2\n",
	},
	"motd.bin":               {"other", ""},
	"new.bin":                {"new", ""},
	"new.yml":                {"new: 1\n", "#@data/values\n---\nport: 9\n", ""},
	"_ytt_lib/db/db.yml":     {"db: #@ 1\n", "db: #@ 1/0\n", ""},
	"_ytt_lib/db/schema.yml": {"#@data/values-schema\n---\nsize: 3\n", ""},
	"overlay.yml": {
		"#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=\"0+\"\n---\n#@overlay/match missing_ok=True\nall: 1\n",
		"",
	},
	"plain.yml": {"plain: 2\n", "plain: on\n"},
}

// FuzzReload: whatever happens to files, one after another, a session that is reported it gives
// what a new one would give, says what it would say, and fails as it would fail.
func FuzzReload(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{20, 21, 22, 60, 61, 100, 101, 140})
	f.Add([]byte{3, 3, 90, 90, 255, 17, 33, 64, 65})
	f.Add([]byte{127, 255, 128}) // a file that did not change is in a cycle of loads now
	f.Add([]byte{98, 48})        // only the schema is evaluated between two changes
	f.Fuzz(func(t *testing.T, edits []byte) {
		if len(edits) > 24 {
			return
		}
		config := Config{Values: values.Flags{KV: []string{"name=flag"}}}
		p := app
		s := p.open(t, config)
		outcome(s, Request{})
		for step, edit := range edits {
			p = apply(p, edit)
			next, err := s.Reload(t.Context(), FileChanges{Memory: p.memory()})
			if err != nil {
				t.Fatal(err)
			}
			if s = next; edit%7 == 0 {
				if edit%2 == 0 {
					outcome(s, Request{Goal: Goal(edit % 4)}) // a part, before the next change
				}
				continue // two changes at once
			}
			if got, want := outcome(s, Request{}), outcome(p.open(t, config), Request{}); got != want {
				t.Fatalf("after edit %d of %v: got\n%s\nwant\n%s", step, edits, got, want)
			}
		}
	})
}

// apply makes one of the edits.
func apply(p project, edit byte) project {
	path := fuzzPaths[int(edit)%len(fuzzPaths)]
	texts := append([]string{app.files[path]}, variants[path]...)
	text := texts[int(edit)/len(fuzzPaths)%len(texts)]
	if text == "" {
		return p.without(path)
	}
	return p.with(path, text)
}

// fuzzPaths are the files that have variants, in an order that stays.
var fuzzPaths = []string{
	"schema.yml", "values.yml", "names.star", "labels.lib.yml", "a.yml", "b.yml", "c.yml",
	"motd.bin", "new.bin", "new.yml", "_ytt_lib/db/db.yml", "_ytt_lib/db/schema.yml", "overlay.yml", "plain.yml",
}
