package jsonschema

import "weft/internal/lang/tree"

// Secrets returns the parts of a value that the schema marks with writeOnly. Everything below such a part
// belongs to it. Of alternatives, all count: it is better to hide too much than too little.
func (s *Schema) Secrets(v tree.Value) []tree.Value {
	if !s.in.loader.secrets {
		return nil
	}
	f := secretFinder{seen: map[pair]bool{}}
	f.walk(s, v)
	return f.found
}

type secretFinder struct {
	found []tree.Value
	seen  map[pair]bool
}

// pair is a value and a schema that it was compared with.
type pair struct {
	schema *Schema
	value  tree.Value
}

func (f *secretFinder) walk(s *Schema, v tree.Value) {
	if s == nil || f.seen[pair{s, v}] {
		return
	}
	f.seen[pair{s, v}] = true
	r := s.read()
	if r.secret {
		f.found = append(f.found, v)
		return
	}
	for _, list := range [][]*Schema{r.refs, r.all, r.any, r.one, {r.when, r.then, r.orElse}} {
		for _, x := range list {
			f.walk(x, v)
		}
	}
	for _, x := range s.in.targets(r.dynamic) {
		f.walk(x, v)
	}
	for i, it := range v.Entries() {
		if v.Kind() == tree.MapKind {
			f.field(r, v, it)
			continue
		}
		if i < len(r.first) {
			f.walk(r.first[i], it.Value)
		} else {
			f.walk(r.items, it.Value)
			f.walk(r.otherItems, it.Value)
		}
		f.walk(r.contains, it.Value)
	}
}

// field follows a field of v, and what its presence implies.
func (f *secretFinder) field(r *rules, v tree.Value, it tree.Item) {
	name := tree.KeyText(it.Key)
	f.walk(r.implied[name], v)
	field := r.fields[name]
	f.walk(field, it.Value)
	known := field != nil
	for _, p := range r.patterns {
		if p.pattern.MatchString(name) {
			known = true
			f.walk(p.schema, it.Value)
		}
	}
	if !known {
		f.walk(r.others, it.Value)
		f.walk(r.otherFields, it.Value)
	}
}

// targets returns all parts that a dynamic reference may refer to.
func (r *resource) targets(ref *dynamicRef) (list []*Schema) {
	if ref == nil {
		return nil
	}
	list = []*Schema{ref.to}
	for _, other := range r.loader.resources {
		switch {
		case ref.name == "" && other.dynamic:
			list = append(list, other.root(ref.to))
		case ref.name != "" && other.anchors[ref.name].dynamic:
			if s, err := other.find("#" + ref.name); err == nil {
				list = append(list, s)
			}
		}
	}
	return list
}
