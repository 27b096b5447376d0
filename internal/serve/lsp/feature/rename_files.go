package feature

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// RenameFiles returns edits of paths that refer to files and folders which are about to be renamed:
// in loads, data.read, data.list, names of libraries, and weft.yml.
func RenameFiles(
	ctx context.Context, snap *workspace.Snapshot, moves []workspace.Move,
) (*protocol.WorkspaceEdit, error) {
	all := workspace.Edits{}
	projects, err := snap.Indexes(ctx, moves)
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		m := mover{moves: moves, renaming: &renaming{
			indexedDoc: &indexedDoc{all: p, locator: newLocator(snap)}, edits: map[*index.Source][]rewrite{},
		}}
		for _, src := range p.Sources {
			for i := range src.File.Paths {
				m.path(src, &src.File.Paths[i])
			}
		}
		edits, err := m.changes()
		if err != nil {
			return nil, err
		}
		for name, list := range edits {
			if all[name] == nil { // several projects may have the file
				all[name] = list
			}
		}
	}
	return all.Workspace(snap), nil
}

// mover updates paths to files that move.
type mover struct {
	*renaming
	moves []workspace.Move
}

// moved returns the new path of a file or folder.
func (m *mover) moved(name string) string {
	for _, x := range m.moves {
		if name == x.Old {
			return x.New
		}
		if rest, ok := strings.CutPrefix(name, x.Old+"/"); ok {
			return x.New + "/" + rest
		}
	}
	return name
}

// path updates a path if it would no longer refer to the same file.
func (m *mover) path(src *index.Source, p *index.Path) {
	switch p.Kind {
	case index.Input:
		m.input(src, p)
	case index.Module, index.Data:
		m.reference(src, p)
	case index.Folder:
		m.folder(src, p)
	case index.Library:
		if name := m.library(src, p.Text); name != p.Text {
			m.add(src, p.At, name)
		}
	case index.Pattern:
		m.pattern(src, p)
	}
}

// input updates a path in weft.yml, which is relative to the folder of weft.yml.
func (m *mover) input(src *index.Source, p *index.Path) {
	if path.IsAbs(p.Text) || strings.Contains(p.Text, "://") {
		return
	}
	dir := path.Dir(src.Path)
	old := path.Join(dir, p.Text)
	to, newDir := m.moved(old), path.Dir(m.moved(src.Path))
	if to == old && newDir == dir {
		return
	}
	if rel, ok := relative(newDir, to); ok && rel != p.Text {
		m.add(src, p.At, rel)
	}
}

// relative returns a path as it is written in a file in a folder.
func relative(dir, to string) (string, bool) {
	rel, err := filepath.Rel(filepath.FromSlash("/"+dir), filepath.FromSlash("/"+to))
	return filepath.ToSlash(rel), err == nil
}

// reference updates the path of a load or data.read, which is relative to the folder of the file or,
// with a slash, to the top of its library.
func (m *mover) reference(src *index.Source, p *index.Path) {
	to := m.all.Find(src, p.Text)
	if to == nil {
		return
	}
	from, target := m.movedInput(src), m.movedInput(to)
	if from == src.Input && target == to.Input {
		return
	}
	text := ""
	if m.all.Same(src, to) { // in the same library
		text = m.local(src, p.Text, target)
	} else if lib, _, ok := strings.Cut(p.Text, ":"); ok {
		root := m.movedDir(m.all.LibraryDir(src, lib))
		if rest, ok := strings.CutPrefix(target, prefix(root)); ok {
			text = m.library(src, lib) + ":" + rest
		}
	}
	if text != "" && text != p.Text {
		m.add(src, p.At, text)
	}
}

// local returns the path by which a file refers to a target in its library after the move: relative
// to its folder or to the top of the library, as before. It returns "" if there is none.
func (m *mover) local(src *index.Source, old, target string) string {
	dir, root := path.Dir(m.movedInput(src)), m.all.Root(src)
	if root != "" {
		root = m.movedDir(root)
	}
	switch {
	case dir == "." && !strings.HasPrefix(old, "/"):
		return target
	case strings.HasPrefix(target, dir+"/") && !strings.HasPrefix(old, "/"):
		return strings.TrimPrefix(target, dir+"/")
	case root == "" || strings.HasPrefix(target, root+"/"):
		return "/" + strings.TrimPrefix(target, prefix(root))
	}
	return ""
}

// folder updates the path of data.list.
func (m *mover) folder(src *index.Source, p *index.Path) {
	old := m.all.FolderDir(src, p.Text)
	to := m.movedDir(old)
	if to == old && m.movedInput(src) == src.Input {
		return
	}
	if text := m.local(src, p.Text, to); text != "" && text != p.Text {
		m.add(src, p.At, text)
	}
}

// library returns the name of a library after the move, for a file that names it as name. The name
// stays the same if the library is no longer in the folder of libraries next to the file.
func (m *mover) library(src *index.Source, text string) string {
	old := m.all.LibraryDir(src, text)
	name, _ := strings.CutPrefix(old, path.Join(path.Dir(src.Input), index.PrivateDir)+"/")
	now, ok := strings.CutPrefix(m.movedDir(old),
		path.Join(path.Dir(m.movedInput(src)), index.PrivateDir)+"/")
	if !ok {
		return text
	}
	return strings.Replace(text, name, now, 1)
}

// pattern updates a path below an input of weft.yml, such as an exclude.
func (m *mover) pattern(src *index.Source, p *index.Path) {
	for _, in := range src.File.Paths {
		if in.Kind != index.Input {
			continue
		}
		top := path.Join(path.Dir(src.Path), in.Text)
		if m.all.Source(top) != nil { // the input is a file, which templates know by its base name
			top = path.Dir(top)
		}
		old := path.Join(top, p.Text)
		rel, ok := strings.CutPrefix(m.moved(old), prefix(m.moved(top)))
		if ok && rel != p.Text {
			m.add(src, p.At, rel)
			return
		}
	}
}

func prefix(root string) string {
	if root == "" || root == "." {
		return ""
	}
	return root + "/"
}

// movedDir returns the path that templates know a folder by after the move.
func (m *mover) movedDir(dir string) string {
	for _, s := range m.all.Sources {
		rest, ok := strings.CutPrefix(s.Input, prefix(dir))
		if folder, below := strings.CutSuffix(s.Path, "/"+rest); ok && below {
			return m.movedInput(&index.Source{Path: folder, Input: dir})
		}
	}
	return dir
}

// movedInput returns the path that templates know a file by after the move.
func (m *mover) movedInput(src *index.Source) string {
	to := m.moved(src.Path)
	if to == src.Path {
		return src.Input
	}
	top, ok := strings.CutSuffix(src.Path, src.Input)
	if !ok { // the input is named explicitly
		return src.Input
	}
	if rest, ok := strings.CutPrefix(to, top); ok {
		return rest
	}
	return src.Input // it is no longer an input
}
