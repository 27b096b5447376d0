package weft_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/serve/cli"
	"weft/internal/testing/cases"
)

// TestTogether is the law of projects: environments that are rendered together, in shards, in tests
// and in comparisons are what `weft render ENV` prints, and what the flags print that a project
// stands for. The flags are worked out here, without the code of projects.
func TestTogether(t *testing.T) {
	for seed := range cases.Number(6, 60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkProject(t, seed) })
	}
}

// FuzzTogether is the same law for any seed.
func FuzzTogether(f *testing.F) {
	f.Add(uint64(26))
	f.Fuzz(checkProject)
}

func checkProject(t *testing.T, seed uint64) {
	p := generateProject(rand.New(rand.NewPCG(seed, 26)))
	t.Chdir(t.TempDir())
	p.write(t)
	p.check(t, seed%3 == 0)
}

// settings are the keys that a file, or an environment of it, sets.
type settings struct {
	inputs, exclude, overlays, overrides []string
	marks, valueFiles, flags             []string // KEY: VALUE, without the braces
	values                               []string
	replace                              []string
}

// generated is a project and what it means.
type generated struct {
	files   map[string]string
	edition string
	base    settings // of the file that weft.yml extends
	top     settings
	names   []string
	envs    map[string]settings
	extends map[string][]string
	each    []string // the files that environments are made of
	eachOf  settings
}

func generateProject(r *rand.Rand) *generated {
	p := &generated{
		files: map[string]string{
			"config/schema.yml": "#@data/values-schema\n---\nname: none\ncount: 0\nown: {a: 1, b: 2}\n",
			"config/app.yml": "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"f.lib.yml\", \"f\")\nkind: App\n" +
				"name: #@ data.values.name\nown: #@ data.values.own\nf: #@ f()\n",
			"config/f.lib.yml": "#@ load(\"@ytt:data\", \"data\")\n#@ def f():\n#@ return data.values.count + 1\n#@ end\n",
			"config/lib.yml": "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:library\", \"library\")\n" +
				"#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"part\")" +
				".with_data_values({\"count\": data.values.count}).eval())\n",
			"config/_ytt_lib/part/schema.yml": "#@data/values-schema\n---\ncount: 0\n",
			"config/_ytt_lib/part/part.yml":   "#@ load(\"@ytt:data\", \"data\")\nkind: Part\ncount: #@ data.values.count\n",
			"config/_ytt_lib/part/over.yml":   overlayOn("Part", "inner", "1"),
			"config/text.txt":                 "(@ load(\"@ytt:data\", \"data\") -@)\nname (@= data.values.name @)\n",
		},
		edition: pick(r, "ytt", "2026"),
		envs:    map[string]settings{}, extends: map[string][]string{},
	}
	for i := range 3 {
		n := fmt.Sprint(i)
		p.files["m"+n+".yml"] = "kind: More" + n + "\nnumber: #@ " + n + "\n"
		p.files["o"+n+".yml"] = overlayOn(pick(r, "App", "Part", "More0", "More1"), "o"+n, "#@ data.values.name")
		p.files["x"+n+".yml"] = "x" + n + ": " + n + "\n"
		p.files["v"+n+".yml"] = "name: file" + n + "\n" + pick(r, "", "count: "+n+"\n", "own: {a: "+n+"}\n")
	}
	p.base, p.top, p.eachOf = randomSettings(r), randomSettings(r), randomSettings(r)
	p.base.replace = nil
	p.top.inputs = append([]string{"config"}, p.top.inputs...)
	p.top.replace = nil
	for i := range 2 + r.IntN(4) {
		name := fmt.Sprintf("env%d", i)
		p.envs[name] = randomSettings(r)
		if i > 0 && r.IntN(3) == 0 {
			p.extends[name] = []string{p.names[r.IntN(i)]}
		}
		if i > 2 && r.IntN(3) == 0 { // a diamond, perhaps
			p.extends[name] = []string{p.names[i-2], p.names[i-1]}
		}
		p.names = append(p.names, name)
	}
	for i := range r.IntN(3) {
		p.each = append(p.each, fmt.Sprintf("e-%d", i))
		p.files[fmt.Sprintf("envs/e-%d.yml", i)] = fmt.Sprintf("name: each%d\n", i)
	}
	return p
}

func overlayOn(kind, key, value string) string {
	return "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:data\", \"data\")\n" +
		"#@overlay/match by=overlay.subset({\"kind\": \"" + kind + "\"}), expects=\"0+\"\n---\n" +
		"#@overlay/match missing_ok=True\n" + key + ": " + value + "\n"
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func randomSettings(r *rand.Rand) (s settings) {
	some := func(of int, format string) (list []string) {
		for i := range 3 {
			if r.IntN(of) == 0 {
				list = append(list, fmt.Sprintf(format, i))
			}
		}
		return list
	}
	s.inputs, s.overlays, s.overrides = some(4, "m%d.yml"), some(3, "o%d.yml"), some(8, "x%d.yml")
	s.exclude, s.valueFiles = some(8, "m%d.yml"), some(4, "v%d.yml")
	if r.IntN(6) == 0 {
		s.marks = []string{"app.yml: {type: yaml-plain}"}
	}
	if r.IntN(3) == 0 {
		s.values = append(s.values, fmt.Sprintf("count: %d", r.IntN(5)))
	}
	if r.IntN(4) == 0 {
		s.values = append(s.values, fmt.Sprintf("own: {b: %d}", 10+r.IntN(5)))
	}
	if r.IntN(5) == 0 {
		s.flags = []string{"keep: [" + pick(r, "all", "comments", "none") + "]"}
	}
	if r.IntN(4) == 0 {
		s.replace = []string{pick(r, "overlays", "valueFiles", "values", "overrides", "exclude")}
	}
	return s
}

// text is the settings as YAML in braces, without them.
func (s settings) text() string {
	var parts []string
	add := func(key, open string, list []string, end string) {
		if len(list) > 0 {
			parts = append(parts, key+": "+open+strings.Join(list, ", ")+end)
		}
	}
	add("replace", "[", s.replace, "]")
	add("inputs", "[", s.inputs, "]")
	add("exclude", "[", s.exclude, "]")
	add("overlays", "[", s.overlays, "]")
	add("overrides", "[", s.overrides, "]")
	add("marks", "{", s.marks, "}")
	add("valueFiles", "[", s.valueFiles, "]")
	add("values", "{", s.values, "}")
	add("flags", "{", s.flags, "}")
	return strings.Join(parts, ", ")
}

// write writes the project to the working directory.
func (p *generated) write(t *testing.T) {
	top := func(s settings) string { return "{weft: " + p.edition + ", " + s.text() }
	p.files["base.yml"] = strings.TrimSuffix(top(p.base), ", ") + "}\n"
	var b strings.Builder
	b.WriteString(top(p.top) + ", extends: base.yml, environments: {")
	for _, name := range p.names {
		text := p.envs[name].text()
		if of := p.extends[name]; of != nil {
			text = strings.TrimSuffix("extends: ["+strings.Join(of, ", ")+"], "+text, ", ")
		}
		fmt.Fprintf(&b, "\n  %s: {%s},", name, text)
	}
	if p.each != nil {
		fmt.Fprintf(&b, "\n  'e-*': {%s},", strings.TrimSuffix("each: envs/e-*.yml, "+p.eachOf.text(), ", "))
	}
	b.WriteString("\n}}\n")
	p.files["weft.yml"] = b.String()
	for path, text := range p.files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// levels are the settings of an environment, the weakest first, each once.
func (p *generated) levels(name string) []settings {
	list := []settings{p.base, p.top}
	seen := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, of := range p.extends[name] {
			add(of)
		}
		list = append(list, p.envs[name])
	}
	if slices.Contains(p.each, name) {
		s := p.eachOf
		s.valueFiles = append(slices.Clip(s.valueFiles), "envs/"+name+".yml")
		return append(list, s)
	}
	add(name)
	return list
}

// flags are the arguments that an environment stands for.
func (p *generated) flags(t *testing.T, name string) []string {
	var inputs, overlays, exclude, overrides, marks, keep []string
	type layer struct{ files, values []string }
	var layers []layer
	for _, s := range p.levels(name) {
		for _, key := range s.replace {
			switch key {
			case "overlays":
				overlays = nil
			case "overrides":
				overrides = nil
			case "exclude":
				exclude = nil
			case "valueFiles":
				for i := range layers {
					layers[i].files = nil
				}
			case "values":
				for i := range layers {
					layers[i].values = nil
				}
			}
		}
		inputs, overlays = append(inputs, s.inputs...), append(overlays, s.overlays...)
		exclude, overrides = append(exclude, s.exclude...), append(overrides, s.overrides...)
		layers = append(layers, layer{s.valueFiles, s.values})
		if s.marks != nil {
			marks = append(marks, "app.yml:type=yaml-plain")
		}
		for _, f := range s.flags {
			keep = append(keep, strings.Trim(strings.TrimPrefix(f, "keep: "), "[]"))
		}
	}
	args := []string{"--edition", p.edition}
	for _, in := range slices.Concat(inputs, overlays) {
		args = append(args, "-f", in)
		if slices.Contains(exclude, in) {
			marks = append(marks, in+":exclude=true")
		}
	}
	slices.Sort(marks)
	for _, m := range slices.Compact(marks) {
		args = append(args, "--file-mark", m)
	}
	for _, x := range overrides {
		args = append(args, "--overrides-file", x)
	}
	for _, k := range keep {
		args = append(args, "--keep", k)
	}
	for i, l := range layers {
		for _, f := range l.files {
			args = append(args, "--data-values-file", f)
		}
		if l.values != nil {
			path := fmt.Sprintf("flags/%s-%d.yml", name, i)
			if err := os.MkdirAll("flags", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("{"+strings.Join(l.values, ", ")+"}\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			args = append(args, "--data-values-file", path)
		}
	}
	return args
}

func lastIndex(list []string, s string) int {
	for i, x := range slices.Backward(list) {
		if x == s {
			return i
		}
	}
	return -1
}

// ran is what one run of weft prints, and whether it succeeds.
func ran(args ...string) (out string, ok bool, messages string) {
	var stdout, stderr bytes.Buffer
	code := cli.Main(args, strings.NewReader(""), &stdout, &stderr)
	return stdout.String(), code == 0, stderr.String()
}

func (p *generated) check(t *testing.T, compare bool) {
	var all strings.Builder
	failed, unwritten, differ := 0, 0, 0
	names := slices.Concat(p.names, p.each)
	for _, name := range names {
		out, ok, messages := ran("render", name)
		flags := p.flags(t, name)
		byFlags, okByFlags, why := ran(flags...)
		// Several layers that set keep are combined as lists, which --keep does not do.
		once := slices.Index(flags, "--keep") == lastIndex(flags, "--keep")
		if once && (ok != okByFlags || out != byFlags) {
			t.Errorf("%s: render (-) and the flags (+) differ:\n%s\n%s\n%v\n%s", name,
				cmp.Diff(out, byFlags), messages, flags, why)
		}
		if !ok {
			failed++
			t.Logf("%s fails: %s", name, messages)
			continue
		}
		if _, ok, _ := ran("render", name, "--output-files", "one/"+name); !ok {
			unwritten++ // an input that is named twice
		}
		if out == "" {
			continue
		}
		fmt.Fprintf(&all, "# environment: %s\n---\n%s", name, out)
		p.writeGolden(t, name, out)
	}
	_, ok, messages := ran("fleet", "--output-files", "all/{env}")
	if ok != (failed+unwritten == 0) {
		t.Errorf("fleet: %v, but %d fail\n%s", ok, failed+unwritten, messages)
	}
	sameTrees(t, "one", "all")
	for i := range 2 {
		ran("fleet", "--output-files", "shard/{env}", "--shard", fmt.Sprintf("%d/2", i))
	}
	sameTrees(t, "one", "shard")
	if failed > 0 {
		return
	}
	if out, _, messages := ran("render", "--all"); out != all.String() {
		t.Errorf("render of each (-) and render --all (+):\n%s\n%s", cmp.Diff(all.String(), out), messages)
	}
	if out, ok, messages := ran("test", "golden/all.test.yml"); !ok {
		t.Errorf("test: %s%s", out, messages)
	}
	// what tests cover is recorded in what environments share
	if out, ok, messages := ran("test", "--coverage", "golden/all.test.yml"); !ok {
		t.Errorf("test --coverage: %s%s", out, messages)
	}
	if _, err := exec.LookPath("git"); err != nil || !compare {
		return
	}
	for _, args := range []string{
		"init -q", "config user.email a@example.com", "config user.name a",
		"config core.autocrlf false", "add -A", "commit -qm one",
	} {
		if out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %s", args, out)
		}
	}
	if out, ok, messages := ran("diff", "--rev", "HEAD", "--all"); !ok {
		t.Errorf("diff of nothing: %s%s", out, messages)
	}
	if err := os.WriteFile("o0.yml", []byte(overlayOn("App", "o0", "changed")), 0o644); err != nil {
		t.Fatal(err)
	}
	alone := map[string][]any{}
	for _, name := range names {
		if out, same, _ := ran("diff", "--rev", "HEAD", name, "-o", "json"); !same {
			differ++
			alone[name] = report(t, out)
			sortChanges(alone[name])
		}
	}
	out, _, messages := ran("diff", "--rev", "HEAD", "--all", "-o", "json")
	if d := cmp.Diff(alone, compared(t, out)); d != "" {
		t.Errorf("diff of each (-) and diff --all (+):\n%s", d)
	}
	if want := fmt.Sprintf("%d of %d environments differ", differ, len(names)); !strings.Contains(messages, want) {
		t.Errorf("diff --all says %q, want %q", messages, want)
	}
}

// compared are the reports of environments that are compared together, by their names. An environment is in
// the group of each cause of its changes.
func compared(t *testing.T, text string) map[string][]any {
	t.Helper()
	var groups []struct {
		Environments []string
		Report       json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &groups); err != nil {
		t.Fatalf("%s: %s", err, text)
	}
	all := map[string][]any{}
	for _, g := range groups {
		for _, name := range g.Environments {
			all[name] = append(all[name], report(t, string(g.Report))...)
		}
	}
	for _, list := range all {
		sortChanges(list)
	}
	return all
}

// sortChanges sorts changes: a report by cause has them in another order than a report alone.
func sortChanges(list []any) {
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

// report is what a comparison found, without the causes, which are looked for in one environment
// only.
func report(t *testing.T, text string) []any {
	t.Helper()
	var list []any
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%s: %s", err, text)
	}
	for _, change := range list {
		delete(change.(map[string]any), "cause")
	}
	return list
}

// writeGolden writes what a test of an environment expects.
func (p *generated) writeGolden(t *testing.T, name, out string) {
	if err := os.MkdirAll("golden", 0o755); err != nil {
		t.Fatal(err)
	}
	test := "tests:\n- {name: all, envs: all, golden: '{env}.yml'}\n"
	for path, text := range map[string]string{name + ".yml": out, "all.test.yml": test} {
		if err := os.WriteFile(filepath.Join("golden", path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sameTrees fails if two directories differ.
func sameTrees(t *testing.T, want, got string) {
	t.Helper()
	trees := map[string]map[string]string{}
	for _, dir := range []string{want, got} {
		trees[dir] = map[string]string{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(dir, path))
			trees[dir][path] = string(data)
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(trees[want], trees[got]); d != "" {
		t.Errorf("%s (-) and %s (+):\n%s", want, got, d)
	}
}
