package weft_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/testing/cases"
)

// TestChanged is the law of `weft env --changed`: it lists exactly the environments for which separate runs,
// in a copy of the revision and in the working tree, give other bytes.
func TestChanged(t *testing.T) {
	total := map[string]int{}
	for seed := range cases.Number(4, 30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkChanged(t, seed, 10, total) })
	}
	t.Logf("edits and environments: %v", total)
	for _, kind := range []string{"changed", "added", "removed", "same", "failed"} {
		if total[kind] == 0 && cases.Long() {
			t.Errorf("no environment was %s: the law shows too little", kind)
		}
	}
}

// FuzzChanged is the same law for any seed.
func FuzzChanged(f *testing.F) {
	f.Add(uint64(28))
	f.Fuzz(func(t *testing.T, seed uint64) { checkChanged(t, seed, 3, map[string]int{}) })
}

func checkChanged(t *testing.T, seed uint64, edits int, total map[string]int) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	r := rand.New(rand.NewPCG(seed, 28))
	p := generateProject(r)
	top := t.TempDir()
	before, now := filepath.Join(top, "before"), filepath.Join(top, "now")
	for _, dir := range []string{before, now} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
		p.write(t)
		p.writeOutput(t, seed)
	}
	gitCommit(t)
	t.Chdir(before)
	old := map[string]rendering{}
	for _, name := range slices.Concat(p.names, p.each) {
		old[name] = renderAlone(t, name, filepath.Join(top, "out-before"))
	}
	t.Chdir(now)
	for range edits {
		what := p.edit(t, r)
		p.writeOutput(t, seed)
		total["edit"]++
		compareChanged(t, p, what, old, filepath.Join(top, "out-now"), seed%2 == 0, total)
		if t.Failed() {
			return
		}
	}
}

func gitCommit(t *testing.T) {
	t.Helper()
	for _, args := range []string{
		"init -q", "config user.email a@example.com", "config user.name a",
		"config core.autocrlf false", "add -A", "commit -qm one",
	} {
		if out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %s", args, out)
		}
	}
}

// writeOutput gives every second project a directory for its output.
func (p *generated) writeOutput(t *testing.T, seed uint64) {
	if seed%2 != 0 {
		return
	}
	text, err := os.ReadFile("weft.yml")
	if err == nil && !strings.Contains(string(text), "output:") {
		text = []byte(strings.Replace(string(text), "{weft: ", "{output: {dir: 'out/{env}'}, weft: ", 1))
		err = os.WriteFile("weft.yml", text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// rendering is what one run makes of an environment.
type rendering struct {
	out     string
	ok      bool
	written bool              // the files can be written
	files   map[string]string // that are written
}

// renderAlone renders one environment in the working directory, by itself.
func renderAlone(t *testing.T, name, dir string) (r rendering) {
	t.Helper()
	r.out, r.ok, _ = ran("render", name)
	if !r.ok {
		return r
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	_, r.written, _ = ran("render", name, "--output-files", dir)
	r.files = map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		r.files[path] = string(data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return r
}

// texts are the text files.
func (r rendering) texts() map[string]string {
	all := maps.Clone(r.files)
	maps.DeleteFunc(all, func(path, _ string) bool { return !strings.HasSuffix(path, ".txt") })
	return all
}

// differs reports whether two renderings are not the same output, written to files or printed.
func (r rendering) differs(from rendering, files bool) bool {
	switch {
	case r.ok != from.ok || r.out != from.out:
		return true
	case files:
		return !maps.Equal(r.files, from.files)
	}
	return !maps.Equal(r.texts(), from.texts())
}

// compareChanged compares what --changed lists with separate runs.
func compareChanged(
	t *testing.T, p *generated, what string, old map[string]rendering, dir string, files bool,
	total map[string]int,
) {
	t.Helper()
	names := slices.Concat(p.names, p.each)
	want, fails := map[string]string{}, false
	unknown := map[string]bool{} // an input that is named twice: what would be written is not known
	for _, name := range names {
		is := renderAlone(t, name, dir)
		was, both := old[name]
		fails = fails || !is.ok
		switch {
		case both && is.ok && was.ok && is.out == was.out && (!is.written || !was.written):
			unknown[name] = true
			total["unknown"]++
		case !both:
			want[name] = "added"
		case is.differs(was, files):
			want[name] = "changed"
		default:
			total["same"]++
		}
		if !is.ok {
			total["failed"]++
		}
	}
	for name := range old {
		if !slices.Contains(names, name) {
			want[name] = "removed"
		}
	}
	out, ok, messages := ran("env", "--changed", "HEAD", "-o", "json")
	var list []struct{ Name, Change string }
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%s: %s: %s%s", what, err, out, messages)
	}
	got := map[string]string{}
	for _, c := range list {
		if !unknown[c.Name] {
			got[c.Name] = c.Change
			total[c.Change]++
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("after: %s\nseparate runs (-) and --changed (+):\n%s\n%s", what, d, messages)
	}
	if ok == fails {
		t.Errorf("after: %s\n--changed succeeds: %v, but an environment fails: %v\n%s", what, ok, fails, messages)
	}
}

// edit changes the project in the working directory as a person does, and says how.
func (p *generated) edit(t *testing.T, r *rand.Rand) string {
	t.Helper()
	what := ""
	switch r.IntN(10) {
	case 0:
		name := pick(r, p.names...)
		p.envs[name] = randomSettings(r)
		what = "other settings of " + name
	case 1:
		name := fmt.Sprintf("new%d", len(p.names))
		if !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
			p.envs[name] = randomSettings(r)
		}
		what = "new environment " + name
	case 2:
		what = p.removeEnvironment(r)
	case 3:
		name := fmt.Sprintf("e-%d", r.IntN(4))
		path := "envs/" + name + ".yml"
		p.files[path] = fmt.Sprintf("name: each%d\ncount: %d\n", r.IntN(3), r.IntN(3))
		if !slices.Contains(p.each, name) {
			p.each = append(p.each, name)
			slices.Sort(p.each)
		}
		what = "values of " + name
	case 4:
		p.base, p.eachOf = randomSettings(r), randomSettings(r)
		p.base.replace, p.eachOf.replace = nil, nil
		what = "other settings of all"
	default:
		what = p.editFile(r)
	}
	p.write(t)
	return what
}

func (p *generated) removeEnvironment(r *rand.Rand) string {
	last := p.names[len(p.names)-1] // nothing extends it
	if len(p.names) > 1 && r.IntN(2) == 0 {
		p.names = p.names[:len(p.names)-1]
		delete(p.envs, last)
		delete(p.extends, last)
	}
	return "without environment " + last
}

// editFile changes the text of a file: what it says, how it is laid out, or so that it cannot be read.
func (p *generated) editFile(r *rand.Rand) string {
	path := pick(r, slices.Sorted(maps.Keys(p.files))...)
	for path == "weft.yml" || path == "base.yml" {
		path = pick(r, slices.Sorted(maps.Keys(p.files))...)
	}
	text := p.files[path]
	how := pick(r, "number", "number", "comment", "comment", "name", "unread", "broken", "document",
		"empty line")
	switch how {
	case "number":
		text = strings.ReplaceAll(text, ": 1\n", ": 7\n")
		text = strings.ReplaceAll(text, "+ 1", "+ 2")
		text = strings.ReplaceAll(text, "a: 1", "a: 3")
	case "comment":
		text += "#! a comment\n"
	case "name":
		text = strings.ReplaceAll(text, "name: file", "name: other")
		text = strings.ReplaceAll(text, "kind: More", "kind: Less")
	case "unread":
		if strings.HasPrefix(path, "v") {
			text += "own: {b: 9}\n"
		}
	case "broken":
		if r.IntN(4) == 0 {
			text += "}: [\n"
		}
	case "document":
		if strings.HasPrefix(path, "m") {
			text += "---\nkind: Another\n"
		}
	case "empty line":
		text += "\n"
	}
	if path == "config/text.txt" && how == "comment" {
		text = p.files[path] + "more\n"
	}
	p.files[path] = text
	return path + ": " + how
}
