package weft_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/serve/cli"
	"weft/internal/testing/cases"
)

// The parts of a golden that are not input files.
const (
	// flags of the command, a line or many; `-f .` is added if there is no -f among them
	flagsPart = "flags"
	yamlPart  = "want.yaml" // standard output of a run that succeeds
	// standard error: prints and warnings of a run that succeeds, also diagnostics of one that
	// fails
	errPart   = "want.err"
	outPrefix = "want/" // a file that the run makes below the folder outDir
)

// outDir is where goldens that make files have them made.
const outDir = "out"

// TestGolden runs testdata/golden/STAGE/NAME.txtar. A golden with want.yaml must succeed, and one
// without must fail; `go test . -update` rewrites what is wanted, but does not turn the one kind
// into the other.
func TestGolden(t *testing.T) {
	for _, path := range goldens(t) {
		name := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(path, goldenDir)), ".txtar")
		t.Run(strings.TrimPrefix(name, "/"), func(t *testing.T) {
			path, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			a := cases.Archive(t, path)
			stdout, stderr, code := runGolden(t, a)
			made := madeFiles(t)
			wantOK := part(a, yamlPart) != nil
			if !wantOK && part(a, errPart) == nil {
				t.Fatalf("neither %s nor %s", yamlPart, errPart)
			}
			if wantOK != (code == 0) {
				t.Fatalf(
					"exit code %d, but want.yaml present: %t\n%s%s",
					code,
					wantOK,
					stdout,
					stderr,
				)
			}
			if *cases.Update {
				setPart(a, yamlPart, stdout, wantOK)
				setPart(a, errPart, stderr, len(stderr) > 0)
				a.Files = append(
					slices.DeleteFunc(
						a.Files,
						func(f txtar.File) bool { return strings.HasPrefix(f.Name, outPrefix) },
					),
					made...)
				writeArchive(t, path, a)
				return
			}
			if diff := cmp.Diff(string(stdout), string(part(a, yamlPart))); diff != "" {
				t.Errorf("standard output (-got +want):\n%s", diff)
			}
			if diff := cmp.Diff(string(stderr), string(part(a, errPart))); diff != "" {
				t.Errorf("standard error (-got +want):\n%s", diff)
			}
			wanted := slices.DeleteFunc(
				slices.Clone(a.Files),
				func(f txtar.File) bool { return !strings.HasPrefix(f.Name, outPrefix) },
			)
			if diff := cmp.Diff(made, wanted, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("files (-got +want):\n%s", diff)
			}
		})
	}
}

var goldenDir = filepath.Join("testdata", "golden")

// goldens are the paths of all goldens, sorted: without those in the folder long, which take long,
// unless WEFT_TEST_LONG is set.
func goldens(t testing.TB) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(goldenDir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "long" && !cases.Long() {
			return fs.SkipDir
		}
		if err == nil && strings.HasSuffix(path, ".txtar") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatal("no goldens")
	}
	return paths
}

// runGolden runs weft in a folder with the input files of a.
func runGolden(t *testing.T, a *txtar.Archive) (stdout, stderr []byte, code int) {
	t.Helper()
	args := strings.Fields(string(part(a, flagsPart)))
	if !slices.Contains(args, "-f") {
		args = append([]string{"-f", "."}, args...)
	}
	t.Chdir(t.TempDir())
	for _, f := range inputs(a) {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	code = cli.Main(args, strings.NewReader(""), &out, &errs)
	return out.Bytes(), errs.Bytes(), code
}

func writeArchive(t *testing.T, path string, a *txtar.Archive) {
	t.Helper()
	if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// madeFiles are the files below outDir, as parts of a golden.
func madeFiles(t *testing.T) []txtar.File {
	t.Helper()
	var files []txtar.File
	if _, err := os.Stat(outDir); err != nil {
		return nil
	}
	err := fs.WalkDir(os.DirFS(outDir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(outDir, path))
		files = append(files, txtar.File{Name: outPrefix + path, Data: data})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// inputs are the parts of a that are files.
func inputs(a *txtar.Archive) []txtar.File {
	return slices.DeleteFunc(slices.Clone(a.Files), func(f txtar.File) bool {
		return f.Name == flagsPart || f.Name == yamlPart || f.Name == errPart ||
			strings.HasPrefix(f.Name, outPrefix)
	})
}

// part is the content of a part, or nil if there is none. A part that is there and empty is not
// nil.
func part(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return append([]byte{}, f.Data...)
		}
	}
	return nil
}

// setPart gives a part new content, or takes it away.
func setPart(a *txtar.Archive, name string, data []byte, keep bool) {
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case i >= 0 && keep:
		a.Files[i].Data = data
	case i >= 0:
		a.Files = slices.Delete(a.Files, i, i+1)
	case keep:
		a.Files = append(a.Files, txtar.File{Name: name, Data: data})
	}
}
