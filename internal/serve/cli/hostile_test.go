//go:build unix

package cli

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// canary is the text of all files that no command may print or change.
const canary = "NightingaleInTheMine"

// FuzzHostile runs commands in repositories that someone hostile made: with links, directories of
// git under all their names, bare repositories, lists of files to delete, and paths to all of these
// in weft.yml, test files and flags that write. Whatever weft does, it prints nothing of the files
// that belong to git or are outside of the repository, and leaves them as they were.
//
// The check only looks at the files before and after, and for the canary in what was printed and
// written; it knows nothing about how weft decides.
func FuzzHostile(f *testing.F) {
	for seed := range uint64(250) {
		f.Add(seed)
	}
	home, err := os.Getwd()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		top, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		h := &hostile{t: t, rnd: rand.New(rand.NewPCG(seed, 26)), top: top, repo: filepath.Join(top, "repo")}
		h.makeRepository()
		if err := os.Chdir(h.repo); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := os.Chdir(home); err != nil {
				t.Fatal(err)
			}
		}()
		for range 3 {
			h.run()
		}
	})
}

// hostile is a repository, and what is in it.
type hostile struct {
	t         *testing.T
	rnd       *rand.Rand
	top, repo string

	dirs    []string // directories of the repository that belong to no one else
	guarded []string // directories and files that no command may read or change
	paths   []string // paths that lead there, of the repository and through links
	mine    []string // what commands that edit nothing must leave as it is
}

func pick[T any](h *hostile, list ...T) T { return list[h.rnd.IntN(len(list))] }

// rarely reports true once in n times.
func (h *hostile) rarely(n int) bool { return h.rnd.IntN(n) == 0 }

func (h *hostile) write(name, text string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hostile) link(to, name string) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		h.t.Fatal(err)
	}
	_ = os.Symlink(to, name) // a name may be taken
}

// guard makes a directory of files that weft would read or write anywhere else. through is the path
// by which a project names it.
func (h *hostile) guard(dir, through string) {
	h.guarded = append(h.guarded, dir)
	h.paths = append(h.paths, through)
	for name, text := range map[string]string{
		"config":         "[core]\n\tpassword = " + canary + "\n",
		"x.yml":          "canary:   " + canary + "\n",
		"v.yaml":         "v:   " + canary + "\n",
		"s.star":         "def check(docs):\nfail(\"" + canary + "\")\nend\ns = \"" + canary + "\"\n",
		"n.txt":          canary + "\n",
		"a.test.yml":     "tests:\n- name:   " + canary + "\n  golden: x.yml\n",
		"weft.yml":       "weft: 2026\nvalues: {v:   " + canary + "}\n",
		"hooks/x.yml":    "deep:   " + canary + "\n",
		"app.yml":        "app:   " + canary + "\n",
		"schema-v1.json": `{"type": "` + canary + `"}`,
	} {
		h.write(filepath.Join(dir, name), text)
		h.paths = append(h.paths, filepath.Join(through, name))
	}
}

// name returns a spelling of .git that some file system takes for it.
func (h *hostile) name() string {
	return pick(h, ".git", ".git", ".GIT", ".Git", ".git.", ".git ", "git~1", ".g\u200cit",
		".git::$INDEX_ALLOCATION")
}

func (h *hostile) makeRepository() {
	at := func(name string) string { return filepath.Join(h.repo, name) }
	h.dirs = []string{".", "config", "config/sub", "out", "tests", "a", "a/b"}
	for _, d := range h.dirs {
		h.write(filepath.Join(at(d), "plain.yml"), "plain:   1\n")
	}
	h.write(at("config/app.yml"), "#@ load(\"@ytt:data\", \"data\")\n"+
		"app: #@ data.values.v\nfiles: #@ [data.read(f) for f in data.list()]\n")
	h.write(at("config/schema.yml"), "#@data/values-schema\n---\n#@schema/type any=True\nv: 1\n")
	h.write(at("over.yml"), "#@ load(\"@ytt:overlay\", \"overlay\")\n"+
		"#@overlay/match by=overlay.all, expects=\"0+\"\n---\n#@overlay/match missing_ok=True\nnew: 1\n")
	h.guard(filepath.Join(h.top, "outside"), "../outside")
	h.paths = append(h.paths, filepath.Join(h.top, "outside", "x.yml"))
	h.makeGit(at)
	for range h.rnd.IntN(4) {
		dir := filepath.Join(pick(h, h.dirs...), pick(h, h.name(), "bare"))
		if _, err := os.Lstat(at(dir)); err == nil {
			continue
		}
		h.guard(at(dir), dir)
		if filepath.Base(dir) == "bare" {
			h.write(filepath.Join(at(dir), "HEAD"), "ref: refs/heads/main\n")
			h.write(filepath.Join(at(dir), "objects/x"), "")
			h.write(filepath.Join(at(dir), "refs/x"), "")
		}
	}
	h.makeLinks(at)
	h.makeProject(at)
	h.forge(at)
}

// makeGit makes what .git of the repository is.
func (h *hostile) makeGit(at func(string) string) {
	switch h.rnd.IntN(5) {
	case 0:
		h.guard(at("store"), "store")
		h.write(at(".git"), "gitdir: store\n")
	case 1:
		h.guard(filepath.Join(h.top, "store"), "../store")
		h.guard(filepath.Join(h.top, "shared"), "../shared")
		h.write(filepath.Join(h.top, "store/commondir"), "../shared\n")
		h.write(filepath.Join(h.top, "store/HEAD"), "ref: refs/heads/main\n")
		h.write(at(".git"), "gitdir: "+filepath.Join(h.top, "store")+"\n")
	case 2:
		h.guard(at("a/store"), "a/store")
		h.link("a/store", at(".git"))
	default:
		h.guard(at(".git"), ".git")
		h.write(at(".git/HEAD"), "ref: refs/heads/main\n")
	}
}

// makeLinks makes links that lead to what is guarded, also one through another.
func (h *hostile) makeLinks(at func(string) string) {
	for i := range max(0, h.rnd.IntN(8)-3) {
		end := pick(h, "", ".yml", ".star", ".test.yml")
		name := filepath.Join(pick(h, h.dirs...), fmt.Sprintf("link%d%s", i, end))
		to := pick(h, h.paths...)
		if !filepath.IsAbs(to) {
			rel, err := filepath.Rel(filepath.Dir(at(name)), at(to))
			if err != nil {
				h.t.Fatal(err)
			}
			to = rel
		}
		h.link(to, at(name))
		h.paths = append(h.paths, name, filepath.Join(name, "x.yml"), filepath.Join(name, "new.yml"))
	}
}

// path returns a path for a project: mostly the right one.
func (h *hostile) path(right ...string) string {
	if h.rarely(14) {
		p := pick(h, h.paths...)
		switch h.rnd.IntN(10) {
		case 0:
			p = "config/../" + p
		case 1:
			p = strings.ToUpper(p)
		case 2:
			p = filepath.Dir(p) + "/*.yml"
		case 3:
			p = filepath.Dir(p) + "/new/file.yml"
		}
		return p
	}
	return pick(h, right...)
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// settings returns keys of a project or of an environment.
func (h *hostile) settings(indent string) string {
	var b strings.Builder
	key := func(format string, args ...any) {
		if h.rarely(2) {
			b.WriteString(indent + fmt.Sprintf(format, args...) + "\n")
		}
	}
	key("inputs: [%s]", quoted(h.path("plain.yml", "a", "a/b/plain.yml", "out")))
	key("overlays: [%s]", quoted(h.path("over.yml")))
	key("overrides: [%s]", quoted(h.path("plain.yml", "a/b/plain.yml")))
	key("valueFiles: [%s]", quoted(h.path("values.yml")))
	key("exclude: [%s]", quoted(h.path("a/**", "config/sub")))
	key("marks: {'**/*.yml': {path: %s}}", quoted(h.path("p.yml")))
	key("flags: {data-value-file: [%s]}", quoted("v="+h.path("plain.yml")))
	out := "file: " + quoted(h.path("out/{env}.yml"))
	if !h.rarely(3) {
		out = "dir: " + quoted(h.path("out/{env}", ".", "new/{env}")) +
			pick(h, "", ", prune: true", ", prune: true", ", split: "+quoted(h.path("x{index}.yml")))
	}
	out += pick(h, "", "", "", ", validate: {kubernetes: '1.30', schemas: ["+quoted(h.path("a"))+"]}")
	key("output: {%s}", out)
	return b.String()
}

func (h *hostile) makeProject(at func(string) string) {
	h.write(at("values.yml"), "v: 2\n")
	extends := ""
	if h.rarely(4) {
		extends = "extends: [" + quoted(h.path("base.yml")) + "]\n"
	}
	h.write(at("base.yml"), "weft: 2026\n")
	tests := "test: {files: [" + quoted(h.path("tests/*.test.yml")) + "]}\n"
	text := "weft: 2026\n" + extends + "inputs: [config]\ndefault: a\noutput: {dir: 'out/{env}'}\n" + tests +
		"environments:\n  a:\n    values: {v: 1}\n" +
		h.settings("    ") + "  b:\n    extends: a\n" + h.settings("    ")
	if h.rarely(3) {
		text += "  e-*:\n    each: " + quoted(h.path("a/*.yml")) + "\n"
	}
	h.write(at("weft.yml"), text)
	check := "expect: [{count: 1+}]"
	switch h.rnd.IntN(4) {
	case 0, 1:
		check = "golden: " + quoted(h.path("golden-{env}.yml", "../a/golden-{env}.yml"))
	case 2:
		check = "star: {file: " + quoted(h.path("s.star")) + ", call: check}"
	}
	each := ""
	if h.rarely(4) {
		each = "  each: " + quoted(h.path("../a/*")) + "\n"
	}
	h.write(at("tests/t.test.yml"), "tests:\n- name: x\n  envs: [a]\n"+each+
		"  valueFiles: ["+quoted(h.path("../values.yml"))+"]\n  "+check+"\n")
	h.write(at("tests/s.star"), "def check(docs):\n  return 1\nend\n")
	h.mine = []string{"weft.yml", "base.yml", "values.yml", "over.yml", "config", "tests/t.test.yml"}
}

// forge writes lists that claim that weft wrote all files.
func (h *hostile) forge(at func(string) string) {
	for _, dir := range []string{".", "out", "out/a", "config"} {
		if !h.rarely(3) {
			continue
		}
		var b strings.Builder
		_ = filepath.WalkDir(h.top, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return nil
			}
			data, _ := os.ReadFile(name)
			rel, _ := filepath.Rel(at(dir), name)
			fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), rel)
			return nil
		})
		h.write(filepath.Join(at(dir), ".weft-manifest"), b.String())
	}
}

// command returns a command line. edits says that it may change files that are read.
func (h *hostile) command() (args []string, edits bool) {
	typed := func() string { // a person may type what belongs to git, but weft does not write there
		p := pick(h, h.paths...)
		if real, err := filepath.EvalSymlinks(p); err != nil || !strings.HasPrefix(real, h.repo+"/") {
			return ".git/x.yml" // people may change what is outside
		}
		return p
	}
	from := pick(h, "config", ".", "a", "a/b")
	type line struct {
		args  []string
		edits bool
	}
	l := pick(h,
		line{[]string{"render", "a"}, false},
		line{[]string{"render", "a", "--write"}, false},
		line{[]string{"render", "b", "--write"}, false},
		line{[]string{"render", "a", "-o", "json"}, false},
		line{[]string{"render", "--all"}, false},
		line{[]string{"render", "a", "--output-files", typed(), "--prune"}, false},
		line{[]string{"fleet"}, false},
		line{[]string{"fleet", "--diff"}, false},
		line{[]string{"fleet", "--output-files", typed() + "/{env}"}, false},
		line{[]string{"test"}, false},
		line{[]string{"test", "--update"}, true},
		line{[]string{"test", "--coverage=json", "--coverage-file", typed()}, false},
		line{[]string{"lint"}, false},
		line{[]string{"lint", "--all"}, false},
		line{[]string{"lint", "--fix"}, true},
		line{[]string{"lint", "-f", from, "--fix"}, true},
		line{[]string{"lint", "--baseline", typed()}, true},
		line{[]string{"fmt"}, true},
		line{[]string{"fmt", "."}, true},
		line{[]string{"fmt", "-w", "."}, true},
		line{[]string{"fmt", "--check"}, false},
		line{[]string{"fmt", "-w", typed()}, true},
		line{[]string{"override", "-i", "--overrides", "{app: 1}", typed()}, true},
		line{[]string{"override", "-i", "--overrides", "{plain: 2}", "plain.yml"}, true},
		line{[]string{"override", "--overrides-file", "plain.yml", "config/plain.yml", "-i"}, true},
		line{[]string{"migrate", "--write"}, true},
		line{[]string{"migrate", "--write", "-f", from}, true},
		line{[]string{"migrate"}, false},
		line{[]string{"-f", from}, false},
		line{[]string{"-f", from, "--output-files", typed()}, false},
		line{[]string{"-f", from, "--output-files", "out", "--prune"}, false},
		line{[]string{"-f", from, "--dangerous-emptied-output-directory", typed()}, false},
		line{[]string{"-f", from, "--dangerous-emptied-output-directory", "a"}, true},
		line{[]string{"blame", "-e", "a"}, false},
		line{[]string{"explain", "a"}, false},
		line{[]string{"impact", "-e", "a", "v"}, false},
		line{[]string{"diff", "a", "b"}, false},
		line{[]string{"env"}, false},
		line{[]string{"config", "a"}, false},
		line{[]string{"init"}, false},
		line{[]string{"man", "--dir", typed()}, false},
		line{[]string{"krm"}, false},
	)
	if slices.Contains(l.args, "-f") && h.rarely(2) {
		l.args = append(l.args, "--allow-symlink-destination", ".")
	}
	return l.args, l.edits
}

// stdin returns what a KRM function is given.
func (h *hostile) stdin() string {
	return fmt.Sprintf("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"+
		"functionConfig:\n  apiVersion: weft.dev/v1\n  kind: Weft\n  metadata: {name: x}\n"+
		"  spec:\n    files: [%s]\n    valueFiles: [%s]\n", quoted(h.path("config")), quoted(h.path("values.yml")))
}

func (h *hostile) run() {
	args, edits := h.command()
	watched := h.guarded
	if !edits {
		for _, p := range h.mine {
			watched = append(slices.Clip(watched), filepath.Join(h.repo, p))
		}
	}
	before := states(watched)
	var out bytes.Buffer
	Main(args, strings.NewReader(h.stdin()), &out, &out)
	after := states(watched)
	failed := false
	for name, was := range before {
		if now := after[name]; now != was {
			failed = true
			h.t.Errorf("%q changed %s:\nbefore %s\nafter %s", args, name, was, now)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			failed = true
			h.t.Errorf("%q made %s", args, name)
		}
	}
	// A path that a person types is read, and may be printed.
	typed := slices.ContainsFunc(args, func(a string) bool { return slices.Contains(h.paths, a) })
	if !typed && strings.Contains(out.String(), canary) {
		failed = true
		h.t.Errorf("%q printed a canary", args)
	}
	if strings.Contains(out.String(), "a bug in weft") {
		failed = true
		h.t.Errorf("%q panicked", args)
	}
	if name := h.leaked(); !typed && name != "" {
		failed = true
		h.t.Errorf("%q wrote a canary to %s", args, name)
	}
	if failed {
		project, _ := os.ReadFile("weft.yml")
		tests, _ := os.ReadFile("tests/t.test.yml")
		h.t.Fatalf("weft.yml:\n%s\ntests:\n%s\noutput:\n%s", project, tests, out.String())
	}
}

// leaked returns a file of the repository with the canary that is not guarded.
func (h *hostile) leaked() (found string) {
	_ = filepath.WalkDir(h.repo, func(name string, entry fs.DirEntry, err error) error {
		if slices.Contains(h.guarded, name) {
			return fs.SkipDir
		}
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		if data, _ := os.ReadFile(name); bytes.Contains(data, []byte(canary)) {
			found = name
		}
		return nil
	})
	return found
}

// states returns what is at paths and below: kinds, permissions and contents.
func states(paths []string) map[string]string {
	all := map[string]string{}
	for _, p := range paths {
		_ = filepath.WalkDir(p, func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			state := entry.Type().String()
			if info, err := entry.Info(); err == nil {
				state = info.Mode().String()
			}
			if entry.Type().IsRegular() {
				data, _ := os.ReadFile(name)
				state += " " + string(data)
			} else if to, err := os.Readlink(name); err == nil {
				state += " " + to
			}
			all[name] = state
			return nil
		})
	}
	return all
}
