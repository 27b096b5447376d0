package suggest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
)

// meddler is a folder in which another program changes a file before it is opened for the nth time.
type meddler struct {
	fs.FS
	file  string
	left  int
	write func()
}

func (m *meddler) Open(name string) (fs.File, error) {
	if name == m.file {
		if m.left--; m.left == 0 {
			m.write()
		}
	}
	return m.FS.Open(name)
}

// hasChanged reports whether an error says that another program has changed a file.
func hasChanged(err error) bool {
	return err != nil && diag.FailureOf(err).List[0].Code == outdir.CodeChanged
}

// Whenever another program changes a file, either its change is still there after a plan was written, or nothing
// is written. A weft.yml never names a file that does not exist.
func TestWriteLosesNoChange(t *testing.T) {
	for _, test := range []struct{ file, set, old string }{
		{"weft.yml", "S:a=2", ""},
		{"weft.yml", "S:v=2", ""},
		{"envs/prod.yml", "S:v=2", ""},
		{"overlays/prod.yml", "S:a=2", ""},
		{"overlays/prod.yml", "S:a=2", loadLine + "\n#@overlay/match by=overlay.all\n---\nb: 3\n"},
	} {
		for n := 1; ; n++ {
			dir := t.TempDir()
			put := func(name, text string) {
				name = filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			listed := ""
			if test.old != "" {
				listed = ", overlays: [overlays/prod.yml]"
				put("overlays/prod.yml", test.old)
			}
			put("weft.yml", "weft: 2026\ninputs: [base]\nenvironments:\n  dev: {}\n  prod: {valueFiles: [envs/prod.yml]"+
				listed+"}\n")
			put("envs/prod.yml", "v: 1\n")
			put("base/schema.yml", "#@data/values-schema\n---\nv: 0\n")
			put("base/s.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nkind: S\na: 1\nb: 1\nv: #@ data.values.v\n")
			m := &meddler{FS: os.DirFS(dir), file: test.file, left: n, write: func() {
				old, _ := os.ReadFile(filepath.Join(dir, test.file))
				put(test.file, string(old)+"# of another program\n")
			}}
			r, err := Find(t.Context(), Input{
				FS: m, Project: "weft.yml", Env: "prod", Set: []string{test.set},
				Given: func(string) bool { return false },
			})
			if hasChanged(err) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Best() == nil {
				t.Fatalf("%v: no suggestion: %v", test, r.Problems)
			}
			written := r.Best().Write(t.Context(), dir)
			if m.left > 0 {
				if written != nil {
					t.Errorf("%v: %v", test, written)
				}
				if n < 2 && test.old != "" {
					t.Errorf("%v: the file is never read", test)
				}
				break
			}
			text, err := os.ReadFile(filepath.Join(dir, test.file))
			if err != nil || !bytes.Contains(text, []byte("# of another program")) {
				t.Errorf("%v, read %d: the change is lost: %v\n%s", test, n, err, text)
			}
			project, err := os.ReadFile(filepath.Join(dir, "weft.yml"))
			_, missing := os.Stat(filepath.Join(dir, "overlays", "prod.yml"))
			if err != nil || missing != nil && bytes.Contains(project, []byte("overlays/prod.yml")) {
				t.Errorf("%v, read %d: weft.yml names a file that does not exist: %v", test, n, err)
			}
		}
	}
}

// If another program changes a data value during the search, no plan sets it back.
func TestSearchKeepsOtherChanges(t *testing.T) {
	for n := 1; ; n++ {
		files := fstest.MapFS{
			"weft.yml": {Data: []byte("weft: 2026\ninputs: [base]\nenvironments:\n" +
				"  dev: {}\n  prod: {valueFiles: [prod.yml]}\n")},
			"prod.yml":        {Data: []byte("v: 1\n")},
			"base/schema.yml": {Data: []byte("#@data/values-schema\n---\nv: 0\n")},
			"base/s.yml":      {Data: []byte("#@ load(\"@ytt:data\", \"data\")\n---\nkind: S\nv: #@ data.values.v\n")},
		}
		m := &meddler{FS: files, file: "prod.yml", left: n, write: func() {
			files["prod.yml"] = &fstest.MapFile{Data: []byte("v: 5\n")}
		}}
		r, err := Find(t.Context(), Input{
			FS: m, Project: "weft.yml", Env: "prod", Set: []string{"S:a=2"}, Given: func(string) bool { return false },
		})
		if err != nil && !hasChanged(err) {
			t.Fatal(err)
		}
		if err == nil {
			for _, f := range r.Best().Files {
				if strings.Contains(string(f.New), "v: 1") || strings.Contains(string(f.New), "replace") {
					t.Errorf("read %d: %s has the old value:\n%s", n, f.Path, f.New)
				}
			}
		}
		if m.left > 0 {
			if n < 3 {
				t.Errorf("the file is read %d times", n-1)
			}
			return
		}
	}
}
