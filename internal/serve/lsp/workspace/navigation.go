package workspace

import (
	"context"
	"io/fs"
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

// sayings is what files say about each other, kept from snapshot to snapshot.
type sayings struct {
	mu    sync.Mutex
	known map[saidKey]said
}

// saidKey is a file, and what it is read as.
type saidKey struct {
	path string
	as   reading
	kind compile.Kind
}

// said is what a file says, the options that it was read with, and the change after which it was
// read from disk.
type said struct {
	opt     compile.Options
	says    *index.File
	changed int
}

// reading is what a file is looked at as.
type reading uint8

const (
	asInput reading = iota // a template, a script or other YAML
	asValues
	asProject
	asTests
)

// of returns what a text says. It is found out once for a file, until the file has another text.
func (f *sayings) of(
	key saidKey, text *source.File, opt compile.Options, analyse func() *compile.Analysis,
) *index.File {
	f.mu.Lock()
	was, ok := f.known[key]
	f.mu.Unlock()
	if ok && was.opt == opt && was.says.Text.SameText(text) {
		return was.says
	}
	a := analyse()
	var says *index.File
	switch key.as {
	case asInput:
		says = index.ReadFile(a)
	case asValues:
		says = index.ReadValues(a)
	case asProject:
		says = index.ReadProject(a)
	case asTests:
		says = index.ReadTests(a)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		f.known = map[saidKey]said{}
	}
	f.known[key] = said{opt: opt, says: says, changed: -1}
	return says
}

// text returns the text of a file that has not changed since it was read; nil if it has.
func (f *sayings) text(key saidKey, changed int) *source.File {
	f.mu.Lock()
	defer f.mu.Unlock()
	if was, ok := f.known[key]; ok && was.changed == changed {
		return was.says.Text
	}
	return nil
}

// note notes that a file was read after a change.
func (f *sayings) note(key saidKey, changed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if was, ok := f.known[key]; ok {
		was.changed = changed
		f.known[key] = was
	}
}

// retain forgets files that are gone.
func (f *sayings) retain(paths map[string]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key := range f.known {
		if !paths[key.path] {
			delete(f.known, key)
		}
	}
}

// Index returns what the files of the document's project say about each other, and the document
// among them: all environments together, without waiting for an evaluation. A document with errors
// says what it did when it had none; with asIs, this one says what it does now. Where there is no
// project, it is the document alone.
func (d *TextDocument) Index(ctx context.Context, asIs bool) (*index.Index, *index.Source, error) {
	p := d.Project()
	if p == nil {
		own := d.own(asIs)
		return index.New([]*index.Source{own}), own, nil
	}
	made, err := d.snap.index(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	own := made.Source(d.path)
	if own != nil && (!asIs || own.Says.Text.SameText(d.file)) {
		return made, own, nil
	}
	with := []*index.Source{d.own(asIs)}
	if own != nil {
		with[0].Input, with[0].Library, with[0].Loadable = own.Input, own.Library, own.Loadable
	}
	for _, s := range made.Sources {
		if s != own {
			with = append(with, s)
		}
	}
	made = index.New(with)
	return made, made.Source(d.path), nil
}

// Says returns what an analysis of the document says about names and data values, which is found out
// once for a text.
func (d *TextDocument) Says(a *compile.Analysis) *index.File {
	_, opt := d.snap.folder.reading(d.snap, d.buffer)
	return d.snap.folder.sayings.of(saidKey{d.path, asInput, a.Kind}, a.File, opt,
		func() *compile.Analysis { return a })
}

// own returns what a document says by itself.
func (d *TextDocument) own(asIs bool) *index.Source {
	a := d.Analysis()
	if !asIs {
		if good, _ := d.Good(); good != nil {
			a = good
		}
	}
	return &index.Source{Path: d.path, Input: d.path, Says: d.Says(a)}
}

// Fresh is the same as Index for what must not miss a file that has just come: it loads all
// environments first.
func (d *TextDocument) Fresh(ctx context.Context) error {
	p := d.Project()
	if p == nil {
		return nil
	}
	for _, v := range p.all() {
		if _, err := v.Session(ctx, d.snap); ctx.Err() != nil {
			return context.Cause(ctx)
		} else if err != nil {
			continue // what is wrong, diagnostics tell
		}
	}
	return nil
}

// index returns what the files of a project say about each other.
func (s *Snapshot) index(ctx context.Context, p *Configuration) (*index.Index, error) {
	s.indexing.Lock()
	defer s.indexing.Unlock()
	if made := s.indexes[p.key]; made != nil {
		return made, nil
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
	made := index.New(sources)
	if s.indexes == nil {
		s.indexes = map[string]*index.Index{}
	}
	s.indexes[p.key] = made
	return made, nil
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
	as      reading
	kind    compile.Kind
	opt     compile.Options
	text    *source.File // nil if it is to be read
}

// source returns what the file says. It is nil if the file cannot be read.
func (l *listedFile) source(s *Snapshot) *index.Source {
	f := s.folder
	src := &index.Source{Path: l.path, Input: l.input, Loadable: l.loaded, Library: l.library}
	key := saidKey{l.path, l.as, l.kind}
	text := l.text
	switch b := s.open[l.path]; {
	case b != nil && l.as == asInput:
		a := b.analyse(l.kind, l.opt)
		if good := b.lastGood(); good != nil {
			a = good
		}
		src.Says = f.sayings.of(key, a.File, l.opt, func() *compile.Analysis { return a })
		return src
	case b != nil:
		text = b.file
	case text == nil:
		if text = f.sayings.text(key, f.lastChange(l.path)); text != nil {
			break
		}
		d := s.Document(l.path)
		if d == nil {
			return nil
		}
		text = d.file
	}
	src.Says = f.sayings.of(key, text, l.opt, func() *compile.Analysis {
		return compile.Analyse(text, l.kind, l.opt)
	})
	if l.text == nil {
		f.sayings.note(key, f.lastChange(l.path))
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
		}
	}
	for _, name := range p.testFiles() {
		l.add(&listedFile{path: name, as: asTests, kind: compile.PlainYAML})
	}
	s.folder.sayings.retain(l.kept())
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

// kept returns the files whose sayings are worth keeping: those of other projects, too.
func (l *lister) kept() map[string]bool {
	paths := make(map[string]bool, len(l.seen))
	for p := range l.seen {
		paths[p] = true
	}
	f := l.s.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.projects) > 1 { // it is not known which files the others have
		f.sayings.mu.Lock()
		defer f.sayings.mu.Unlock()
		for key := range f.sayings.known {
			paths[key.path] = true
		}
	}
	return paths
}

// view adds the inputs of an environment, as they were when it was loaded last: no one is made to
// wait.
func (l *lister) view(ctx context.Context, v *View) error {
	v.mu.Lock()
	session := v.session
	v.mu.Unlock()
	if session == nil {
		var err error
		if session, err = v.Session(ctx, l.s); ctx.Err() != nil {
			return context.Cause(ctx)
		} else if err != nil {
			session = nil // what is wrong, diagnostics tell
		}
	}
	if session != nil {
		for _, in := range session.Inputs() {
			l.input(in, v.config.Compile)
		}
	}
	return nil
}

func (l *lister) input(in load.Input, opt compile.Options) {
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
	if in.File == nil {
		l.addData(f)
		return
	}
	l.add(f)
}

// addData adds a file that is read as data alone: nothing is known of it but its name.
func (l *lister) addData(f *listedFile) {
	var set source.Set
	f.text, _ = set.Add(f.path, nil) // which is not too large
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

// all are views that together have all inputs of all environments, the active one first.
// Environments that are not looked at while someone types count all the same for who renames
// something.
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
