package script

import (
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Starlark's resolver compares each name that nothing declares with all names it could be meant as,
// which takes the square of their lengths, and does so at each use. A file of 50 kB could keep it
// busy for seconds, and no limit stops it. So only some uses, of short names, are left to it.
const (
	maxSpellchecks    = 50  // uses of undefined names that the resolver looks for the right name of
	maxSpellcheckName = 100 // bytes of such a name
)

// IsLong reports whether a name is too long for Starlark to look for the right one when it is
// misspelled.
func IsLong(name string) bool { return len(name) > maxSpellcheckName }

// Names decides which names of a program are predeclared, and finds those that nothing declares.
// It is for one file.
type Names struct {
	Predeclared func(name string) bool

	spellchecks int
	undefined   map[string]bool // what the resolver takes for predeclared, although it is not
}

// Resolve binds the names of a file.
func (n *Names) Resolve(file *syntax.File) error {
	return n.join(file, resolve.File(file, n.has, starlark.Universe.Has))
}

// Program binds the names of a file and compiles it.
func (n *Names) Program(file *syntax.File) (*starlark.Program, error) {
	prog, err := starlark.FileProgram(file, n.has)
	if err := n.join(file, err); err != nil {
		return nil, err
	}
	return prog, nil
}

// has is what the resolver asks about a name that the file does not declare.
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

// join adds the undefined names that the resolver was not asked to explain to its errors.
func (n *Names) join(file *syntax.File, err error) error {
	if n.undefined == nil {
		return err
	}
	list, ok := err.(resolve.ErrorList)
	if err != nil && !ok {
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

func (n *Names) isUndefined(id *syntax.Ident) bool {
	b, ok := id.Binding.(*resolve.Binding)
	return ok && b.Scope == resolve.Predeclared && n.undefined[id.Name]
}
