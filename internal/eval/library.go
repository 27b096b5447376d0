package eval

import (
	"path"
	"slices"
	"strings"
	"sync"

	"weft/internal/compile"
	"weft/internal/load"
)

// privateDir is the folder of private libraries.
const privateDir = "_ytt_lib"

// Library is the files of a run, which templates may load and read.
type Library struct {
	Files  []*File // as they were given
	opt    compile.Options
	byPath map[string]*File
	dirs   map[string]bool
}

// File is a file of a library. It is compiled once, when it is first needed.
type File struct {
	Input load.Input

	lib  *Library
	once sync.Once
	unit *compile.Unit
	err  error

	read    sync.Once // of a file of type Data
	data    string
	readErr error
}

// NewLibrary makes a library of inputs.
func NewLibrary(inputs []load.Input, opt compile.Options) *Library {
	lib := &Library{opt: opt, byPath: map[string]*File{}, dirs: map[string]bool{"": true}}
	for _, in := range inputs {
		f := &File{Input: in, lib: lib}
		lib.Files = append(lib.Files, f)
		if lib.byPath[in.Path] == nil { // of two files with the same path, the first is found
			lib.byPath[in.Path] = f
		}
		for d := dirOf(in.Path); d != "" && !lib.dirs[d]; d = dirOf(d) {
			lib.dirs[d] = true
		}
	}
	return lib
}

func dirOf(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}

// Unit is the file compiled. The error is a diag.List.
func (f *File) Unit() (*compile.Unit, error) {
	f.once.Do(func() {
		in := f.Input
		switch {
		case in.Type == load.Starlark:
			f.unit, f.err = compile.Module(in.File)
		case in.Type == load.Text && in.Template:
			f.unit, f.err = compile.TextTemplate(in.File)
		case in.Type == load.Text:
			f.unit = compile.TextFile(in.File)
		case in.Template:
			f.unit, f.err = compile.Template(in.File, f.lib.opt)
		default:
			f.unit, f.err = compile.Plain(in.File, f.lib.opt)
		}
	})
	return f.unit, f.err
}

// private reports whether a file lies in a private library.
func (f *File) private() bool {
	return slices.Contains(strings.Split(dirOf(f.Input.Path), "/"), privateDir)
}

// order is the order in which files are evaluated, or seem to be: the files of a folder before its subfolders, and what is there to be loaded
// behind the rest of its folder. Files without anything to evaluate, and private ones, are left out.
func (lib *Library) order() []*File {
	var files []*File
	for _, f := range lib.Files {
		if f.Input.Type != load.Data && !f.private() && (f.Input.Output || f.Input.Library) {
			files = append(files, f)
		}
	}
	folders := map[string]int{} // a folder's place is that of its first file
	for i, f := range files {
		for d := dirOf(f.Input.Path); ; d = dirOf(d) {
			if _, ok := folders[d]; !ok {
				folders[d] = i
			}
			if d == "" {
				break
			}
		}
	}
	slices.SortStableFunc(files, func(a, b *File) int {
		x, y := splitPath(dirOf(a.Input.Path)), splitPath(dirOf(b.Input.Path))
		for i := 0; ; i++ {
			switch {
			case i == len(x) && i == len(y):
				return boolOrder(a.Input.Library) - boolOrder(b.Input.Library)
			case i == len(x):
				return -1
			case i == len(y):
				return 1
			case x[i] != y[i]:
				return folders[strings.Join(x[:i+1], "/")] - folders[strings.Join(y[:i+1], "/")]
			}
		}
	})
	return files
}

func splitPath(p string) []string {
	if p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}
