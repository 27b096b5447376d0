package outdir

import (
	"path"
	"slices"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
)

// The names that are reserved for Write inside a directory.
const (
	stagingName  = ".weft-tmp"      // a directory of files to be renamed into place
	manifestName = ".weft-manifest" // see manifest
)

// cleanPath returns the output path p in its shortest form, with forward slashes. If p cannot be
// written, problem says why: a path may come from an annotation or from the name of a third-party
// file, and must not point outside of the output directory.
func cleanPath(p string, windows bool) (clean, problem string) {
	if windows {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	switch {
	case p == "":
		return "", "it is empty"
	case strings.HasPrefix(p, "/"):
		return "", "it is absolute"
	case strings.IndexByte(p, 0) >= 0:
		return "", "it contains a NUL character"
	}
	p = path.Clean(p)
	switch {
	case p == ".":
		return "", "it is the output directory itself"
	case p == ".." || strings.HasPrefix(p, "../"):
		return "", "it leaves the output directory"
	}
	first, _, _ := strings.Cut(p, "/")
	if strings.EqualFold(first, stagingName) || strings.EqualFold(p, manifestName) {
		return "", "weft reserves this name"
	}
	if gitdir.IsBelow(p) {
		return "", "it belongs to git, and weft never writes there"
	}
	if windows {
		for name := range strings.SplitSeq(p, "/") {
			if problem := emit.WindowsProblem(name); problem != "" {
				return "", problem
			}
		}
	}
	return p, ""
}

// Problem returns why a file with this path cannot be written into a directory, or "".
func Problem(path string) string {
	_, problem := cleanPath(path, onWindows)
	return problem
}

// cleanAll returns files with clean paths. It reports all errors at once.
func cleanAll(files []emit.File, windows bool) ([]emit.File, error) {
	var list diag.List
	out := make([]emit.File, 0, len(files))
	for _, f := range files {
		p, problem := cleanPath(f.Path, windows)
		if problem != "" {
			list = append(
				list,
				diag.Failf(CodePath, "cannot write a file at the path '%s': %s", f.Path, problem).
					WithHint("give the file another path: --file-mark 'FILE:path=NEW'"),
			)
			continue
		}
		f.Path = p
		out = append(out, f)
	}
	if list == nil {
		list = slices.Concat(repeated(out), collisions(out), nested(out))
	}
	if list != nil {
		return nil, list
	}
	return out, nil
}

// nested reports paths that would have to be a file and a directory at once.
func nested(files []emit.File) diag.List {
	paths := make(map[string]string, len(files))
	for _, f := range files {
		paths[Key(f.Path)] = f.Path
	}
	var list diag.List
	reported := map[string]bool{}
	for _, f := range files {
		for d := path.Dir(f.Path); d != "." && !reported[d]; d = path.Dir(d) {
			reported[d] = true
			if file, ok := paths[Key(d)]; ok {
				list = append(list, diag.Failf(CodePath,
					"cannot write both a file '%s' and a file '%s' below it", file, f.Path))
			}
		}
	}
	return list
}

// repeated reports paths of more than one file: the last file would silently replace the others.
func repeated(files []emit.File) diag.List {
	first := make(map[string]int, len(files))
	reported := map[string]*diag.Diagnostic{}
	var list diag.List
	for i, f := range files {
		j, ok := first[f.Path]
		if !ok {
			first[f.Path] = i
			continue
		}
		d := reported[f.Path]
		if d == nil {
			d = diag.Errorf(f.From, CodeDuplicate, "output file '%s' would be written twice", f.Path).
				WithHint("%s", otherPath(max(f.By, files[j].By)))
			reported[f.Path] = d
			list = append(list, d)
			addInput(d, files[j])
			continue
		}
		addInput(d, f)
	}
	return list
}

// otherPath returns how to give one of two files with the same path another one.
func otherPath(by emit.PathBy) string {
	switch by {
	case emit.ByAnnotation:
		return "write another path in `#@" + emit.NoteFile + "`"
	case emit.BySplit:
		return "write another pattern after --split"
	default:
		return "rename one of them with -f NAME=FILE, or pass the directory that holds both, so that their " +
			"paths differ"
	}
}

// addInput adds the position of another input, if it has one.
func addInput(d *diag.Diagnostic, f emit.File) {
	if f.From.IsValid() {
		d.WithRelated(f.From, "it is written from here, too")
	}
}

// collisions reports different paths that some file system treats as equal: there, the last file would
// replace the others. It does so on all systems, since files written here may be cloned elsewhere.
func collisions(files []emit.File) diag.List {
	first := make(map[string]int, len(files))
	reported := map[string]bool{}
	var list diag.List
	for i, f := range files {
		key := Key(f.Path)
		j, ok := first[key]
		if !ok {
			first[key] = i
			continue
		}
		if files[j].Path != f.Path && !reported[key] {
			reported[key] = true
			d := diag.Errorf(f.From, CodeDuplicate, "cannot write both '%s' and '%s': some file systems do "+
				"not distinguish %s", files[j].Path, f.Path, difference(files[j].Path, f.Path)).
				WithHint("give one of them another path")
			addInput(d, files[j])
			list = append(list, d)
		}
	}
	return list
}

// difference describes how two paths with the same key differ.
func difference(a, b string) string {
	if decomposed(a) == decomposed(b) {
		return "how letters with accents are composed"
	}
	return "upper and lower case"
}
