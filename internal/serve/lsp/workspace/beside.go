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

// Beside returns files with a word that a command line may render together with those of the
// document's project, although the project does not have them: those that belong to nothing, and
// those of folders around it or in it that look like projects. Plain YAML may be data values for
// flags, even if the project has it. Of a project that someone has described there are none. Plain
// YAML, which has no Input, says what it would as data values.
func (d *TextDocument) Beside(ctx context.Context, word string) ([]*index.Source, error) {
	p, s := d.Project(), d.snap
	if p == nil || p.file != "" || p.key == settingsKey {
		return nil, nil
	}
	own, err := s.index(ctx, p)
	if err != nil {
		return nil, err
	}
	var list []*index.Source
	err = fs.WalkDir(s.Files(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return nil //nolint:nilerr // what cannot be read says nothing
		case e.IsDir():
			if e.Name() == index.PrivateDir || s.projectFileAbove(name) != "" {
				return fs.SkipDir
			}
			return nil
		}
		if !p.mayHave(s.folderKeyOf(path.Dir(name))) {
			return nil
		}
		if src := s.besides(name, word); src != nil && (src.Input == "" || own.Source(name) == nil) {
			list = append(list, src)
		}
		return nil
	})
	return list, err
}

// mayHave reports whether the files of another project may be rendered with those of this one.
func (p *Configuration) mayHave(key string) bool {
	a, b := folderOfKey(p.key)+"/", folderOfKey(key)+"/"
	return key == unknownKey || a == "./" || b == "./" || strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// besides returns what a file with a word says; nil if it has not got the word, or cannot say
// anything.
func (s *Snapshot) besides(name, word string) *index.Source {
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
		src.Says = index.ReadValues(compile.Analyse(d.file, compile.PlainYAML, compile.Options{}))
	} else {
		src.Input = name
		src.Says = index.ReadFile(compile.Analyse(d.file, engine.KindOf(in), compile.Options{}))
	}
	return src
}
