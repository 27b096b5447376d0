package tree

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/yaml"
)

// Go returns v as a plain Go value: nil, bool, int64, uint64 where int64 is too small, float64,
// string, []any, or map[string]any; a map with keys that are not strings is a map[any]any.
func (v Value) Go() any {
	if m, ok := v.Map(); ok {
		return m.goMap()
	}
	if a, ok := v.Array(); ok {
		list := make([]any, 0, len(a.Entries()))
		for _, it := range a.Entries() {
			list = append(list, it.Value.Go())
		}
		return list
	}
	return v.goScalar()
}

// goScalar returns a scalar as a Go value.
func (v Value) goScalar() any {
	switch x, text := v.Scalar(); x.Kind {
	case yaml.Bool:
		return x.Bool()
	case yaml.Int:
		return x.Int()
	case yaml.Uint:
		return x.Uint()
	case yaml.Float:
		return x.Float()
	case yaml.String:
		return string(text)
	}
	return nil
}

// goMap returns a map as a Go value.
func (m *Map) goMap() any {
	named := make(map[string]any, len(m.Entries()))
	for _, it := range m.Entries() {
		name, ok := starlark.AsString(it.Key.Starlark())
		if !ok {
			return m.goMapOfAny()
		}
		named[name] = it.Value.Go()
	}
	return named
}

// goMapOfAny returns a map with keys that are not strings.
func (m *Map) goMapOfAny() map[any]any {
	all := make(map[any]any, len(m.Entries()))
	for _, it := range m.Entries() {
		all[it.Key.goKey()] = it.Value.Go()
	}
	return all
}

// goKey returns a key as a Go value. Go has no collections as keys, so a collection is returned as
// JSON text.
func (v Value) goKey() any {
	if v.Kind() == ScalarKind {
		return v.goScalar()
	}
	var w yaml.JSONWriter
	(&Printer{}).Write(&w, v)
	return string(w.Bytes())
}
