package index

import (
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/yaml"
)

// ReadProject returns the index of a project file: the data values that it sets and requires, the files
// that it names, and its environments.
func ReadProject(a *compile.Analysis) *File {
	p := newProjectReader(a)
	if p.tree != nil {
		root := p.tree.Root(p.tree.First())
		p.eachKey(root, func(key string, at, value yaml.NodeID) {
			switch key {
			case "extends":
				p.inputs(value, nil)
			case "default":
				p.environment(value)
			case "environments":
				p.environments(value)
			default:
				p.setting(key, value, nil)
			}
		})
	}
	p.b.sort()
	return p.b.file
}

// ReadTests returns the index of a test file: the data values that tests set, and the files and
// environments that they name.
func ReadTests(a *compile.Analysis) *File {
	p := newProjectReader(a)
	if p.tree != nil {
		root := p.tree.Root(p.tree.First())
		for _, test := range p.items(child(p.tree, root, "tests")) {
			p.eachKey(test, func(key string, at, value yaml.NodeID) {
				switch key {
				case "envs":
					p.environment(value)
				case "values", "valueFiles":
					p.setting(key, value, nil)
				case "golden":
					p.inputs(value, nil)
				case "star":
					p.inputs(child(p.tree, value, "file"), nil)
				}
			})
		}
	}
	p.b.sort()
	return p.b.file
}

// projectReader reads a project file or a test file.
type projectReader struct {
	b    *builder
	tree *yaml.Tree
}

func newProjectReader(a *compile.Analysis) *projectReader {
	b := &builder{file: &File{Text: a.File, Broken: len(a.Errors) > 0}, nodes: map[yaml.NodeID]node{}}
	p := &projectReader{b: b}
	if t := a.Tree; t != nil && t.More(t.First()) {
		p.tree = t
	}
	return p
}

// eachKey calls f with each key of a mapping and its value.
func (p *projectReader) eachKey(n yaml.NodeID, f func(key string, at, value yaml.NodeID)) {
	t := p.tree
	if n == 0 || t.Kind(n) != yaml.Mapping {
		return
	}
	for key, value := range t.Pairs(n) {
		if t.Kind(key) == yaml.Scalar {
			f(string(t.Text(key)), key, value)
		}
	}
}

// items returns the scalars and mappings of a list, or the single one instead of a list.
func (p *projectReader) items(n yaml.NodeID) (list []yaml.NodeID) {
	t := p.tree
	switch {
	case n == 0:
	case t.Kind(n) == yaml.Sequence:
		for item := range t.Items(n) {
			list = append(list, item)
		}
	default:
		list = append(list, n)
	}
	return list
}

// setting reads a key at the top level, or in the environment that is defined at a place.
func (p *projectReader) setting(key string, value yaml.NodeID, env *Range) {
	switch key {
	case "values":
		w := keyWalker{b: p.b, tree: p.tree, kind: Sets}
		w.walk(value, nil)
	case "inputs", "overlays", "valueFiles":
		p.inputs(value, env)
	case "charts":
		p.eachKey(value, func(_ string, _, chart yaml.NodeID) {
			p.eachKey(chart, func(key string, _, path yaml.NodeID) {
				if key == "chart" || key == "values" {
					p.inputs(path, env)
				}
			})
		})
	case "kustomizations":
		p.eachKey(value, func(_ string, _, path yaml.NodeID) { p.inputs(path, env) })
	case "overrides":
		for _, n := range p.items(value) {
			p.eachKey(n, func(key string, _, file yaml.NodeID) {
				if key == "file" {
					p.inputs(file, env)
				}
			})
			if p.tree.Kind(n) == yaml.Scalar {
				p.inputs(n, env)
			}
		}
	case "exclude":
		for _, n := range p.items(value) {
			p.addPath(n, Pattern, scalar(p.tree, n), nil)
		}
	case "marks":
		p.eachKey(value, func(pattern string, at, _ yaml.NodeID) { p.addPath(at, Pattern, pattern, nil) })
	case "require":
		for _, n := range p.items(value) {
			p.dotted(n, Requires, "")
		}
	case "flags":
		p.eachKey(value, func(flag string, at, v yaml.NodeID) {
			if flag == "data-value-file" {
				for _, n := range p.items(v) {
					p.dotted(n, Sets, "=")
				}
			}
		})
	}
}

func (p *projectReader) environments(n yaml.NodeID) {
	p.eachKey(n, func(name string, at, value yaml.NodeID) {
		if name == "" {
			return
		}
		p.addPath(at, Environment, name, nil)
		def := &p.b.file.Paths[len(p.b.file.Paths)-1]
		def.Defines = true
		env := new(def.At)
		p.eachKey(value, func(key string, _, v yaml.NodeID) {
			if key == "extends" {
				p.environment(v)
				return
			}
			p.setting(key, v, env)
		})
	})
}

// environment records names of environments.
func (p *projectReader) environment(n yaml.NodeID) {
	for _, x := range p.items(n) {
		p.addPath(x, Environment, scalar(p.tree, x), nil)
	}
}

// inputs records paths of files.
func (p *projectReader) inputs(n yaml.NodeID, env *Range) {
	for _, x := range p.items(n) {
		text := scalar(p.tree, x)
		if rest, ok := strings.CutPrefix(text, "@"); ok { // @library:path
			if library, file, ok := strings.Cut(rest, ":"); ok {
				p.library(x, library)
				text = file
			}
		} else if _, file, ok := strings.Cut(text, "="); ok { // NAME=path
			text = file
		}
		if text != "" && text != "-" {
			p.addPath(x, Input, text, env)
		}
	}
}

// addPath records a path in a scalar. If the scalar has no escapes, the range covers only the path.
func (p *projectReader) addPath(n yaml.NodeID, kind PathKind, text string, env *Range) {
	if text == "" {
		return
	}
	at := p.tree.Span(n)
	r := Range{at.Offset(), at.End()}
	if i := strings.LastIndex(string(p.tree.Raw(n)), text); i >= 0 {
		r = Range{r.Start + i, r.Start + i + len(text)}
	}
	p.b.file.Paths = append(p.b.file.Paths, Path{
		At: r, Form: Scalar, Kind: kind, Text: text, Of: env,
	})
}

// library records the name of a library at the beginning of a scalar.
func (p *projectReader) library(n yaml.NodeID, name string) {
	name, _, _ = strings.Cut(name, "~") // without the alias
	i := strings.Index(string(p.tree.Raw(n)), "@"+name)
	if name == "" || i < 0 {
		return
	}
	start := p.tree.Span(n).Offset() + i + len("@")
	p.b.file.Paths = append(p.b.file.Paths, Path{
		At: Range{start, start + len(name)}, Form: Scalar, Kind: Library, Text: name,
	})
}

// dotted records a path of data values in a scalar, up to a separator: a key for each part.
func (p *projectReader) dotted(n yaml.NodeID, kind KeyKind, until string) {
	text := scalar(p.tree, n)
	at := p.tree.Span(n)
	i := strings.Index(string(p.tree.Raw(n)), text)
	if text == "" || i < 0 {
		return
	}
	if until != "" {
		text, _, _ = strings.Cut(text, until)
	}
	if strings.ContainsAny(text, `\@`) { // escaped dots and values of libraries are rare, and left out
		return
	}
	start := at.Offset() + i
	var path []string
	for part := range strings.SplitSeq(text, ".") {
		path = append(path[:len(path):len(path)], part)
		r := Range{start, start + len(part)}
		p.b.file.Keys = append(p.b.file.Keys, Key{At: r, Form: Dotted, Kind: kind, Path: path, Around: r})
		start = r.End + 1
	}
}
