package fleet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/load"
)

// The kinds of things that the result of a run depends on.
const (
	InputFile      = "file"      // the result depends on its content
	InputDirectory = "directory" // the result also depends on files that are added below it
	InputURL       = "url"
	InputStdin     = "stdin"
	InputVariable  = "variable" // an environment variable, or all that begin like it if it ends with *
)

// reportDecides reports what the result of a run depends on, sorted and without duplicates. read are
// the files that it has read.
func (o Options) reportDecides(read []string) {
	if o.Decides == nil {
		return
	}
	var all []string // the kind and the name of each
	add := func(kind, name string) { all = append(all, kind+"\x00"+name) }
	for _, path := range slices.Concat(read, o.named(add), o.usedLibraries(read)) {
		o.addPath(path, add)
	}
	o.addVariables(add)
	slices.Sort(all)
	for _, x := range slices.Compact(all) {
		kind, name, _ := strings.Cut(x, "\x00")
		o.Decides(kind, name)
	}
}

// named returns the paths in the options that are not inputs; paths that are not on disk are
// included.
func (o Options) named(add func(kind, name string)) (paths []string) {
	args := slices.Concat(o.Inputs, o.Values.Files, o.schemaPaths())
	for _, kv := range o.Values.KVFile {
		_, path, _ := strings.Cut(kv, "=")
		args = append(args, path)
	}
	for _, x := range o.Overrides {
		if x.File {
			args = append(args, x.Text)
		}
	}
	if o.Layers != nil {
		for _, l := range o.Layers.Layers {
			args = append(args, l.Path)
		}
	}
	for _, arg := range args {
		name, path, found := strings.Cut(arg, "=")
		if !found || load.IsURL(arg) {
			path = name
			if load.IsURL(arg) {
				path = arg
			}
		}
		if _, file, ok := strings.Cut(path, ":"); ok && strings.HasPrefix(path, "@") {
			path = file // the data values of a library
		}
		switch {
		case path == "":
		case path == "-":
			add(InputStdin, "-")
		case load.IsRemote(path):
			add(InputURL, path)
		default:
			paths = append(paths, load.DiskPath(path))
		}
	}
	return paths
}

// usedLibraries returns the folders of vendored sources that files were read from.
func (o Options) usedLibraries(read []string) (dirs []string) {
	for _, l := range o.Libraries {
		below := filepath.Clean(l.Dir) + string(filepath.Separator)
		if slices.ContainsFunc(read, func(p string) bool { return strings.HasPrefix(filepath.Clean(p), below) }) {
			dirs = append(dirs, l.Dir)
		}
	}
	return dirs
}

// addPath adds a file or directory, and the targets of links on the way to it.
func (o Options) addPath(path string, add func(kind, name string)) {
	path = filepath.Clean(path)
	kind := InputFile
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		kind = InputDirectory
	}
	add(kind, filepath.ToSlash(path))
	if real := realPath(path); real != path {
		add(kind, filepath.ToSlash(real))
	}
	if dir := filepath.Dir(path); kind == InputFile && dir != "." && o.walks(dir) {
		if real := realPath(dir); real != dir { // files that are added there are found through the link
			add(InputDirectory, filepath.ToSlash(real))
		}
	}
}

// walks reports whether a directory is an input or below one.
func (o Options) walks(dir string) bool {
	return slices.ContainsFunc(o.Inputs, func(arg string) bool {
		in := load.OnDisk(arg)
		rel, err := filepath.Rel(in, dir)
		return in != "" && err == nil && filepath.IsLocal(rel)
	})
}

// realPath returns a path without links below the current directory, or the path itself if it has none.
func realPath(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return path
	}
	if top, err := filepath.EvalSymlinks(here); err == nil {
		here = top
	}
	rel, err := filepath.Rel(here, real)
	if err != nil {
		return real
	}
	return rel
}

// addVariables adds the prefixes of the variables that are read, and the variables with these
// prefixes.
func (o Options) addVariables(add func(kind, name string)) {
	prefixes := slices.Concat(o.Values.Env, o.Values.EnvYAML)
	if o.Layers != nil {
		for _, x := range o.Layers.FromEnv {
			prefixes = append(prefixes, x.Text)
		}
	}
	for _, p := range prefixes {
		if _, prefix, ok := strings.Cut(p, ":"); ok && strings.HasPrefix(p, "@") {
			p = prefix
		}
		p = strings.TrimSuffix(p, "_") + "_"
		add(InputVariable, p+"*")
		for _, v := range o.Env {
			if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, p) {
				add(InputVariable, name)
			}
		}
	}
}
