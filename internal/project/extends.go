package project

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// load reads the project file at a path, and those that it extends.
func (p *Description) load(path string) error {
	l := loader{project: p, loaded: map[string]*File{}}
	var err error
	if p.own, err = l.file(path, source.Span{}); err != nil {
		return err
	}
	seen := map[*File]bool{}
	var add func(f *File)
	add = func(f *File) { // a file that several files extend comes once, before the first of them
		if seen[f] {
			return
		}
		seen[f] = true
		for _, base := range f.bases {
			add(base)
		}
		p.layers = append(p.layers, f)
	}
	add(p.own)
	return nil
}

// loader reads project files that extend each other.
type loader struct {
	project *Description
	loaded  map[string]*File
	open    []opened // files whose bases are being read
}

type opened struct {
	path string
	at   source.Span // where the file is named
}

// maxExtends is the maximum length of a chain of files or environments that extend each other.
// Every environment merges its whole chain, so the cost is quadratic in its length.
const maxExtends = 100

func tooLong(at source.Span) *diag.Diagnostic {
	return diag.Errorf(at, CodeDepth, "more than %d `extends` follow each other", maxExtends).
		WithHint("let environments extend the same one, instead of each other")
}

// file reads the project file named at a place.
func (l *loader) file(path string, at source.Span) (*File, error) {
	if i := slices.IndexFunc(l.open, func(o opened) bool { return o.path == path }); i >= 0 {
		return nil, cycle("'"+path+"' extends itself", at, l.open[i+1:])
	}
	if f := l.loaded[path]; f != nil {
		return f, nil
	}
	if len(l.open) > maxExtends {
		return nil, tooLong(at)
	}
	p := l.project
	data, err := p.places.read(path)
	if err != nil {
		return nil, unreadable(path, at, err)
	}
	f := &File{Path: path}
	if f.Source, err = p.Files.AddShown(path, path, data); err != nil {
		return nil, diag.Errorf(at, CodeFile, "%s", err)
	}
	if f.root, err = Decode(f.Source); err != nil {
		return nil, err
	}
	l.open = append(l.open, opened{path, at})
	defer func() { l.open = l.open[:len(l.open)-1] }()
	var list diag.List
	for _, n := range f.root.Get(keyExtends).texts() {
		base := p.places.from(f, n.Text)
		if d := p.places.check(base, n.At); d != nil {
			list = append(list, d)
			continue
		}
		b, err := l.file(base, n.At)
		if err != nil {
			list = append(list, diag.Of(err)...)
			continue
		}
		f.bases = append(f.bases, b)
	}
	if list != nil {
		return nil, list
	}
	l.loaded[path] = f
	return f, nil
}

func unreadable(path string, at source.Span, err error) *diag.Diagnostic {
	d := diag.Errorf(at, CodeFile, "cannot read the project file '%s': %s", path, reason(err))
	if errors.Is(err, fs.ErrNotExist) {
		d.Message = "there is no project file '" + path + "'"
		d.WithHint("`weft init --write` creates one from the files in this directory")
	}
	return d
}

// cycle returns the error that something extends itself, and the path of the cycle.
func cycle(what string, at source.Span, by []opened) *diag.Diagnostic {
	d := diag.Errorf(at, CodeCycle, "%s", what)
	for _, o := range by {
		d.WithRelated(o.at, "which is extended here")
	}
	return d.WithHint("remove one of them")
}

// definition is what all files say about one environment.
type definition struct {
	name      string
	at        source.Span // where the environment is first named
	fragments []fragment  // one for each file that mentions it, the most basic first
	each      string      // its file, if an `each` lists it
}

// fragment is a mapping with keys of an environment, or of a whole file.
type fragment struct {
	file *File
	node *Node // may be null
}

// listEnvironments collects the environments of all files.
func (p *Description) listEnvironments() error {
	var list diag.List
	for _, f := range p.layers {
		environments := f.root.Get(keyEnvironments)
		if environments == nil {
			continue
		}
		for _, e := range environments.Entries {
			if err := p.define(fragment{f, e.Value}, e); err != nil {
				list = append(list, diag.Of(err)...)
			}
		}
	}
	if list != nil {
		return list
	}
	list = p.checkReferences()
	if list == nil {
		list = p.checkCycles()
	}
	if list != nil {
		return list
	}
	return nil
}

// define records an environment, or those of an `each`.
func (p *Description) define(from fragment, e Entry) error {
	if !strings.Contains(e.Key, "*") {
		d := p.envs[e.Key]
		if d != nil && d.each != "" {
			return p.taken(e.Key, e.KeyAt, d)
		}
		if d == nil {
			d = &definition{name: e.Key, at: e.KeyAt}
			p.add(d)
		}
		d.fragments = append(d.fragments, from)
		return nil
	}
	members, err := p.places.family(from.file, e)
	if err != nil {
		return err
	}
	var list diag.List
	for _, m := range members {
		if d := p.envs[m.name]; d != nil {
			list = append(list, p.taken(m.name, e.KeyAt, d))
			continue
		}
		p.add(&definition{name: m.name, at: e.KeyAt, fragments: []fragment{from}, each: m.file})
	}
	if list != nil {
		return list
	}
	return nil
}

func (p *Description) add(d *definition) {
	p.envs[d.name] = d
	p.names = append(p.names, d.name)
}

func (p *Description) taken(name string, at source.Span, by *definition) *diag.Diagnostic {
	d := diag.Errorf(at, CodeEnvironment, "two environments have the name '%s'", name)
	what := "the other one is here"
	if by.each != "" {
		what = "the other one is made of '" + by.each + "' here"
	}
	return d.WithRelated(by.at, "%s", what).WithHint("rename one of them")
}

// parents returns the names of the environments that an environment extends.
func (d *definition) parents() (nodes []*Node) {
	for _, f := range d.fragments {
		nodes = append(nodes, f.node.Get(keyExtends).texts()...)
	}
	return nodes
}

// checkReferences finds names of environments that do not exist.
func (p *Description) checkReferences() (list diag.List) {
	// For each suggestion, a name is compared with all others, and few people read that many.
	const maxSuggestions = 50
	reported := map[source.Span]bool{} // environments of one `each` name their parents once
	check := func(n *Node) {
		if p.envs[n.Text] != nil || reported[n.At] {
			return
		}
		reported[n.At] = true
		d := p.noEnvironment(n.Text, n.At)
		if len(list) < maxSuggestions {
			p.suggest(d, n.Text)
		}
		list = append(list, d)
	}
	for _, name := range p.names {
		for _, n := range p.envs[name].parents() {
			check(n)
		}
	}
	for _, f := range p.layers {
		if n := f.root.Get(keyDefault); n != nil {
			check(n)
		}
	}
	return list
}

// unknown returns the error that there is no environment with a name, and suggests another.
func (p *Description) unknown(name string, at source.Span) *diag.Diagnostic {
	d := p.noEnvironment(name, at)
	p.suggest(d, name)
	return d
}

// noEnvironment returns the error that there is no environment with a name, and says where
// environments are defined.
func (p *Description) noEnvironment(name string, at source.Span) *diag.Diagnostic {
	d := diag.Errorf(at, CodeEnvironment, "there is no environment '%s'", diag.Shortened(name))
	if len(p.names) == 0 {
		return d.WithHint("the project has none: add it to `environments` in %s", p.Path())
	}
	if n := p.own.root.Get(keyEnvironments); n != nil {
		d.WithRelated(source.Span{Pos: n.At.Pos}, "environments are here")
	}
	return d
}

// suggest adds a hint with the environment that a name may mean, or with those that exist.
func (p *Description) suggest(d *diag.Diagnostic, name string) {
	if len(p.names) == 0 {
		return
	}
	const maxNames = 10
	last := len(p.names) - 1
	near := p.nearest(name)
	unknown := func(e string) bool { return !slices.Contains(p.names, e) }
	switch parts := strings.Split(name, ","); {
	case len(parts) > 1 && !slices.ContainsFunc(parts, unknown):
		d.WithHint("name each of them: -e %s", strings.Join(parts, " -e "))
	case near != "":
		d.WithHint("did you mean %s?", near)
	case len(p.names) == 1:
		d.WithHint("the only environment is %s", p.names[0])
	case len(p.names) <= maxNames:
		d.WithHint("environments are %s and %s", strings.Join(p.names[:last], ", "), p.names[last])
	default:
		d.WithHint("`weft env` lists the %d environments", len(p.names))
	}
}

// nearest returns the environment that was probably meant: one with a similar name, or one of which
// the name is a short or a long form, as prod is of production.
func (p *Description) nearest(name string) string {
	if near := diag.Nearest(name, p.names); near != "" {
		return near
	}
	const shortest = 3
	found := ""
	for _, n := range p.names {
		if min(len(n), len(name)) < shortest ||
			!strings.HasPrefix(n, name) && !strings.HasPrefix(name, n) {
			continue
		}
		if found != "" {
			return "" // several match
		}
		found = n
	}
	return found
}

// checkCycles finds environments that extend themselves, or too many others.
func (p *Description) checkCycles() (list diag.List) {
	depths := map[string]int{} // for environments that are checked: the length of the chain that they extend
	var open []opened
	var visit func(name string, at source.Span) int
	visit = func(name string, at source.Span) int {
		if depth, done := depths[name]; done {
			return depth
		}
		if i := slices.IndexFunc(open, func(o opened) bool { return o.path == name }); i >= 0 {
			list = append(list, cycle("environment '"+name+"' extends itself", at, open[i+1:]))
			return 0
		}
		depth := 0
		open = append(open, opened{name, at})
		for _, n := range p.envs[name].parents() {
			if len(open) > maxExtends {
				depth = maxExtends + 1
				break
			}
			depth = max(depth, 1+visit(n.Text, n.At))
		}
		open = open[:len(open)-1]
		if depth > maxExtends && len(list) == 0 {
			list = append(list, tooLong(at))
		}
		depths[name] = depth
		return depth
	}
	for _, name := range p.names {
		visit(name, p.envs[name].at)
	}
	return list
}

// lineage returns the definitions of an environment and of those that it extends, the most basic
// first. An environment that several extend comes once, before the first of them.
func (p *Description) lineage(name string) []*definition {
	seen := map[string]bool{}
	var all []*definition
	var add func(name string)
	add = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		d := p.envs[name]
		for _, n := range d.parents() {
			add(n.Text)
		}
		all = append(all, d)
	}
	add(name)
	return all
}

// entriesOf returns the entries of a mapping, or nil.
func entriesOf(n *Node) []Entry {
	if n == nil || n.Kind != yaml.Mapping {
		return nil
	}
	return n.Entries
}
