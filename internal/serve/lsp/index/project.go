package index

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// PrivateDir is the folder of private libraries.
const PrivateDir = "_ytt_lib"

// Source is a file of a project.
type Source struct {
	Path  string // its path in the folder of the workspace
	Input string // the path that templates know it by; "" if it is not an input
	File  *File

	Loadable bool // other files can load it

	// Library is the name of the library that a plain file of data values is for, or "" for the project.
	Library string
}

// Index joins the indexes of files that are rendered together. It never changes, except that it
// caches results.
type Index struct {
	Sources []*Source // in the order of their paths

	byPath  map[string]*Source
	byInput map[string]*Source
	roots   []string // folders of libraries that files name, the deepest first

	mu      sync.Mutex
	flows   map[place][]given
	reading map[*Source][]string // the libraries whose data values a file reads
	solved  map[place][]Value
	solving map[place]bool
	cut     int // how often values were left out because they were being solved
}

// place is a binding of a file.
type place struct {
	src *Source
	id  ID
}

// New returns the Index of files. It sorts them.
func New(sources []*Source) *Index {
	p := &Index{
		Sources: sources, byPath: make(map[string]*Source, len(sources)),
		byInput: make(map[string]*Source, len(sources)),
		solved:  map[place][]Value{}, solving: map[place]bool{},
	}
	slices.SortFunc(sources, func(a, b *Source) int { return strings.Compare(a.Path, b.Path) })
	for _, s := range sources {
		p.byPath[s.Path] = s
		if s.Input != "" {
			p.byInput[s.Input] = s
		}
	}
	p.findRoots()
	return p
}

// Source returns the file at a path of the workspace, or nil.
func (p *Index) Source(path string) *Source { return p.byPath[path] }

func (p *Index) findRoots() {
	for _, s := range p.Sources {
		for _, ref := range s.File.Paths {
			name := ""
			switch ref.Kind {
			case Library:
				name = ref.Text
			case Module:
				if rest, ok := strings.CutPrefix(ref.Text, "@"); ok && !isStandard(ref.Text) {
					name, _, _ = strings.Cut(rest, ":")
				}
			}
			if name != "" {
				p.roots = append(p.roots, p.libraryOf(s, name))
			}
		}
		for _, k := range s.File.Keys {
			if k.Library != "" {
				p.roots = append(p.roots, p.libraryOf(s, k.Library))
			}
		}
	}
	slices.SortFunc(p.roots, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	p.roots = slices.Compact(p.roots)
}

// dirOf returns the folder of an input, or "" for the top.
func dirOf(input string) string {
	if dir := path.Dir(input); dir != "." {
		return dir
	}
	return ""
}

// libraryOf returns the folder of a library that a file names.
func (p *Index) libraryOf(s *Source, name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "@"), "~")
	return path.Join(dirOf(s.Input), PrivateDir, name)
}

// LibraryDir returns the folder of a library that a file names, as a path of inputs.
func (p *Index) LibraryDir(s *Source, name string) string { return p.libraryOf(s, name) }

// rootOf returns the folder of the library that an input belongs to, or "" for the project.
func (p *Index) rootOf(input string) string {
	for _, r := range p.roots {
		if strings.HasPrefix(input, r+"/") {
			return r
		}
	}
	// no file names the library: it is the folder below the innermost PrivateDir
	i := strings.LastIndex("/"+input, "/"+PrivateDir+"/")
	if i < 0 {
		return ""
	}
	rest := input[i+len(PrivateDir)+1:]
	name, _, ok := strings.Cut(rest, "/")
	if !ok {
		return ""
	}
	return input[:i] + PrivateDir + "/" + name
}

// Root returns the folder of the library that a file belongs to, or "" for the project.
func (p *Index) Root(s *Source) string { return p.rootOf(s.Input) }

// Absolute returns the path from the top of the library that a file belongs to, with a slash.
func (p *Index) Absolute(s *Source) string {
	return "/" + strings.TrimPrefix(strings.TrimPrefix(s.Input, p.rootOf(s.Input)), "/")
}

// Libraries returns the names of the private libraries that a file can use, in the order of their paths: the
// topmost folders that have files of their own, since a library may be called github.com/acme/app.
func (p *Index) Libraries(s *Source) (names []string) {
	private := path.Join(dirOf(s.Input), PrivateDir) + "/"
	dirs := map[string]bool{}
	for _, f := range p.Sources {
		if rest, ok := strings.CutPrefix(f.Input, private); ok && !strings.Contains(rest, PrivateDir+"/") {
			dirs[dirOf(rest)] = true
		}
	}
	delete(dirs, "")
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		above := dirOf(dir)
		for above != "" && !dirs[above] {
			above = dirOf(above)
		}
		if above == "" {
			names = append(names, dir)
		}
	}
	return names
}

// Same reports whether two files belong to the same library.
func (p *Index) Same(a, b *Source) bool { return p.rootOf(a.Input) == p.rootOf(b.Input) }

// Find returns the file that a load or data.read in a file names, or nil.
func (p *Index) Find(s *Source, ref string) *Source {
	if s.Input == "" || isStandard(ref) {
		return nil
	}
	if lib, ok := strings.CutPrefix(ref, "@"); ok {
		name, file, ok := strings.Cut(lib, ":")
		if !ok {
			return nil
		}
		return p.byInput[path.Join(p.libraryOf(s, name), strings.TrimPrefix(file, "/"))]
	}
	if abs, ok := strings.CutPrefix(ref, "/"); ok {
		return p.byInput[path.Join(p.rootOf(s.Input), abs)]
	}
	if slices.Contains(strings.Split(ref, "/"), "..") {
		return nil
	}
	return p.byInput[path.Join(dirOf(s.Input), ref)]
}

// FolderDir returns the folder that a path of data.list names, as a path of inputs.
func (p *Index) FolderDir(s *Source, ref string) string {
	if abs, ok := strings.CutPrefix(ref, "/"); ok {
		return path.Join(p.rootOf(s.Input), abs)
	}
	return path.Join(dirOf(s.Input), ref)
}

// Below returns the files of a folder, given as a path of inputs, without those of libraries in it.
func (p *Index) Below(dir string) []*Source {
	var list []*Source
	for _, s := range p.Sources {
		rest, ok := strings.CutPrefix(s.Input, dir+"/")
		if ok && !strings.Contains("/"+rest, "/"+PrivateDir+"/") {
			list = append(list, s)
		}
	}
	return list
}

// Symbol is a function, variable or parameter. Other files may use it too.
type Symbol struct {
	Source *Source
	ID     ID
}

// Bound returns the binding of the symbol.
func (s Symbol) Bound() *Binding { return &s.Source.File.Bindings[s.ID] }

// Resolve returns the symbol of a binding. For a loaded name it is the symbol in the loaded file, if
// it can be found.
func (p *Index) Resolve(s *Source, id ID) Symbol {
	for range 100 { // files may load each other in a cycle
		b := &s.File.Bindings[id]
		if b.Kind != Loaded {
			break
		}
		m := p.Find(s, b.Module)
		if m == nil {
			break
		}
		next := m.File.Export(b.From)
		if next == None {
			break
		}
		s, id = m, next
	}
	return Symbol{s, id}
}

// Use is a place where a symbol is used or defined.
type Use struct {
	Source *Source
	At     Range
	Name   string // as it is written, which may be an alias
	Bound  bool
}

// Uses returns the uses of a symbol in all files. Keywords of calls are uses of parameters.
func (p *Index) Uses(sym Symbol) []Use {
	b := sym.Bound()
	if b.Kind == Parameter {
		return append(p.usesIn(sym.Source, sym), p.keywords(sym)...)
	}
	if !b.Global {
		return p.usesIn(sym.Source, sym)
	}
	var list []Use
	for _, s := range p.Sources {
		if s == sym.Source || p.loads(s, b.Name) {
			list = append(list, p.usesIn(s, sym)...)
		}
	}
	return list
}

// loads reports whether a file loads a name from any module.
func (p *Index) loads(s *Source, name string) bool {
	for i := range s.File.Bindings {
		if b := &s.File.Bindings[i]; b.Kind == Loaded && b.From == name {
			return true
		}
	}
	return false
}

func (p *Index) usesIn(s *Source, sym Symbol) []Use {
	var list []Use
	same := map[ID]bool{}
	last := Range{-1, -1}
	for _, n := range s.File.Names {
		is, ok := same[n.Binding]
		if !ok {
			is = p.Resolve(s, n.Binding) == sym
			same[n.Binding] = is
		}
		if !is || n.At == last {
			continue
		}
		last = n.At
		list = append(list, Use{s, n.At, string(s.File.Text.Data()[n.At.Start:n.At.End]), n.Bound})
	}
	return list
}

// keywords returns the keyword arguments of a parameter.
func (p *Index) keywords(sym Symbol) []Use {
	b := sym.Bound()
	if b.Function < 0 {
		return nil
	}
	fn := Symbol{sym.Source, sym.Source.File.Functions[b.Function].Binding}
	var list []Use
	p.CallsOf(fn, func(s *Source, c *Call) {
		for _, k := range c.Keywords {
			if k.Name == b.Name {
				list = append(list, Use{Source: s, At: k.At, Name: k.Name})
			}
		}
	})
	return list
}

// CallsOf calls f with each call of a function.
func (p *Index) CallsOf(fn Symbol, f func(s *Source, c *Call)) {
	if fn.ID == None {
		return
	}
	for _, s := range p.Sources {
		if s != fn.Source && !p.loads(s, fn.Bound().Name) {
			continue
		}
		for i := range s.File.Calls {
			if c := &s.File.Calls[i]; p.Resolve(s, c.Callee) == fn {
				f(s, c)
			}
		}
	}
}
