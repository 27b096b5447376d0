package load

import (
	"os"
	"path/filepath"
	"testing"

	"weft/internal/lang/source"
)

// Refresh reads what is named, and nothing else. If files came or went, it leaves that to Reload.
func TestRefresh(t *testing.T) {
	for name, c := range map[string]struct {
		edit  func(dir string) error
		paths []string
		same  bool
		read  int
	}{
		"nothing":  {func(string) error { return nil }, nil, true, 0},
		"content":  {writes("d/a.yml"), []string{"d/a.yml"}, true, 1},
		"data":     {writes("d/data.bin"), []string{"d/data.bin"}, true, 0},
		"unnamed":  {writes("d/new.yml"), nil, true, 0},
		"new":      {writes("d/new.yml"), []string{"d/new.yml"}, false, 0},
		"passed":   {func(string) error { return nil }, []string{"d/tmp.yml"}, true, 0},
		"gone":     {removes("d/a.yml"), []string{"d/a.yml"}, false, 0},
		"gone dir": {removes("d/sub"), []string{"d/sub"}, false, 0},
		"now a directory": {func(dir string) error {
			return os.Rename(filepath.Join(dir, "d/sub"), filepath.Join(dir, "d/data.bin.d"))
		}, []string{"d/data.bin.d"}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			for _, f := range []string{"d/a.yml", "d/b.yml", "d/data.bin", "d/sub/c.yml"} {
				if err := writes(f)(dir); err != nil {
					t.Fatal(err)
				}
			}
			var set source.Set
			opt := Options{Paths: []string{"d"}}
			old, err := Read(&set, opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.edit(dir); err != nil {
				t.Fatal(err)
			}
			for i, p := range c.paths {
				c.paths[i] = filepath.FromSlash(p)
			}
			now, read, same, err := Refresh(set.Copy(), opt, old, c.paths)
			if err != nil || same != c.same || read != c.read {
				t.Fatal(read, same, err)
			}
			for i := range now {
				named := len(c.paths) > 0 && now[i].Disk() == c.paths[0]
				if now[i].Same(old[i]) == named {
					t.Errorf("%s is the same: %v", now[i].Path, !named)
				}
			}
		})
	}
}

func writes(name string) func(dir string) error {
	return func(dir string) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte("a: "+dir+"\n"), 0o644)
	}
}

func removes(name string) func(dir string) error {
	return func(dir string) error { return os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))) }
}
