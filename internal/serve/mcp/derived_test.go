package mcp

import (
	"maps"
	"strings"
	"testing"
)

// What is computed from a secret data value is hidden in all answers, and the rest is shown.
func TestComputedSecrets(t *testing.T) {
	inDir(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [config]\nenvironments:\n  dev: {}\n" +
			"  prod: {values: {password: nightingale7}}\n",
		"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\n#@schema/validation min_len=6\n" +
			"password: quicksilver\n#@schema/secret\npins: [\"\"]\nlevel: info\n",
		"config/app.yml": `#@ load("@ytt:data", "data")
#@ load("@ytt:sha256", "sha256")
---
kind: ConfigMap
metadata: {name: app}
data:
  upper: #@ data.values.password.upper()
  turned: #@ "".join(reversed(list(data.values.password.elems())))
  digest: #@ sha256.sum(data.values.password)
  inside: #@ "user=app;key=" + data.values.password.upper() + ";tls"
  lines: #@ "open: yes\nkey: " + data.values.password.title() + "\nlast: line\n"
  level: #@ data.values.level
`,
	})
	c := start(t, Options{})
	secrets := []string{
		"NIGHTINGALE", "Nightingale", "elagnithgin", "QUICKSILVER", "revlisk", "e5d33d6027bb",
	}
	for _, test := range []struct {
		tool string
		with args
	}{
		{"render", args{"environment": "prod", "document": "ConfigMap/app"}},
		{"render", args{"environment": "prod", "path": "data.upper"}},
		{"blame", args{"environment": "prod", "document": "ConfigMap/app"}},
		{"blame", args{"environment": "prod", "path": "data.inside"}},
		{"impact", args{"environment": "prod", "value": "password"}},
		{"impact", args{"environment": "prod", "set": args{"password": "nightingale8"}}},
		{"diff", args{"from": "dev", "to": "prod"}},
		{"suggest", args{"environment": "prod", "changes": []string{"ConfigMap/app:data.upper=other"}}},
	} {
		text := c.call(test.tool, test.with).Content[0].Text
		for _, hidden := range secrets {
			if strings.Contains(text, hidden) {
				t.Errorf("%s %v shows %s:\n%s", test.tool, test.with, hidden, text)
			}
		}
	}
	text := c.call("render", args{"environment": "prod", "document": "ConfigMap/app"}).Content[0].Text
	for _, shown := range []string{"level: info", "open: yes", "last: line"} {
		if !strings.Contains(text, shown) {
			t.Errorf("render does not show %s:\n%s", shown, text)
		}
	}
}

// What is computed from a secret is hidden, too, if nothing can be rendered with another secret: the code needs its
// form.
func TestComputedFromParsedSecrets(t *testing.T) {
	inDir(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [config]\n",
		"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\n" +
			"login: '{\"token\": \"nightingale7\"}'\n#@schema/secret\npassword: quicksilver\nlevel: info\n",
		"config/app.yml": `#@ load("@ytt:data", "data")
#@ load("@ytt:json", "json")
---
kind: ConfigMap
metadata: {name: app}
data:
  token: #@ json.decode(data.values.login)["token"]
  upper: #@ data.values.password.upper()
  level: #@ data.values.level
`,
	})
	c := start(t, Options{})
	for _, tool := range []string{"render", "blame"} {
		text := c.call(tool, args{"document": "ConfigMap/app"}).Content[0].Text
		for _, hidden := range []string{"nightingale7", "QUICKSILVER"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%s shows %s:\n%s", tool, hidden, text)
			}
		}
		if !strings.Contains(text, "level: info") {
			t.Errorf("%s does not show the level:\n%s", tool, text)
		}
	}
}

// What is computed from a secret is hidden wherever it comes from, and the rest is shown.
func TestSourcesOfComputedSecrets(t *testing.T) {
	const load = "#@ load(\"@ytt:data\", \"data\")\n"
	const schema = "#@data/values-schema\n---\n#@schema/secret\npassword: hunterxyz-alpha\nlevel: info\n"
	const cfg = "weft: 2026\ninputs: [config]\nenvironments: {dev: {}, prod: {values: {level: debug, " +
		"password: nightingale-beta}}}\n"
	for _, test := range []struct {
		name   string
		files  map[string]string
		tool   string
		with   args
		shown  []string
		hidden []string
	}{
		{
			"texts of two environments",
			map[string]string{
				"weft.yml": cfg, "config/schema.yml": schema,
				"config/x.txt": "(@ load(\"@ytt:data\", \"data\") -@)\ntext=(@= data.values.password.title() @)\n" +
					"level=(@= data.values.level @)\n",
			},
			"diff",
			args{"from": "dev", "to": "prod"},
			[]string{"level=info", "level=debug"},
			[]string{"Hunterxyz", "Nightingale"},
		}, {
			"texts with another secret",
			map[string]string{
				"weft.yml": cfg, "config/schema.yml": schema,
				"config/x.txt": "(@ load(\"@ytt:data\", \"data\") -@)\ntext=(@= data.values.password.title() @)\n" +
					"level=(@= data.values.level @)\n",
			},
			"impact",
			args{"environment": "dev", "set": args{"password": "kingfisher", "level": "trace"}},
			[]string{"level=info", "level=trace"},
			[]string{"Hunterxyz", "Kingfisher"},
		}, {
			"items",
			map[string]string{
				"config/schema.yml": "#@data/values-schema\n---\nusers:\n- name: \"\"\n  #@schema/secret\n  password: \"\"\n",
				"config/values.yml": "#@data/values\n---\nusers:\n- {name: alice, password: hunterxyz-alpha}\n",
				"config/app.yml": load + "key: #@ data.values.users[0].password.upper()\n" +
					"name: #@ data.values.users[0].name\n",
			},
			"render",
			args{"files": []string{"config"}, "document": "config/app.yml#1"},
			[]string{"name: alice"},
			[]string{"HUNTERXYZ"},
		}, {
			"what an overlay expects",
			map[string]string{
				"config/schema.yml": schema,
				"config/app.yml":    "kind: A\n",
				"config/over.yml": load + "#@ load(\"@ytt:overlay\", \"overlay\")\n" +
					"#@overlay/match by=overlay.subset({\"kind\": data.values.password.upper()})\n---\na: 1\n",
			},
			"render",
			args{"files": []string{"config"}},
			[]string{"config/over.yml:4", "overlay/match-count"},
			[]string{"HUNTERXYZ"},
		}, {
			"what a validation finds",
			map[string]string{
				"config/schema.yml": "#@data/values-schema\n---\n#@ def check(v):\n#@   fail(\"got \" + v.upper())\n#@ end\n" +
					"#@schema/secret\n#@schema/validation (\"other\", check)\npassword: hunterxyz-alpha\n",
				"config/app.yml": load + "a: 1\n",
			},
			"render",
			args{"files": []string{"config"}},
			[]string{"config/schema.yml:"},
			[]string{"HUNTERXYZ"},
		}, {
			"letters of another script",
			map[string]string{
				"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: пароль-секрет\n" +
					"#@schema/secret\nmarks: '!!??'\n",
				"config/app.yml": load + "key: #@ data.values.password.upper()\nlevel: info\n" +
					"doubled: #@ data.values.marks.replace(\"!\", \"<=>\")\n",
			},
			"render",
			args{"files": []string{"config"}, "document": "config/app.yml#1"},
			[]string{"level: info"},
			[]string{"ПАРОЛЬ", "<=>"},
		}, {
			"a library",
			map[string]string{
				"config/_ytt_lib/db/s.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: libsecret-delta\n",
				"config/_ytt_lib/db/d.yml": load + "key: #@ data.values.password.upper()\nlevel: info\n",
				"config/app.yml": "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n" +
					"--- #@ template.replace(library.get(\"db\").eval())\n",
			},
			"render",
			args{"files": []string{"config"}, "document": "config/_ytt_lib/db/d.yml#1"},
			[]string{"level: info"},
			[]string{"LIBSECRET"},
		}, {
			"a document that depends on a secret",
			map[string]string{
				"config/schema.yml": schema,
				"config/app.yml": load + "#@ if data.values.password.startswith(\"hunter\"):\n---\napiVersion: v1\n" +
					"kind: Service\nmetadata: {name: web}\nupper: #@ data.values.password.upper()\n#@ end\n" +
					"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {a: first}\n" +
					"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\nlist: [second]\n",
			},
			"render",
			args{"files": []string{"config"}, "document": "ConfigMap/one"},
			[]string{"kind: ConfigMap", "apiVersion: v1", "name: one", "a: first"},
			[]string{"HUNTERXYZ"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inDir(t, test.files)
			text := start(t, Options{}).call(test.tool, test.with).Content[0].Text
			for _, want := range test.shown {
				if !strings.Contains(text, want) {
					t.Errorf("%s does not show %s:\n%s", test.tool, want, text)
				}
			}
			for _, secret := range test.hidden {
				if strings.Contains(text, secret) {
					t.Errorf("%s shows %s:\n%s", test.tool, secret, text)
				}
			}
		})
	}
}

// What a message or a report says may be computed from a secret of a library, from one that a JSON Schema marks, or
// from one that only a test sets.
func TestComputedSecretsOfEverySource(t *testing.T) {
	const load = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\", \"assert\")\n"
	const eval = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n" +
		"--- #@ template.replace(library.get(\"db\").eval())\n"
	const schema = "#@data/values-schema\n---\n#@schema/secret\npassword: hunterxyz-alpha\nlevel: info\n"
	const project = "weft: 2026\ninputs: [config]\nenvironments: {prod: {}}\n"
	for _, test := range []struct {
		name  string
		files map[string]string
		tools string
		shown string
	}{
		{
			"code of a library fails",
			map[string]string{
				"config/_ytt_lib/db/s.yml": schema,
				"config/_ytt_lib/db/d.yml": load + "a: #@ assert.fail(\"weak: \" + data.values.password.upper())\n",
				"config/app.yml":           eval,
			},
			"render blame explain check",
			"config/_ytt_lib/db/d.yml:3",
		}, {
			"code fails with data values of a library",
			map[string]string{
				"config/_ytt_lib/db/s.yml": schema,
				"config/_ytt_lib/db/d.yml": "a: 1\n",
				"config/app.yml": load + "#@ load(\"@ytt:library\", \"library\")\n" +
					"a: #@ assert.fail(\"weak: \" + library.get(\"db\").data_values().password.upper())\n",
			},
			"render blame explain check",
			"config/app.yml:4",
		}, {
			"an overlay of a library",
			map[string]string{
				"config/_ytt_lib/db/s.yml": schema,
				"config/_ytt_lib/db/d.yml": "kind: A\n",
				"config/_ytt_lib/db/o.yml": load + "#@ load(\"@ytt:overlay\", \"overlay\")\n" +
					"#@overlay/match by=overlay.subset({\"kind\": data.values.password.upper()})\n---\na: 1\n",
				"config/app.yml": eval,
			},
			"render blame explain check",
			"config/_ytt_lib/db/o.yml:5",
		}, {
			"a validation of a library",
			map[string]string{
				"config/_ytt_lib/db/s.yml": "#@data/values-schema\n---\n#@ def check(v):\n#@   fail(\"got \" + v.upper())\n" +
					"#@ end\n#@schema/secret\n#@schema/validation (\"other\", check)\npassword: hunterxyz-alpha\n",
				"config/_ytt_lib/db/d.yml": "a: 1\n",
				"config/app.yml":           eval,
			},
			"render blame explain check",
			"config/_ytt_lib/db/s.yml:",
		}, {
			"a secret of the project given to a library",
			map[string]string{
				"config/schema.yml":        schema,
				"config/_ytt_lib/db/s.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: \"\"\n",
				"config/_ytt_lib/db/d.yml": load + "a: #@ assert.fail(\"weak: \" + data.values.password.upper())\n",
				"config/app.yml": load + strings.Replace(eval, ".eval()",
					".with_data_values({\"password\": data.values.password}).eval()", 1),
			},
			"render blame explain check",
			"config/_ytt_lib/db/d.yml:3",
		}, {
			"a JSON Schema",
			map[string]string{
				"weft.yml": project + "valuesSchema: values.schema.json\n",
				"values.schema.json": `{"properties": {"password": {"type": "string", "writeOnly": true}, "level": ` +
					`{"type": "string"}}}`,
				"config/values.yml": "#@data/values\n---\npassword: hunterxyz-alpha\nlevel: info\n",
				"config/app.yml":    load + "a: #@ data.values.password.upper()\nlevel: #@ data.values.level\n",
			},
			"render blame",
			"info",
		}, {
			"a data value computed from a secret",
			map[string]string{
				"config/schema.yml": load + "#@ def url(values):\n#@   return \"db://\" + values.password.upper()\n#@ end\n" +
					"#@data/values-schema\n---\n#@schema/secret\npassword: hunterxyz-alpha\nlevel: info\n" +
					"#@schema/computed url\nurl: \"\"\n",
				"config/app.yml": load + "level: #@ data.values.level\n",
			},
			"values render",
			"level",
		}, {
			"a test that sets secrets",
			map[string]string{
				"weft.yml":          project,
				"config/schema.yml": schema,
				"config/app.yml":    load + "a: #@ data.values.password.upper()\n",
				"tests/a.test.yml": "tests:\n- name: other\n  envs: [prod]\n  values: {password: nightingale-beta}\n" +
					"  expect:\n  - equal: {a: x}\n",
			},
			"check",
			"other",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := maps.Clone(test.files)
			if files["weft.yml"] == "" {
				files["weft.yml"] = project
			}
			inDir(t, files)
			c := start(t, Options{})
			for tool := range strings.FieldsSeq(test.tools) {
				text := c.call(tool, args{"environment": "prod"}).Content[0].Text
				if tool == "render" && !strings.Contains(text, "rror") {
					text = c.call(tool, args{"environment": "prod", "document": "config/app.yml#1"}).Content[0].Text
				}
				if !strings.Contains(text, test.shown) {
					t.Errorf("%s does not show %s:\n%s", tool, test.shown, text)
				}
				for _, secret := range []string{"HUNTERXYZ", "NIGHTINGALE"} {
					if strings.Contains(text, secret) {
						t.Errorf("%s shows %s:\n%s", tool, secret, text)
					}
				}
			}
		})
	}
}

// Where a patch cannot be shown, since it has a secret, the answer says so: it is the same with other secrets.
func TestPatchWithSecretSaysSo(t *testing.T) {
	inDir(t, map[string]string{
		"weft.yml":          "weft: 2026\ninputs: [config]\nenvironments: {prod: {values: {password: hunterxyz-alpha}}}\n",
		"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: \"\"\n",
		"config/app.yml":    "#@ load(\"@ytt:data\", \"data\")\nkind: A\nmetadata: {name: a}\nkey: #@ data.values.password\n",
	})
	text := start(t, Options{}).call("suggest", args{"changes": []string{"A/a:more=1"}}).Content[0].Text
	if !strings.Contains(text, "without the patch: ") || strings.Contains(text, "hunterxyz") {
		t.Error(text)
	}
}
