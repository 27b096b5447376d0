// Package keep prints documents as they are in their files: with comments, blank lines, and
// constants as they are written.
//
// A value that is printed still has its origin: an item has the position of the entry that
// produced it, and an unchanged value is still a node of a syntax tree. So the owner of a comment
// is looked up when an item is printed, in a table of its file that is built on first use (see
// table.go), and evaluation carries nothing.
//
//	keep.go     what is kept, and the files that it may come from
//	table.go    one file: the lines between its entries, and their owners
//	code.go     the blocks of code, which own comments too
//	print.go    documents, collections and entries
//	lead.go     what comes before an entry
//	copy.go     unchanged text, moved to its new column
//	brackets.go collections in brackets over several lines, edited as they are written
//	scalar.go   scalars as they are written, in block style and in brackets
//	stream.go   files, and several of them as one stream
package keep

import (
	"sync"

	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// What is a set of things to keep.
type What uint8

// The things to keep. All of them together also keep the layout: unchanged text is copied.
const (
	Comments What = 1 << iota
	Literals
	BlankLines

	Everything = Comments | Literals | BlankLines
)

// Files are the files that documents may come from. They are safe for concurrent use.
type Files struct {
	What What         // what is kept of them
	YAML yaml.Options // the options that they were parsed with

	mu  sync.RWMutex
	all map[*source.File]*File
}

// Role is the role of a file, which decides what its comments are for.
type Role struct {
	Template bool // comments that begin with `#@` or `#!` are for weft
	Overlay  bool // it has overlay annotations: comments between its entries are notes
}

// Without returns the files of fs that are not in gone. fs does not change.
func (fs *Files) Without(gone map[*source.File]bool) *Files {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	left := &Files{What: fs.What, YAML: fs.YAML, all: make(map[*source.File]*File, len(fs.all))}
	for src, f := range fs.all {
		if !gone[src] {
			left.all[src] = f
		}
	}
	return left
}

// Add adds a file that was parsed into these trees, unless it is known.
func (fs *Files) Add(f *source.File, trees []*yaml.Tree, role Role) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.all[f] != nil {
		return
	}
	if fs.all == nil {
		fs.all = map[*source.File]*File{}
	}
	file := &File{Role: role, src: f, parts: make([]part, len(trees))}
	for i, t := range trees {
		file.parts[i] = part{t: t, file: file}
	}
	fs.all[f] = file
}

// of returns a file, or nil if it was not added.
func (fs *Files) of(f *source.File) *File {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	return fs.all[f]
}

// HasComments reports whether the entry of a map or an array, or the document, at pos has its own
// comments: an item that replaces another brings them along.
func (fs *Files) HasComments(set *source.Set, pos source.Pos) bool {
	f := fs.of(set.File(pos))
	if f == nil {
		return false
	}
	p := f.partAt(pos.Offset())
	if p == nil {
		return false
	}
	for n := p.t.NodeAt(pos.Offset()); p.t.More(n) && p.t.Start(n) == pos; n++ {
		if _, ok := p.trailing[n]; ok {
			return true
		}
		if _, ok := p.below[n]; ok {
			return true
		}
		if g := p.gap(n); g != nil && g.heads(p) {
			return true
		}
	}
	return false
}

// File is a file that documents may come from.
type File struct {
	Role
	src   *source.File
	parts []part // several for a large plain file, otherwise one
}

// partAt returns the part around an offset, with its table, or nil.
func (f *File) partAt(off int) *part {
	for i := len(f.parts) - 1; i >= 0; i-- {
		if p := &f.parts[i]; i == 0 || p.t.Start(p.t.First()).Offset() <= off {
			if !p.t.More(p.t.First()) {
				return nil
			}
			return p.generator()
		}
	}
	return nil
}

// entry is an entry of a map (by its key), an item of an array, or a document, as it is written.
// The zero entry means none.
type entry struct {
	p *part
	n yaml.NodeID
}

func (e entry) ok() bool { return e.p != nil }

// value returns the node of the entry's value.
func (e entry) value() yaml.NodeID {
	switch t := e.p.t; {
	case t.Kind(e.n) == yaml.Document:
		return t.Root(e.n)
	case t.Kind(e.p.parent[e.n]) == yaml.Mapping:
		return t.Next(e.n)
	}
	return e.n
}

// column returns where an entry begins on its line.
func (e entry) column() int { return e.p.column(e.n) }
