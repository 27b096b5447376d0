package eval

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/hints"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
)

// module is a module after its evaluation.
type module struct {
	key     site
	proc    *proc
	globals starlark.StringDict
	err     error
}

// load returns the globals of the module that a load statement of p names.
func (p *proc) load(name string) (starlark.StringDict, error) {
	if mod, ok := strings.CutPrefix(name, "@ytt:"); ok {
		p.needsBuiltin(name)
		switch {
		case name == compile.DataModule:
			return starlark.StringDict{"data": &dataModule{p}}, nil
		case mod == "library" && p.run.opt.Library != nil:
			return p.libraryModule(), nil
		}
		return p.run.opt.Env.Load(mod)
	}
	at, err := p.site.find(name)
	if err != nil {
		p.needs.lists = true // the file may exist in the next evaluation
		return nil, err
	}
	if !at.file.Input.Library {
		return nil, diag.Hintf(
			fmt.Errorf("expected file '%s' to be a library file, but was not", name),
			"library filename must end with '.lib.yml' or '.star'; use data.read(...) for "+
				"loading non-templated file contents",
		)
	}
	m := p.module(at)
	p.needsModule(name, m)
	p.log = append(p.log, logEntry{module: m})
	if m.err != nil {
		return nil, &loadError{module: m}
	}
	return m.globals, nil
}

// loadStatement loads the module of a load statement. Starlark compares a name that the module
// lacks with all its names, so long names are looked up here.
func (p *proc) loadStatement(module string) (starlark.StringDict, error) {
	globals, err := p.load(module)
	if err != nil {
		return nil, err
	}
	for _, l := range p.unit.Loads {
		for _, name := range l.Long {
			if l.Module == module && !globals.Has(name) {
				return nil, fmt.Errorf("the module has no name %s", name)
			}
		}
	}
	return globals, nil
}

// loadError reports that a module could not be loaded because of an error in it.
type loadError struct{ module *module }

func (e *loadError) Error() string {
	return fmt.Sprintf("cannot load %s: %v", e.module.key.file.Input.Path, e.module.err)
}

func (e *loadError) Unwrap() error { return e.module.err }

// module returns a module after its evaluation.
//
// Only one thread at a time evaluates modules, including those that they load; others wait. So two
// threads can never wait for each other, and a cycle shows in the chain of loaders. Modules are few
// and usually short.
func (p *proc) module(key site) *module {
	r := p.run
	if m := r.known(key); m != nil {
		return m
	}
	if err := p.cycle(key); err != nil {
		return &module{key: key, err: err}
	}
	if p.loader == nil && !p.isModule() {
		r.loading.Lock()
		defer r.loading.Unlock()
		if m := r.known(key); m != nil { // it was evaluated while this thread waited
			return m
		}
	}
	q := &proc{ctx: r.ctx, run: r, site: key, loader: p}
	m := r.keptModule(q)
	if m == nil {
		m = &module{key: key, proc: q}
		m.globals = q.exec()
		m.err = q.err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.modules[key] = m
	return m
}

// isModule reports whether p is the evaluation of a module, which holds the lock for modules.
func (p *proc) isModule() bool { return p.loader != nil }

func (r *run) known(key site) *module {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.modules[key]
}

// cycle returns an error if key is already being evaluated in the chain of loaders.
func (p *proc) cycle(key site) error {
	var members []*proc
	for q := p; q != nil; q = q.loader {
		members = append(members, q)
		if q.isModule() && q.site.file == key.file && q.site.root == key.root {
			slices.Reverse(members)
			return newCycle(members)
		}
	}
	return nil
}

// cycleError reports that modules load each other in a cycle. When files run in parallel, any of them
// may be loaded first. So that the message is always the same, it begins with the first module by
// name, and omits the file that led to the cycle.
type cycleError struct {
	diagnostic *diag.Diagnostic
}

func (e *cycleError) Error() string { return e.diagnostic.Message }

// newCycle returns the error for a cycle in which each module loads the next and the last loads the
// first.
func newCycle(members []*proc) *cycleError {
	first := 0
	for i, m := range members {
		if m.site.file.Input.Path < members[first].site.file.Input.Path {
			first = i
		}
	}
	members = slices.Concat(members[first:], members[:first])
	paths := make([]string, len(members)+1)
	for i := range paths {
		paths[i] = members[i%len(members)].site.file.Input.Path
	}
	last := len(members) - 1
	d := diag.Errorf(
		members[last].loadOf(members[0]),
		hints.CodeLoad,
		"load cycle: %s",
		strings.Join(paths, " → "),
	)
	for i, m := range members[:last] {
		d.WithRelated(m.loadOf(members[i+1]), "'%s' is loaded here", paths[i+1])
	}
	return &cycleError{d.WithHint("move what they share to a file that loads none of them")}
}

// loadOf returns where the file of p, which may not have run yet, loads the file of q.
func (p *proc) loadOf(q *proc) source.Span {
	u, err := p.site.file.Unit()
	if err != nil {
		return source.Span{}
	}
	for _, l := range u.Loads {
		if at, err := p.site.find(l.Module); err == nil && at == q.site {
			return l.At
		}
	}
	return source.Span{}
}

// find returns the file that a path in a load statement refers to.
func (s site) find(name string) (site, error) {
	found, err := s.lookup(name)
	if err == nil {
		return found, nil
	}
	if hint := moduleHint(name); hint != "" {
		if h, ok := errors.AsType[*diag.Hinted](err); ok {
			err = h.Err
		}
		err = diag.Hintf(err, "%s", hint)
	}
	return site{}, err
}

func (s site) lookup(name string) (site, error) {
	root, dir, rel := s.root, dirOf(s.file.Input.Path), name
	if lib, ok := strings.CutPrefix(name, "@"); ok {
		libName, file, ok := strings.Cut(lib, ":")
		if !ok {
			return site{}, fmt.Errorf(
				"expected library path to be in format '@name:path' for '%s'",
				name,
			)
		}
		var err error
		if root, err = s.private(libName); err != nil {
			return site{}, err
		}
		dir, rel = root, strings.TrimPrefix(file, "/")
	} else if abs, ok := strings.CutPrefix(name, "/"); ok {
		dir, rel = root, abs
	}
	f, err := s.file.lib.lookup(s.file, root, dir, rel)
	if err != nil {
		return site{}, err
	}
	return site{file: f, root: root}, nil
}

// moduleHint returns the hint for a path that was probably meant to be a module, such as data or
// @weft:data, or "".
func moduleHint(name string) string {
	module := strings.TrimPrefix(name, "@")
	if i := strings.LastIndexAny(module, ":/"); i >= 0 {
		switch module[:i] {
		case "ytt", "weft", "starlark", "std":
			module = module[i+1:]
		}
	}
	if !slices.Contains(script.Modules(), module) {
		return ""
	}
	return fmt.Sprintf("the module is '@ytt:%s'", module)
}

// private returns the folder of the private library with that name, as seen from a file, or else that of
// the vendored source with that name.
func (s site) private(name string) (string, error) {
	root, err := s.besides(name)
	if err != nil {
		if l := s.file.lib.vendored(name); l != nil {
			return s.file.lib.vendoredRoot(l, name)
		}
	}
	return root, err
}

// besides returns the folder of the private library with that name in the folder of a file.
func (s site) besides(name string) (string, error) {
	private := path.Join(dirOf(s.file.Input.Path), privateDir)
	if !s.file.lib.dirs[private] {
		return "", diag.Hintf(
			fmt.Errorf("could not find private library (directory '%s' missing?)", privateDir),
			"a file sees only the libraries in '%s' next to it",
			private,
		)
	}
	root := path.Join(private, name)
	if !fs.ValidPath(name) || name == "." ||
		!s.file.lib.dirs[root] { // `..` would leave the folder
		return "", diag.Hintf(
			fmt.Errorf(
				"expected to find library '%s', but did not find '%s'",
				name,
				private+"/"+name,
			),
			"%sa library is a folder below '%s'",
			didYouMean(name, s.file.lib.below(private)),
			privateDir,
		)
	}
	return root, nil
}

// vendored returns the vendored source that the name of a library begins with, or nil.
func (lib *Library) vendored(name string) *load.Library {
	list := lib.original().Vendored
	first, _, _ := strings.Cut(name, "/")
	if i := slices.IndexFunc(list, func(l load.Library) bool { return l.Name == first }); i >= 0 {
		return &list[i]
	}
	return nil
}

// vendoredRoot returns the folder of a library in a vendored source.
func (lib *Library) vendoredRoot(l *load.Library, name string) (string, error) {
	root := path.Join(l.Root(), strings.TrimPrefix(name, l.Name))
	switch {
	case l.Problem != "":
		return "", diag.Hintf(errors.New(l.Problem), "%s", l.Hint)
	case fs.ValidPath(name) && lib.dirs[root]:
		return root, nil
	case lib.dirs[l.Root()]:
		return "", diag.Hintf(
			fmt.Errorf("expected to find library '%s', but '%s' does not have this folder", name, l.Dir),
			"%sa library is the source, or a folder of it",
			didYouMean(strings.TrimPrefix(name, l.Name+"/"), lib.below(l.Root())),
		)
	}
	return "", diag.Hintf(
		fmt.Errorf("the vendored source '%s' was not read: '%s' is empty, or no file that loads '@ytt:library' "+
			"has its name", l.Name, l.Dir),
		"write the name as text: library.get(\"%s\")", l.Name,
	)
}

// oneString returns the argument of a builtin that takes a string and nothing else.
func oneString(b *starlark.Builtin, args starlark.Tuple) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("%s: expected exactly one argument", b.Name())
	}
	s, ok := starlark.AsString(args[0])
	if !ok {
		return "", fmt.Errorf("%s: expected a string, but was %s", b.Name(), args[0].Type())
	}
	return s, nil
}

// libraryModule returns @ytt:library for the file of p.
func (p *proc) libraryModule() starlark.StringDict {
	get := func(
		t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		name, err := oneString(b, args)
		if err != nil {
			return nil, err
		}
		if plain, ok := strings.CutPrefix(name, "@"); ok && p.site.file.lib.vendored(plain) != nil {
			name = plain
		} else if ok {
			return nil, fmt.Errorf(
				"%s: expected library '%s' to be specified without '@'",
				b.Name(),
				name,
			)
		}
		root, err := p.site.private(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name(), err)
		}
		v, err := p.run.opt.Library(
			Context(t),
			name,
			Scope{lib: p.site.file.lib, root: root},
			kwargs,
		)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name(), err)
		}
		return v, nil
	}
	return starlark.StringDict{
		"library": &starlarkstruct.Module{Name: "library", Members: starlark.StringDict{
			"get": starlark.NewBuiltin("library.get", get),
		}},
	}
}

// lookup finds a file below a folder of the library at root. by is the file that asks for it.
func (lib *Library) lookup(by *File, root, dir, rel string) (*File, error) {
	parts := strings.Split(rel, "/")
	if slices.Contains(parts, privateDir) {
		return nil, fmt.Errorf("encountered private library '%s' in '%s'", privateDir, rel)
	}
	if slices.Contains(parts, "..") || slices.Contains(parts, ".") {
		return nil, diag.Hintf(fmt.Errorf("expected to find file '%s', but did not: a path "+
			"starts in the folder of the loading file, or at the root with a leading '/', and "+
			"cannot go up", rel),
			"%s", lib.upward(root, dir, rel))
	}
	if f := lib.byPath[path.Join(dir, rel)]; f != nil {
		return f, nil
	}
	return nil, diag.Hintf(
		fmt.Errorf("expected to find file '%s'", rel),
		"%s",
		lib.notFound(by, root, dir, rel),
	)
}

// upward returns the hint for a path that goes up and down again to an existing file, or "".
func (lib *Library) upward(root, dir, rel string) string {
	if at, ok := strings.CutPrefix(path.Join("/", dir, rel), "/"+prefixOf(root)); ok &&
		lib.byPath[prefixOf(root)+at] != nil {
		return fmt.Sprintf("write '/%s'", at)
	}
	return ""
}

// paths returns the files below a folder, relative to it, without those of private libraries there.
// Each folder is listed once: many files may look for one that is missing. Do not change the result.
func (lib *Library) paths(dir string) []string {
	lib.mu.Lock()
	defer lib.mu.Unlock()
	if out, ok := lib.listed[dir]; ok {
		return out
	}
	out := lib.list(dir)
	if lib.listed == nil {
		lib.listed = map[string][]string{}
	}
	lib.listed[dir] = out
	return out
}

// sameName returns the files with a name, in any folder.
func (lib *Library) sameName(name string) []*File {
	lib.mu.Lock()
	defer lib.mu.Unlock()
	if lib.named == nil {
		lib.named = make(map[string][]*File, len(lib.Files))
		for _, f := range lib.Files {
			base := path.Base(f.Input.Path)
			lib.named[base] = append(lib.named[base], f)
		}
	}
	return lib.named[name]
}

func (lib *Library) list(dir string) []string {
	var out []string
	for _, f := range lib.Files {
		rel := f.Input.Path
		if dir != "" {
			var ok bool
			if rel, ok = strings.CutPrefix(rel, dir+"/"); !ok {
				continue
			}
		}
		if !slices.Contains(strings.Split(rel, "/"), privateDir) {
			out = append(out, rel)
		}
	}
	return out
}

// below returns the names of the subfolders of a folder.
func (lib *Library) below(dir string) []string {
	var out []string
	for d := range lib.dirs {
		if rel, ok := strings.CutPrefix(d, dir+"/"); ok {
			out = append(out, rel)
		}
	}
	slices.Sort(out)
	return out
}

// didYouMean returns the start of a hint with the candidate nearest to name, or "".
func didYouMean(name string, candidates []string) string {
	if near := diag.Nearest(name, candidates); near != "" {
		return fmt.Sprintf("did you mean '%s'? ", near)
	}
	return ""
}

// read returns the file whose contents a template reads.
func (s site) read(name string) (*File, error) {
	dir, rel := dirOf(s.file.Input.Path), name
	if abs, ok := strings.CutPrefix(name, "/"); ok {
		dir, rel = s.root, abs
	}
	return s.file.lib.lookup(s.file, s.root, dir, rel)
}

// content returns the contents of a file of any type.
func (f *File) content() (string, error) {
	if f.Input.File != nil {
		return string(f.Input.File.Data()), nil
	}
	f.read.Do(func() {
		var data []byte
		data, f.readErr = f.Input.Read()
		f.data = string(data)
	})
	return f.data, f.readErr
}
