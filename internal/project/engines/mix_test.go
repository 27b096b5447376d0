package engines

import (
	"maps"
	"path"
	"slices"
	"testing"
	"testing/fstest"
)

// FuzzTaking fails if files with all differences taken are not the other files, or with none taken not their
// own. The bytes say which of some paths each side has, and with which content.
func FuzzTaking(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{0x12, 0x20, 0x02, 0x11, 0, 0x21})
	paths := []string{"a.yaml", "b/c.yaml", "b/d.yaml", "b/e/f.yaml", "g/h/i.yaml", "bb/c.yaml"}
	f.Fuzz(func(t *testing.T, data []byte) {
		sides := [2]fstest.MapFS{{}, {}}
		var differ []string
		for i, name := range paths {
			if i >= len(data) {
				break
			}
			x, y := data[i]&3, data[i]>>4&3 // 0 means that there is no such file
			for side, n := range []byte{x, y} {
				if n > 0 {
					sides[side][name] = &fstest.MapFile{Data: []byte{'0' + n}}
				}
			}
			if x != y {
				differ = append(differ, name)
			}
		}
		allow := func(string) error { return nil }
		a, b := NewFiles(Repository{FS: sides[0], Allow: allow}), NewFiles(Repository{FS: sides[1], Allow: allow})
		if got, want := walked(a.Taking(b, differ), ""), contents(sides[1]); !maps.Equal(got, want) {
			t.Errorf("all taken: got %v, want %v", got, want)
		}
		if got, want := walked(a.Taking(b, nil), ""), contents(sides[0]); !maps.Equal(got, want) {
			t.Errorf("nothing taken: got %v, want %v", got, want)
		}
	})
}

// walked returns the files that weft-engines finds below a directory, by asking for what it lists.
func walked(f *Files, dir string) map[string]string {
	all := map[string]string{}
	reply, _ := f.at(dir)
	if !slices.IsSorted(reply.Entries) {
		all[dir] = "not sorted"
	}
	for _, entry := range reply.Entries {
		name := path.Join(dir, entry)
		if below, _ := f.at(name); below.File != nil {
			all[name] = string(*below.File)
		}
		maps.Copy(all, walked(f, name))
	}
	return all
}

func contents(files fstest.MapFS) map[string]string {
	all := map[string]string{}
	for name, file := range files {
		all[name] = string(file.Data)
	}
	return all
}
