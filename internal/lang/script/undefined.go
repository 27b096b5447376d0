package script

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Starlark's resolver compares each undefined name with all names that might be meant, at each use,
// and each comparison takes time quadratic in the length. A file of 50 kB could take seconds, and no
// limit stops it. So the resolver sees only a limited number of uses, and only of short names.
const (
	maxSpellchecks    = 50  // uses of undefined names for which the resolver suggests a name
	maxSpellcheckName = 100 // maximum length of such a name in bytes
)

// IsLong reports whether a name is too long for a suggestion.
func IsLong(name string) bool { return len(name) > maxSpellcheckName }

// Names decides which names of a program are predeclared, and collects undefined names. It is for
// one file.
type Names struct {
	Predeclared func(name string) bool

	spellchecks int
	undefined   map[string]bool // undefined names, which the resolver takes for predeclared ones
}

// Resolve resolves the names of a file.
func (n *Names) Resolve(file *syntax.File) error {
	return n.join(file, resolve.File(file, n.has, starlark.Universe.Has))
}

// Program resolves the names of a file and compiles it.
func (n *Names) Program(file *syntax.File) (*starlark.Program, error) {
	prog, err := starlark.FileProgram(file, n.has)
	if err := n.join(file, err); err != nil {
		return nil, err
	}
	return prog, nil
}

// has answers the resolver about a name that the file does not declare.
func (n *Names) has(name string) bool {
	switch {
	case n.Predeclared(name):
		return true
	case starlark.Universe.Has(name):
		return false
	case n.spellchecks < maxSpellchecks && !IsLong(name):
		n.spellchecks++
		return false
	}
	if n.undefined == nil {
		n.undefined = map[string]bool{}
	}
	n.undefined[name] = true
	return true
}

// join adds to the resolver's errors the undefined names that it was not asked about, and drops
// suggestions of names that are not defined either.
func (n *Names) join(file *syntax.File, err error) error {
	list, ok := err.(resolve.ErrorList)
	if err != nil && !ok {
		return err
	}
	withoutUndefined(list)
	if n.undefined == nil {
		return err
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		if id, ok := node.(*syntax.Ident); ok && n.isUndefined(id) {
			list = append(list, resolve.Error{Pos: id.NamePos, Msg: "undefined: " + id.Name})
		}
		return true
	})
	return list
}

// withoutUndefined removes suggestions of undefined names from errors: the resolver may suggest a
// name that a function merely uses.
func withoutUndefined(list resolve.ErrorList) {
	undefined := map[string]bool{}
	for _, e := range list {
		if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok {
			name, _, _ = strings.Cut(name, " (")
			undefined[name] = true
		}
	}
	for i, e := range list {
		before, near, ok := strings.Cut(e.Msg, " (did you mean ")
		if ok && undefined[strings.TrimSuffix(near, "?)")] {
			list[i].Msg = before
		}
	}
}

func (n *Names) isUndefined(id *syntax.Ident) bool {
	b, ok := id.Binding.(*resolve.Binding)
	return ok && b.Scope == resolve.Predeclared && n.undefined[id.Name]
}
