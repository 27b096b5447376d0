package project

import (
	"path"
	"strings"
)

// privateDir is the folder with private libraries.
const privateDir = "_ytt_lib"

// ModulePath is the path of the file that a load statement names, as templates know it: relative to
// the file with the statement, to the root of its library, or in a private library.
func ModulePath(from, module string) string {
	dir := path.Dir(from)
	if lib, ok := strings.CutPrefix(module, "@"); ok {
		name, file, _ := strings.Cut(lib, ":")
		return path.Join(dir, privateDir, name, file)
	}
	if abs, ok := strings.CutPrefix(module, "/"); ok {
		return path.Join(libraryRoot(dir), abs)
	}
	return path.Join(dir, module)
}

// libraryRoot is the folder of the private library that a folder is in, or the root of the project.
func libraryRoot(dir string) string {
	parts := strings.Split(dir, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if parts[i] == privateDir {
			return path.Join(parts[:i+2]...)
		}
	}
	return "."
}
