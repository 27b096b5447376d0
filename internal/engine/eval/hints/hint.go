package hints

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// hint returns how to fix an error that Starlark reports about the values of templates, or "". The
// code that failed is in f, at the given location. If a name is misspelled, d gets the fix.
func (p *Program) hint(err error, d *diag.Diagnostic, f *source.File, at source.Span) string {
	msg := d.Message
	if missing, ok := errors.AsType[*tree.NoField](err); ok {
		return p.missingField(missing, d, f, at)
	}
	what, name, isAttr := strings.Cut(msg, " has no .")
	name, _, isAttr2 := strings.Cut(name, " field or method")
	switch {
	case isAttr && isAttr2 && (what == "yamlfragment" || what == "dict") &&
		script.LoopVariable(f, name, at.Offset()):
		return keyOfLoop(name, f, at)
	case isAttr && isAttr2 && what == "yamlfragment":
		if h := mapMethod(what, name, f, at); h != "" {
			return h
		}
		fallthrough
	case isAttr && isAttr2 && what == "dict":
		return fmt.Sprintf("a %s is read by key: write [\"%s\"]", what, name)
	case isAttr && isAttr2 && what == "list":
		return listMethod(name, f, at)
	case isAttr && isAttr2 && what == "NoneType":
		return "the value is None here: check that it is set, and that every path of the " +
			"function returns it"
	case strings.HasPrefix(msg, "unknown binary op: ") && strings.Contains(msg, "string") &&
		(strings.Contains(msg, " + int") || strings.Contains(msg, "int + ") ||
			strings.Contains(msg, " + float") || strings.Contains(msg, "float + ")):
		return "use str(...) to convert the number to a string"
	case strings.HasPrefix(msg, "unknown binary op: "):
		return union(strings.TrimPrefix(msg, "unknown binary op: "), f, at)
	case strings.HasPrefix(msg, "join: in list, want string, got "):
		return "convert the items to strings: `\",\".join([str(x) for x in list])`"
	case strings.HasPrefix(msg, "key ") && strings.HasSuffix(msg, " not in dict"):
		return "use .get(key, default) for a key that may be missing"
	case strings.HasSuffix(msg, " in sequence assignment"):
		return unpacked(msg, f, at)
	case strings.HasPrefix(msg, "yamlfragment value does not support item assignment"):
		return "YAML returned by a function cannot be changed; copy it into a dict first: dict(...)"
	case strings.Contains(msg, "frozen"):
		return "values from a loaded file cannot be changed; make a copy, such as list(...) or " +
			"dict(...), and change that"
	case strings.Contains(msg, ": expected a string, but was "):
		_, kind, _ := strings.Cut(msg, ": expected a string, but was ")
		return asText(kind)
	case strings.HasPrefix(msg, "load: name * not found in module "):
		return p.starLoaded(strings.TrimPrefix(msg, "load: name * not found in module "))
	case strings.HasPrefix(msg, "load: name "):
		name, module, _ := strings.Cut(strings.TrimPrefix(msg, "load: name "), " not found in module ")
		return p.notDefined(d, name, module)
	}
	return ""
}

// asText returns the hint for a function that expects a string and got another type.
func asText(kind string) string {
	switch kind {
	case "yamlfragment", "dict", "list", "tuple", "struct":
		return "to get its text, write `yaml.encode(...)` or `json.encode(...)` around it"
	case "int", "float", "bool":
		return "to convert it to a string, write `str(...)` around it"
	case "NoneType":
		return "the value is None here: check that it is set"
	}
	return ""
}

// union returns the hint for adding or joining maps, or "". kinds is Starlark's description of the operands.
func union(kinds string, f *source.File, at source.Span) string {
	l, r, ok := strings.Cut(strings.Replace(kinds, " | ", " + ", 1), " + ")
	isMap := func(kind string) bool { return kind == "yamlfragment" || kind == "dict" || kind == "struct" }
	if !ok || !isMap(l) || !isMap(r) {
		return ""
	}
	left, right := script.Operands(f, at.Offset(), len("+"))
	if l != "dict" {
		left = "dict(" + left + ")"
	}
	if r != "dict" {
		right = "dict(" + right + ")"
	}
	return fmt.Sprintf("join maps as dicts with `|`: write `%s | %s`; if both have a key, the "+
		"second wins", left, right)
}

// keyOfLoop returns the hint for a loop variable that is written after a dot, as if it were a key.
func keyOfLoop(name string, f *source.File, at source.Span) string {
	return fmt.Sprintf("a dot reads the key named %s: write `%s[%s]` for the key whose name is "+
		"in the variable", name, script.Operand(f, at.Offset()), name)
}

// missingField returns the hint for a field that a struct does not have. Usually the struct is data
// values that lack a key, or that people expect to be a dict.
func (p *Program) missingField(
	e *tree.NoField, d *diag.Diagnostic, f *source.File, at source.Span,
) string {
	s := e.Struct
	if !e.Index {
		if hint, _ := script.DashedKey(f, at.Offset()+1); hint != "" {
			return hint
		}
		if hint := mapMethod("struct", e.Name, f, at); hint != "" {
			return hint
		}
	}
	if root, ok := p.Values().(*tree.Struct); ok && root.Same(s) && s.Len() == 0 {
		if p.Unresolved {
			return "data values and their schema cannot read data values: `data.values` is " +
				"empty until all of them are merged; move the code that reads them to a file " +
				"without `#@data/values`"
		}
		if hint := p.missing(e.Name); hint != "" {
			return hint
		}
		return fmt.Sprintf("no data values are defined; add a schema, or pass `-v %s=...`",
			diag.InShell(e.Name))
	}
	if !e.Index && script.LoopVariable(f, e.Name, at.Offset()) {
		return keyOfLoop(e.Name, f, at)
	}
	if near := diag.Nearest(e.Name, s.AttrNames()); near != "" {
		if e.Index || IsIdentifier(near) {
			d.WithFix(e.Name, near)
		}
		if e.Index || !IsIdentifier(near) {
			return fmt.Sprintf("did you mean [\"%s\"]?", near)
		}
		return fmt.Sprintf("did you mean .%s?", near)
	}
	if s.Data() {
		if hint := p.missing(e.Name); hint != "" {
			return hint
		}
	}
	const maxNames = 9 // longer lists are not shown
	switch names := s.AttrNames(); {
	case len(names) == 0:
		return "it is empty"
	case len(names) == 1:
		return "its only key is " + names[0]
	case len(names) <= maxNames:
		return "its keys are " + strings.Join(names, ", ")
	}
	return ""
}

// starLoaded returns the hint for a load that uses a star to load everything from a module.
func (p *Program) starLoaded(module string) string {
	globals, err := p.Load(module)
	if err != nil {
		return ""
	}
	names := exported(globals)
	const maxNames = 5
	more := ""
	if len(names) > maxNames {
		names, more = names[:maxNames], ", ..."
	}
	if len(names) == 0 {
		return fmt.Sprintf("`*` does not load everything, and %s defines no names that can be loaded",
			module)
	}
	return fmt.Sprintf("`*` does not load everything, name what you need: `load(\"%s\", \"%s\"%s)`",
		module, strings.Join(names, `", "`), more)
}

// notDefined returns the hint for a name that a module does not define.
func (p *Program) notDefined(d *diag.Diagnostic, name, module string) string {
	globals, err := p.Load(module)
	if err != nil {
		return ""
	}
	names := exported(globals)
	const maxNames = 9
	switch near := diag.Nearest(name, names); {
	case near != "":
		d.WithFix(name, near)
		return fmt.Sprintf("did you mean %s?", near)
	case len(names) == 0:
		return "it has no names that can be loaded"
	case len(names) > maxNames:
		return fmt.Sprintf("among others it has %s", strings.Join(names[:maxNames], ", "))
	}
	return "it has " + strings.Join(names, ", ")
}

// exported returns the names that other files can load, sorted.
func exported(globals starlark.StringDict) []string {
	return slices.DeleteFunc(
		slices.Sorted(maps.Keys(globals)),
		func(name string) bool { return strings.HasPrefix(name, "_") },
	)
}

// dotBefore returns the offset of the dot before a method: at the location of the failure, or
// before the parenthesis there.
func dotBefore(method string, f *source.File, at source.Span) int {
	off, call := at.Offset(), []byte("."+method+"(")
	if start := off + 1 - len(call); start >= 0 && bytes.HasPrefix(f.Data()[start:], call) {
		return start
	}
	return off
}

// mapMethod returns the equivalent of a dict method for a struct or a YAML fragment, or "".
func mapMethod(what, method string, f *source.File, at source.Span) string {
	dot := dotBefore(method, f, at)
	x := script.Operand(f, dot)
	args, called := script.Arguments(f, dot+1+len(method))
	if !called {
		return ""
	}
	a := "a " + what
	key, other, hasDefault := cutArgument(args)
	if key == "" {
		key = "k"
	}
	switch method {
	case "items":
		return fmt.Sprintf("%s has no items(): write `for k in %s:`, and `%s[k]` for the value",
			a, x, x)
	case "keys":
		return fmt.Sprintf("%s has no keys(): write `list(%s)`", a, x)
	case "values":
		return fmt.Sprintf("%s has no values(): write `[%s[k] for k in %s]`", a, x, x)
	case "get":
		if !hasDefault {
			other = "None"
		}
		if what == "struct" {
			return fmt.Sprintf("%s has no get(): write `getattr(%s, %s, %s)`", a, x, key, other)
		}
		return fmt.Sprintf("%s has no get(): write `%s[%s] if %s in %s else %s`",
			a, x, key, key, x, other)
	case "has_key":
		return fmt.Sprintf("%s has no has_key(): write `%s in %s`", a, key, x)
	case "append":
		return fmt.Sprintf("%s cannot be changed: write `%s + [%s]` for a list with one more "+
			"item", a, x, args)
	case "extend":
		return fmt.Sprintf("%s cannot be changed: write `%s + %s` for a list with more items",
			a, x, args)
	case "update", "pop", "popitem", "setdefault", "clear", "insert", "remove":
		return fmt.Sprintf("%s cannot be changed: copy it into a dict first, `dict(%s)`, or into a "+
			"list, `list(%s)`", a, x, x)
	}
	return ""
}

// listMethod returns the equivalent of a list method from other languages, or "".
func listMethod(method string, f *source.File, at source.Span) string {
	x := script.Operand(f, dotBefore(method, f, at))
	switch method {
	case "length", "len", "size", "count":
		return fmt.Sprintf("write `len(%s)`", x)
	case "join":
		return fmt.Sprintf("write `\",\".join(%s)`", x)
	case "sort":
		return fmt.Sprintf("write `sorted(%s)`", x)
	case "reverse":
		return fmt.Sprintf("write `reversed(%s)`", x)
	case "map":
		return fmt.Sprintf("write `[f(x) for x in %s]`", x)
	case "filter":
		return fmt.Sprintf("write `[x for x in %s if f(x)]`", x)
	case "push", "add":
		return fmt.Sprintf("write `%s.append(...)`", x)
	case "contains", "includes":
		return fmt.Sprintf("write `... in %s`", x)
	case "items", "keys", "get", "values":
		return fmt.Sprintf("it is a list: write `for item in %s:`, `enumerate(%s)` to count the items, or "+
			"`%s[0]` for the first", x, x, x)
	}
	return fmt.Sprintf("it is a list: write `%s[0].%s` for its first item, or `[item.%s for item in "+
		"%s]` for all", x, method, method, x)
}

// cutArgument splits the arguments of a call at the first comma outside brackets and quotes.
func cutArgument(args string) (first, rest string, ok bool) {
	depth, quote := 0, byte(0)
	for i := range len(args) {
		switch c := args[i]; {
		case quote != 0:
			if c == quote && args[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			return strings.TrimSpace(args[:i]), strings.TrimSpace(args[i+1:]), true
		}
	}
	return args, "", false
}

// unpacked returns the hint for a loop with two variables over single values, or "".
func unpacked(msg string, f *source.File, at source.Span) string {
	x, ok := script.LoopOver(f, at.Offset())
	if !ok {
		return ""
	}
	if !strings.HasPrefix(msg, "got string ") {
		return fmt.Sprintf("a loop over a list gives one item at a time: write `enumerate(%s)` "+
			"to get their indexes too", x)
	}
	return fmt.Sprintf("a loop over a map gives its keys: write `for k in %s`, and `%s[k]` for "+
		"the value; if it is a list, `enumerate(%s)` gives their indexes too", x, x, x)
}

// IsIdentifier reports whether a field with that name can be read after a dot.
func IsIdentifier(name string) bool {
	for i := range len(name) {
		if !diag.IsWord(name[i]) || i == 0 && name[i] >= '0' && name[i] <= '9' {
			return false
		}
	}
	return name != ""
}

// missing returns the caller's hint for a missing data value, or "".
func (p *Program) missing(name string) string {
	if p.Missing == nil {
		return ""
	}
	return p.Missing(name)
}
