package eval

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
)

// Kept is what one evaluation of a library keeps for the next. Files that would produce the same
// result again do not run. It is immutable.
type Kept struct {
	family  *family
	lib     *Library
	values  any // Options.ValuesID
	files   map[siteKey]*proc
	modules map[siteKey]*module
}

// Len returns the number of files and modules whose results are kept.
func (k *Kept) Len() int { return len(k.files) + len(k.modules) }

// family is a series of evaluations, each of which keeps the results of the previous one. A
// function of a kept module belongs to all of them.
type family struct{ _ byte }

// siteKey identifies a site independently of the library, to compare files of two libraries.
type siteKey struct{ root, path string }

func (s site) key() siteKey { return siteKey{s.root, s.file.Input.Path} }

// needs is what the evaluation of a file depends on, besides the file itself.
type needs struct {
	values bool // data.values
	never  bool // the dependencies are unknown, so it runs every time
	loads  []neededModule
	reads  []neededFile
	lists  bool // the list of files
}

// neededModule is a module that a load statement loaded.
type neededModule struct {
	name   string
	module *module
}

// neededFile is a file that data.read read.
type neededFile struct {
	path string
	work *work
}

// Keep returns what the evaluation keeps for the next one, or nil if Options.Keep was not set.
func (res *Result) Keep() *Kept { return res.kept }

// keep collects the results of the run.
func (r *run) keep(procs []*proc) *Kept {
	k := &Kept{
		family: r.family, lib: r.scope.lib, values: r.opt.ValuesID,
		files: map[siteKey]*proc{}, modules: map[siteKey]*module{},
	}
	rest := &run{family: r.family, opt: Options{Values: r.opt.Values}}
	for _, p := range procs {
		if p.err == nil && !p.site.file.Input.Library {
			k.files[p.site.key()] = p.leave(rest)
		}
	}
	for at, m := range r.modules {
		if m.err == nil {
			m.proc.leave(rest)
			k.modules[at.key()] = m
		}
	}
	return k
}

// leave removes the references from p, which has run, to everything that the next evaluation does not
// need. Otherwise results that are kept for long would keep every library that they were part of in
// memory.
func (p *proc) leave(rest *run) *proc {
	if p.run.ctx == nil {
		return p // the references are removed already
	}
	p.ctx, p.run, p.loader, p.build = nil, rest, nil, builder{}
	p.site.file = &File{Input: p.site.file.Input, work: p.site.file.work}
	return p
}

// Holds reports whether files of a scope would produce the same results again, without running
// them. It returns false if any of them uses libraries.
func (res *Result) Holds(s Scope, files []*File) bool {
	same := func(path string, w *work) bool {
		f := s.lib.byPath[path]
		return f != nil && f.work == w
	}
	if !slices.EqualFunc(files, res.files, func(a, b *File) bool { return a.work == b.work }) {
		return false
	}
	for _, p := range res.ran() {
		n := &p.needs
		if n.never || !same(p.site.file.Input.Path, p.site.file.work) ||
			n.lists && !s.lib.samePaths(res.run.scope.lib) {
			return false
		}
		for _, f := range n.reads {
			if !same(f.path, f.work) {
				return false
			}
		}
	}
	return true
}

// ran returns the procs of all files and modules.
func (res *Result) ran() []*proc {
	all := slices.Clone(res.procs)
	for _, m := range res.run.modules {
		if m.proc != nil {
			all = append(all, m.proc)
		}
	}
	return all
}

// keptFile returns the kept evaluation of the file of p if its result would be the same, or nil.
func (r *run) keptFile(p *proc) *proc {
	if r.opt.Kept == nil {
		return nil
	}
	was := r.opt.Kept.files[p.site.key()]
	if was == nil || !p.wouldRepeat(was) {
		return nil
	}
	return was
}

// keptModule returns the kept module at the site of p if its result would be the same, or nil.
func (r *run) keptModule(p *proc) *module {
	if r.opt.Kept == nil {
		return nil
	}
	was := r.opt.Kept.modules[p.site.key()]
	if was == nil || was.proc == nil || !p.wouldRepeat(was.proc) {
		return nil
	}
	return was
}

// wouldRepeat reports whether the result of p, which has not run, would be the same as that of was.
func (p *proc) wouldRepeat(was *proc) bool {
	kept, lib := p.run.opt.Kept, p.run.scope.lib
	u, err := p.site.file.Unit()
	n := &was.needs
	if err != nil || u != was.unit || n.never {
		return false
	}
	if n.values && kept.values != p.run.opt.ValuesID {
		return false
	}
	if n.lists && !lib.samePaths(kept.lib) {
		return false
	}
	for _, f := range n.reads {
		if now := lib.byPath[f.path]; now == nil || now.work != f.work {
			return false
		}
	}
	for _, m := range n.loads {
		at, err := p.site.find(m.name)
		if err != nil || !at.file.Input.Library || p.module(at) != m.module {
			return false
		}
	}
	return true
}

// needsModule records that p loads a module from a file.
func (p *proc) needsModule(name string, m *module) {
	if p.run.opt.Keep {
		p.needs.loads = append(p.needs.loads, neededModule{name, m})
	}
}

// needsBuiltin records that p loads a built-in module. The results of libraries depend on more than
// is known, and the use of math functions is reported in each run.
func (p *proc) needsBuiltin(name string) {
	switch name {
	case compile.DataModule:
		p.needs.values = true
	case "@ytt:library", "@ytt:math":
		p.needs.never = true
		p.run.opt.Uses.noteMore()
	}
}

// needsFile records that p reads a file.
func (p *proc) needsFile(f *File) {
	p.run.opt.Uses.note(f.Input.Path)
	if p.run.opt.Keep {
		p.needs.reads = append(p.needs.reads, neededFile{f.Input.Path, f.work})
	}
}

// here returns the site from which the data module of a file resolves paths when a thread calls it.
// It is in the current evaluation, which may be later than the one that loaded the module.
func (d *dataModule) here(t *starlark.Thread) site {
	run := procOf(t).run
	if run == d.p.run || run.family != d.p.run.family {
		return d.p.site
	}
	at := d.p.site
	if f := run.scope.lib.byPath[at.file.Input.Path]; f != nil {
		at.file = f
	}
	return at
}
