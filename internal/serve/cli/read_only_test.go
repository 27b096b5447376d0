package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// readOnly are command lines by their verb, on a clone of examples/vendor. They render, check, serve, or say
// what they would write.
var readOnly = map[string][]string{
	"render":     {"render", "render prod", "render --all -o none", "render prod --check --output-files ../out"},
	"template":   {"template -f schema.yml -f vendor"},
	"t":          {"t -f vendor"},
	"tpl":        {"tpl -f vendor"},
	"override":   {"override vendor/lantern.yml --select kind=Namespace --overrides {metadata:{labels:{a:b}}}"},
	"blame":      {"blame prod", "blame prod -o html", "blame --all"},
	"explain":    {"explain prod"},
	"impact":     {"impact prod store.replicas"},
	"diff":       {"diff dev prod", "diff --rev HEAD", "diff prod --rev HEAD -o markdown"},
	"fmt":        {"fmt --check", "fmt --diff"},
	"lint":       {"lint", "lint --info -o sarif"},
	"test":       {"test", "test --coverage"},
	"init":       {"init"},
	"env":        {"env", "env prod", "env prod --inputs", "env --changed HEAD", "env --schema"},
	"config":     {"config prod"},
	"migrate":    {"migrate"},
	"vendor":     {"vendor", "vendor --check"},
	"suggest":    {"suggest prod --set StatefulSet/lantern-store:spec.replicas=7"},
	"fleet":      {"fleet -o none"},
	"lsp":        {"lsp"},
	"mcp":        {"mcp"},
	"krm":        {"krm"},
	"argocd":     {"argocd"},
	"version":    {"version"},
	"website":    {"website"},
	"completion": {"completion bash"},
	"man":        {"man"},
	"help":       {"help flags", "help --skill"},

	"schema export":   {"schema export", "schema export -o json"},
	"schema import":   {"schema import ../settings.schema.json"},
	"schema infer":    {"schema infer -f vendor"},
	"vendor outdated": {"vendor outdated"},
}

// notRun are verbs that have no such command line.
var notRun = map[string]string{
	"edit":       "it asks before it writes: scripts test it with an editor",
	"playground": "it serves until it is stopped: web/browsertest has tests of what it writes",
	"schema":     "its commands are run instead",

	"vendor add":    "it is for changing the sources",
	"vendor update": "it is for changing the sources",
}

// everyCommand returns the names of all commands, of their aliases, and of the commands below them.
func everyCommand() []string {
	root := &cobra.Command{Use: "weft"}
	addCommands(root)
	names := commandNames()
	for _, c := range root.Commands() {
		for _, below := range c.Commands() {
			if c.Name() != "completion" { // cobra's, for each shell
				names = append(names, c.Name()+" "+below.Name())
			}
		}
	}
	return names
}

// Rendering, checks and servers change nothing in a repository, and nothing in its .git: only init, migrate,
// fmt, lint --fix, vendor, suggest --write and edit write sources.
func TestReadOnly(t *testing.T) {
	clone := filepath.Join(t.TempDir(), "clone")
	if err := os.CopyFS(clone, os.DirFS("../../../examples/vendor")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(clone)
	for _, line := range []string{
		"init -q", "config user.email a@example.com", "config user.name a", "add -A", "commit -qm one",
	} {
		if out, err := exec.Command("git", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Skipf("NOT TESTED: git %s: %v: %s", line, err, out)
		}
	}
	if err := os.WriteFile("../settings.schema.json", []byte(`{"properties": {"a": {"type": "string"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	before := everything(t)
	for _, name := range everyCommand() {
		lines, ok := readOnly[name]
		if !ok && notRun[name] == "" {
			t.Errorf("no command line of %s is run: add one to readOnly", name)
		}
		for _, line := range lines {
			var out, errs bytes.Buffer
			code := Main(strings.Fields(line), strings.NewReader(""), &out, &errs)
			if code > 1 && name != "lsp" { // an editor asks the server to end first
				t.Errorf("weft %s: exit code %d:\n%s", line, code, errs.String())
			}
			if now := everything(t); !cmp.Equal(before, now) {
				t.Fatalf("weft %s changed the clone:\n%s", line, cmp.Diff(before, now))
			}
		}
	}
}

// everything returns what is below the working directory: names, modes, times and contents.
func everything(t *testing.T) []string {
	var all []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var data []byte
		if d.Type().IsRegular() {
			data, err = os.ReadFile(name)
		}
		all = append(all, fmt.Sprintf("%s %s %s %q", name, info.Mode(), info.ModTime(), data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}
