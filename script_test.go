package weft_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"weft/internal/serve/cli"
	"weft/internal/serve/cli/process"
	"weft/internal/testing/cases"
	"weft/internal/testing/enginetest"
)

// TestMain makes the test's program a command "weft" too, for scripts that need a process.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "weft" {
		if code, done := cli.Guard(); done {
			os.Exit(code)
		}
		process.PutOffGC()
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	code, err := withCommand(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// programs is the directory of weft for scripts, and of what else tests build.
var programs string

// builtEngines returns the path of weft-engines, which is built once for all tests.
var builtEngines = sync.OnceValues(func() (string, error) {
	file := enginesFile()
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	return file, enginetest.Build(file)
})

// enginesFile returns the path of weft-engines. It is not next to weft, where weft would find it.
func enginesFile() string {
	file := filepath.Join(programs, "engines", "weft-engines")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	return file
}

// withEngines returns the path of weft-engines. Where it cannot be built, the test is skipped.
func withEngines(t *testing.T) string {
	t.Helper()
	file, err := builtEngines()
	if errors.Is(err, enginetest.ErrModules) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// withCommand calls run while the program is on the PATH under the name weft.
func withCommand(run func() int) (code int, err error) {
	bin, err := os.MkdirTemp("", "weft-test-bin")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(bin)) }()
	programs = bin
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	// A symbolic link would do, but not everybody may make one under Windows.
	command := filepath.Join(bin, "weft")
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
	if os.Link(program, command) != nil {
		data, err := os.ReadFile(program)
		if err != nil {
			return 0, err
		}
		if err := os.WriteFile(command, data, 0o755); err != nil {
			return 0, err
		}
	}
	path := bin + string(filepath.ListSeparator) + os.Getenv("PATH")
	if err := os.Setenv("PATH", path); err != nil {
		return 0, err
	}
	return run(), nil
}

// TestScript runs what the command line promises: testdata/script/*.txtar. "exec weft" starts a
// process; "weft" does the same without one, for a tenth of the time, but sees no standard input
// and no variables that the script sets.
func TestScript(t *testing.T) {
	paths := cases.Paths(t, "testdata/script/*.txtar")
	scriptsUseWhatThereIs(t, paths)
	if cases.Race && testing.Short() {
		paths = slices.DeleteFunc(paths, func(path string) bool {
			return !togetherPattern.Match(cases.Archive(t, path).Comment)
		})
	}
	// The terminal that the tests run in is none of their business.
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	testscript.Run(t, testscript.Params{
		Files:         paths,
		UpdateScripts: *cases.Update,
		Condition: func(name string) (bool, error) {
			switch name {
			case "race":
				return cases.Race, nil
			case "nohup": // whoever runs the tests has weft ignore that a terminal is closed
				return signal.Ignored(syscall.SIGHUP), nil
			case "engines": // weft-engines can be built, and is at $ENGINES
				_, err := builtEngines()
				if errors.Is(err, enginetest.ErrModules) {
					return false, nil
				}
				return err == nil, err
			}
			return false, fmt.Errorf("there is no condition %s", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await":    await,
			"sametree": sameTree,
			"weft":     runHere,
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("TERM", "xterm")
			env.Setenv("ENGINES", enginesFile())
			for _, name := range []string{"WEFT_MUTANT", "WEFT_MUTANTS_REACHED"} { // see tools/mutate
				if value, ok := os.LookupEnv(name); ok {
					env.Setenv(name, value)
				}
			}
			// Under the race detector each run of weft would wait a second before it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
	})
}

// togetherPattern finds what has several goroutines work on the same things in a script.
var togetherPattern = regexp.MustCompile(
	`(?m)--(all|shard|parallelism|timeout)\b|weft (watch|fleet|lsp|mcp|playground)\b| &$`)

// scriptsUseWhatThereIs fails for a script in which runHere would miss something.
func scriptsUseWhatThereIs(t *testing.T, paths []string) {
	t.Helper()
	command := regexp.MustCompile(`(?m)^(?:\[\S+\] )*(?:! )?(stdin|env|exec|weft)\b`)
	for _, path := range paths {
		a := cases.Archive(t, path)
		unseen := "" // what was given since, and to processes alone
		for _, m := range command.FindAllSubmatch(a.Comment, -1) {
			switch name := string(m[1]); {
			case name == "weft" && unseen != "":
				t.Errorf("%s: after %s, use 'exec weft' instead of 'weft'", path, unseen)
			case name == "stdin" || name == "env":
				unseen = name
			case name == "exec" && unseen == "stdin":
				unseen = ""
			}
		}
	}
}

// await is the command "await FILE TEXT": it waits until a file contains a text, because a process in
// the background writes it. "! await FILE TEXT" waits until it does not.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: await FILE TEXT")
	}
	var found []byte
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		found, _ = os.ReadFile(ts.MkAbs(args[0])) // it may not be there yet
		if strings.Contains(string(found), args[1]) != neg {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("waited for '%s' in vain: %s contains\n%s", args[1], args[0], found)
}

// working guards the working directory, which all scripts that run at the same time share.
var working sync.Mutex

// runHere is the command "weft ARGS...": a run in this process.
func runHere(ts *testscript.TestScript, neg bool, args []string) {
	working.Lock()
	defer working.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	code := cli.Main(args, strings.NewReader(""), ts.Stdout(), ts.Stderr())
	ts.Check(os.Chdir(before))
	if (code == 0) == neg {
		ts.Fatalf("exit code %d", code)
	}
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
