package compare

import (
	"maps"
	"path/filepath"
	"sync"

	"weft/internal/engine/load"
	"weft/internal/lang/source"
)

// PlainFiles is the files of a plain side, for the next comparison. The zero value has none.
type PlainFiles struct {
	mu    sync.Mutex
	files map[plainKey]plainFile
	set   *source.Set
}

// plainKey tells files of a side apart: by where they lie, and as what they are read.
type plainKey struct {
	origin, path string
	listed       bool
}

func plainKeyOf(in load.Input) plainKey { return plainKey{in.Origin(), in.Path, in.Listed()} }

// Forget forgets the files at some paths: they have changed.
func (p *PlainFiles) Forget(paths []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	gone := map[string]bool{}
	for _, path := range paths {
		gone[filepath.Clean(path)] = true
	}
	for key, f := range p.files {
		if key.origin != "" && gone[filepath.Clean(key.origin)] {
			delete(p.files, key)
			p.set.Remove(f.file)
		}
	}
}

// begin gives the files that are known, and a set of its own with them. The receiver may be nil.
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

// end takes the files of a comparison. The receiver may be nil.
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
