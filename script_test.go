package weft_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"weft/internal/cli"
)

var update = flag.Bool(
	"update",
	false,
	"rewrite the expected output in testdata/script, testdata/golden and the documentation",
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"weft": func() {
			if code, done := cli.Guard(); done {
				os.Exit(code)
			}
			os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScript runs what the command line promises: testdata/script/*.txtar.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Condition: func(name string) (bool, error) {
			if name == "race" {
				return raceDetector, nil
			}
			return false, fmt.Errorf("there is no condition %s", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"sametree": sameTree},
		Setup: func(env *testscript.Env) error {
			// The terminal that the tests run in is none of their business.
			env.Setenv("TERM", "xterm")
			// Under the race detector each run of weft would wait a second before it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
	})
}

// sameTree is the command "sametree A B": both directories hold the same files, byte for byte.
func sameTree(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sametree A B")
	}
	trees := [2]map[string]string{}
	for i, dir := range args {
		trees[i] = map[string]string{}
		root := os.DirFS(ts.MkAbs(dir))
		ts.Check(fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(root, path)
			trees[i][path] = string(data)
			return err
		}))
	}
	diff := cmp.Diff(trees[0], trees[1])
	if (diff == "") == neg || len(trees[0]) == 0 {
		ts.Fatalf(
			"%s has %d files, %s has %d:\n%s",
			args[0],
			len(trees[0]),
			args[1],
			len(trees[1]),
			diff,
		)
	}
}
