package eval

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/lang/diag"
)

// notFound returns the hint for a file that a template loads or reads but that is not part of the
// run. rel is its path below dir, which is in the library at root; by is the file that asks for it.
func (lib *Library) notFound(by *File, root, dir, rel string) string {
	for _, ext := range []string{".star", ".lib.yml", ".lib.yaml"} {
		if lib.byPath[path.Join(dir, rel+ext)] != nil {
			return fmt.Sprintf("include the file extension: write '%s'", rel+ext)
		}
		if dir == dirOf(by.Input.Path) && path.Ext(rel) == "" && by.Input.PathBelow(rel+ext) != "" {
			return fmt.Sprintf("include the file extension: write '%s', and add `-f %s`", rel+ext,
				diag.InShell(by.Input.PathBelow(rel+ext)))
		}
	}
	if near := didYouMean(rel, lib.paths(dir)); near != "" {
		return near + lib.onlyGiven()
	}
	for _, f := range lib.sameName(path.Base(rel)) {
		if below, ok := strings.CutPrefix(f.Input.Path, prefixOf(root)); ok &&
			!slices.Contains(splitPath(below), privateDir) {
			return fmt.Sprintf("did you mean '/%s'? A path that begins with '/' starts at the "+
				"root, others in the folder of the loading file", below)
		}
	}
	disk := ""
	if dir == dirOf(by.Input.Path) {
		disk = by.Input.PathBelow(rel)
	}
	switch name := path.Join(dir, rel); {
	case disk == "":
		return lib.onlyGiven()
	case lib.original().InProject:
		return fmt.Sprintf("the file is not among the inputs: add %s to `inputs` in weft.yml", disk)
	case name == filepath.Base(disk):
		return fmt.Sprintf("the file is not among the inputs: add `-f %s`", diag.InShell(disk))
	default:
		return fmt.Sprintf("the file is not among the inputs: add `-f %s`", diag.InShell(name+"="+disk))
	}
}

// onlyGiven returns the sentence that lists which files exist.
func (lib *Library) onlyGiven() string {
	if lib.original().InProject {
		return "only files of `inputs` in weft.yml are available"
	}
	return "only files included via -f flag are available"
}

func prefixOf(root string) string {
	if root == "" {
		return ""
	}
	return root + "/"
}
