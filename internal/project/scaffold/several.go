package scaffold

import (
	"path"
	"slices"
	"strings"
)

// roots returns the directories that are projects. Sibling directories that each have templates and
// values are separate projects, unless one builds on the other.
func (f *found) roots(dir string) []string {
	below := f.below(dir)
	if slices.ContainsFunc(below.files, func(x file) bool {
		return x.kind != plainFile && !strings.Contains(x.path, "/") || isEnvironment(x)
	}) {
		return []string{dir}
	}
	var parts []part
	for _, name := range below.directories() {
		if p := below.part(name); p.code {
			parts = append(parts, p)
		}
	}
	if len(parts) == 1 {
		if inner := f.roots(path.Join(dir, parts[0].name)); len(inner) > 1 {
			return inner
		}
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return !p.complete() })
	if len(parts) < 2 || layered(parts) {
		return []string{dir}
	}
	var all []string
	for _, p := range parts {
		all = append(all, f.roots(path.Join(dir, p.name))...)
	}
	return all
}

// below returns the files below a directory, with paths relative to it.
func (f *found) below(dir string) *found {
	if dir == "." {
		return f
	}
	sub := &found{}
	for _, x := range f.files {
		if rest, ok := strings.CutPrefix(x.path, dir+"/"); ok {
			x.path = rest
			sub.files = append(sub.files, x)
		}
	}
	for _, name := range f.left {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
			sub.left = append(sub.left, rest)
		}
	}
	return sub
}

// directories returns the directories with files, as seen from the top.
func (f *found) directories() []string {
	var names []string
	for _, x := range f.files {
		if strings.Contains(x.path, "/") {
			names = addOnce(names, top(x.path))
		}
	}
	slices.Sort(names)
	return names
}

// part is a directory that may be a project.
type part struct {
	name      string
	code      bool // it has files with code
	templates bool // it has files to be rendered
	schema    bool
	keys      []string // the keys of its data values
}

// complete reports whether a directory has everything that a project needs.
func (p *part) complete() bool { return p.templates && (p.schema || len(p.keys) > 0) }

func (f *found) part(name string) part {
	p := part{name: name}
	for _, x := range f.below(name).files {
		switch {
		case x.library:
		case x.kind == template || x.kind == plainFile && x.manifest:
			p.templates = true
		case x.kind == schema && !x.layer:
			p.schema = true
		case x.kind == dataValues && !x.layer:
			p.keys = append(p.keys, x.keys...)
		}
		p.code = p.code || x.kind != plainFile && x.kind != helper
	}
	return p
}

// layered reports whether all directories but one build on that one.
func layered(parts []part) bool {
	return slices.ContainsFunc(parts, func(base part) bool {
		return !slices.ContainsFunc(parts, func(p part) bool {
			return p.name != base.name && !p.buildsOn(&base)
		})
	})
}

// buildsOn reports whether a directory builds on another: by its name, like config-prod next to
// config, or because it sets some of the other's data values.
func (p *part) buildsOn(base *part) bool {
	return strings.HasPrefix(p.name, base.name+"-") || p.sets(base)
}

// sets reports whether a directory sets some of the data values of another, and no others.
func (p *part) sets(base *part) bool {
	if p.schema || len(p.keys) == 0 || len(p.keys) >= len(base.keys) {
		return false
	}
	return !slices.ContainsFunc(p.keys, func(key string) bool { return !slices.Contains(base.keys, key) })
}
