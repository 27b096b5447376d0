package mcp

import (
	"strings"
	"testing"
)

// Errors about files that cannot be read show where, and not what: nothing says yet which values are secret.
func TestUnreadFilesAreNotShown(t *testing.T) {
	inDir(t, map[string]string{
		"weft.yml": "weft: 2026\ninputs: [config]\nenvironments:\n  quote: {valueFiles: [quote.yml]}\n" +
			"  twice: {valueFiles: [twice.yml]}\n  name: {valueFiles: [name.yml]}\n  colon: {valueFiles: [colon.yml]}\n" +
			"  space: {valueFiles: [space.yml]}\n  flow: {valueFiles: [flow.yml]}\n" +
			"  inline: {values: {passwrd: nightingale}}\n  object: {inputs: [object.yml]}\n  code: {inputs: [code.yml]}\n" +
			"  inner: {inputs: [inner.yml]}\n  html: {inputs: [html.yml]}\n",
		"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: quicksilver\nlevel: info\n",
		"quote.yml":         "level: a\npassword: \"nightingale in the mine\n",
		"twice.yml":         "password: nightingale1\npassword: 'nightingale2'\n",
		"name.yml":          "passwrd: nightingale\n",
		"colon.yml":         "level: a\npassword nightingale\n",
		"space.yml":         "level: a\npassword:nightingale\nother: b\n",
		"flow.yml":          "{level: a, password: {x: nightingale, y: [nightingale, }\n",
		"object.yml":        "kind: Secret\nmetadata: {name: a}\nstringData:\n  a: \"nightingale\n",
		"code.yml":          "#@data/values\n---\npassword: nightingale: x\n",
		"inner.yml":         "kind: List\nitems:\n- kind: Secret\n  data: {a: nightingale]\n",
		"html.yml":          "#@ load(\"@ytt:data\", \"data\")\nkind: ConfigMap\ntext: \"not closed\n",
	})
	c := start(t, Options{})
	for _, env := range []string{
		"quote", "twice", "name", "colon", "space", "flow", "inline", "object", "code", "inner", "html",
	} {
		for _, tool := range []string{"values", "render", "blame", "explain", "check"} {
			r := c.call(tool, args{"environment": env})
			text := r.Content[0].Text
			if strings.Contains(text, "nightingale") {
				t.Errorf("%s %s shows a secret:\n%s", tool, env, text)
			}
			if !strings.Contains(text, ".yml:") {
				t.Errorf("%s %s does not show where:\n%s", tool, env, text)
			}
			if env == "html" && tool == "render" && !strings.Contains(text, "not closed") {
				t.Errorf("a template is hidden:\n%s", text)
			}
		}
	}
}

// What an error says may be computed from a secret.
func TestMessagesHideComputedSecrets(t *testing.T) {
	inDir(t, map[string]string{
		"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: quicksilver\nmode: weak\n",
		"config/app.yml": `#@ load("@ytt:data", "data")
#@ load("@ytt:assert", "assert")
#@ p = data.values.password
#@ if data.values.mode == "weak":
#@   assert.fail("the password " + p.upper() + " is weak: " + p.title() + "!")
#@ elif data.values.mode == "known" and p.startswith("quick"):
#@   assert.fail("the password " + p.upper() + " is known")
#@ end
a: 1
`,
	})
	c := start(t, Options{})
	for _, mode := range []string{"weak", "known"} {
		for _, tool := range []string{"render", "blame", "explain"} {
			with := args{"files": []string{"config"}, "set": args{"mode": mode}}
			text := c.call(tool, with).Content[0].Text
			if strings.Contains(text, "QUICKSILVER") || strings.Contains(text, "Quicksilver") {
				t.Errorf("%s %s shows a secret:\n%s", tool, mode, text)
			}
			if !strings.Contains(text, "config/app.yml:") {
				t.Errorf("%s %s does not show where:\n%s", tool, mode, text)
			}
		}
	}
}

// A value that nothing sets has a name, and no value to hide.
func TestMissingValuesAreNamed(t *testing.T) {
	inDir(t, map[string]string{
		"weft.yml":       "weft: 2026\ninputs: [config]\nrequire: [store.password]\nenvironments:\n  prod: {}\n",
		"config/app.yml": "#@ load(\"@ytt:data\", \"data\")\npassword: #@ data.values.store.password\n",
	})
	c := start(t, Options{})
	for _, tool := range []string{"render", "blame", "explain", "check"} {
		text := c.call(tool, args{"environment": "prod"}).Content[0].Text
		for _, want := range []string{"'store.password' is required", "weft.yml:3"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", tool, want, text)
			}
		}
	}
}

// Which files may have secrets is decided by what they are, not by a word in them.
func TestMayHoldSecrets(t *testing.T) {
	for text, want := range map[string]bool{
		"kind: prod\npassword: x\n":                             true,
		"mail: a#@b\npassword: x\n":                             true,
		"apiVersion: v1\nkind: \"Secret\"\n":                    true,
		"apiVersion: v1\nkind:  'Secret'\n":                     true,
		"apiVersion: v1\nitems:\n- kind: Secret\n":              true,
		"{\"apiVersion\": \"v1\", \"kind\": \"Secret\"}\n":      true,
		"#@data/values\n---\na: 1\n":                            true,
		"#@ load(\"@ytt:data\", \"data\")\na: #@ data.values\n": false,
		"a: 1 #@ x\n":                                     false,
		"apiVersion: v1\nkind: ConfigMap\n":               false,
		"kind: ConfigMap\nmetadata: {}\napiVersion: v1\n": false,
	} {
		if mayHoldSecrets([]byte(text)) != want {
			t.Errorf("%q: got %v", text, !want)
		}
	}
}
