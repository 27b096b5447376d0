package mcp

import (
	"strings"
	"testing"
)

// What is computed from a secret is hidden, and the rest is shown, if code accepts only one form of a secret. If it
// accepts no other secret at all, nothing is shown, and the answer says where that is.
func TestCodeThatNeedsAForm(t *testing.T) {
	const load = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\", \"assert\")\n" +
		"#@ load(\"@ytt:json\", \"json\")\n#@ load(\"@ytt:sha256\", \"sha256\")\n" +
		"#@ load(\"@ytt:regexp\", \"regexp\")\n#@ pw = data.values.password\n"
	for _, test := range []struct {
		name, secret, needs string
		code                string // what is computed
		secrets             string
		all                 bool // nothing is shown
	}{
		{
			"a length", "hunterxyz-alpha", "len(pw) == 15",
			"pw.upper()", "HUNTER ALPHA", false,
		}, {
			"a prefix", "acme-hunterxyz", "pw.startswith('acme-')",
			"pw[5:].upper()", "HUNTER", false,
		}, {
			"a prefix in a pattern", "acme-hunterxyz", "regexp.match(\"^acme-[a-z]+$\", pw)",
			"pw[5:].upper()", "HUNTER", false,
		}, {
			"a prefix of another kind", "AKIAHUNTERXYZ", "pw.startswith(\"AKIA\")",
			"pw[4:].lower()", "hunter", false,
		}, {
			"hexadecimal digits", "feedbeef12", "int(pw, 16) > 0",
			"pw.upper()", "FEEDBEEF", false,
		}, {
			"a number", "9990001112", "int(pw[0]) > 0",
			"'/'.join(list(pw.elems()))", "9/9/9", false,
		}, {
			"keys", "{\"login\": {\"key\": \"hunterxyz\"}}", "json.decode(pw)[\"login\"][\"key\"]",
			"json.decode(pw)[\"login\"][\"key\"].upper()", "HUNTER", false,
		}, {
			"no other secret", "hunterxyz-alpha", "sha256.sum(pw).startswith(\"57ebcc\")",
			"pw.upper()", "HUNTER", true,
		}, {
			"the secret itself", "hunterxyz", "pw == \"hunterxyz\"",
			"pw.upper()", "HUNTER", true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inDir(t, map[string]string{
				"weft.yml":          "weft: 2026\ninputs: [config]\nenvironments:\n  dev: {}\n  prod: {values: {level: debug}}\n",
				"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: ''\nlevel: info\n",
				"config/values.yml": "#@data/values\n---\npassword: '" + test.secret + "'\n",
				"config/a.yml": load + "---\nkind: ConfigMap\nmetadata: {name: a}\n" +
					"needs: #@ True if " + test.needs + " else assert.fail(\"wrong\")\n" +
					"level: #@ data.values.level\nreplaced: #@ " + test.code + "\n",
				"config/b.txt": "(@ load(\"@ytt:data\", \"data\")\nload(\"@ytt:json\", \"json\")\npw = data.values.password -@)\n" +
					"text=(@= " + test.code + " @)\nlevel=(@= data.values.level @)\n",
				"config/over.yml": "#@ load(\"@ytt:overlay\", \"overlay\")\n" +
					"#@overlay/match by=overlay.subset({\"kind\": \"ConfigMap\"})\n---\nreplaced: plain\n",
			})
			c := start(t, Options{})
			for _, q := range []struct {
				tool string
				with args
				want string
			}{
				{"render", args{"environment": "prod", "document": "ConfigMap/a"}, "level: debug"},
				{"blame", args{"environment": "prod"}, "level=debug"},
				{"blame", args{"environment": "prod", "path": "replaced"}, "config/over.yml:4"},
				{"explain", args{"environment": "prod"}, "plain"},
				{"diff", args{"from": "dev", "to": "prod"}, "level=debug"},
				{"impact", args{"environment": "prod", "set": args{"level": "trace"}}, "level=trace"},
			} {
				text := c.call(q.tool, q.with).Content[0].Text
				for secret := range strings.FieldsSeq(test.secrets) {
					if strings.Contains(text, secret) {
						t.Errorf("%s %v shows %s:\n%s", q.tool, q.with, secret, text)
					}
				}
				if test.all {
					q.want = "config/a.yml:10"
				}
				if !strings.Contains(text, q.want) {
					t.Errorf("%s %v does not show %s:\n%s", q.tool, q.with, q.want, text)
				}
			}
		})
	}
}

// If an answer with other secrets has another number of lines, only the lines that differ are hidden.
func TestLinesThatDependOnASecret(t *testing.T) {
	inDir(t, map[string]string{
		"weft.yml":          "weft: 2026\ninputs: [config]\n",
		"config/schema.yml": "#@data/values-schema\n---\n#@schema/secret\npassword: hunterxyz-alpha\n",
		"config/a.yml": "#@ load(\"@ytt:data\", \"data\")\n#@ pw = data.values.password\n---\nkind: ConfigMap\n" +
			"metadata: {name: a}\nhosts:\n#@ if pw.startswith(\"hunter\"):\n- one\n- #@ pw.title()\n#@ end\n- second\n" +
			"chars: #@ list(pw.elems())\nbetween: lists\nurl: #@ \"db://app:\" + pw.upper() + \"@host/app\"\nkey: #@ \"user \" + pw.upper() + \" at host\"\n",
	})
	text := start(t, Options{}).call("render", args{"document": "ConfigMap/a"}).Content[0].Text
	for _, want := range []string{"hosts:\n", "- second\n", "key: user ‹secret› at host\n", "url: ‹secret›\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown:\n%s", want, text)
		}
	}
	for _, hidden := range []string{"HUNTER", "Hunter", "- one", "- a\n", "- h\n", "- p\n"} {
		if strings.Contains(text, hidden) {
			t.Errorf("%s is shown:\n%s", hidden, text)
		}
	}
}
