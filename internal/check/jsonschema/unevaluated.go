package jsonschema

import (
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// seen is what the parts of a schema have checked of one value.
type seen struct {
	fields map[string]bool
	items  map[int]bool
	all    bool // all items
}

// field records that a field was checked. s may be nil.
func (s *seen) field(name string) {
	if s == nil {
		return
	}
	if s.fields == nil {
		s.fields = map[string]bool{}
	}
	s.fields[name] = true
}

// item records that an item was checked. s may be nil.
func (s *seen) item(i int) {
	if s == nil {
		return
	}
	if s.items == nil {
		s.items = map[int]bool{}
	}
	s.items[i] = true
}

// add adds what another schema has checked of the same value.
func (s *seen) add(other *seen) {
	for name := range other.fields {
		s.field(name)
	}
	for i := range other.items {
		s.item(i)
	}
	s.all = s.all || other.all
}

// below checks a part of the current value.
func (c *checker) below(s *Schema, v tree.Value) {
	seen := c.seen
	c.seen = nil
	c.value(s, v)
	c.seen = seen
}

// unevaluated checks the fields and items that no other part of the schema has checked.
func (c *checker) unevaluated(s *Schema, r *rules, v tree.Value) {
	if r.otherFields != nil && v.Kind() == tree.MapKind {
		for _, it := range v.Entries() {
			name := tree.KeyText(it.Key)
			if c.seen.fields[name] {
				continue
			}
			c.seen.field(name)
			c.at = append(c.at, path.ToKey(it.Key))
			if r.otherFields.read().never {
				c.report(Problem{what: unknownField, value: it.Value, schema: s})
			} else {
				c.below(r.otherFields, it.Value)
			}
			c.at = c.at[:len(c.at)-1]
		}
	}
	if r.otherItems == nil || v.Kind() != tree.ArrayKind || c.seen.all {
		return
	}
	i := 0
	for x := range v.Elements() {
		if !c.seen.items[i] {
			c.at = append(c.at, path.ToItem(i, i))
			c.below(r.otherItems, x)
			c.at = c.at[:len(c.at)-1]
		}
		i++
	}
	c.seen.all = true
}
