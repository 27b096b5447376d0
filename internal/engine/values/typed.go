package values

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file is about texts of flags and variables that are read by the type that the schema declares,
// as in edition 2026: `-v replicas=3` sets a number where one is declared, and a text elsewhere.

// typedValue returns the value of a document with its text read by the declared type. A text that is
// not valid for the type stays a string, and the schema reports what is wrong.
func typedValue(v tree.Value, typ *schema.Type) tree.Value {
	m, ok := v.Map()
	if !ok || len(m.Entries()) != 1 {
		return v
	}
	it := m.Entries()[0]
	at := typ.At([]string{tree.KeyText(it.Key)})
	switch {
	case at == nil:
		return v
	case it.Annotations == missingNotes:
		it.Value = typedValue(it.Value, at)
	case isTyped(it.Annotations):
		text, _ := starlark.AsString(it.Value.Starlark())
		x, ok := at.Read(text)
		if !ok {
			return v
		}
		it.Value, it.Annotations = tree.Of(x), replaceNotes
	default:
		return v
	}
	return tree.Of(tree.NewMap([]tree.Item{it}, m.Pos)).WithOrigin(v.Origin())
}

// keyTexts returns the keys of a path.
func keyTexts(path []tree.Value) []string {
	keys := make([]string, len(path))
	for i, key := range path {
		keys[i] = tree.KeyText(key)
	}
	return keys
}

// howToWrite returns how to set a value of a type with a flag, or "" if it depends on the text.
func (t Text) howToWrite(typ *schema.Type) string {
	switch {
	case typ == nil:
		return ""
	case t.env && t.typed:
		return "`--data-values-env-yaml` reads variables as YAML" + envYAML
	case t.env:
		return ""
	}
	key := KeyPath(t.Path)
	switch kind := typ.Kind(); {
	case kind == "array":
		return "a list is set with --data-value-yaml " + diag.InShell(key+"=["+t.Value+"]")
	case kind == "map":
		return fmt.Sprintf("set a key of it, as in -v %s.KEY=VALUE, or all of it with --data-value-yaml %s",
			diag.InShell(key), diag.InShell(key+"={KEY: VALUE}"))
	case !t.typed:
		return ""
	case kind == "boolean":
		return fmt.Sprintf("write -v %s=true or -v %[1]s=false", diag.InShell(key))
	case kind == "integer":
		return fmt.Sprintf("write a whole number in decimal digits, as in -v %s=3", diag.InShell(key))
	case kind == "float":
		return fmt.Sprintf("write a number, as in -v %s=0.5", diag.InShell(key))
	}
	return ""
}

// typedFlag returns the flag that sets the value that the text means in YAML, where no schema
// declares a type.
func (t Text) typedFlag(text string) string {
	if t.env {
		return "no schema declares its type, so the variable sets a string: declare it, or use " +
			"`--data-values-env-yaml`" + envYAML
	}
	return fmt.Sprintf("no schema declares its type, so `--data-value` sets a string: declare it, or write "+
		"`--data-value-yaml %s`", diag.InShell(KeyPath(t.Path)+"="+text))
}

// spaced rejects a key with spaces around it, as in -v 'name = x'. Where texts are always strings, it
// only warns, since ytt takes the space as part of the key.
func (env *Environment) spaced(key, value string, f *source.File) error {
	trimmed := strings.TrimSpace(key)
	if trimmed == key || trimmed == "" {
		return nil
	}
	report := diag.Warningf
	if env.Typed {
		report = diag.Errorf
	}
	d := report(f.Span(0, len(key)), CodeFlag, "found a space beside the key '%s', which becomes part of it",
		trimmed).WithHint("write it without spaces: %s", diag.InShell(trimmed+"="+strings.TrimSpace(value)))
	if env.Typed {
		return d
	}
	if env.Warn != nil {
		env.Warn(d)
	}
	return nil
}

// CodeSeveral is the code of a flag that seems to set several values at once.
const CodeSeveral diag.Code = "values/several"

// severalIn returns a diagnostic about a flag that sets one value but looks as if it set several: -v
// a=1,b=2, which helm supports. Where texts are always strings, it is a warning.
func (l *layering) severalIn(doc tree.Doc) *diag.Diagnostic {
	t, ok := textOf(doc)
	if !ok || t.env || !strings.Contains(t.Value, ",") {
		return nil
	}
	flags := t.several(l.typ)
	if flags == "" {
		return nil
	}
	key := KeyPath(t.Path)
	report := diag.Warningf
	if t.typed {
		report = diag.Errorf
	}
	quoted := key + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Value) + `"`
	d := report(t.At, CodeSeveral, "this sets the one value %s to '%s'", key, t.Value).
		WithHint("give each value its own flag: %s; if the text is meant, write --data-value-yaml %s", flags,
			diag.InShell(quoted))
	if t.typed {
		return d
	}
	l.Warnings = append(l.Warnings, d)
	return nil
}

// several returns the flags that a text with commas seems to mean, or "". What follows each comma
// must set a value that the schema declares, or any name if there is no schema: texts such as
// "no-cache,max-age=60" contain commas and equals signs too.
func (t Text) several(typ *schema.Type) string {
	parts := strings.Split(t.Value, ",")
	if strings.Contains(parts[0], "=") {
		return ""
	}
	flags := "-v " + diag.InShell(KeyPath(t.Path)+"="+parts[0])
	for _, part := range parts[1:] {
		part = strings.TrimSpace(part)
		key, _, ok := cutKey(part)
		if !ok || !names(typ, key) {
			return ""
		}
		flags += " -v " + diag.InShell(part)
	}
	return flags
}

// names reports whether a key is the name of a data value, as far as the schema shows.
func names(typ *schema.Type, key string) bool {
	if typ.Kind() == "any" {
		return isName(key)
	}
	var path []string
	for _, p := range splitKey(key, 0) {
		path = append(path, p.key)
	}
	return typ.At(path) != nil
}

// isName reports whether a key is a path of names that code can use: a.b_c.
func isName(key string) bool {
	letters := "_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return key != "" && strings.Trim(key, letters+"0123456789") == "" && strings.Contains(letters, key[:1]) &&
		!strings.HasPrefix(key, ".")
}
