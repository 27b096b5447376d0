package weft_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/testing/cases"
)

// A recipe is a page that shows all it needs: its files and its commands are in blocks of code
// that a reader can copy, and the test does just that.
//
//   - A paragraph that ends with a colon names the file in the block below it: the last name in
//     backticks that has an extension. A later block may change the file.
//   - A block of console has commands after "$ ", each with what it prints: standard output, then
//     standard error. They succeed, unless the block says otherwise: ```console exit=1
//
// Other blocks, such as those of sh, are not run.
var (
	recipeBlock = regexp.MustCompile("(?ms)^```([a-z]*)(?: exit=([0-9]+))?\n(.*?)^```$")
	recipeFile  = regexp.MustCompile("`([\\w./~-]+\\.[a-z]+)`")
)

// recipeParts are what a reader finds in each recipe, in this order.
var recipeParts = []string{"## How it works\n", "## A common mistake\n", "## See also\n"}

// TestRecipes does what each recipe says. With -update, what its commands print is rewritten.
func TestRecipes(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("NOT TESTED: the recipes need a shell: ", err)
	}
	for _, page := range recipes(t) {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			followRecipe(t, sh, page)
		})
	}
}

// TestRecipeIndex has every recipe in the index, under its title.
func TestRecipeIndex(t *testing.T) {
	index, err := os.ReadFile("docs/recipes/README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := recipes(t)
	if len(pages) < 38 {
		t.Errorf("there are %d recipes, want at least the 38 that people ask for most", len(pages))
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		entry := fmt.Sprintf("[%s](%s)", title, filepath.Base(page))
		if n := bytes.Count(index, []byte(entry)); n != 1 {
			t.Errorf("the index has %s %d times, want once", entry, n)
		}
		rest := string(text)
		for _, part := range recipeParts {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("%s: there is no %q, or it is not in order", page, strings.TrimSpace(part))
				continue
			}
			rest = after
		}
	}
}

// recipes are the paths of the recipes, without their index.
func recipes(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/recipes/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, page := range pages {
		if filepath.Base(page) != "README.md" {
			list = append(list, page)
		}
	}
	return list
}

// followRecipe makes the files of a recipe in a folder of its own and runs its commands there.
func followRecipe(t *testing.T, sh, page string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var updated bytes.Buffer
	rest, ran := 0, false
	for _, m := range recipeBlock.FindAllSubmatchIndex(text, -1) {
		language, block := string(text[m[2]:m[3]]), string(text[m[6]:m[7]])
		name := fileOfBlock(string(text[rest:m[0]]))
		switch {
		case language == "console":
			ran = true
			exit := 0
			if m[4] >= 0 {
				exit, _ = strconv.Atoi(string(text[m[4]:m[5]]))
			}
			real := runConsole(t, sh, dir, block, exit)
			if diff := cmp.Diff(block, real); diff != "" && !*cases.Update {
				t.Errorf("the page shows something else (-page +real):\n%s", diff)
			}
			block = real
		case name != "":
			writeBlock(t, filepath.Join(dir, filepath.FromSlash(name)), block)
		case language != "sh":
			t.Errorf("a block of %q has no name before it:\n%s", language, block)
		}
		updated.Write(text[rest:m[6]])
		updated.WriteString(block)
		rest = m[7]
	}
	if !ran {
		t.Error("the recipe runs nothing")
	}
	updated.Write(text[rest:])
	if *cases.Update && !bytes.Equal(updated.Bytes(), text) {
		if err := os.WriteFile(page, updated.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fileOfBlock is the name of the file in a block, which the paragraph before it names, or "".
func fileOfBlock(before string) string {
	before = strings.TrimSpace(before)
	before = before[strings.LastIndex(before, "\n\n")+1:]
	if !strings.HasSuffix(before, ":") {
		return ""
	}
	names := recipeFile.FindAllStringSubmatch(before, -1)
	if len(names) == 0 {
		return ""
	}
	return names[len(names)-1][1]
}

// runConsole runs the commands of a block and returns the block as it should be.
func runConsole(t *testing.T, sh, dir, block string, exit int) string {
	t.Helper()
	var b strings.Builder
	for _, command := range commands(block) {
		cmd := exec.Command(sh, "-c", command)
		cmd.Dir = dir
		// Under the race detector each run of weft would wait a second before it ends.
		cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", "NO_COLOR=1")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if bad := new(exec.ExitError); err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		if code := cmd.ProcessState.ExitCode(); code != exit {
			t.Errorf("%s\nexits with %d, want %d\n%s", command, code, exit, stderr.String())
		}
		fmt.Fprintf(&b, "$ %s\n%s%s", command, stdout.String(), stderr.String())
	}
	return b.String()
}

// commands are those of a block of console. A backslash at the end of a line continues it.
func commands(block string) []string {
	var list []string
	lines := strings.Split(block, "\n")
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			continue
		}
		for strings.HasSuffix(command, "\\") && i+1 < len(lines) {
			i++
			command += "\n" + lines[i]
		}
		list = append(list, command)
	}
	return list
}

func writeBlock(t *testing.T, path, block string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(block), 0o644); err != nil {
		t.Fatal(err)
	}
}
