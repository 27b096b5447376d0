package compile

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"go.starlark.net/syntax"

	"weft/internal/lang/script"
)

// Mentions are the data values that the code of files may read in any branch, while a run shows only
// the branches that it takes. It compares names: a value is not read if no code contains its name.
type Mentions struct {
	names map[string]bool // names of attributes, and words in strings
	whole map[string]bool // names whose whole value is used

	aliases map[string]bool // variables that hold all data values: `v = data.values`
	bare    map[string]bool // variables that are used without an attribute
}

// Add adds the code of a file.
func (m *Mentions) Add(a *Analysis) {
	m.init()
	for _, mark := range a.Marks {
		if mark.Kind == AnnotationMark && !isProse(mark.Name) {
			text := string(a.File.Data()[mark.At.Offset():mark.At.End()])
			m.words(strings.TrimPrefix(text, "#@"+mark.Name))
		}
	}
	if a.Code != nil {
		m.code(a.Code)
	}
}

func (m *Mentions) init() {
	if m.names == nil {
		m.names, m.whole = map[string]bool{}, map[string]bool{}
		m.aliases, m.bare = map[string]bool{}, map[string]bool{}
	}
}

// Join adds the code of the files that were added to other. It copies the names, which are parts of texts
// that need not stay in memory.
func (m *Mentions) Join(other *Mentions) {
	m.init()
	for _, pair := range [][2]map[string]bool{
		{m.names, other.names}, {m.whole, other.whole}, {m.aliases, other.aliases}, {m.bare, other.bare},
	} {
		for name := range pair[1] {
			pair[0][strings.Clone(name)] = true
		}
	}
}

// isProse reports whether the arguments of an annotation are text for people.
func isProse(name string) bool {
	switch name {
	case "schema/desc", "schema/title", "schema/examples", "schema/deprecated":
		return true
	}
	return false
}

// code adds the names of a program. The walk visits `x.a.b` before `x.a`, so it already knows that
// only a part of `x.a` is read.
func (m *Mentions) code(f *syntax.File) {
	part := map[syntax.Expr]bool{}
	method := map[syntax.Expr]bool{}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.LoadStmt:
			return false // code that uses a loaded name mentions it there
		case *syntax.AssignStmt:
			m.alias(n, part)
		case *syntax.Ident:
			if !part[n] {
				m.bare[n.Name] = true
			}
		case *syntax.CallExpr:
			method[n.Fn] = true
		case *syntax.DotExpr:
			part[n.Name] = true
			if method[n] {
				break // the method receives the whole value
			}
			m.attribute(n.Name.Name, part[n])
			part[script.Unparen(n.X)] = true
		case *syntax.IndexExpr:
			if s, ok := script.StringOf(n.Y); ok {
				m.attribute(s, part[n])
				part[script.Unparen(n.X)], part[n.Y] = true, true
			}
		case *syntax.Literal:
			if s, ok := script.StringOf(n); ok && !part[n] {
				m.text(s)
				m.words(s)
			}
		}
		return true
	})
}

// alias records a variable that holds all data values. The assignment alone does not use them.
func (m *Mentions) alias(a *syntax.AssignStmt, part map[syntax.Expr]bool) {
	to, ok := a.LHS.(*syntax.Ident)
	if !ok || a.Op != syntax.EQ {
		return
	}
	part[to] = true
	if dot, ok := script.Unparen(a.RHS).(*syntax.DotExpr); ok && dot.Name.Name == valuesName {
		m.aliases[to.Name], part[dot] = true, true
	}
}

// attribute adds the name of an attribute. part means that only a part of its value is read.
func (m *Mentions) attribute(name string, part bool) {
	m.names[name] = true
	if !part {
		m.whole[name] = true
	}
}

// words adds all names in a text. Functions may look up a path given as a string, and the arguments
// of annotations are code.
func (m *Mentions) words(text string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		m.text(word)
	}
}

// text adds a name found in a text. `values` is a common word and occurs in file names, so only in
// code does it count as reading all data values.
func (m *Mentions) text(name string) {
	if name != valuesName {
		m.names[name], m.whole[name] = true, true
	}
}

// valuesName is the attribute of `data` that holds all data values.
const valuesName = "values"

// Nothing reports whether no code reads data values: the files have no templates that use them.
func (m *Mentions) Nothing() bool { return !m.names[valuesName] }

// Names returns the names of data values that code reads, for suggestions.
func (m *Mentions) Names() []string { return slices.Sorted(maps.Keys(m.names)) }

// Reads reports whether code may read the data value at a path, or one of its parents. inside means
// that code may read only parts of it.
func (m *Mentions) Reads(path []string) (reads, inside bool) {
	if m.whole[valuesName] {
		return true, false
	}
	for alias := range m.aliases {
		if m.bare[alias] {
			return true, false
		}
	}
	for _, key := range path {
		if m.whole[key] {
			return true, false
		}
	}
	return false, m.names[path[len(path)-1]]
}
