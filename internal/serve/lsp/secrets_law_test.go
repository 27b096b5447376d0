package lsp_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// secretLetters are what secrets are made of.
const secretLetters = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"'\<>&%:,{}[]#`

// secretFolder is a project with two random secrets: one that a file sets, and a default.
func secretFolder(t *testing.T, seed uint64) (dir string, files map[string]string, secrets []string) {
	random := rand.New(rand.NewPCG(seed, 26))
	secret := func() string {
		b := []byte("qZ")
		for len(b) < 15 {
			b = append(b, secretLetters[random.IntN(len(secretLetters))])
		}
		secrets = append(secrets, string(append(b, 'k')))
		return quoted(secrets[len(secrets)-1])
	}
	files = map[string]string{
		"weft.yml": "weft: ytt\ninputs: [config]\nvalueFiles: [values.yml]\n" +
			"environments:\n  dev: {}\n  prod: {values: {other: " + secret() + "}}\n",
		"values.yml": "file: " + secret() + "\nmap: {a: " + secret() + "}\n",
		"config/schema.yml": `#@data/values-schema
---
#@schema/secret
#@schema/validation max_len=3
file: ""
#@schema/secret
preset: ` + secret() + `
#@schema/secret
other: ""
#@schema/secret
map: {a: ""}
`,
		"config/app.yml": `#@ load("@ytt:data", "data")
#@ load("@ytt:json", "json")
#@ load("@ytt:base64", "base64")
#@ v = data.values
#@ joined = "x" + v.file
---
kind: ConfigMap
metadata: {name: app}
data:
  file: #@ v.file
  joined: #@ joined
  json: #@ json.encode({"a": [v.file, {"b": v.preset}]})
  base64: #@ base64.encode("x" + v.map.a)
  other: #@ v.other
`,
		"config/wrong.yml": `#@ load("@ytt:data", "data")
#@ load("@ytt:url", "url")
---
wrong: #@ url.parse("http://[" + data.values.file)
`,
		"config/over.yml": `#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:data", "data")
#@overlay/match by=overlay.subset({"kind": "ConfigMap"})
---
data:
  file: #@ data.values.preset
  #@overlay/match missing_ok=True
  added: #@ data.values.map.a
`,
	}
	dir = t.TempDir()
	return dir, files, secrets
}

// quoted is a string of YAML.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// TestSecretsLaw: nothing that the server says shows a secret, apart from documents and files.
func TestSecretsLaw(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dir, files, secrets := secretFolder(t, seed)
			if seed%2 == 0 { // half of the projects render
				delete(files, "config/wrong.yml")
				files["config/schema.yml"] = strings.Replace(files["config/schema.yml"],
					"#@schema/validation max_len=3\n", "", 1)
			}
			write(t, dir, files)
			c := dial(t, dir, func(p *protocol.InitializeParams) {
				p.InitializationOptions = json.RawMessage(`{"inlayHints": true}`)
			})
			for path, text := range files {
				c.open(path, text)
			}
			c.settle()
			answers := 0
			for path, text := range files {
				for what, answer := range c.everything(path, text) {
					answers++
					if part := shownPart(answer, secrets); part != "" {
						i := strings.Index(answer, part)
						t.Errorf("%s of %s shows %q of %q: %s", what, path, part, secrets,
							answer[max(0, i-200):min(len(answer), i+50)])
					}
				}
			}
			if answers < 100 {
				t.Errorf("only %d answers", answers)
			}
		})
	}
}

// everything is all that the server says about a file, as JSON, by what was asked.
func (c *client) everything(path, text string) map[string]string {
	all := map[string]string{}
	add := func(what string, answer any) {
		b, err := json.Marshal(answer)
		if err != nil {
			c.t.Fatal(err)
		}
		if string(b) != "null" {
			all[what] = string(b)
		}
	}
	ask := func(what, method string, params any) {
		var answer any
		if err := c.try(method, params, &answer); err != nil {
			answer = err.Error()
		}
		add(what, answer)
	}
	add("diagnostics", c.diagnostics(path))
	add("hints", c.hintsOf(path))
	add("lenses", c.lensesOf(path))
	c.mu.Lock()
	add("log", c.logged)
	c.mu.Unlock()
	doc := c.document(path)
	ask("symbols", "textDocument/documentSymbol", doc)
	for i, line := range strings.Split(text, "\n") {
		for k := range len(line) {
			if k > 0 && line[k-1] != ' ' && line[k-1] != '.' && line[k-1] != '"' {
				continue
			}
			at := protocol.Position{Line: i, Character: k}
			place := fmt.Sprintf(" at %d:%d", i+1, k+1)
			p := protocol.PositionParams{DocumentParams: doc, Position: at}
			ask("hover"+place, "textDocument/hover", p)
			ask("completion"+place, "textDocument/completion", p)
			for _, command := range []string{"weft.explain", "weft.blame"} {
				b, err := json.Marshal(protocol.CommandParams{DocumentParams: doc, Position: &at})
				if err != nil {
					c.t.Fatal(err)
				}
				ask(command+place, "workspace/executeCommand", protocol.ExecuteCommandParams{
					Command: command, Arguments: []json.RawMessage{b},
				})
			}
		}
	}
	return all
}

// shownPart is a part of more than eight bytes of a secret in an answer.
func shownPart(answer string, secrets []string) string {
	for _, s := range secrets {
		js, _ := json.Marshal(s)
		forms := []string{s, strings.Trim(string(js), `"`), strings.Trim(strconv.Quote(s), `"`)}
		for offset := range 3 {
			padded := append(make([]byte, offset), s...)
			encoded := base64.RawStdEncoding.EncodeToString(padded)
			forms = append(forms, encoded[(offset*8+5)/6:len(padded)*8/6])
		}
		for _, form := range forms {
			for i := 0; i+9 <= len(form); i++ {
				if strings.Contains(answer, form[i:i+9]) {
					return form[i : i+9]
				}
			}
		}
	}
	return ""
}
