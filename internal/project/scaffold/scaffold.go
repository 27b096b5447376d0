// Package scaffold drafts a weft.yml: for the files of a directory, or for the command lines of a
// script.
//
// It returns Drafts: the text of a project file, and what could not be put into it. It runs
// nothing but weft-engines, and writes nothing.
//
//	scaffold.go  a project file as text
//	files.go     classifies the files of a directory, and plans a project
//	engines.go   kustomizations and charts, and their environments
//	helmfile.go  releases of helmfiles
//	manifests.go folders of manifests next to them
//	build.go     what Helm and kustomize print themselves, to compare with what weft prints
//	failures.go  what they cannot build, and why
//	foreign.go   which files are left out
//	several.go   which directories are separate projects
//	script.go    command lines of a script as environments
package scaffold

import (
	"slices"
	"strings"

	"weft/internal/project"
)

// Draft is a project file to be written.
type Draft struct {
	Dir   string // where it belongs, with slashes; "." is where the search began
	Text  string
	Notes []Note // what is left to do by hand

	sources []source // if it is for charts and kustomizations
}

// OfEngines reports whether a draft is for charts and kustomizations.
func (d *Draft) OfEngines() bool { return len(d.sources) > 0 }

// Without returns a draft for charts and kustomizations without some of its environments, or nil if none
// would be left.
func (d *Draft) Without(names []string) *Draft {
	left := slices.Clone(d.sources)
	left = slices.DeleteFunc(left, func(s source) bool { return slices.Contains(names, s.env) })
	if len(left) == 0 {
		return nil
	}
	return &Draft{Dir: d.Dir, Text: planOf(left).text(), Notes: d.Notes, sources: left}
}

// Note is something that could not be put into the project file.
type Note struct {
	Line int // the line of the script; 0 if there is none
	Text string
}

// plan is a project before it is written.
type plan struct {
	edition string
	common  settings
	envs    []environment
	comment string   // the comment at the top of the file
	foreign bool     // the files are those of other tools
	twice   []string // files with values of environments that have others already
}

type environment struct {
	name string
	settings
}

// settings are keys of a project or an environment, as far as drafts use them.
type settings struct {
	each       string
	inputs     []string
	exclude    []string
	marks      []mark
	overlays   []string
	overrides  []string
	valueFiles []string
	values     []value
	fromEnv    []string // variables that are read as YAML
	require    []string
	dir, file  string
	format     string
	prune      bool
	flags      []value
	sources    []source // charts and kustomizations
}

type mark struct{ pattern, key, value string }

// value is a data value or a flag, with its value as YAML.
type value struct{ path, yaml string }

// text writes the plan as a project file.
func (p *plan) text() string {
	var b strings.Builder
	if p.comment != "" {
		b.WriteString("# " + p.comment + "\n")
	}
	b.WriteString("weft: " + p.edition + "\n")
	p.common.write(&b, "")
	if p.foreign {
		b.WriteString("fmt: {exclude: ['**/*']} # weft fmt leaves these files alone\n")
	}
	if len(p.envs) > 0 {
		b.WriteString("environments:\n")
	}
	for _, e := range p.envs {
		var body strings.Builder
		e.write(&body, "    ")
		if body.Len() == 0 {
			b.WriteString("  " + project.Quote(e.name) + ": {}\n")
			continue
		}
		b.WriteString("  " + project.Quote(e.name) + ":\n" + body.String())
	}
	return b.String()
}

func (s *settings) write(b *strings.Builder, pad string) {
	list := func(key string, items []string) {
		if len(items) > 0 {
			b.WriteString(pad + key + ": " + flow(items, project.Quote) + "\n")
		}
	}
	if s.each != "" {
		b.WriteString(pad + "each: " + project.Quote(s.each) + "\n")
	}
	list("inputs", s.inputs)
	list("exclude", s.exclude)
	if len(s.marks) > 0 {
		b.WriteString(pad + "marks:\n")
		for _, m := range s.marks {
			b.WriteString(pad + "  " + project.Quote(m.pattern) + ": {" + m.key + ": " +
				markValue(m.value) + "}\n")
		}
	}
	writeSources(b, pad, s.sources)
	list("overlays", s.overlays)
	list("overrides", s.overrides)
	list("valueFiles", s.valueFiles)
	if len(s.values) > 0 {
		b.WriteString(pad + "values:\n")
		nest(s.values).write(b, pad+"  ")
	}
	if len(s.fromEnv) > 0 {
		b.WriteString(pad + "valuesFromEnv: " + flow(s.fromEnv, asIs) + "\n")
	}
	list("require", s.require)
	if out := s.output(); out != "" {
		b.WriteString(pad + "output: {" + out + "}\n")
	}
	if len(s.flags) > 0 {
		var all []string
		for _, f := range s.flags {
			all = append(all, f.path+": "+f.yaml)
		}
		b.WriteString(pad + "flags: {" + strings.Join(all, ", ") + "}\n")
	}
}

func (s *settings) output() string {
	var all []string
	if s.dir != "" {
		all = append(all, "dir: "+project.Quote(s.dir))
	}
	if s.file != "" {
		all = append(all, "file: "+project.Quote(s.file))
	}
	if s.format != "" {
		all = append(all, "format: "+s.format)
	}
	if s.prune {
		all = append(all, "prune: true")
	}
	return strings.Join(all, ", ")
}

func markValue(s string) string {
	if s == "true" {
		return s
	}
	return project.Quote(s)
}

func asIs(s string) string { return s }

func flow(items []string, write func(string) string) string {
	all := make([]string, len(items))
	for i, x := range items {
		all[i] = write(x)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// branch is data values as a tree.
type branch struct {
	keys []string
	sub  map[string]*branch
	yaml string
}

// nest builds a tree from values with dotted paths. If a path is repeated, the last value wins.
func nest(values []value) *branch {
	root := &branch{sub: map[string]*branch{}}
	for _, v := range values {
		at := root
		for _, key := range splitPath(v.path) {
			next := at.sub[key]
			if next == nil {
				next = &branch{sub: map[string]*branch{}}
				at.sub[key] = next
				at.keys = append(at.keys, key)
			}
			at = next
		}
		at.yaml = v.yaml
	}
	return root
}

func (n *branch) write(b *strings.Builder, pad string) {
	for _, key := range n.keys {
		sub := n.sub[key]
		if len(sub.keys) == 0 {
			b.WriteString(pad + project.Quote(key) + ": " + sub.yaml + "\n")
			continue
		}
		b.WriteString(pad + project.Quote(key) + ":\n")
		sub.write(b, pad+"  ")
	}
}

// splitPath splits the path of a data value at its dots, except those after a backslash.
func splitPath(path string) []string {
	var keys []string
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '\\' && i+1 < len(path) && (path[i+1] == '.' || path[i+1] == '\\'):
			i++
			b.WriteByte(path[i])
		case path[i] == '.':
			keys = append(keys, b.String())
			b.Reset()
		default:
			b.WriteByte(path[i])
		}
	}
	return append(keys, b.String())
}

// addOnce adds s unless it is already in the list.
func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
