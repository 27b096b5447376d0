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
	web, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	compiler := filepath.Join(web, "node_modules", "typescript", "bin", "tsc")
	_, noNode := exec.LookPath("node")
	if _, err := os.Stat(compiler); err != nil || noNode != nil {
		if os.Getenv("WEFT_TEST_BROWSER") != "" {
			t.Fatal("the TypeScript compiler is not installed: run npm ci in web")
		}
		t.Skip("scripts are not checked: run npm ci in web")
	}
	cmd := exec.Command("node", compiler, "-p", web)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
