package weft_test

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"weft/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"weft": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScript runs what the command line promises: testdata/script/*.txtar.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			// The terminal that the tests run in is none of their business.
			env.Setenv("TERM", "xterm")
			// Under the race detector each run of weft would wait a second before it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
	})
}

// In README.md a comment before a block of code says where the block comes from.
var readmeBlock = regexp.MustCompile("(?s)<!-- (file|output): ([^\n]*) -->\n+```[a-z]*\n(.*?)```\n")

// TestReadme holds README.md to what it shows: its input files are the real ones, and what it says weft
// prints is what weft prints.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, m := range readmeBlock.FindAllSubmatch(readme, -1) {
		kind, what, shown := string(m[1]), string(m[2]), string(m[3])
		found[kind]++
		t.Run(kind+" "+what, func(t *testing.T) {
			got := ""
			switch kind {
			case "file":
				data, err := os.ReadFile(what)
				if err != nil {
					t.Fatal(err)
				}
				got = string(data)
			case "output":
				args := strings.Fields(what)
				var stdout, stderr bytes.Buffer
				cli.Main(args[1:], strings.NewReader(""), &stdout, &stderr)
				got = stdout.String() + stderr.String()
			}
			if diff := cmp.Diff(shown, got); diff != "" {
				t.Errorf("README.md shows something else (-README +real):\n%s", diff)
			}
		})
	}
	if found["file"] == 0 || found["output"] < 2 {
		t.Errorf("README.md shows %v, want files and output", found)
	}
}
