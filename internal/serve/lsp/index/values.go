package index

import (
	"slices"
	"strings"
)

// Value names a data value: the folder of its library, or "" for the project, and its path, in which an
// item of a list is Any.
type Value struct {
	Library string
	Path    []string
}

// given is an argument that callers pass to a function.
type given struct {
	src     *Source
	index   int
	keyword string
	values  []value
}

// maxSolved limits the data values that an expression may have.
const maxSolved = 32

// maxCuts limits how often functions that call each other are solved again, in order to find all of
// their arguments.
const maxCuts = 10_000

// collectFlows records the arguments that are passed to functions. The caller holds the lock.
func (p *Index) collectFlows() {
	if p.flows != nil {
		return
	}
	p.flows = map[place][]given{}
	for _, s := range p.Sources {
		for _, f := range s.File.flows {
			to := p.Resolve(s, f.callee)
			if to.Bound().Kind == FunctionName {
				at := place{to.Source, to.ID}
				p.flows[at] = append(p.flows[at], given{s, f.index, f.keyword, f.values})
			}
		}
	}
	p.reading = map[*Source][]string{}
	for _, s := range p.Sources {
		if s.Input != "" {
			p.reading[s] = []string{p.rootOf(s.Input)}
		}
	}
	p.spread()
}

// spread records that files load modules of libraries. In such a module, data.values may be that of
// the file that loads it.
func (p *Index) spread() {
	todo := slices.Clone(p.Sources)
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		for _, ref := range s.File.Paths {
			if ref.Kind != Module {
				continue
			}
			m := p.Find(s, ref.Text)
			if m == nil {
				continue
			}
			more := false
			for _, lib := range p.reading[s] {
				if !slices.Contains(p.reading[m], lib) {
					p.reading[m] = append(p.reading[m], lib)
					more = true
				}
			}
			if more {
				todo = append(todo, m)
			}
		}
	}
}

// ValuesOf returns the data values that a Read may refer to, or nil if it reads something else.
func (p *Index) ValuesOf(s *Source, r *Read) []Value {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.solveAll(s, r.of)
}

// solveAll is solve for several values. The caller holds the lock.
func (p *Index) solveAll(s *Source, values []value) []Value {
	if len(values) == 1 {
		return p.solve(s, values[0])
	}
	var list []Value
	for _, v := range values {
		for _, x := range p.solve(s, v) {
			if !slices.ContainsFunc(list, x.Equal) {
				list = append(list, x)
			}
		}
	}
	return list
}

// Means returns the data values that a variable or parameter may have.
func (p *Index) Means(sym Symbol) []Value {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := sym.Bound()
	if b.Kind == Parameter {
		return p.solve(sym.Source, value{root: parameter, of: sym.ID})
	}
	return p.solveAll(sym.Source, b.values)
}

// solve returns the data values that a value may be. The caller holds the lock.
func (p *Index) solve(s *Source, v value) []Value {
	p.collectFlows()
	switch v.root {
	case dataValues:
		var list []Value
		for _, lib := range p.reading[s] {
			list = append(list, Value{lib, v.steps})
		}
		return list
	case libraryValues:
		return []Value{{p.libraryOf(s, v.lib), v.steps}}
	case parameter, loaded, returned:
		return below(p.rootsOf(s, v), v.steps)
	}
	return nil
}

// below returns the data values at a path below others.
func below(from []Value, path []string) []Value {
	list := make([]Value, 0, len(from))
	for _, v := range from {
		list = append(list, Value{v.Library, slices.Concat(v.Path, path)})
	}
	return list
}

// rootsOf returns the data values that the root of a value may be.
func (p *Index) rootsOf(s *Source, v value) []Value {
	sym := p.Resolve(s, v.of)
	at := place{sym.Source, sym.ID}
	if list, ok := p.solved[at]; ok {
		return list
	}
	if p.solving[at] { // a function that calls itself
		p.cut++
		return nil
	}
	p.solving[at] = true
	cut := p.cut
	list := p.solveRoot(sym, v.root)
	delete(p.solving, at)
	if p.cut == cut || len(p.solving) == 0 || p.cut > maxCuts { // otherwise some values may be missing
		p.solved[at] = list
	}
	return list
}

func (p *Index) solveRoot(sym Symbol, r root) []Value {
	b := sym.Bound()
	file := sym.Source.File
	var list []Value
	add := func(s *Source, values []value) {
		for _, v := range values {
			for _, x := range p.solve(s, v) {
				if len(list) < maxSolved && !slices.ContainsFunc(list, x.Equal) {
					list = append(list, x)
				}
			}
		}
	}
	switch {
	case r == parameter && b.Kind == Parameter && b.Function >= 0:
		fn := place{sym.Source, file.Functions[b.Function].Binding}
		for _, g := range p.flows[fn] {
			if g.keyword == b.Name || g.keyword == "" && g.index == b.Index {
				add(g.src, g.values)
			}
		}
		add(sym.Source, b.values) // its default
	case r == loaded && b.Kind == Variable:
		add(sym.Source, b.values)
	case r == returned && b.Kind == FunctionName:
		add(sym.Source, file.Functions[b.Function].returns)
	}
	return list
}

// Equal reports whether two values are the same.
func (v Value) Equal(w Value) bool { return v.Library == w.Library && slices.Equal(v.Path, w.Path) }

// Matches reports whether a read of w may be a read of v: an item of a list, or a key that is known
// only at run time, may be any.
func (v Value) Matches(w Value) bool {
	if v.Library != w.Library || len(v.Path) != len(w.Path) {
		return false
	}
	for i, step := range v.Path {
		if step != w.Path[i] && step != Any && w.Path[i] != Any {
			return false
		}
	}
	return true
}

// Above reports whether v is one of the maps that contain w.
func (v Value) Above(w Value) bool {
	return len(v.Path) < len(w.Path) && v.Matches(Value{w.Library, w.Path[:len(v.Path)]})
}

// KeyValue returns the data value of a key.
func (p *Index) KeyValue(s *Source, k *Key) Value {
	library := k.Library
	if library == "" {
		library = s.Library
	}
	switch {
	case library != "":
		return Value{p.libraryOf(s, library), k.Path}
	case s.Input == "":
		return Value{Path: k.Path}
	}
	return Value{p.rootOf(s.Input), k.Path}
}

// Keys calls f with each key of a data value.
func (p *Index) Keys(v Value, f func(s *Source, k *Key)) {
	name := ""
	if len(v.Path) > 0 {
		name = v.Path[len(v.Path)-1]
	}
	for _, s := range p.Sources {
		for i := range s.File.Keys {
			k := &s.File.Keys[i]
			if len(k.Path) == len(v.Path) && k.Path[len(k.Path)-1] == name &&
				p.KeyValue(s, k).Matches(v) {
				f(s, k)
			}
		}
	}
}

// Declared calls f with each key that says which data values a library has: those of its schema or, without
// one, those that its own files set.
func (p *Index) Declared(library string, f func(v Value, s *Source, k *Key)) {
	var set []func()
	hasSchema := false
	for _, s := range p.Sources {
		for i := range s.File.Keys {
			k := &s.File.Keys[i]
			isOwn := k.Library == "" && s.Library == ""
			if k.Kind != Declares && (k.Kind != Sets || !isOwn) {
				continue
			}
			v := p.KeyValue(s, k)
			switch {
			case v.Library != library:
			case k.Kind == Declares:
				hasSchema = true
				f(v, s, k)
			default:
				set = append(set, func() { f(v, s, k) })
			}
		}
	}
	if hasSchema {
		return
	}
	for _, each := range set {
		each()
	}
}

// Reads calls f with each place where a data value is read by its name. exactly means that it cannot
// be another key of the same name.
func (p *Index) Reads(v Value, f func(s *Source, r *Read, exactly bool)) {
	name := v.Path[len(v.Path)-1]
	for _, s := range p.Sources {
		for i := range s.File.Reads {
			r := &s.File.Reads[i]
			if r.Whole || r.Dynamic || r.name() != name {
				continue
			}
			of := p.ValuesOf(s, r)
			if slices.ContainsFunc(of, v.Matches) {
				f(s, r, len(of) == 1 && of[0].Equal(v))
			}
		}
	}
}

// ReadBelow returns the keys that code reads from a map of data values.
func (p *Index) ReadBelow(at Value) (keys []string) {
	for _, from := range p.Sources {
		for i := range from.File.Reads {
			r := &from.File.Reads[i]
			if r.Dynamic {
				continue
			}
			for _, of := range p.ValuesOf(from, r) {
				if !at.Above(of) {
					continue
				}
				if key := of.Path[len(at.Path)]; key != Any && !strings.HasPrefix(key, Cursor) &&
					!slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
		}
	}
	return keys
}

// name returns the key that is read.
func (r *Read) name() string {
	steps := r.of[0].steps // all of them end with the key
	return steps[len(steps)-1]
}

// Blind calls f with each place where a data value may be read without its name: as part of a map
// that is used as a whole, or by a key that is only known at run time.
func (p *Index) Blind(v Value, f func(s *Source, r *Read)) {
	for _, s := range p.Sources {
		for i := range s.File.Reads {
			r := &s.File.Reads[i]
			if !r.Whole && !r.Dynamic {
				continue
			}
			for _, of := range p.ValuesOf(s, r) {
				if r.Whole && of.Above(v) || r.Dynamic && of.Matches(v) {
					f(s, r)
					break
				}
			}
		}
	}
}
