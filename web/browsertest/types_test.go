package browsertest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestScriptsHaveTypes has the TypeScript compiler check the scripts of the pages: names, calls, and what
// comments say about parameters. It finds variables that are not used, too.
func TestScriptsHaveTypes(t *testing.T) {
	for _, config := range []string{"tsconfig.json", "tsconfig.worker.json"} { // of pages, and of what has no page
		t.Run(config, func(t *testing.T) { checked(t, "typescript/bin/tsc", "-p", config) })
	}
}

// TestScriptsAreLinted has a linter look for likely mistakes in the scripts of the pages.
func TestScriptsAreLinted(t *testing.T) {
	checked(t, "eslint/bin/eslint.js", "--max-warnings", "0", "playground", "site", "search", "live")
}

// checked runs a program of npm in the folder of the scripts, which must not complain.
func checked(t *testing.T, program string, args ...string) {
	t.Helper()
	beside(t)
	web, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(web, "node_modules", filepath.FromSlash(program))
	_, noNode := exec.LookPath("node")
	if _, err := os.Stat(file); err != nil || noNode != nil {
		if os.Getenv("WEFT_TEST_BROWSER") != "" {
			t.Fatalf("%s is not installed: run npm ci in web", program)
		}
		t.Skip("scripts are not checked: run npm ci in web")
	}
	cmd := exec.Command("node", append([]string{file}, args...)...)
	cmd.Dir = web
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
