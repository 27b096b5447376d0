package eval

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/hints"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// shortest is the minimum length of a name: shorter names get no suggestion.
const shortest = 3

// nameHint returns d, which is about an undefined name of file f, with a hint what to write instead, or nil
// if its own hint is better: that of a habit, or a similar name of the file. The same name elsewhere is more
// likely than a similar one.
func (e *otherFiles) nameHint(f *File, d *diag.Diagnostic, name string) *diag.Diagnostic {
	isOpen := d.Hint == "" || script.IsBuiltinSuggested(d)
	if !isOpen && (d.Fix == nil || !strings.HasPrefix(d.Hint, "did you mean ")) {
		return nil
	}
	if e.defined == nil {
		e.defined, e.values = definitions(e.files), valuesIn(e.files)
	}
	hinted := *d
	hinted.Fix = nil // to write a similar name
	at, ok := e.defined[name]
	switch {
	case ok && at.file != f && (isOpen || at.file.Input.Library):
		return at.nameHint(f, d, name)
	case !f.mayDeclare() && e.values[name]:
		return memberHint(f, &hinted, "data", "values."+name)
	case !isOpen:
		return nil
	}
	if module := moduleWith(f, d, name); module != "" {
		return memberHint(f, &hinted, module, name)
	}
	if d.Hint != "" {
		return nil
	}
	return e.similarHint(f, &hinted, name)
}

// similarHint adds the hint to write a similar name of another file, or a similar data value.
func (e *otherFiles) similarHint(f *File, d *diag.Diagnostic, name string) *diag.Diagnostic {
	if len(name) >= shortest {
		if near := diag.Nearest(name, e.loadable(f)); near != "" {
			at := e.defined[near]
			d.WithRelated(at.span, "another file defines a similar name")
			return d.WithHint("write `%s`, and load it: %s", near, at.loadIn(f, near))
		}
		if near := diag.Nearest(name, slices.Sorted(maps.Keys(e.values))); near != "" && !f.mayDeclare() {
			return memberHint(f, d, "data", "values."+near)
		}
	}
	if _, ok := e.defined[name]; ok { // in this file, but not for this line
		return nil
	}
	return d.WithHint("no file defines it; if it is text, put it in quotes")
}

// loadable returns the names that f can load from other files, sorted.
func (e *otherFiles) loadable(f *File) (names []string) {
	for name, at := range e.defined {
		if at.file != f && at.file.Input.Library {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// memberHint adds the hint to write a member of a module, and to load the module unless file f does.
func memberHint(f *File, d *diag.Diagnostic, module, member string) *diag.Diagnostic {
	name := strings.TrimPrefix(d.Message, "undefined: ")
	text := module + "." + member
	if script.LoadsModule(f.Input.File, module) {
		return d.WithHint("did you mean %s?", text).WithFix(name, text)
	}
	load := fmt.Sprintf("load(\"@ytt:%s\", \"%[1]s\")", module)
	return d.WithHint("write `%s`, and load the module: %s", text, script.Statement(f.Input.File, load))
}

// moduleWith returns the module that has the undefined name of d: one that file f loads, or else the one that
// templates load most. It returns "" if no module has it. Without a load, `e` is not meant to be math.e, and
// what is not called is not meant to be a function.
func moduleWith(f *File, d *diag.Diagnostic, name string) (module string) {
	isCalled := bytes.HasPrefix(f.Input.File.Data()[d.At.End():], []byte("("))
	for _, m := range modules.ByUse() {
		i := slices.IndexFunc(modules.Functions(), func(x modules.Function) bool {
			return x.Module == m && x.Name == name
		})
		isFunction := i >= 0 && modules.Functions()[i].Params != ""
		switch {
		case i < 0, isFunction && !isCalled, m == "data" && f.mayDeclare():
		case script.LoadsModule(f.Input.File, m):
			return m
		case module == "" && (m == "data" || isFunction):
			module = m
		}
	}
	return module
}

// valuesIn returns the keys at the top of the data values that files declare, except those that code cannot
// write after a dot.
func valuesIn(files []*File) map[string]bool {
	found := map[string]bool{}
	for _, f := range files {
		if !f.mayDeclare() {
			continue
		}
		u, err := f.Unit()
		if err != nil || u.Role == compile.ForOutput || u.Tree == nil {
			continue
		}
		for doc := range u.Tree.Documents() {
			if root := u.Tree.Root(doc); u.Tree.Kind(root) == yaml.Mapping {
				for key := range u.Tree.Pairs(root) {
					if name := string(u.Tree.Text(key)); hints.IsIdentifier(name) {
						found[name] = true
					}
				}
			}
		}
	}
	return found
}
