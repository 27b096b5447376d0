package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
)

// hideDerived hides what is computed from secret data values: upper(password) is as secret as the
// password. It renders a second time with other secrets; whatever differs then must not be shown, neither
// in documents nor in what code says when it fails. If nothing can be rendered with them, since code needs
// the form of a secret, or if a library declares secrets, it hides all values that read one. A project without
// secrets is rendered, too, since only that shows those of libraries. What fails here fails in the tool, too,
// which says why.
func hideDerived(ctx context.Context, opts weft.Options) error {
	others, err := otherSecrets(ctx, opts)
	if err != nil { // lint reports it as a finding
		hideUnread(ctx, diag.FailureOf(weft.ErrorOf(err)))
	}
	if err != nil {
		return nil
	}
	var own, all secret.Keeper // the secrets of the project, and those with the ones of libraries
	_, _ = weft.InspectDataValues(secret.WithKeeper(ctx, &own), opts)
	now, wrong := weft.Render(secret.WithKeeper(ctx, &all), opts)
	if wrong == nil && !own.Knows(&all) { // flags cannot change those of libraries
		_, err = weft.Blame(ctx, opts, weft.BlameOptions{}) // the redactor learns what it hides
		return err
	}
	if len(others) == 0 {
		return nil
	}
	changed := opts
	changed.DisableValidation = opts.DisableValidation || wrong == nil // otherwise its messages are compared
	changed.DataValues.KVYAML = slices.Concat(opts.DataValues.KVYAML, others)
	other, err := weft.Render(ctx, changed)
	switch keeper := secret.KeeperOf(ctx); {
	case wrong != nil:
		keeper.Add(differingParts(messages(wrong), messages(err)))
	case err == nil:
		keeper.Add(differingParts(documents(now), documents(other)))
		keeper.Add(differingParts(texts(now), texts(other)))
	default:
		_, err = weft.Blame(ctx, opts, weft.BlameOptions{})
		return err
	}
	return nil
}

// parts are the parts of a result that are compared one by one, by their names and numbers.
type parts map[part]any

// part names a part of a result. Parts with the same name are numbered.
type part struct {
	name   string
	number int
}

// adder returns a function that adds parts.
func (p parts) adder() func(name string, v any) {
	count := map[string]int{}
	return func(name string, v any) {
		count[name]++
		p[part{name, count[name]}] = v
	}
}

// messages returns what diagnostics say: code may have computed it.
func messages(err error) parts {
	all := parts{}
	if err == nil {
		return all
	}
	add := all.adder()
	for _, d := range weft.ErrorOf(err).Diagnostics() {
		said := []any{d.Message, d.Hint, d.Path}
		for _, r := range d.Related {
			said = append(said, r.Message)
		}
		add(d.Code, said)
	}
	return all
}

// documents returns the documents of a result by the objects that they are.
func documents(r *weft.Result) parts {
	all := parts{}
	add := all.adder()
	for d := range r.Documents() {
		v := d.Value()
		document, _ := v.(map[string]any)
		metadata, _ := document["metadata"].(map[string]any)
		add(selector.ObjectFrom(textsOf(document), textsOf(metadata)).String(), v)
	}
	return all
}

// textsOf returns a function that returns the text at a key, or "".
func textsOf(m map[string]any) func(key string) string {
	return func(key string) string {
		text, _ := m[key].(string)
		return text
	}
}

// texts returns what text templates print, by file.
func texts(r *weft.Result) parts {
	all := parts{}
	add := all.adder()
	for _, f := range r.Texts() {
		add(f.Path, string(f.Data))
	}
	return all
}

// otherSecrets returns flags that give all secret data values other values of the same type and form.
func otherSecrets(ctx context.Context, opts weft.Options) (flags []string, err error) {
	declared, err := weft.InspectSchema(ctx, opts, weft.JSONSchema)
	if err != nil {
		return nil, err
	}
	unchecked := opts
	unchecked.DisableValidation = true // what validations say is compared
	values, err := weft.InspectDataValues(ctx, unchecked)
	if err != nil {
		return nil, err
	}
	var schema any
	for _, x := range documents(declared) {
		schema = x
	}
	var visit func(v any, way path.Path)
	visit = func(v any, way path.Path) {
		if m, ok := v.(map[string]any); ok {
			for key, x := range m {
				visit(x, append(slices.Clip(way), path.ToKey(tree.String(key))))
			}
			return
		}
		// A flag sets a list as a whole.
		if other, changed := altered(schema, v, way); changed && len(way) > 0 {
			text, _ := json.Marshal(other) // it has what JSON has
			flags = append(flags, way.String()+"="+string(text))
		}
	}
	for _, x := range documents(values) {
		visit(x, nil)
	}
	slices.Sort(flags)
	return flags, nil
}

// altered returns a value in which all secrets have other values, and whether it has any.
func altered(schema, v any, way path.Path) (other any, changed bool) {
	if fieldAt(schema, way.String()).secret {
		return otherThan(v), true
	}
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for key, x := range v {
			y, found := altered(schema, x, append(slices.Clip(way), path.ToKey(tree.String(key))))
			m[key], changed = y, changed || found
		}
		return m, changed
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			y, found := altered(schema, x, append(slices.Clip(way), path.ToItem(i, 0)))
			list[i], changed = y, changed || found
		}
		return list, changed
	}
	return v, false
}

// otherThan returns another value of the same type. A text keeps its length and its kinds of
// characters: code may check them.
func otherThan(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case bool:
		return !v
	case string:
		if other := strings.Map(otherLetter, v); other != v {
			return other
		}
		return strings.Map(func(r rune) rune { // it has neither letters nor digits
			if r == '*' {
				return '+'
			}
			return '*'
		}, v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = otherThan(v[i])
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for key := range v {
			m[key] = otherThan(v[key])
		}
		return m
	case float64:
		return v + 7
	case int:
		return v + 7
	}
	return 7
}

// otherLetter returns another letter of the same case, or another digit. Other characters stay.
func otherLetter(r rune) rune {
	for _, is := range []func(rune) bool{unicode.IsUpper, unicode.IsLower, unicode.IsDigit, unicode.IsLetter} {
		for _, step := range []rune{7, -7, 1, -1} {
			if is(r) && is(r+step) {
				return r + step
			}
		}
	}
	return r
}

// differingParts returns the texts that are different in two results. Of a part that the other result does not
// have, these are the texts that it has nowhere.
func differingParts(now, other parts) (list []string) {
	elsewhere := map[string]bool{}
	for _, x := range other {
		for _, text := range allTexts(nil, x) {
			elsewhere[text] = true
		}
	}
	for name, x := range now {
		if y, ok := other[name]; ok {
			list = differing(list, x, y)
			continue
		}
		for _, text := range allTexts(nil, x) {
			if !elsewhere[text] {
				list = append(list, text)
			}
		}
	}
	return list
}

// allTexts adds all texts of a value, with its keys.
func allTexts(list []string, v any) []string {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			list = allTexts(append(list, key), x)
		}
	case []any:
		for _, x := range v {
			list = allTexts(list, x)
		}
	default:
		list = differing(list, v, nil)
	}
	return list
}

// differing adds the texts of a that are not in the same place of b.
func differing(list []string, a, b any) []string {
	add := func(text string) {
		if text != "" {
			list = append(list, text)
		}
	}
	switch a := a.(type) {
	case map[string]any:
		other, isMap := b.(map[string]any)
		for key, x := range a {
			y, ok := other[key]
			if !ok && isMap {
				add(key)
			}
			list = differing(list, x, y)
		}
	case []any:
		other, _ := b.([]any)
		for i, x := range a {
			var y any
			if i < len(other) {
				y = other[i]
			}
			list = differing(list, x, y)
		}
	case string:
		other, _ := b.(string)
		was, now := strings.Split(a, "\n"), strings.Split(other, "\n")
		for i, line := range was { // of a long text, only the lines that differ
			switch {
			case len(was) != len(now):
				add(strings.TrimSpace(line))
			case line != now[i]:
				add(strings.TrimSpace(line))
				add(middle(line, now[i]))
			}
		}
	case nil, bool:
	default:
		if text := fmt.Sprint(a); text != fmt.Sprint(b) {
			add(text)
		}
	}
	return list
}

// middle returns what differs in a line: reports about texts that contain YAML show single values
// of them. A short part is left out, since it would be hidden everywhere.
func middle(a, b string) string {
	const shortest = 4
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	end := 0
	for end < min(len(a), len(b))-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if part := a[from : len(a)-end]; len(part) >= shortest {
		return part
	}
	return ""
}
