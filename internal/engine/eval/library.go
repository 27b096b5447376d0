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

// Library is the files of a run, which templates may load and read.
type Library struct {
	Files  []*File // as they were given
	opt    compile.Options
	byPath map[string]*File
	dirs   map[string]bool

	// What follows is that of the original library in all of its variants. The first three are to
	// be set before anything is compiled.
	InProject bool         // the files are the inputs of a project, for hints
	Observe   Observer     // is told what files cost; may be nil
	Keep      *keep.Files  // takes the files whose comments may be printed; may be nil
	compiled  atomic.Int64 // see Stats
	evaluated atomic.Int64
	overlays  atomic.Bool // one of the files has annotations of overlays

	first    *Library   // of which this is a variant, compiled with other options
	mu       sync.Mutex // guards what follows
	variants map[compile.Options]*Library
}

// File is a file of a library. It is compiled once, when it is first needed.
type File struct {
	Input load.Input

	lib   *Library
	noted sync.Once // see note
	*work
}

// work is what was found out about a file. Libraries that hold the same file share it: those
// before and after another file changed, and those of environments. So it must not depend on the
// library that asks first, except for the options, which all of them have in common; what a library
// wants to know of its files is in note.
type work struct {
	once sync.Once
	unit *compile.Unit
	err  error

	predeclare sync.Once
	builtins   starlark.StringDict // what its program may use

	search   sync.Once
	declares bool // see mayDeclare

	look       sync.Once
	unreadable error // see compileValues

	read    sync.Once // of a file of type Data
	data    string
	readErr error

	mu      sync.Mutex
	changed yaml.Changed // the scalars that YAML 1.1 changes, once it is compiled

	watch yaml.Watch // whether code has read one with two meanings, if that matters
}

// NewLibrary makes a library of inputs.
func NewLibrary(inputs []load.Input, opt compile.Options) *Library {
	lib := &Library{opt: opt, byPath: map[string]*File{}, dirs: map[string]bool{"": true}}
	for _, in := range inputs {
		f := &File{Input: in, lib: lib, work: &work{}}
		lib.Files = append(lib.Files, f)
		if lib.byPath[in.Path] == nil { // of two files with the same path, the first is found
			lib.byPath[in.Path] = f
		}
		for d := dirOf(in.Path); d != "" && !lib.dirs[d]; d = dirOf(d) {
			lib.dirs[d] = true
		}
	}
	return lib
}

// Next returns the library after some of its files changed, came or went. What was found out about
// the others holds.
func (lib *Library) Next(inputs []load.Input) *Library {
	next := NewLibrary(inputs, lib.opt)
	next.InProject, next.Observe, next.Keep = lib.InProject, lib.Observe, lib.Keep
	next.overlays.Store(lib.overlays.Load()) // what is kept of files may come from others
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
	if d := path.Dir(p); d != "." && d != "/" { // a mark may have made a path absolute
		return d
	}
	return ""
}

// Unit returns the file compiled. The error is a diag.List.
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
		f.unit.Changed = yaml.Changed{} // all is printed as it is written
	}
	if f.unit != nil && f.lib.opt.MindsMeanings() {
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

// note registers a compiled file with the library, whichever library has compiled it.
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

// printable reports whether output may come from the file, which is compiled, with its comments.
func (f *File) printable() bool {
	return f.err == nil && f.unit.Trees != nil && f.unit.Role == compile.ForOutput
}

// forget drops all of the file's unit but its kind, and returns that. Only what was produced from
// it may still be in use.
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

// predeclared returns the builtins of the file, which has been compiled.
func (f *File) predeclared() starlark.StringDict {
	f.predeclare.Do(func() { f.builtins = predeclare(f.unit) })
	return f.builtins
}

// Changed returns the scalars that YAML 1.1 changes in the files that were read so far: those of
// the scope alone, or of libraries inside it too. Those of files that are copied stay as they are.
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

// ReadMeanings returns a scalar with two meanings that code has read in one of the files, also in
// those of libraries inside the scope.
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

// With returns the same files, compiled with other options. Each set of options has one library,
// however often it is asked for.
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

// original returns the library of which lib is a variant, or lib itself.
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

// Prefix returns what the paths of the scope's files begin with.
func (s Scope) Prefix() string {
	if s.root == "" {
		return ""
	}
	return s.root + "/"
}

// Options returns what the files of the scope are compiled with.
func (s Scope) Options() compile.Options { return s.lib.opt }

// Root returns the scope of the run.
func (lib *Library) Root() Scope { return Scope{lib: lib} }

// At returns the scope of the private library in a folder.
func (lib *Library) At(folder string) Scope { return Scope{lib: lib, root: folder} }

// In returns the same scope in a later library: see Next. There is none if that library was not
// asked for files with these options.
func (s Scope) In(next *Library) (Scope, bool) {
	if s.lib.first != nil {
		first := next
		first.mu.Lock()
		defer first.mu.Unlock()
		next = first.variants[s.lib.opt]
	}
	return Scope{lib: next, root: s.root}, next != nil
}

// Compiled returns how many files have been compiled since the library was made.
func (lib *Library) Compiled() int { return int(lib.compiled.Load()) }

// Evaluated returns how often files have been evaluated since the library was made.
func (lib *Library) Evaluated() int { return int(lib.evaluated.Load()) }

// files returns the files of the scope that have something to evaluate, as they were given. Those
// of libraries inside it are not among them.
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

// Compile compiles the files of the scope, side by side, and reports all errors of all files.
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
				first := *problems[0] // a copy: other evaluations tell the same error
				first.Related = slices.Clip(first.Related)
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

// CompileFor compiles the files of the scope for a role: for ForValues those that declare data values
// or their schema, for ForSchema those that declare the schema. Code in other YAML may be wrong, but it
// must be readable, so that data values can be inspected while templates are still wrong.
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
		return nil // whatever its code is
	}
	return err
}

// loaded returns where the first of files that loads f does so.
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

// With returns the files of the scope that have a role, as they were given. The scope must have
// been compiled, by CompileFor at least if the role is that of data values or their schema.
func (s Scope) With(role compile.Role) []*File {
	return slices.DeleteFunc(s.files(), func(f *File) bool {
		if role != compile.ForOutput && !f.mayDeclare() {
			return true
		}
		u, err := f.Unit()
		return err != nil || u.Role != role
	})
}

// treeOrder returns files, by their indexes, in the order in which they are evaluated, or seem to
// be: those of a folder before its subfolders, and what is there to be loaded after the rest of
// its folder.
func treeOrder(files []*File) []int {
	order := make([]int, len(files))
	folders := map[string]int{} // a folder's place is that of its first file
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

// Inputs returns the files of the scope that have something to evaluate, as they were given.
func (s Scope) Inputs() iter.Seq[load.Input] {
	return func(yield func(load.Input) bool) {
		for _, f := range s.files() {
			if !yield(f.Input) {
				return
			}
		}
	}
}

// Units returns the files of the scope, compiled. The scope must have been, and nothing may be
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

// Named returns the files of the scope with a path: one, or none.
func (s Scope) Named(path string) []*File {
	return slices.DeleteFunc(s.files(), func(f *File) bool { return f.Input.Path != path })
}
