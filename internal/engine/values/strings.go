package values

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file is about flags that always set strings where another type is expected: `-v debug=false`
// sets a string, which is true in a condition.

// CodeString is the code of a warning that a flag sets a string where a boolean is expected.
const CodeString diag.Code = "values/string"

func clone(a *tree.Annotations) *tree.Annotations {
	c := *a
	return &c
}

// replaces reports whether annotations belong to a value that a flag sets.
func replaces(a *tree.Annotations) bool {
	return a == replaceNotes || isText(a)
}

// isText reports whether annotations belong to a text that a flag or a variable sets.
func isText(a *tree.Annotations) bool {
	return a == stringNotes || a == envNotes || isTyped(a)
}

// isTyped reports whether annotations belong to a text that is read by the type of the schema.
func isTyped(a *tree.Annotations) bool { return a == typedNotes || a == typedEnvNotes }

// fromVariable reports whether annotations belong to a text of an environment variable.
func fromVariable(a *tree.Annotations) bool {
	return a == envNotes || a == typedEnvNotes
}

// Text is a string that a flag has set and that looks like a boolean, or like null.
type Text struct {
	Path  []tree.Value
	Value string
	Was   tree.Value // the value that it replaced, if any
	At    source.Span

	env   bool // it comes from --data-values-env
	typed bool // it was read by the type of the schema
}

// textOf returns the string that the document of a flag sets.
func textOf(doc tree.Doc) (t Text, ok bool) {
	v := doc.Value
	for {
		m, isMap := v.Map()
		if !isMap || len(m.Entries()) != 1 {
			return t, false
		}
		it := m.Entries()[0]
		t.Path = append(t.Path, it.Key)
		switch {
		case it.Annotations == missingNotes:
			v = it.Value
		case isText(it.Annotations):
			s, isString := it.Value.Starlark().(starlark.String)
			key, _ := starlark.AsString(it.Key.Starlark())
			t.Value, t.At = string(s), it.Pos.To(it.Pos.Offset()+max(1, len(key)))
			t.env, t.typed = fromVariable(it.Annotations), isTyped(it.Annotations)
			return t, isString
		default:
			return t, false
		}
	}
}

// at returns the value at a path, if there is one.
func at(v tree.Value, path []tree.Value) (tree.Value, bool) {
	for _, key := range path {
		m, ok := v.Map()
		if !ok {
			return tree.Value{}, false
		}
		i := m.Find(key.Starlark())
		if i < 0 {
			return tree.Value{}, false
		}
		v = m.Entries()[i].Value
	}
	return v, true
}

// finder finds n values by their paths.
func finder(v tree.Value, n int) func(path []tree.Value) (tree.Value, bool) {
	if n <= maxDirect {
		return func(path []tree.Value) (tree.Value, bool) { return at(v, path) }
	}
	work := 0
	root := newBaseMap(v, &work)
	return func(path []tree.Value) (tree.Value, bool) {
		v, g := v, root
		for i, key := range path {
			if g == nil {
				return at(v, path[i:])
			}
			j := g.find(key)
			if j < 0 {
				return tree.Value{}, false
			}
			if v = g.entries[j].Value; i < len(path)-1 {
				g = g.child(j)
			}
		}
		return v, true
	}
}

// note records the string that doc sets in place of a value in left, if it looks like a boolean, or
// like null.
func (s *Stack) note(doc tree.Doc, left tree.Value) {
	t, ok := textOf(doc)
	_, isBool := truth(t.Value)
	if !ok || !isBool && !readsAsNull(t.Value) {
		return
	}
	t.Was, _ = at(left, t.Path)
	if _, ok := t.Was.Starlark().(starlark.Bool); ok && isBool && t.Was != (tree.Value{}) {
		s.Warnings = append(
			s.Warnings,
			t.warn(
				fmt.Sprintf(
					"data value %s is a boolean, but this sets the string %q",
					KeyPath(t.Path),
					t.Value,
				),
			),
		)
		return
	}
	s.texts = append(s.texts, t)
}

// truth returns the boolean that a text looks like.
func truth(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return false, false
}

// readsAsNull reports whether a text means null in YAML or Starlark, which is false in a condition.
// In other spellings, `none` may well be a name.
func readsAsNull(s string) bool { return s == "null" || s == "None" || s == "~" }

// Texts returns the strings set by flags that look like booleans or null, if no later value has
// replaced them. It leaves out strings that a schema, or the value that they replaced, declares as
// strings.
func (s Stack) Texts() []Text {
	var out []Text
	find := finder(s.Value, len(s.texts))
	for _, t := range s.texts {
		v, ok := find(t.Path)
		_, wasText := t.Was.Starlark().(starlark.String)
		if !ok || wasText || t.Was.Kind() != tree.ScalarKind || !s.typ.AnyAt(t.Path) {
			continue
		}
		if text, ok := v.Starlark().(starlark.String); ok && string(text) == t.Value {
			out = append(out, t)
		}
	}
	return out
}

// Misread reports whether testing the string gives another result than testing the boolean that it
// looks like. compared means that code compares it with True or False.
func (t Text) Misread(compared bool) bool {
	value, isBool := truth(t.Value)
	return compared && isBool || !compared && !value
}

// Tested returns the warning that code tests the value as if it were a boolean.
func (t Text) Tested(where source.Span, compared bool) *diag.Diagnostic {
	if compared {
		return t.warn(fmt.Sprintf("data value %s is the string %q, which is neither True nor False",
			KeyPath(t.Path), t.Value)).
			WithRelated(where, "it is compared here")
	}
	x := t.warn(fmt.Sprintf("data value %s is the string %q, which is true in a condition",
		KeyPath(t.Path), t.Value)).
		WithRelated(where, "it is tested here")
	switch {
	case t.Value == "0":
		return x.WithHint("%s", t.yamlFlag("0")) // the value that is tested may be a number
	case readsAsNull(t.Value):
		return x.WithHint("%s", t.yamlFlag("null"))
	}
	return x
}

func (t Text) warn(message string) *diag.Diagnostic {
	value, _ := truth(t.Value)
	return diag.Warningf(t.At, CodeString, "%s", message).
		WithHint("%s", t.yamlFlag(strconv.FormatBool(value)))
}

// envYAML is how a project file reads variables as YAML.
const envYAML = ", or `{prefix: PREFIX, yaml: true}` in `valuesFromEnv` of weft.yml"

// yamlFlag returns the flag that sets the value that the text means in YAML.
func (t Text) yamlFlag(text string) string {
	if t.typed {
		return t.typedFlag(text)
	}
	if t.env {
		return "`--data-values-env` always sets strings: use `--data-values-env-yaml` to set other values" +
			envYAML
	}
	return fmt.Sprintf(
		"`--data-value` always sets strings: write `--data-value-yaml %s`",
		diag.InShell(KeyPath(t.Path)+"="+text),
	)
}

// HintText returns how to set a value that is not a string, if a document is that of a flag or variable
// that sets a string at a path; otherwise "".
func HintText(doc tree.Doc, keys []string) string {
	t, ok := textOf(doc)
	if !ok || !slices.Equal(keyTexts(t.Path), keys) {
		return ""
	}
	return t.yamlFlag(t.Value)
}

// hintFlag returns the schema's diagnostics about a document, with hints for someone who wrote a
// flag.
func hintFlag(doc tree.Doc, typ *schema.Type, list diag.List) diag.List {
	t, ok := textOf(doc)
	if !ok {
		return list
	}
	for _, d := range list {
		if d.Code != schema.CodeType {
			continue
		}
		if hint := t.howToWrite(typ.At(keyTexts(t.Path))); hint != "" {
			d.WithHint("%s", hint)
		} else if strings.Contains(d.Hint, "without quotes") {
			d.WithHint("%s", t.yamlFlag(t.Value))
		}
	}
	return list
}
