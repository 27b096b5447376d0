package project

import (
	"context"
	"slices"
	"strings"
	"sync"

	"weft/internal/compile"
	"weft/internal/load"
	"weft/internal/pipeline"
	"weft/internal/source"
)

// Index is what the files of a project say about names, without their trees. It never changes.
type Index struct {
	Files []IndexedFile // in the order of the inputs
}

// IndexedFile is what a file says about names.
type IndexedFile struct {
	load.Input
	*Code
	Role compile.Role
}

// indexer keeps what files said as long as they stay the same.
type indexer struct {
	mu    sync.Mutex
	known map[*source.File]IndexedFile
	last  *Index
	of    *pipeline.Session
}

// Index is what the files of a snapshot say about names. Only files that have changed since the last
// call are read. Those whose buffers have errors are as they were when they had none.
func (v *View) Index(ctx context.Context, s *Snapshot) (*Index, error) {
	session, err := v.Session(ctx, s)
	if err != nil {
		return nil, err
	}
	x := &v.indexer
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.of == session {
		return x.last, nil
	}
	index, known := &Index{}, make(map[*source.File]IndexedFile, len(x.known))
	for _, in := range session.Inputs() {
		if in.File == nil || in.Type == load.Data {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f, ok := x.known[in.File]
		if !ok || f.Type != in.Type || f.Template != in.Template {
			a := compile.Analyse(in.File, pipeline.KindOf(in), v.config.Compile)
			f = IndexedFile{Input: in, Code: ReadCode(a), Role: a.Role}
		}
		f.Input = in
		known[in.File] = f
		index.Files = append(index.Files, f)
	}
	x.known, x.last, x.of = known, index, session
	return index, nil
}

// File is a file by its path in the folder; false if the project does not have it.
func (x *Index) File(path string) (IndexedFile, bool) {
	i := slices.IndexFunc(x.Files, func(f IndexedFile) bool { return f.Origin() == path })
	if i < 0 {
		return IndexedFile{}, false
	}
	return x.Files[i], true
}

// Named is a file by the path that templates know it by.
func (x *Index) Named(path string) (IndexedFile, bool) {
	i := slices.IndexFunc(x.Files, func(f IndexedFile) bool { return f.Input.Path == path })
	if i < 0 {
		return IndexedFile{}, false
	}
	return x.Files[i], true
}

// UseIn is a use of a data value, and the file that it is in.
type UseIn struct {
	File IndexedFile
	Use
}

// Readers are the uses of a data value, and of what is below it.
func (x *Index) Readers(path []string) []UseIn {
	var list []UseIn
	for _, f := range x.Files {
		for _, u := range f.Uses {
			if len(u.Steps) >= len(path) && samePath(u.Path()[:len(path)], path) {
				list = append(list, UseIn{f, u})
			}
		}
	}
	return list
}

// samePath compares paths of which computed keys may be anything.
func samePath(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return x == y || x == "" || y == "" })
}

// Module is the file that a load statement of another names, or false.
func (x *Index) Module(from IndexedFile, module string) (IndexedFile, bool) {
	if strings.HasPrefix(module, "@ytt:") {
		return IndexedFile{}, false
	}
	return x.Named(ModulePath(from.Input.Path, module))
}
