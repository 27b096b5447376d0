package overlay_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/internal/engine/load"
	"weft/internal/testing/cases"
)

// TestRecordedCases runs recorded cases of a program with the same overlays: the folders below
// $WEFT_CASES that hold a file cmd, the input files in in/ and the output in stdout. Only cases
// whose command has no flags but -f are run, and those that have to succeed have to give the same
// bytes.
func TestRecordedCases(t *testing.T) {
	cases.EachFolder(t, "WEFT_CASES", "cmd", func(t *testing.T, dir, _ string) {
		cmd, err := os.ReadFile(filepath.Join(dir, "cmd"))
		if err != nil {
			t.Fatal(err)
		}
		inputs, ok := filesOf(string(cmd), filepath.Join(dir, "in"))
		if !ok {
			t.Skip("it has other flags than -f")
		}
		runCase(t, dir, inputs)
	})
}

// filesOf are the paths that a command line names with -f, if it has no other flags.
func filesOf(cmd, dir string) ([]string, bool) {
	words := strings.Fields(cmd)
	if strings.ContainsAny(cmd, `'"$`) || len(words)%2 != 0 {
		return nil, false
	}
	var paths []string
	for pair := range slices.Chunk(words, 2) {
		if pair[0] != "-f" || pair[1] == "-" || strings.Contains(pair[1], "=") {
			return nil, false
		}
		paths = append(paths, filepath.Join(dir, pair[1]))
	}
	return paths, true
}

func runCase(t *testing.T, dir string, paths []string) {
	var got string
	in := newInput()
	err := in.evaluate(load.Options{Paths: paths})
	if err == nil {
		got, err = in.apply()
	}
	_, missing := os.Stat(filepath.Join(dir, "exit"))
	mustFail := missing == nil
	switch {
	case mustFail && err == nil:
		t.Fatalf("succeeds, but has to fail:\n%s", got)
	case mustFail:
		return
	case err != nil:
		t.Fatalf("fails, but has to succeed:\n%s", in.text(err))
	}
	want, err := os.ReadFile(filepath.Join(dir, "stdout"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if !bytes.Equal([]byte(got), want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
