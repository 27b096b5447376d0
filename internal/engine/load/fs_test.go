package load

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestReadFS(t *testing.T) {
	fsys := fstest.MapFS{
		"config/c.yml":     {Data: []byte("c: 1\n")},
		"config/c/x.yml":   {Data: []byte("x: 1\n")},
		"config/data.json": {Data: []byte("{}")},
		"other.txt":        {Data: []byte("text")},
		"links/l.yml":      {Data: []byte("../config/c.yml"), Mode: fs.ModeSymlink},
		"links/gone.yml":   {Data: []byte("nowhere"), Mode: fs.ModeSymlink},
		"odd/s.yml":        {Mode: fs.ModeSocket},
		".git/config":      {Data: []byte("token: secret")},
		"git/c.yml":        {Data: []byte("../.git/config"), Mode: fs.ModeSymlink},
	}
	const noLinks = "symlinks are disallowed as a security feature, use '--allow-symlink-destination' flags to override"
	const relative = "paths are relative, have forward slashes and do not begin with .."
	tests := []struct {
		name  string
		paths []string
		all   bool
		allow []string
		want  []string
		err   string
		hint  string
	}{
		{name: "file", paths: []string{"other.txt"}, want: []string{"other.txt text t-o =text"}},
		{
			name:  "renamed",
			paths: []string{"d/n.yml=other.txt"},
			want:  []string{"d/n.yml yaml t-o =text"},
		},
		{
			name:  "directory",
			paths: []string{"config"},
			want: []string{
				"c.yml yaml t-o =c: 1\n",
				"c/x.yml yaml t-o =x: 1\n",
				"data.json data ---",
			},
		},
		{
			name:  "as_people_write_it",
			paths: []string{"./config/"},
			want: []string{
				"c.yml yaml t-o =c: 1\n",
				"c/x.yml yaml t-o =x: 1\n",
				"data.json data ---",
			},
		},
		{
			name:  "missing",
			paths: []string{"config/d.yml"},
			err:   "load/not-found: checking file 'config/d.yml': no such file or directory",
			hint:  "did you mean 'config/c.yml'?",
		},
		{
			name:  "outside",
			paths: []string{"../x.yml"},
			err:   "load/unreadable: checking file '../x.yml': not a path inside the file system",
			hint:  relative,
		},
		{
			name:  "absolute",
			paths: []string{"/etc/passwd"},
			err:   "load/unreadable: checking file '/etc/passwd': not a path inside the file system",
			hint:  relative,
		},
		{
			name:  "link",
			paths: []string{"links/l.yml"},
			err:   "load/symlink: checking symlink file 'links/l.yml': expected symlink file 'links/l.yml' -> 'config/c.yml' to be allowed, but was not",
			hint:  noLinks,
		},
		{
			name:  "link_in_a_tree",
			paths: []string{"links"},
			err:   "load/symlink: listing files 'links': checking symlink file 'links/gone.yml': expected symlink file 'links/gone.yml' -> 'links/nowhere' to be allowed, but was not",
			hint:  noLinks,
		},
		{
			name:  "link_allowed",
			paths: []string{"links/l.yml"},
			all:   true,
			want:  []string{"l.yml yaml t-o =c: 1\n"},
		},
		{
			name:  "destination_allowed",
			paths: []string{"links/l.yml", "git"},
			allow: []string{"./config/", ".git"},
			want:  []string{"l.yml yaml t-o =c: 1\n"},
		},
		{
			name:  "destination_not_allowed",
			paths: []string{"links/l.yml"},
			allow: []string{"conf", "config/c", "../config"},
			err:   "load/symlink: checking symlink file 'links/l.yml': expected symlink file 'links/l.yml' -> 'config/c.yml' to be allowed, but was not",
			hint:  noLinks,
		},
		{
			name:  "dangling",
			paths: []string{"links/gone.yml"},
			all:   true,
			err:   "load/not-found: checking symlink file 'links/gone.yml': no such file or directory",
		},
		{
			name:  "no_file",
			paths: []string{"odd"},
			err:   "load/irregular: 'odd/s.yml' is not a regular file",
			hint:  "weft reads only regular files in a directory: move it elsewhere, or exclude it with --file-mark s.yml:exclude=true",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(Options{Paths: tt.paths, FS: fsys, Symlinks: Symlinks{tt.all, tt.allow}})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			checkError(t, err, tt.err, tt.hint)
		})
	}
	root, err := read(
		Options{
			Paths: []string{"."},
			FS: fstest.MapFS{
				"a.yml":   {Data: []byte("a: 1\n")},
				"d/b.yml": {Data: []byte("b: 1\n")},
			},
		},
	)
	if diff := cmp.Diff([]string{"a.yml yaml t-o =a: 1\n", "d/b.yml yaml t-o =b: 1\n"}, root); err != nil ||
		diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// What is in a file system is nowhere on disk, whatever its path is.
func TestDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.yml", "a: 1\n")
	for _, tt := range []struct {
		opt  Options
		want string
	}{
		{Options{Paths: []string{"a.yml"}}, "a.yml"},
		{Options{Paths: []string{"a.yml"}, FS: os.DirFS(".")}, ""},
		{Options{Paths: []string{"-"}}, ""},
	} {
		inputs, err := readInputs(tt.opt)
		if err != nil || len(inputs) != 1 || inputs[0].Disk() != tt.want {
			t.Errorf("%v, %v: want one at %q", inputs, err, tt.want)
		}
	}
}

func TestIsDir(t *testing.T) {
	t.Chdir(t.TempDir())
	mkdir(t, "d")
	write(t, "a.yml", "")
	fsys := fstest.MapFS{"e/a.yml": {}}
	for _, tt := range []struct {
		path string
		fsys fs.FS
		want bool
	}{
		{"d", nil, true},
		{"x=d", nil, true},
		{"a.yml", nil, false},
		{"e", nil, false},
		{"e", fsys, true},
		{"e/", fsys, true},
		{"d", fsys, false},
		{"http://x.org/d", nil, false},
		{"a=b=c", nil, false},
	} {
		if got := (Options{FS: tt.fsys}).IsDir(tt.path); got != tt.want {
			t.Errorf("%s: got %t, want %t", tt.path, got, tt.want)
		}
	}
}
