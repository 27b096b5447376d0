package eval

import (
	"iter"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// privateDir is the folder of private libraries.
const privateDir = "_ytt_lib"

// Library is the set of files in a run. Templates may load and read them.
type Library struct {
	Files  []*File // in input order
	opt    compile.Options
	byPath map[string]*File
	dirs   map[string]bool

	// All variants use the following fields of the original library. The first four must be set
	// before anything is compiled.
	InProject bool           // the files are the inputs of a project, for hints
	Vendored  []load.Library // what files in all folders may use as private libraries
	Observe   Observer       // receives the time that files take; may be nil
	Keep      *keep.Files    // receives the files whose comments may be printed; may be nil
	compiled  atomic.Int64   // see Stats
	evaluated atomic.Int64
	overlays  atomic.Bool // a file has overlay annotations

	first    *Library   // the original of this variant; a variant is compiled with other options
	mu       sync.Mutex // guards the following fields
	variants map[compile.Options]*Library
	listed   map[string][]string // what paths returns, by folder
	named    map[string][]*File  // files by their names, see sameName
}

// File is a file of a library. It is compiled once, when it is first needed.
type File struct {
	Input load.Input

	lib   *Library
	noted sync.Once // see note
	*work
}

// work is what is known about a file. Libraries with the same file share it, such as the libraries
// before and after another file changed, and those of different environments. So it must not depend
// on the library that computes it, except for the options, which all of them share. What is specific
// to a library is in note.
type work struct {
	once sync.Once
	unit *compile.Unit
	err  error

	predeclare sync.Once
	builtins   starlark.StringDict // the builtins that its program uses

	search   sync.Once
	declares bool // see mayDeclare

	look       sync.Once
	unreadable error // see compileValues

	read    sync.Once // for a file of type Data
	data    string
	readErr error

	mu      sync.Mutex
	changed yaml.Changed // the scalars that YAML 1.1 changes, once it is compiled

	watch yaml.Watch // records whether code has read a scalar with two meanings, if that matters
}

// NewLibrary returns a library of the inputs.
func NewLibrary(inputs []load.Input, opt compile.Options) *Library {
	lib := &Library{opt: opt, byPath: map[string]*File{}, dirs: map[string]bool{"": true}}
	for _, in := range inputs {
		f := &File{Input: in, lib: lib, work: &work{}}
		lib.Files = append(lib.Files, f)
		if lib.byPath[in.Path] == nil { // the first of several files with the same path wins
			lib.byPath[in.Path] = f
		}
		for d := dirOf(in.Path); d != "" && !lib.dirs[d]; d = dirOf(d) {
			lib.dirs[d] = true
		}
	}
	return lib
}

// Next returns the library after some of its files were changed, added or removed. What is known
// about the other files is kept.
func (lib *Library) Next(inputs []load.Input) *Library {
	next := NewLibrary(inputs, lib.opt)
	next.InProject, next.Observe, next.Keep = lib.InProject, lib.Observe, lib.Keep
	next.Vendored = lib.Vendored
	next.overlays.Store(lib.overlays.Load()) // kept results may come from files with overlays
	old := make(map[load.Input]*work, len(lib.Files))
	for _, f := range lib.Files {
		old[f.Input] = f.work
	}
	for _, f := range next.Files {
		if w := old[f.Input]; w != nil {
			f.work = w
		}
	}
	lib.mu.Lock()
	defer lib.mu.Unlock()
	for opt, v := range lib.variants {
		if next.variants == nil {
			next.variants = map[compile.Options]*Library{}
		}
		variant := v.Next(inputs)
		variant.first = next
		next.variants[opt] = variant
	}
	return next
}

// samePaths reports whether two libraries have files of the same paths.
func (lib *Library) samePaths(other *Library) bool {
	return lib == other || slices.EqualFunc(lib.Files, other.Files, func(a, b *File) bool {
		return a.Input.Path == b.Input.Path
	})
}

func dirOf(p string) string {
	if d := path.Dir(p); d != "." && d != "/" { // a file mark may have changed the path to an absolute one
		return d
	}
	return ""
}

// Unit returns the compiled file. The error is a diag.List.
func (f *File) Unit() (*compile.Unit, error) {
	f.once.Do(f.compile)
	f.noted.Do(f.note)
	return f.unit, f.err
}

// compile compiles the file, for all libraries that share the work.
func (f *File) compile() {
	defer f.time(Compiling)()
	lib := f.lib.original()
	lib.compiled.Add(1)
	in := f.Input
	switch {
	case in.Type == load.Starlark:
		f.unit, f.err = compile.Module(in.File, f.lib.opt)
	case in.Type == load.Text && in.Template:
		f.unit, f.err = compile.TextTemplate(in.File, f.lib.opt)
	case in.Type == load.Text:
		f.unit = compile.TextFile(in.File)
	case in.Template:
		f.unit, f.err = compile.Template(in.File, f.lib.opt)
	default:
		f.unit, f.err = compile.Plain(in.File, f.lib.opt)
	}
	if f.unit != nil && lib.Keep != nil && lib.Keep.What&keep.Literals != 0 {
		f.unit.Changed = yaml.Changed{} // everything is printed as it is written
	}
	if f.unit != nil && f.lib.opt.TracksMeanings() {
		for _, t := range f.unit.Trees {
			t.Watch(&f.watch)
		}
	}
	if f.unit != nil && f.unit.Changed.Count > 0 {
		f.work.mu.Lock()
		f.changed = f.unit.Changed
		f.work.mu.Unlock()
	}
}

// note registers a compiled file with the library, even if another library compiled it.
func (f *File) note() {
	lib := f.lib.original()
	if f.unit != nil && f.unit.Overlay {
		lib.overlays.Store(true)
	}
	if f.printable() && lib.Keep != nil {
		role := keep.Role{Template: f.Input.Template, Overlay: f.unit.Overlay}
		lib.Keep.Add(f.unit.File, f.unit.Trees, role)
	}
}

// printable reports whether the output may contain comments of the file, which must be compiled.
func (f *File) printable() bool {
	return f.err == nil && f.unit.Trees != nil && f.unit.Role == compile.ForOutput
}

// forget reduces the file's unit to its kind, role and loads, and returns it. Only results of the
// unit may still be in use.
func (f *File) forget() *compile.Unit {
	f.unit = &compile.Unit{
		File:  f.unit.File,
		Kind:  f.unit.Kind,
		Role:  f.unit.Role,
		Loads: f.unit.Loads,
	}
	f.builtins = nil
	return f.unit
}

// predeclared returns the builtins of the file, which must be compiled.
func (f *File) predeclared() starlark.StringDict {
	f.predeclare.Do(func() { f.builtins = predeclare(f.unit) })
	return f.builtins
}

// Changed returns the scalars that YAML 1.1 changes in the files read so far: those of the scope,
// and with inside also those of libraries in it. Scalars of copied files stay as they are.
func (s Scope) Changed(inside bool, copied map[*source.File]bool) yaml.Changed {
	files := s.lib.Files
	if !inside {
		files = s.files()
	}
	var all yaml.Changed
	for _, f := range files {
		if copied[f.Input.File] {
			continue
		}
		f.work.mu.Lock()
		all.Add(f.changed)
		f.work.mu.Unlock()
	}
	return all
}

// ReadMeanings returns a scalar with two meanings that code has read, in any file of the scope or
// of the libraries in it.
func (s Scope) ReadMeanings() (source.Span, bool) {
	for _, f := range s.lib.Files {
		if at, ok := f.watch.Read(); ok {
			return at, true
		}
	}
	return source.Span{}, false
}

// Scope is the files of one library: the whole run, or a private library, whose folder is its root.
type Scope struct {
	lib  *Library
	root string
}

// With returns the same files, compiled with other options. There is one library for each set of
// options.
func (lib *Library) With(opt compile.Options) *Library {
	first := lib.original()
	first.mu.Lock()
	defer first.mu.Unlock()
	if opt == first.opt {
		return first
	}
	if v := first.variants[opt]; v != nil {
		return v
	}
	inputs := make([]load.Input, len(first.Files))
	for i, f := range first.Files {
		inputs[i] = f.Input
	}
	v := NewLibrary(inputs, opt)
	v.first = first
	if first.variants == nil {
		first.variants = map[compile.Options]*Library{}
	}
	first.variants[opt] = v
	return v
}

// original returns the original of a variant, or lib itself.
func (lib *Library) original() *Library {
	if lib.first != nil {
		return lib.first
	}
	return lib
}

// WithOptions returns the scope with its files compiled with other options.
func (s Scope) WithOptions(opt compile.Options) Scope {
	return Scope{lib: s.lib.With(opt), root: s.root}
}

// Prefix returns the common prefix of the paths of the scope's files.
func (s Scope) Prefix() string {
	if s.root == "" {
		return ""
	}
	return s.root + "/"
}

// Options returns the options that the files of the scope are compiled with.
func (s Scope) Options() compile.Options { return s.lib.opt }

// Root returns the scope of the run.
func (lib *Library) Root() Scope { return Scope{lib: lib} }

// At returns the scope of the private library in a folder.
func (lib *Library) At(folder string) Scope { return Scope{lib: lib, root: folder} }

// In returns the same scope in a later library: see Next. It returns false if that library has no
// variant with these options.
func (s Scope) In(next *Library) (Scope, bool) {
	if s.lib.first != nil {
		first := next
		first.mu.Lock()
		defer first.mu.Unlock()
		next = first.variants[s.lib.opt]
	}
	return Scope{lib: next, root: s.root}, next != nil
}

// Compiled returns how many files have been compiled since the library was created.
func (lib *Library) Compiled() int { return int(lib.compiled.Load()) }

// Evaluated returns how often files have been evaluated since the library was created.
func (lib *Library) Evaluated() int { return int(lib.evaluated.Load()) }

// files returns the files of the scope that have something to evaluate, in input order, without
// those of libraries inside it.
func (s Scope) files() []*File {
	var files []*File
	for _, f := range s.lib.Files {
		rel := f.Input.Path
		if s.root != "" {
			var ok bool
			if rel, ok = strings.CutPrefix(rel, s.root+"/"); !ok {
				continue
			}
		}
		if f.Input.Type != load.Data && !slices.Contains(splitPath(dirOf(rel)), privateDir) &&
			(f.Input.Output || f.Input.Library) {
			files = append(files, f)
		}
	}
	return files
}

// Compile compiles the files of the scope in parallel, and reports all errors of all files.
func (s Scope) Compile() error {
	files := s.files()
	s.lib.opt.YAML.Workers.Each(len(files), func(i int) { _, _ = files[i].Unit() })
	var list diag.List
	others := otherFiles{files: files}
	for _, i := range treeOrder(files) {
		f := files[i]
		if _, err := f.Unit(); err != nil {
			problems := others.hint(f, diag.Of(err))
			if at, ok := s.loaded(files, f); ok {
				first := *problems[0] // a copy, because other evaluations share it
				problems = append(diag.List{first.WithRelated(at, "loaded here")}, problems[1:]...)
			}
			list = append(list, problems...)
		}
	}
	if list != nil {
		return list
	}
	return nil
}

// CompileFor compiles the files of the scope for a role: for ForValues, those that declare data
// values or their schema; for ForSchema, those that declare the schema. Other YAML may contain
// broken code but must be valid YAML, so that data values can be inspected while templates are
// still broken.
func (s Scope) CompileFor(role compile.Role) error {
	files := s.files()
	errs := make([]error, len(files))
	s.lib.opt.YAML.Workers.Each(len(files), func(i int) { errs[i] = files[i].compileFor(role) })
	var list diag.List
	for _, i := range treeOrder(files) {
		list = append(list, diag.Of(errs[i])...)
	}
	if list != nil {
		return list
	}
	return nil
}

// mayDeclare reports whether the file may declare data values or their schema.
func (f *File) mayDeclare() bool {
	f.search.Do(func() {
		f.declares = f.Input.Type == load.YAML && f.Input.Template && compile.Declares(f.Input.File)
	})
	return f.declares
}

func (f *File) compileFor(role compile.Role) error {
	switch {
	case f.Input.Type != load.YAML || !f.Input.Template:
		return nil
	case !f.mayDeclare():
		f.look.Do(func() { f.unreadable = compile.Readable(f.Input.File, f.lib.opt) })
		return f.unreadable
	}
	u, err := f.Unit()
	if u != nil && (u.Role == compile.ForOutput || role == compile.ForSchema && u.Role != role) {
		return nil // even if the code of the file is broken
	}
	return err
}

// loaded returns the first place in files that loads f.
func (s Scope) loaded(files []*File, f *File) (source.Span, bool) {
	for _, by := range files {
		u, err := by.Unit()
		if err != nil {
			continue
		}
		for _, l := range u.Loads {
			if strings.HasPrefix(l.Module, "@") {
				continue
			}
			if at, err := (site{file: by, root: s.root}).find(l.Module); err == nil &&
				at.file == f {
				return l.At, true
			}
		}
	}
	return source.Span{}, false
}

// With returns the files of the scope that have a role, in input order. The scope must have been
// compiled; CompileFor is enough for the roles of data values and their schema.
func (s Scope) With(role compile.Role) []*File {
	return slices.DeleteFunc(s.files(), func(f *File) bool {
		if role != compile.ForOutput && !f.mayDeclare() {
			return true
		}
		u, err := f.Unit()
		return err != nil || u.Role != role
	})
}

// treeOrder returns the indexes of files in the order in which they are evaluated, or seem to be:
// the files of a folder before its subfolders, and files that exist to be loaded after the rest of
// their folder.
func treeOrder(files []*File) []int {
	order := make([]int, len(files))
	folders := map[string]int{} // a folder is where its first file is
	for i, f := range files {
		order[i] = i
		for d := dirOf(f.Input.Path); ; d = dirOf(d) {
			if _, ok := folders[d]; !ok {
				folders[d] = i
			}
			if d == "" {
				break
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := files[i], files[j]
		x, y := splitPath(dirOf(a.Input.Path)), splitPath(dirOf(b.Input.Path))
		for i := 0; ; i++ {
			switch {
			case i == len(x) && i == len(y):
				return boolOrder(a.Input.Library) - boolOrder(b.Input.Library)
			case i == len(x):
				return -1
			case i == len(y):
				return 1
			case x[i] != y[i]:
				return folders[strings.Join(x[:i+1], "/")] - folders[strings.Join(y[:i+1], "/")]
			}
		}
	})
	return order
}

func splitPath(p string) []string {
	if p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Inputs returns the files of the scope that have something to evaluate, in input order.
func (s Scope) Inputs() iter.Seq[load.Input] {
	return func(yield func(load.Input) bool) {
		for _, f := range s.files() {
			if !yield(f.Input) {
				return
			}
		}
	}
}

// Units returns the compiled files of the scope. The scope must have been compiled, and nothing
// evaluated yet.
func (s Scope) Units() []*compile.Unit {
	var units []*compile.Unit
	for _, f := range s.files() {
		if u, err := f.Unit(); err == nil {
			units = append(units, u)
		}
	}
	return units
}

// Named returns the files of the scope with that path: one or none.
func (s Scope) Named(path string) []*File {
	return slices.DeleteFunc(s.files(), func(f *File) bool { return f.Input.Path != path })
}
