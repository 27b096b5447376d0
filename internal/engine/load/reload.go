package load

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Reload is like Read if old are the inputs that were read before: only what has changed is read
// again. Files on disk have changed if changed says so, files in memory if their bytes differ;
// standard input and URLs do not change.
//
// set is a copy of the one that old was read into, and is updated.
func Reload(
	set *source.Set, opt Options, old []Input, changed func(path string) bool,
) (inputs []Input, read int, err error) {
	if len(opt.Libraries) == 0 {
		return reload(set, opt, old, changed)
	}
	if inputs, read, err = reload(set, opt.keepLibraries(old), old, changed); err != nil {
		return nil, 0, err
	}
	inputs, more, err := opt.withLibraries(set, inputs)
	return inputs, read + more, err
}

// reload is Reload for the paths of opt, without looking for libraries that files name.
func reload(
	set *source.Set, opt Options, old []Input, changed func(path string) bool,
) (inputs []Input, read int, err error) {
	files, inputs, err := opt.find()
	if err != nil {
		return nil, 0, err
	}
	before := make(map[origin]Input, len(old))
	seen := occurrences{}
	for _, in := range old {
		before[seen.key(in.source)] = in
	}
	// kept has the previous input of each file, and fresh whether it must be read again.
	kept, fresh := make([]Input, len(files)), make([]bool, len(files))
	seen = occurrences{}
	for i, f := range files {
		key := seen.key(f)
		was, ok := before[key]
		delete(before, key)
		kept[i] = was
		fresh[i] = !ok || f.differs(was.source, changed) || was.File == nil && f.wanted(inputs[i])
	}
	for _, removed := range before {
		if removed.File != nil {
			set.Remove(removed.File)
		}
	}
	data, err := opt.readAll(set, files, inputs, func(i int) bool { return fresh[i] })
	if err != nil {
		return nil, 0, err
	}
	for i, f := range files {
		was, in := kept[i].File, &inputs[i]
		switch {
		case !f.wanted(*in):
			if !fresh[i] {
				in.source = kept[i].source // unchanged: what was read is still valid
			}
			continue
		case !fresh[i] && was.Name() == in.Path && was.Shown() == f.name:
			in.File, in.source = was, kept[i].source
			continue
		case !fresh[i]:
			data[i] = was.Data() // the same bytes under another name
		default:
			read++
		}
		if was != nil && was.Name() == in.Path && was.Shown() == f.name {
			in.File, err = set.Replace(was, data[i])
		} else {
			if was != nil {
				set.Remove(was)
			}
			in.File, err = set.AddShown(in.Path, f.name, data[i])
		}
		if err != nil {
			return nil, 0, diag.Failf(CodeTooLarge, "%s", err)
		}
	}
	return inputs, read, nil
}

// maxStrange is the maximum number of paths without an input that are checked one by one. With
// more, listing all files is less work.
const maxStrange = 10

// Refresh is like Reload if files on disk have changed only at the given paths, which are clean. It
// lists no directories, except those of libraries that changed files name. Unless the set of files is
// otherwise unchanged, it does nothing and returns false: then call Reload.
func Refresh(
	set *source.Set, opt Options, old []Input, paths []string,
) (inputs []Input, read int, same bool, err error) {
	wanted := make(map[string]bool, len(paths))
	for _, p := range paths {
		wanted[p] = false // true once an input has this path
	}
	var changed []int
	for i, in := range old {
		if !in.source.onDisk() {
			continue
		}
		p := filepath.Clean(in.source.path)
		if _, ok := wanted[p]; !ok {
			continue
		}
		if info, err := os.Lstat(p); err != nil || !info.Mode().IsRegular() {
			return nil, 0, false, nil
		}
		wanted[p] = true
		changed = append(changed, i)
	}
	if anyNew(old, wanted) {
		return nil, 0, false, nil
	}
	inputs = slices.Clone(old)
	for _, i := range changed {
		in, f := &inputs[i], *old[i].source
		in.source = &f // a file of type Data is read again too
		if !f.wanted(*in) {
			continue
		}
		data, err := f.bytes(&opt)
		if err != nil {
			return nil, 0, true, f.unreadable(err)
		}
		read++
		if in.File, err = set.Replace(in.File, data); err != nil {
			return nil, 0, true, diag.Failf(CodeTooLarge, "%s", err)
		}
	}
	inputs, more, err := opt.withLibraries(set, inputs)
	return inputs, read + more, true, err
}

// anyNew reports whether one of the paths without an input is a new file, or a removed directory.
func anyNew(old []Input, wanted map[string]bool) bool {
	n := 0
	for p, known := range wanted {
		if known {
			continue
		}
		if n++; n > maxStrange {
			return true
		}
		if _, err := os.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
		below := p + string(filepath.Separator)
		if slices.ContainsFunc(old, func(in Input) bool {
			return strings.HasPrefix(filepath.Clean(in.source.path), below)
		}) {
			return true
		}
	}
	return false
}

// Same reports whether two inputs are the same file with the same content and role.
func (in Input) Same(other Input) bool {
	return in == other
}

// differs reports whether the bytes of a file have changed.
func (f *file) differs(was *file, changed func(path string) bool) bool {
	switch {
	case f.memory != nil:
		return !bytes.Equal(f.memory.Data, was.memory.Data)
	case f.stdin || f.url != "":
		return false
	}
	return changed(f.path)
}

// origin identifies a file by its source, and by its index there: a file may be named twice.
type origin struct {
	memory, url, path string
	stdin             bool
	n                 int
}

// occurrences counts the files that come from the same place.
type occurrences map[origin]int

// key returns the origin of the next file.
func (o occurrences) key(f *file) origin {
	from := origin{url: f.url, path: f.path, stdin: f.stdin}
	if f.memory != nil {
		from.memory = f.memory.Path
	}
	n := o[from]
	o[from] = n + 1
	from.n = n
	return from
}
