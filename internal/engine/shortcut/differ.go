package shortcut

import (
	"weft/internal/engine/values"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Difference is an entry that differs between two sides. A value is nil if the side does not have the entry.
type Difference struct {
	Path          string // see Entry.Path
	Before, After *tree.Value
	At            values.Place // of the second side, if that has the entry
}

// Differ returns the entries that differ between two sides: those of the second in their order, then those
// that only the first has.
func Differ(a, b *Config) (list []Difference) {
	before := map[string]tree.Value{}
	for _, x := range a.valued() {
		before[x.Path()] = x.value
	}
	for _, x := range b.valued() {
		d := Difference{Path: x.Path(), After: &x.value, At: x.At}
		old, ok := before[d.Path]
		if delete(before, d.Path); ok {
			d.Before = &old
		}
		if !ok || !edit.Equal(old, x.value) {
			list = append(list, d)
		}
	}
	for _, x := range a.valued() {
		if old, ok := before[x.Path()]; ok {
			list = append(list, Difference{Path: x.Path(), Before: &old})
		}
	}
	return list
}

// With returns the short cuts with some entries, by their paths, as they are on another side. An entry that
// matches nothing is not an error in them, and entries have no places.
func (c *Config) With(other *Config, paths []string) *Config {
	if c == nil {
		c = &Config{}
	}
	if other == nil {
		other = &Config{}
	}
	take := map[string]bool{}
	for _, p := range paths {
		take[p] = true
	}
	out := &Config{
		Images:      mix(c.Images, other.Images, func(x *Image) *Entry { return &x.Entry }, take),
		Replicas:    mix(c.Replicas, other.Replicas, func(x *Replicas) *Entry { return &x.Entry }, take),
		Namespace:   c.Namespace,
		Labels:      mix(c.Labels, other.Labels, func(x *Text) *Entry { return &x.Entry }, take),
		Annotations: mix(c.Annotations, other.Annotations, func(x *Text) *Entry { return &x.Entry }, take),
	}
	if take[namespacePath] {
		out.Namespace = other.Namespace
	}
	out.Namespace.At = values.Place{}
	return out
}

const namespacePath = "kubernetes.namespace"

// mix returns the entries of a that are not taken, and those of b that are.
func mix[T any](a, b []T, entry func(*T) *Entry, take map[string]bool) (out []T) {
	add := func(list []T, taken bool) {
		for _, x := range list {
			if e := entry(&x); take[e.Path()] == taken {
				e.At, e.Uses = values.Place{}, 2
				out = append(out, x)
			}
		}
	}
	add(a, false)
	add(b, true)
	return out
}

// valued is an entry with its value, as weft.yml has it.
type valued struct {
	*Entry
	value tree.Value
}

func (c *Config) valued() (list []valued) {
	if c == nil {
		return nil
	}
	for i := range c.Images {
		x := &c.Images[i]
		var items []tree.Item
		for _, part := range [][2]string{{"name", x.To}, {"tag", x.Tag}, {"digest", x.Digest}} {
			if part[1] != "" {
				items = append(items, tree.Item{Key: tree.String(part[0]), Value: tree.String(part[1])})
			}
		}
		list = append(list, valued{&x.Entry, tree.Of(tree.NewMap(items, source.Pos{}))})
	}
	for i := range c.Replicas {
		list = append(list, valued{&c.Replicas[i].Entry, number(c.Replicas[i].N)})
	}
	texts := append(append([]Text{c.Namespace}, c.Labels...), c.Annotations...)
	for i := range texts {
		if x := &texts[i]; x.Key != "" {
			list = append(list, valued{&x.Entry, tree.String(x.Text)})
		}
	}
	return list
}
