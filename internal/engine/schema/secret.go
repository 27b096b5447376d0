package schema

import "weft/internal/lang/tree"

// Secret is a data value that @schema/secret marks.
type Secret struct {
	Path  string // the path that messages show
	Value tree.Value
}

// Secrets returns the secret values in data values, which must be complete. Everything below a secret
// value is part of it. If the schema marks no secrets, nothing is searched.
func (t *Type) Secrets(values tree.Value) []Secret {
	var s secrets
	s.walk(t, values)
	return s.list
}

type secrets struct {
	list []Secret
	path path
}

func (s *secrets) walk(t *Type, v tree.Value) {
	if t == nil || !t.secrets {
		return
	}
	if t.secret {
		s.list = append(s.list, Secret{s.path.String(), v})
		return
	}
	t = t.chosen(v)
	switch t.kind {
	case mapKind:
		m, ok := v.Map()
		if !ok {
			return
		}
		for i, it := range m.Entries() {
			if typ := t.ofKey(it.Key, i); typ != nil {
				s.path = append(s.path, step{key: it.Key, index: -1})
				s.walk(typ, it.Value)
				s.path = s.path[:len(s.path)-1]
			}
		}
	case arrayKind:
		a, ok := v.Array()
		if !ok {
			return
		}
		for i, it := range a.Entries() {
			s.path = append(s.path, step{index: i})
			s.walk(t.item, it.Value)
			s.path = s.path[:len(s.path)-1]
		}
	}
}

// hidesDefault reports whether the default is secret and must not be shown in a schema.
func (t *Type) hidesDefault() bool {
	return t.secret && !t.def.Empty() &&
		(t.def.Kind() != tree.ScalarKind || t.def.Text() != "")
}
