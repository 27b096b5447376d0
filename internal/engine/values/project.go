package values

import (
	"math"
	"slices"
	"sort"
	"sync"

	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// ProjectValues is the data values that a project sets. All flags override them.
type ProjectValues struct {
	Layers  []Layer // the weakest first
	FromEnv []Prefix
	Require []Required
	Schemas []JSONSchema
}

// Layer is a file of data values, or a mapping in a project file.
type Layer struct {
	Level   int    // the higher, the stronger
	Path    string // plain YAML, as for --data-values-file; "" if At is the mapping itself
	Library string // the library that the file is for, as @lib; or ""
	At      Place  // where the file is named, or the mapping
}

// Prefix is a prefix of environment variables.
type Prefix struct {
	Text string
	YAML bool
	At   Place
}

// Required is the path of a data value that must be set by something above a level.
type Required struct {
	Path  string
	Level int
	At    Place
}

// JSONSchema is a JSON Schema that the final data values must fit.
type JSONSchema struct {
	Path string
	At   Place
}

// Place is a place in a project file.
type Place struct {
	File       int // its index among the files of the Environment
	Start, End int
}

// outside is the level of variables and flags, which override all layers.
const outside = math.MaxInt

// ProjectFile is a project file among the files of a run. It is parsed once.
type ProjectFile struct {
	File *source.File

	once sync.Once
	tree *yaml.Tree
	err  error
}

// projectSyntax is how project files are parsed, whatever the options for inputs are.
var projectSyntax = yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core}

func (f *ProjectFile) parse() (*yaml.Tree, error) {
	f.once.Do(func() { f.tree, f.err = yaml.Parse(f.File, projectSyntax) })
	return f.tree, f.err
}

// mapping returns the mapping that begins at an offset.
func (f *ProjectFile) mapping(off int) (tree.Value, error) {
	t, err := f.parse()
	if err != nil {
		return tree.Value{}, err
	}
	// Nodes are in the order of the text, so binary search finds the first one at the offset. A file
	// of tests has a mapping for each test.
	first := yaml.NodeID(sort.Search(t.Len(), func(n int) bool {
		return t.Span(yaml.NodeID(n)).Offset() >= off
	}))
	for n := first; t.More(n) && t.Span(n).Offset() == off; n++ {
		if t.Kind(n) == yaml.Mapping {
			return tree.FromSyntax(t, n), nil
		}
	}
	return tree.Value{}, diag.Errorf(f.File.Span(off, off), CodeFile, "expected data values here")
}

// In returns the span of a place in the files of a run.
func (p Place) In(files []*ProjectFile) source.Span {
	if p.File >= len(files) {
		return source.Span{}
	}
	return files[p.File].File.Span(p.Start, p.End)
}

// project returns the documents that a project sets.
func (env *Environment) project(p *ProjectValues) (docs []FlagDocument, list diag.List) {
	add := func(level int, more []FlagDocument, err error) {
		for _, d := range more {
			d.Level = level
			docs = append(docs, d)
		}
		list = append(list, diag.Of(err)...)
	}
	for _, l := range p.Layers {
		more, err := env.layer(l)
		add(l.Level, more, err)
	}
	refused := p.Refused(env.Vars, env.Allowed)
	for _, x := range p.FromEnv {
		at := x.At.In(env.Project)
		if slices.Contains(refused, x) {
			list = append(list, notAllowed(at, x.Text))
			continue
		}
		if !allows(env.Allowed, x.Text) {
			continue // no value is set
		}
		more, err := env.variables(at, Ref{}, x.Text, variableFlag(x.YAML), x.YAML)
		add(outside, more, err)
	}
	return docs, list
}

func variableFlag(isYAML bool) string {
	if isYAML {
		return "data-values-env-yaml"
	}
	return "data-values-env"
}

func (env *Environment) layer(l Layer) ([]FlagDocument, error) {
	at := l.At.In(env.Project)
	if l.Path == "" {
		v, err := env.Project[l.At.File].mapping(l.At.Start)
		if err != nil || v.Empty() {
			return nil, err
		}
		return []FlagDocument{{
			Doc: PlainDocument(v, at.Pos), By: tree.ByProject, At: source.Span{Pos: at.Pos, Len: 1},
		}}, nil
	}
	ref := Ref{}
	if l.Library != "" {
		var err error
		if ref, err = ParseRef(l.Library); err != nil {
			return nil, diag.Errorf(at, CodeFlag, "%s", err)
		}
	}
	return env.files(l.Path, ref, at)
}

// Missing returns an error for all required values that no sufficiently strong document sets, or
// nil.
func (p *ProjectValues) Missing(files []*ProjectFile, docs []FlagDocument) *diag.Diagnostic {
	var absent []Required
	for _, r := range p.Require {
		keys := splitKey(r.Path, 0)
		if !slices.ContainsFunc(docs, func(d FlagDocument) bool {
			return len(d.Ref) == 0 && d.Level > r.Level && has(d.Value, keys)
		}) {
			absent = append(absent, r)
		}
	}
	if absent == nil {
		return nil
	}
	d := diag.Errorf(absent[0].At.In(files), schema.CodeRequired, "data value '%s' is required, but nothing "+
		"sets it", absent[0].Path)
	if len(absent) > 1 {
		names := ""
		for i, r := range absent {
			switch {
			case i == len(absent)-1:
				names += " and "
			case i > 0:
				names += ", "
			}
			names += r.Path
			if i > 0 {
				d.WithRelated(r.At.In(files), "and here")
			}
		}
		d.Message = "data values " + names + " are required, but nothing sets them"
	}
	return d.WithHint("set it on the command line: -v %s=...", diag.InShell(absent[0].Path))
}

// has reports whether a value is set at a path.
func has(v tree.Value, keys []piece) bool {
	for _, k := range keys {
		m, ok := v.Map()
		if !ok {
			return false
		}
		i := m.Find(tree.String(k.key).Starlark())
		if i < 0 {
			return false
		}
		v = m.Entries()[i].Value
	}
	return true
}
