package weft_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"weft/internal/testing/cases"
)

// TestSecretsLaw: no command shows a secret in anything but documents, in no form and by no route.
// Each seed makes a project with random secrets, which come from values files, flags, variables,
// defaults and weft.yml, and lead into nested values, encodings, keys, texts, matchers and mistakes.
func TestSecretsLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs every command many times")
	}
	seeds := uint64(2)
	if cases.Long() {
		seeds = 8
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p := newSecretProject(t, seed)
			for _, line := range p.commands() {
				p.run(line)
			}
			p.watch()
		})
	}
}

// secretProject is a project with secrets, and how they may not turn up.
type secretProject struct {
	t       *testing.T
	rand    *rand.Rand
	dir     string
	secrets map[string]string // by the data value that has them
	bad     map[string]string // the forbidden forms, and which secret each is of
	env     []string
}

// alphabets are what secrets are made of. The last two have to be quoted.
var alphabets = []string{
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=_-.",
	`abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"'\<>&%:,{}[]#`,
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 é€",
}

func (p *secretProject) random(alphabet string) string {
	letters := []rune(alphabet)
	text := []rune{'q', 'Z'} // no blanks at the ends, and no number
	for len(string(text)) < 15 {
		text = append(text, letters[p.rand.IntN(len(letters))])
	}
	return string(append(text, 'k'))
}

// secret makes a secret for a data value.
func (p *secretProject) secret(name string) string {
	s := p.random(alphabets[p.rand.IntN(len(alphabets))])
	if name == "multi" {
		s += "\n" + p.random(alphabets[0]) + "\n  " + p.random(alphabets[2]) + "\n"
	}
	p.secrets[name] = s
	for _, line := range strings.Split(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			p.forbid(name, line)
		}
	}
	return s
}

// forbid adds the forms of a text, and each part of them that is longer than eight bytes.
func (p *secretProject) forbid(name, text string) {
	js, _ := json.Marshal(text)
	forms := []string{
		text, string(js[1 : len(js)-1]), strconv.Quote(text), html.EscapeString(text),
		url.QueryEscape(text), url.PathEscape(text), strings.ReplaceAll(text, "'", "''"),
	}
	for offset := range 3 {
		padded := append(make([]byte, offset), text...)
		encoded := base64.RawStdEncoding.EncodeToString(padded)
		core := encoded[(offset*8+5)/6 : len(padded)*8/6]
		forms = append(forms, core, strings.NewReplacer("+", "-", "/", "_").Replace(core))
	}
	for _, form := range forms {
		for i := 0; i+9 <= len(form); i++ {
			p.bad[form[i:i+9]] = name
		}
	}
}

func newSecretProject(t *testing.T, seed uint64) *secretProject {
	p := &secretProject{
		t: t, rand: rand.New(rand.NewPCG(seed, 14)), dir: t.TempDir(),
		secrets: map[string]string{}, bad: map[string]string{},
	}
	for _, name := range []string{
		"preset", "file", "other", "flag", "variable", "inline", "multi", "data", "wrong", "list", "map",
	} {
		p.secret(name)
	}
	p.env = append(os.Environ(), "APP_variable="+p.secrets["variable"], "NO_COLOR=1", "CI=",
		"WEFT_ALLOW_ENV=APP", "GIT_CONFIG_NOSYSTEM=1", "HOME="+p.dir)
	q := func(name string) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(p.secrets[name]) // a string
		return strings.TrimSpace(b.String())
	}
	p.write("config/schema.yml", `#@data/values-schema
---
#@ load("@ytt:assert", "assert")
#@schema/secret
preset: `+q("preset")+`
#@schema/secret
file: ""
#@schema/secret
flag: ""
#@schema/secret
variable: ""
#@schema/secret
inline: ""
#@schema/secret
multi: ""
#@schema/secret
list: [""]
#@schema/secret
map: {a: "", b: ""}
#@schema/nullable
#@schema/secret
nothing: ""
replicas: 1
fail: ""
`)
	p.write("config/app.yml", `#@ load("@ytt:data", "data")
#@ load("@ytt:json", "json")
#@ load("@ytt:yaml", "yaml")
#@ load("@ytt:base64", "base64")
#@ load("@ytt:struct", "struct")
#@ load("@ytt:template", "template")
#@ v = data.values
#@ def nested():
user: #@ v.file
deep:
  list:
  - x
  - #@ v.flag
#@ end
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: app
  annotations:
    plain: #@ v.file
    joined: #@ "postgres://u:" + v.flag + "@db.example.com:5432/" + v.preset
    quoted: #@ repr(v.file)
    split: #@ "a " * 40 + v.file + " b" * 40
data:
  zero: #@ base64.encode(v.file)
  one: #@ base64.encode("x" + v.file + "yz")
  two: #@ base64.encode("xy" + v.flag)
  url: #@ base64.encode("xy" + v.preset, url=True) if False else ""
  json: #@ json.encode({"a": [v.file, {"b": v.flag}]})
  twice: #@ json.encode({"a": json.encode([v.file])})
  yaml: #@ yaml.encode({"a": {"b": v.variable, "c": v.multi}})
  in64: #@ base64.encode(json.encode({"p": v.inline, "l": list(v.list)}))
  nested: #@ yaml.encode(nested())
  struct: #@ json.encode(struct.decode(struct.encode({"k": v.map})))
  multi: #@ v.multi
  text: #@ "first\n  " + v.multi.replace("\n", "\n  ") + "last\n"
  #@ if v.replicas > 0:
  many: #@ [v.file + str(i) for i in range(3)]
  #@ end
  #@yaml/text-templated-strings
  k-(@= v.file @): in a key
  #@yaml/text-templated-strings
  templated: "pw=(@= v.file @);"
---
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData:
  password: `+q("data")+`
  url: #@ "x" + v.file
data:
  encoded: #@ base64.encode(v.inline)
---
kind: Copy
of: `+q("data")+`
replicas: #@ v.replicas
secret: #@ v.map.a
`)
	p.write("config/motd.txt", "Hello (@ load(\"@ytt:data\", \"data\") -@)(@= data.values.file @) and (@= data.values.multi @)\n")
	p.write("overlays/o.yml", `#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:data", "data")
#@overlay/match by=overlay.subset({"metadata": {"annotations": {"plain": data.values.file}}}),missing_ok=True
---
metadata:
  annotations:
    #@overlay/match missing_ok=True
    added: #@ data.values.flag
    #@overlay/replace via=lambda l, r: l + "/" + r
    plain: #@ data.values.variable
#@overlay/match by=overlay.subset({"kind": data.values.file}),expects="0+"
---
x: 1
`)
	p.write("fail/f.yml", `#@ load("@ytt:data", "data")
#@ load("@ytt:assert", "assert")
#@ load("@ytt:json", "json")
#@ load("@ytt:yaml", "yaml")
#@ load("@ytt:base64", "base64")
#@ load("@ytt:regexp", "regexp")
#@ load("@ytt:struct", "struct")
#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:url", "url")
#@ v = data.values
#@ s = v.file
#@ how = {
#@   "assert": lambda: assert.fail("password " + s + " is too weak"),
#@   "equals": lambda: assert.equals({"a": s}, {"a": v.flag}),
#@   "fail": lambda: fail("found %r and %s" % (s, [v.flag])),
#@   "int": lambda: int(s),
#@   "key": lambda: {"a": 1}[s],
#@   "attr": lambda: getattr(struct.make(a=1), s),
#@   "json": lambda: json.decode("{" + s),
#@   "yaml": lambda: yaml.decode("a: [" + s),
#@   "base64": lambda: base64.decode("!" + s),
#@   "regexp": lambda: regexp.match("(" + s, "x"),
#@   "url": lambda: url.parse("http://[" + s),
#@   "type": lambda: s + 1,
#@   "call": lambda: s.nothing(),
#@   "long": lambda: assert.fail("x" * 30 + s + "y" * 500),
#@   "index": lambda: [1][len(s)],
#@   "overlay": lambda: overlay.apply({"a": s}, {"b": s}),
#@   "contain": lambda: assert.contains([v.flag], s) if hasattr(assert, "contains") else fail(s),
#@   "unpack": lambda: (lambda a: a)(s, s),
#@ }
x: #@ how[v.fail]() if v.fail else s
`)
	p.write("match/m.yml", `#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:data", "data")
#@overlay/match by=overlay.subset({"metadata": {"name": data.values.file}})
---
x: 1
#@overlay/match by=overlay.subset({"kind": "ConfigMap"})
---
data:
  #@yaml/text-templated-strings
  k-(@= data.values.flag @): 1
`)
	p.write("invalid/schema.yml", `#@data/values-schema
---
#@schema/secret
#@schema/validation max_len=3
file: ""
#@schema/secret
#@schema/validation one_of=["a", "b"]
flag: ""
#@schema/secret
#@schema/validation ("must be good", lambda v: fail("not " + v))
variable: ""
#@schema/secret
#@schema/validation min_len=500
multi: ""
#@schema/secret
inline: 1
#@schema/secret
list: [1]
#@schema/secret
map: {a: 1}
`)
	p.write("values.yml", "file: "+q("file")+"\nmulti: "+q("multi")+"\nlist: ["+q("list")+"]\nmap: {a: "+q("map")+", b: xx}\n")
	p.write("other.yml", "file: "+q("other")+"\nreplicas: 3\n")
	p.write("mismatch.yml", "inline: "+q("wrong")+"\nlist: ["+q("list")+"]\nmap: {a: "+q("map")+"}\n")
	p.write("mismatch2.yml", "file: ["+q("wrong")+"]\nmap: "+q("map")+"\nlist: {x: "+q("list")+"}\n")
	p.write("weft.yml", `weft: ytt
inputs: [config]
overlays: [overlays]
valueFiles: [values.yml]
valuesFromEnv: [APP]
values: {inline: `+q("inline")+`}
output: {dir: 'out/{env}'}
default: dev
environments:
  dev: {}
  prod: {values: {flag: `+q("flag")+`, replicas: 3}, valueFiles: [other.yml]}
`)
	p.write("tests/a.test.yml", `tests:
- name: expects another
  envs: all
  expect:
  - select: kind=ConfigMap
    equal: {metadata.annotations.plain: other, data.json: "{}", data.multi: x}
    matches: {data.one: "^$", data.text: nothing}
    contains: {data: {zero: x}}
- name: golden
  envs: [dev]
  golden: golden.yml
- name: star
  envs: [dev]
  star: {file: check.star, call: check}
- name: fails
  envs: [dev]
  values: {fail: x}
  error: {matches: something else}
`)
	p.write("tests/check.star", `def check(docs):
  fail("found %s and %r" % (docs[0]["metadata"]["annotations"]["plain"], docs[1]["stringData"]))
end
`)
	p.write("tests/golden.yml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\n---\nkind: Secret\nmetadata: {name: db}\nstringData: {password: x}\n")
	p.write("list.yml", `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: weft/v1
  kind: Weft
  spec: {files: [invalid], values: {file: `+q("file")+`}}
items: []
`)
	p.write("secret.yml", "apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {password: "+q("data")+", x: 1}\n")
	p.git("init", "-q", ".")
	p.git("add", ".")
	p.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first")
	p.write("values.yml", "file: "+q("wrong")+"\nmulti: "+q("multi")+"\nlist: ["+q("list")+", "+q("flag")+"]\nmap: {a: "+q("map")+", b: yy}\n")
	return p
}

func (p *secretProject) write(name, text string) {
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *secretProject) git(args ...string) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %s: %s", args, out)
	}
}

// command is a command line, and what of it is a document that may show everything.
type secretCommand struct {
	args      []string
	documents bool // standard output is, and the command succeeds
	list      bool // standard output is a list that repeats what was read
	stdin     string
	writes    string // a report that it writes
}

// commands are all commands in all formats, on what works and on what fails.
func (p *secretProject) commands() (all []secretCommand) {
	add := func(args ...string) { all = append(all, secretCommand{args: args}) }
	documents := func(args ...string) {
		all = append(all, secretCommand{args: args, documents: true})
	}
	flag := "flag=" + p.secrets["flag"]
	given := []string{
		"--data-values-file", "values.yml", "-v", flag, "--data-values-env", "APP",
		"-v", "inline=" + p.secrets["inline"],
	}
	with := func(args ...string) []string { return append(args, given...) }
	config := with("-f", "config", "-f", "overlays")

	documents("render")
	documents("render", "prod", "--warn-unused")
	documents(append([]string{"--timings"}, config...)...)
	documents(append([]string{"--diagnostics", "json", "--warn-unused"}, config...)...)
	for _, how := range []string{
		"assert", "equals", "fail", "int", "key", "attr", "json", "yaml", "base64", "regexp", "url",
		"type", "call", "long", "index", "overlay", "contain", "unpack", "unknown",
	} {
		add(append([]string{"-f", "fail", "-v", "fail=" + how}, config...)...)
		add(append([]string{"-f", "fail", "-v", "fail=" + how, "--diagnostics", "json"}, config...)...)
	}
	for _, form := range []string{"text", "json"} {
		d := []string{"--diagnostics", form}
		add(append(append(d, "-f", "match"), config...)...)
		add(with(append(d, "-f", "invalid")...)...)
		add(append(d, "-f", "invalid", "--data-values-file", "mismatch.yml")...)
		add(append(d, "-f", "config", "--data-values-file", "mismatch2.yml")...)
		add(append(d, "-f", "invalid", "--data-value-yaml", "inline="+strconv.Quote(p.secrets["wrong"]))...)
	}
	for _, form := range []string{"text", "markdown", "json", "patch"} {
		add("diff", "--rev", "HEAD", "-o", form)
		add("diff", "--rev", "HEAD", "--all", "-o", form)
		add("diff", "dev", "prod", "-o", form)
		add("diff", "-f", "config", "-f", "overlays", "-o", form,
			"--a", "--data-values-file values.yml", "--b", "--data-values-file other.yml")
		add("diff", "--secret", "data.**", "--rev", "HEAD", "-o", form)
	}
	add("diff", "dev", "prod", "--summary")
	for _, form := range []string{"text", "json", "html", "map"} {
		add("blame", "-o", form)
		add("blame", "-e", "prod", "-o", form)
	}
	add("blame", "--long")
	add("blame", "ConfigMap/app", "data.json", "--prove")
	for _, path := range []string{"file", "flag", "multi", "replicas", "map", "list", "inline"} {
		add("impact", path)
		add("impact", path, "-o", "json")
		add("impact", "--prove", path)
		add("impact", "--all", path)
	}
	add("impact", "--set", "file="+p.secrets["other"], "file")
	add("impact", "--set", "file="+p.secrets["other"])
	add("explain")
	add("explain", "-e", "prod", "-o", "json")
	add("explain", "-f", "match", "-f", "config", "--data-values-file", "values.yml")
	for _, form := range []string{"text", "json", "sarif", "github"} {
		add("lint", "--all", "-o", form)
		add("lint", "--all", "-f", "invalid", "--data-values-file", "values.yml", "-o", form)
		add("lint", "--all", "-f", "config", "-f", "fail", "-v", "fail=assert", "--data-values-file",
			"values.yml", "-o", form)
	}
	for _, form := range []string{"text", "json", "junit", "tap"} {
		add("test", "-o", form)
	}
	for _, form := range []string{"html", "json", "lcov"} {
		all = append(all, secretCommand{
			args: []string{"test", "--coverage=" + form, "--coverage-file", "cover.out"}, writes: "cover.out",
		})
	}
	add("test", "--coverage")
	add("config")
	add("config", "prod", "-o", "json")
	add("env", "-o", "json")
	add("env")
	add("--data-values-schema-inspect", "-o", "openapi-v3", "-f", "config")
	add("--data-values-schema-inspect", "-o", "json-schema", "-f", "config")
	add("fleet", "--diff")
	add("fleet", "--diff=semantic")
	add(append([]string{"--output-files", "out/x", "--diff"}, config...)...)
	add(append([]string{"--output-files", "out/x", "--diff=semantic"}, config...)...)
	documents("fleet")
	add("fleet", "--diff", "-v", "file="+p.secrets["other"])
	add("fleet", "--diff=semantic", "-v", "file="+p.secrets["other"])
	add("override", "secret.yml", "--overrides", "{stringData: {x: 2}}", "--diff")
	add("override", "secret.yml", "--overrides", "{stringData: {password: "+
		strconv.Quote(p.secrets["data"]+"x")+"}}", "--diff")
	add("override", "secret.yml", "--overrides", "{stringData: {x: 2, password: y}}", "--diff=semantic")
	add("override", "secret.yml", "--overrides", "{stringData: {x: 2, password: y}}", "--explain", "-o", "yaml")
	add("migrate")
	add("argocd", "--announce")
	add("__complete", "impact", "")
	add("__complete", "render", "-v", "f")
	all = append(all, secretCommand{args: []string{"krm"}, stdin: "list.yml", list: true})
	add("lint", "--fix=unsafe", "--all") // the last, since it changes files
	return all
}

// run runs a command and looks for secrets in all that it prints.
func (p *secretProject) run(c secretCommand) {
	p.t.Helper()
	cmd := exec.Command("weft", c.args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.stdin != "" {
		text, err := os.ReadFile(filepath.Join(p.dir, c.stdin))
		if err != nil {
			p.t.Fatal(err)
		}
		cmd.Stdin = bytes.NewReader(text)
	}
	_ = cmd.Run() // many fail
	code := cmd.ProcessState.ExitCode()
	if c.documents && code != 0 {
		p.t.Errorf("weft %q: exit code %d: %s", c.args, code, stderr.Bytes())
	}
	p.search(c, "standard error", stderr.Bytes())
	if !c.documents && !c.list {
		p.search(c, "standard output", stdout.Bytes())
	}
	if c.writes != "" {
		text, err := os.ReadFile(filepath.Join(p.dir, c.writes))
		if err != nil {
			p.t.Errorf("weft %q wrote nothing: %s", c.args, stderr.Bytes())
		}
		p.search(c, c.writes, text)
	}
}

// watch looks at what a command says that goes on when its inputs change.
func (p *secretProject) watch() {
	p.t.Helper()
	values := "file: " + strconv.Quote(p.secrets["other"]) + "\n"
	p.write("watched.yml", values)
	c := secretCommand{args: []string{
		"-f", "config", "--data-values-file", "watched.yml", "--output-files", "out/watched", "--watch=poll",
	}}
	cmd := exec.Command("weft", c.args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	said, err := cmd.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	stop := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	var text []byte
	for lines := bufio.NewScanner(said); lines.Scan(); {
		text = append(append(text, lines.Bytes()...), '\n')
		switch {
		case bytes.Contains(text, []byte("error:")):
			_ = cmd.Process.Kill()
		case bytes.Count(text, []byte("\n")) == 1:
			p.write("watched.yml", values+"map: "+strconv.Quote(p.secrets["other"])+"\n")
		}
	}
	_ = cmd.Wait() // it was stopped
	if !bytes.Contains(text, []byte("error:")) {
		p.t.Errorf("weft %q has not found the mistake: %s", c.args, text)
	}
	p.search(c, "standard error", text)
}

// search looks for forbidden forms.
func (p *secretProject) search(c secretCommand, where string, text []byte) {
	p.t.Helper()
	for i := 0; i+9 <= len(text); i++ {
		name, ok := p.bad[string(text[i:i+9])]
		if !ok {
			continue
		}
		from, to := max(0, i-150), min(len(text), i+100)
		p.t.Errorf("weft %q shows %s (%q) on %s:\n...%s...", c.args, name, p.secrets[name], where,
			text[from:to])
		return
	}
}
