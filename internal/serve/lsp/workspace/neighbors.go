package workspace

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/serve/lsp/index"
)

// Neighbors returns files that contain a word and that a command line may render together with the
// document's project, although they are not part of it: files that belong to no project, and those of
// folders above or below that look like projects. Plain YAML may be data values for flags, even if it
// is part of the project; it is read as such, and has no Input. A project that weft.yml or the
// settings describe has no neighbors.
func (d *TextDocument) Neighbors(ctx context.Context, word string) ([]*index.Source, error) {
	p, s := d.Project(), d.snap
	if p == nil || p.file != "" || p.key == settingsKey {
		return nil, nil
	}
	indexed, err := s.index(ctx, p)
	if err != nil {
		return nil, err
	}
	var list []*index.Source
	err = fs.WalkDir(s.Files(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is not rendered
		case e.IsDir():
			if e.Name() == index.PrivateDir || s.projectFileAbove(name) != "" {
				return fs.SkipDir
			}
			return nil
		}
		if !p.mayInclude(s.folderKeyOf(path.Dir(name))) {
			return nil
		}
		if src := s.neighbor(name, word); src != nil && (src.Input == "" || indexed.Source(name) == nil) {
			list = append(list, src)
		}
		return nil
	})
	return list, err
}

// mayInclude reports whether the files of another project may be rendered with those of this one.
func (p *Configuration) mayInclude(key string) bool {
	a, b := folderOfKey(p.key)+"/", folderOfKey(key)+"/"
	return a == "./" || b == "./" || strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// neighbor returns a file with its index. It returns nil if the file does not contain a word, or weft
// reads it as data.
func (s *Snapshot) neighbor(name, word string) *index.Source {
	in := load.Named(name)
	if in.Type == load.Data {
		return nil
	}
	d := s.Document(name)
	if d == nil || !bytes.Contains(d.file.Data(), []byte(word)) {
		return nil
	}
	src := &index.Source{Path: name}
	if in.Type == load.YAML && !hasMarks(d.file.Data()) {
		src.File = index.ReadValues(Analyse(d.file, compile.PlainYAML, compile.Options{}))
	} else {
		src.Input = name
		src.File = index.ReadFile(Analyse(d.file, engine.KindOf(in), compile.Options{}))
	}
	return src
}
