package workspace

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/index"
)

// fileIndexes are the indexes of files, kept from snapshot to snapshot.
type fileIndexes struct {
	mu    sync.Mutex
	known map[fileIndexKey]fileIndex
}

// fileIndexKey is a file and how it is read.
type fileIndexKey struct {
	path string
	as   fileUse
	kind compile.Kind
}

// fileIndex is the index of a file, the options that it was compiled with, and the change after which
// it was read from disk.
type fileIndex struct {
	opt     compile.Options
	file    *index.File
	changed int
}

// fileUse is what a project uses a file for.
type fileUse uint8

const (
	asInput fileUse = iota // a template, a script or other YAML
	asValues
	asProject
	asTests
)

// of returns the index of a text. It is computed again only if the text or the options have changed.
func (f *fileIndexes) of(
	key fileIndexKey, text *source.File, opt compile.Options, analyse func() *compile.Analysis,
) *index.File {
	f.mu.Lock()
	was, ok := f.known[key]
	f.mu.Unlock()
	if ok && was.opt == opt && was.file.Text.SameText(text) {
		return was.file
	}
	read := map[fileUse]func(*compile.Analysis) *index.File{
		asInput: index.ReadFile, asValues: index.ReadValues,
		asProject: index.ReadProject, asTests: index.ReadTests,
	}[key.as]
	file := read(analyse())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		f.known = map[fileIndexKey]fileIndex{}
	}
	f.known[key] = fileIndex{opt: opt, file: file, changed: -1}
	return file
}

// text returns the text of a file if it has not changed since it was read from disk, or nil.
func (f *fileIndexes) text(key fileIndexKey, changed int) *source.File {
	f.mu.Lock()
	defer f.mu.Unlock()
	if was, ok := f.known[key]; ok && was.changed == changed {
		return was.file.Text
	}
	return nil
}

// noteRead records after which change a file was read from disk.
func (f *fileIndexes) noteRead(key fileIndexKey, changed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if was, ok := f.known[key]; ok {
		was.changed = changed
		f.known[key] = was
	}
}

// retain drops all other files.
func (f *fileIndexes) retain(paths map[string]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.known, func(key fileIndexKey, _ fileIndex) bool { return !paths[key.path] })
}

// indexAnalysed computes the indexes of files that are not open from their analyses.
func (v *View) indexAnalysed(s *Snapshot, list []*compile.Analysis) {
	for _, a := range list {
		path := filepath.ToSlash(a.File.Shown())
		if kind, ok := v.KindOf(path); ok && s.open[path] == nil {
			v.folder.fileIndexes.of(fileIndexKey{path, asInput, kind}, a.File, v.config.Compile,
				func() *compile.Analysis { return a })
		}
	}
}

// Index returns the index of the document's project, and the document in it: all environments
// together, without waiting for an evaluation. Files with errors are included in their last versions
// without errors; with asIs, the current text of the document is used. Without a project, the index
// has only the document.
func (d *TextDocument) Index(ctx context.Context, asIs bool) (*index.Index, *index.Source, error) {
	p := d.Project()
	if p == nil {
		all, src := d.IndexAlone(asIs)
		return all, src, nil
	}
	all, err := d.snap.index(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	listed := all.Source(d.path)
	if listed == nil && d.snap.canRelist(p) { // the file may be new
		if err := d.LoadAll(ctx); err != nil {
			return nil, nil, err
		}
		if all, err = d.snap.index(ctx, p); err != nil {
			return nil, nil, err
		}
		listed = all.Source(d.path)
	}
	if listed != nil && (!asIs || listed.File.Text.SameText(d.file)) {
		return all, listed, nil
	}
	now := d.indexSource(asIs)
	return replaced(all, listed, now), now, nil
}

// IndexAlone returns an index that has only the document.
func (d *TextDocument) IndexAlone(asIs bool) (*index.Index, *index.Source) {
	src := d.indexSource(asIs)
	return index.New([]*index.Source{src}), src
}

// canRelist reports whether an index of the project is used for the first time in which a document is
// missing. Then it forgets the index.
func (s *Snapshot) canRelist(p *Configuration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looked[p.key] {
		return false
	}
	if s.looked == nil {
		s.looked = map[string]bool{}
	}
	s.looked[p.key] = true
	delete(s.indexes, p.key)
	return true
}

// replaced returns an index with another version of a file. listed is the file in it, or nil.
func replaced(all *index.Index, listed, now *index.Source) *index.Index {
	if listed != nil {
		now.Input, now.Library, now.Loadable = listed.Input, listed.Library, listed.Loadable
	}
	sources := []*index.Source{now}
	for _, s := range all.Sources {
		if s != listed {
			sources = append(sources, s)
		}
	}
	return index.New(sources)
}

// IndexWith returns Index with another text of the document, which is indexed already.
func (d *TextDocument) IndexWith(ctx context.Context, file *index.File) (*index.Index, *index.Source) {
	now := &index.Source{Path: d.path, Input: d.path, File: file}
	all, listed, err := d.Index(ctx, false)
	if err != nil {
		return index.New([]*index.Source{now}), now
	}
	return replaced(all, listed, now), now
}

// FileIndex returns the index of the document by itself, from an analysis of it.
func (d *TextDocument) FileIndex(a *compile.Analysis) *index.File {
	_, opt := d.snap.folder.reading(d.snap, d.buffer)
	return d.snap.folder.fileIndexes.of(fileIndexKey{d.path, asInput, a.Kind}, a.File, opt,
		func() *compile.Analysis { return a })
}

// indexSource returns the document as the source of an index.
func (d *TextDocument) indexSource(asIs bool) *index.Source {
	a := d.Analysis()
	if !asIs {
		if good, _ := d.LastGood(); good != nil {
			a = good
		}
	}
	return &index.Source{Path: d.path, Input: d.path, File: d.FileIndex(a)}
}

// LoadAll loads all environments of the document's project, so that Index has files that were just
// added.
func (d *TextDocument) LoadAll(ctx context.Context) error {
	p := d.Project()
	if p == nil {
		return nil
	}
	for _, v := range p.all() {
		if _, err := v.Session(ctx, d.snap); ctx.Err() != nil {
			return context.Cause(ctx)
		} else if err != nil {
			continue // diagnostics report the error
		}
	}
	return nil
}

// Indexes returns the indexes of the projects of open documents and of files that move.
func (s *Snapshot) Indexes(ctx context.Context, moves []Move) ([]*index.Index, error) {
	projects := s.OpenProjects()
	for _, m := range moves {
		if p := s.folder.projectOf(s, m.Old); p != nil && !slices.Contains(projects, p) {
			projects = append(projects, p)
		}
	}
	var list []*index.Index
	for _, p := range projects {
		x, err := s.index(ctx, p)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// index returns the index of a project. It is computed once per snapshot, in the background if ctx ends.
func (s *Snapshot) index(ctx context.Context, p *Configuration) (*index.Index, error) {
	if known := s.knownIndex(p); known != nil {
		return known, nil
	}
	var all *index.Index
	var failed error
	err := s.inBackground(ctx, "indexing", func(ctx context.Context) { all, failed = s.newIndex(ctx, p) })
	if err != nil {
		return nil, err
	}
	return all, failed
}

func (s *Snapshot) knownIndex(p *Configuration) *index.Index {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.indexes[p.key]
}

func (s *Snapshot) newIndex(ctx context.Context, p *Configuration) (*index.Index, error) {
	s.indexing.Lock()
	defer s.indexing.Unlock()
	if known := s.knownIndex(p); known != nil {
		return known, nil
	}
	files, err := s.listed(ctx, p)
	if err != nil {
		return nil, err
	}
	sources := make([]*index.Source, 0, len(files))
	parallel.InOrder(p.workers(), len(files), func(i int) *index.Source {
		if ctx.Err() != nil {
			return nil
		}
		return files[i].source(s)
	}, func(src *index.Source) bool {
		if src != nil {
			sources = append(sources, src)
		}
		return ctx.Err() == nil
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	all := index.New(sources)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.indexes == nil {
		s.indexes = map[string]*index.Index{}
	}
	s.indexes[p.key] = all
	return all, nil
}

func (p *Configuration) workers() parallel.Workers {
	if v := p.active(); v != nil {
		return v.config.Workers
	}
	return 1
}

// listedFile is a file of a project.
type listedFile struct {
	path    string
	input   string
	loaded  bool // others may load it
	library string
	as      fileUse
	kind    compile.Kind
	opt     compile.Options
	text    *source.File // nil if it has to be read
}

// source returns the file with its index. It is nil if the file cannot be read.
func (l *listedFile) source(s *Snapshot) *index.Source {
	f := s.folder
	src := &index.Source{Path: l.path, Input: l.input, Loadable: l.loaded, Library: l.library}
	key := fileIndexKey{l.path, l.as, l.kind}
	text := l.text
	switch b := s.open[l.path]; {
	case b != nil && l.as == asInput:
		a := b.analyse(l.kind, l.opt)
		if good := b.lastGood(); good != nil {
			a = good
		}
		src.File = f.fileIndexes.of(key, a.File, l.opt, func() *compile.Analysis { return a })
		return src
	case b != nil:
		text = b.file
	case text == nil:
		if text = f.fileIndexes.text(key, f.lastChange(l.path)); text != nil {
			break
		}
		d := s.Document(l.path)
		if d == nil {
			return nil
		}
		text = d.file
	}
	src.File = f.fileIndexes.of(key, text, l.opt, func() *compile.Analysis {
		return Analyse(text, l.kind, l.opt)
	})
	// a newer snapshot may have another text
	if changed := f.lastChange(l.path); l.text == nil && changed <= s.ID {
		f.fileIndexes.noteRead(key, changed)
	}
	return src
}

// listed returns the files of a project, in all of its environments.
func (s *Snapshot) listed(ctx context.Context, p *Configuration) ([]*listedFile, error) {
	l := lister{s: s, seen: map[string]bool{}}
	for name := range p.sources {
		l.add(&listedFile{path: name, as: asProject, kind: compile.PlainYAML})
	}
	for _, v := range p.all() {
		if err := l.view(ctx, v); err != nil {
			return nil, err
		}
	}
	for _, name := range p.names {
		if v := p.views[name]; v != nil {
			for _, layer := range layersOf(v.config) {
				l.layer(layer)
			}
			for _, name := range slices.Sorted(maps.Keys(v.charted)) {
				l.chartValues(v, name)
			}
		}
	}
	for _, name := range p.testFiles() {
		l.add(&listedFile{path: name, as: asTests, kind: compile.PlainYAML})
	}
	s.folder.fileIndexes.retain(l.worthKeeping())
	return l.files, nil
}

// lister lists the files of a project.
type lister struct {
	s     *Snapshot
	files []*listedFile
	seen  map[string]bool
}

func (l *lister) add(f *listedFile) {
	if !l.seen[f.path] {
		l.seen[f.path] = true
		l.files = append(l.files, f)
	}
}

// worthKeeping returns the files whose indexes should be kept, including those of other projects.
func (l *lister) worthKeeping() map[string]bool {
	paths := make(map[string]bool, len(l.seen))
	for p := range l.seen {
		paths[p] = true
	}
	f := l.s.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.projects) > 1 { // it is unknown which files the other projects have
		f.fileIndexes.mu.Lock()
		defer f.fileIndexes.mu.Unlock()
		for key := range f.fileIndexes.known {
			paths[key.path] = true
		}
	}
	return paths
}

// view adds the inputs of an environment, as they were when it was last loaded, so that requests do
// not wait.
func (l *lister) view(ctx context.Context, v *View) error {
	v.mu.Lock()
	session, at := v.session, v.at
	v.mu.Unlock()
	if session == nil {
		var err error
		at = l.s.ID
		if session, err = v.Session(ctx, l.s); ctx.Err() != nil {
			return context.Cause(ctx)
		} else if err != nil {
			session = nil // diagnostics report the error
		}
	}
	if session != nil {
		for _, in := range session.Inputs() {
			l.input(in, v.config.Compile, at)
		}
	}
	return nil
}

// input adds an input of a session of the snapshot with the ID at.
func (l *lister) input(in load.Input, opt compile.Options, at int) {
	if in.Origin() == "" {
		return
	}
	f := &listedFile{
		path: in.Origin(), input: in.Path, loaded: in.Library, text: in.File, opt: opt,
		kind: compile.PlainText,
	}
	if in.Type != load.Data && in.File != nil {
		f.kind = engine.KindOf(in)
	}
	if l.s.folder.lastChange(f.path) > at {
		f.text = nil // it has changed since
	}
	if in.File == nil {
		l.addData(f)
		return
	}
	l.add(f)
}

// addData adds a file that is only read as data: its text is not needed.
func (l *lister) addData(f *listedFile) {
	var set source.Set
	f.text, _ = set.Add(f.path, nil) // an empty text is never too large
	l.add(f)
}

// layer is a file of data values, or a directory of them.
type layer struct{ path, library string }

// layersOf returns the files of data values of an environment.
func layersOf(c engine.Config) []layer {
	var list []layer
	for _, name := range c.Values.Files {
		list = append(list, layer{path: name})
	}
	if p := c.Values.Project; p != nil {
		for _, x := range p.Layers {
			if x.Path != "" {
				list = append(list, layer{filepath.ToSlash(x.Path), x.Library})
			}
		}
	}
	return list
}

func (l *lister) layer(x layer) {
	if load.IsURL(x.path) || !fs.ValidPath(x.path) {
		return
	}
	if l.seen[x.path] {
		return
	}
	info, err := l.s.Files().Stat(x.path)
	switch {
	case err != nil:
	case info.IsDir():
		entries, _ := l.s.Files().ReadDir(x.path)
		for _, e := range entries {
			if load.Named(e.Name()).Type == load.YAML || e.IsDir() {
				l.layer(layer{path.Join(x.path, e.Name()), x.library})
			}
		}
	default:
		l.add(&listedFile{path: x.path, library: x.library, as: asValues, kind: compile.PlainYAML})
	}
}

// chartValues adds a values file of a chart. One that is a template reads data values, and loads other files
// as a file at the top of the project does.
func (l *lister) chartValues(v *View, name string) {
	if d := l.s.Document(name); d != nil && !l.seen[name] {
		kind, opt, _ := v.chartValues(name, d.file.Data())
		f := &listedFile{path: name, kind: kind, opt: opt}
		if kind == compile.YAML {
			f.input = path.Base(name)
		}
		l.add(f)
	}
}

// all returns views that together contain the inputs of all environments, the active one first.
// Renames need those beyond MaxViews too.
func (p *Configuration) all() []*View {
	views := p.Views()
	for _, name := range p.names {
		v := p.views[name]
		if v != nil && !slices.ContainsFunc(views, func(x *View) bool {
			return reflect.DeepEqual(x.config.Load, v.config.Load)
		}) {
			views = append(views, v)
		}
	}
	return views
}
