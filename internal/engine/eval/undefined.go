package eval

import (
	"maps"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// shortest is the length of a name from which a similar one elsewhere may be meant.
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
		return at.nameHint(d, name)
	case !f.mayDeclare() && e.values[name]:
		return memberHint(f, &hinted, "data", "values."+name)
	case !isOpen:
		return nil
	}
	if module := moduleWith(f, name); module != "" {
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
			return d.WithHint("write `%s`, and load it: `%s`", near, at.loadOf(near))
		}
		if near := diag.Nearest(name, slices.Sorted(maps.Keys(e.values))); near != "" && !f.mayDeclare() {
			return memberHint(f, d, "data", "values."+near)
		}
	}
	return d.WithHint("define it in this file, or load it from the file that defines it")
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
	return d.WithHint("write `%s`, and load the module: `load(\"@ytt:%s\", \"%[2]s\")`", text, module)
}

// moduleWith returns the module that has a name: one that file f loads, or else the one that templates load
// most. It returns "" if no module has it. Without a load, `e` is not meant to be math.e.
func moduleWith(f *File, name string) (module string) {
	for _, m := range modules.ByUse() {
		i := slices.IndexFunc(modules.Functions(), func(x modules.Function) bool {
			return x.Module == m && x.Name == name
		})
		switch {
		case i < 0:
		case script.LoadsModule(f.Input.File, m):
			return m
		case module == "" && (m == "data" || modules.Functions()[i].Params != ""):
			module = m
		}
	}
	return module
}

// valuesIn returns the keys at the top of the data values that files declare.
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
					found[string(u.Tree.Text(key))] = true
				}
			}
		}
	}
	return found
}
