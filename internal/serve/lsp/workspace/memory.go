package workspace

import (
	"context"
	"embed"
	"io"
	"io/fs"
	"reflect"

	"weft/internal/serve/lsp/protocol"
)

// Memory is a folder whose files are in memory, for clients that do not report edits: they pass all
// files each time, and Memory finds what has changed. Nothing is evaluated until a feature needs it.
type Memory struct {
	session *Session
	folder  *Folder
}

// NewMemory returns a folder without files. Code in it sees no environment variables.
func NewMemory() *Memory {
	s := NewSession(Options{
		Encoding: protocol.UTF16, Trusted: true, Log: func(string, ...any) {},
	})
	f := newFolder(s, "/memory", emptyDisk())
	s.folders = []*Folder{f}
	return &Memory{s, f}
}

// emptyDisk returns a folder without files that is not on disk.
func emptyDisk() *disk {
	// The zero embed.FS is an empty folder.
	return &disk{root: io.NopCloser(nil), fsys: embed.FS{}, dirs: map[string][]fs.DirEntry{}}
}

// Show replaces all files with these texts, by path.
func (m *Memory) Show(texts map[string]string, settings Settings) error {
	if !reflect.DeepEqual(settings, m.session.currentSettings()) {
		m.session.Configure(settings)
	}
	if m.folder.Snapshot().shows(texts) {
		return nil
	}
	return m.folder.showAll(texts)
}

// Document returns a file by its path, or nil if there is none.
func (m *Memory) Document(path string) *TextDocument { return m.folder.Snapshot().Document(path) }

// Evaluate renders the project of a document, for features that use the latest outcome.
func (m *Memory) Evaluate(ctx context.Context, doc *TextDocument) {
	p := doc.Project()
	for _, v := range p.Views() {
		_ = v.Values(ctx, doc.snap)
	}
	if v := p.active(); v != nil {
		if out, err := v.Rendered(ctx, doc.snap); err == nil {
			v.keep(out)
		}
	}
}

// shows reports whether a snapshot contains exactly these texts.
func (s *Snapshot) shows(texts map[string]string) bool {
	if len(texts) != len(s.open) {
		return false
	}
	for path, text := range texts {
		if b := s.open[path]; b == nil || string(b.file.Data()) != text {
			return false
		}
	}
	return true
}

func (f *Folder) showAll(texts map[string]string) error {
	return f.update(func(next *Snapshot) error {
		for path := range next.open {
			if _, ok := texts[path]; !ok {
				f.structure++
				f.replace(next, path, nil)
			}
		}
		for path, text := range texts {
			if err := f.showOne(next, path, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// showOne sets the text of a file in the next snapshot.
func (f *Folder) showOne(next *Snapshot, path, text string) error {
	was := next.open[path]
	if was != nil && string(was.file.Data()) == text {
		return nil
	}
	b, err := newBuffer(f.uri(next, path), path, next.ID, []byte(text))
	if err != nil {
		return err
	}
	if was == nil {
		f.structure++
	} else {
		b.good = was.lastGood()
	}
	f.replace(next, path, b)
	return nil
}
