package compare

import (
	"maps"
	"path/filepath"
	"sync"

	"weft/internal/engine/load"
	"weft/internal/lang/source"
)

// PlainFiles keeps the files of a plain side for the next comparison. The zero value is empty.
type PlainFiles struct {
	mu    sync.Mutex
	files map[plainKey]plainFile
	set   *source.Set
}

// plainKey identifies a file of a side by its location and by how it is read.
type plainKey struct {
	origin, path string
	listed       bool
}

func plainKeyOf(in load.Input) plainKey { return plainKey{in.Origin(), in.Path, in.Listed()} }

// Forget drops the files at paths that have changed.
func (p *PlainFiles) Forget(paths []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed := map[string]bool{}
	for _, path := range paths {
		changed[filepath.Clean(path)] = true
	}
	for key, f := range p.files {
		if key.origin != "" && changed[filepath.Clean(key.origin)] {
			delete(p.files, key)
			p.set.Remove(f.file)
		}
	}
}

// begin returns the kept files, and a copy of their file set. The receiver may be nil.
func (p *PlainFiles) begin() (map[plainKey]plainFile, *source.Set) {
	if p == nil {
		return nil, &source.Set{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.set == nil {
		p.set = &source.Set{}
	}
	return maps.Clone(p.files), p.set.Copy()
}

// end keeps the files of a comparison. The receiver may be nil.
func (p *PlainFiles) end(files []plainFile, set *source.Set) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set = set.Copy()
	old := p.files
	p.files = make(map[plainKey]plainFile, len(files))
	for _, f := range files {
		p.files[f.key] = f
	}
	for key, f := range old {
		if _, ok := p.files[key]; !ok {
			p.set.Remove(f.file)
		}
	}
}
