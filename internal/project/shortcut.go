package project

import (
	"slices"

	"weft/internal/lang/source"
)

// Shortcut is one entry of the key kubernetes: an image, a label, or the namespace.
type Shortcut struct {
	Key   string      // of the group, such as images
	Name  string      // of the entry; "" for the namespace
	At    source.Span // where the entry is named
	Value *Node
}

// shortcuts adds the short cuts of a fragment. An entry replaces one of the same name; the parts of an image
// that it does not mention are those of the other.
func (m *merger) shortcuts(n *Node) {
	for _, group := range entriesOf(n) {
		if len(group.Value.Entries) == 0 {
			if group.Key == "namespace" {
				m.shortcut(Shortcut{Key: group.Key, At: group.Value.At, Value: group.Value})
			}
			continue
		}
		for _, e := range group.Value.Entries {
			m.shortcut(Shortcut{Key: group.Key, Name: e.Key, At: e.KeyAt, Value: e.Value})
		}
	}
}

func (m *merger) shortcut(x Shortcut) {
	list := &m.settings.Kubernetes
	i := slices.IndexFunc(*list, func(old Shortcut) bool { return old.Key == x.Key && old.Name == x.Name })
	if i < 0 {
		*list = append(*list, x)
		return
	}
	if old := (*list)[i].Value; len(old.Entries) > 0 {
		merged := *x.Value
		for _, e := range old.Entries {
			if merged.Get(e.Key) == nil {
				merged.Entries = append(slices.Clone(merged.Entries), e)
			}
		}
		x.Value = &merged
	}
	(*list)[i] = x
}

// Uses returns how many environments have an entry. All are counted once: there may be thousands of
// environments.
func (p *Description) Uses(x Shortcut) int {
	p.counted.Do(func() {
		p.uses = map[source.Pos]int{}
		for _, name := range p.names {
			s, err := p.Environment(name)
			if err != nil {
				continue // it is reported where it is used
			}
			for _, y := range s.Kubernetes {
				p.uses[y.At.Pos]++
			}
		}
	})
	return p.uses[x.At.Pos]
}

// shortcuts returns the short cuts of an environment.
func (p *Description) shortcuts(s *Settings) (v shown) {
	for _, x := range s.Kubernetes {
		if x.Name == "" {
			v.entries = append(v.entries, shownEntry{x.Key, p.node(x.Value)})
			continue
		}
		i := slices.IndexFunc(v.entries, func(e shownEntry) bool { return e.key == x.Key })
		if i < 0 {
			i = len(v.entries)
			v.entries = append(v.entries, shownEntry{key: x.Key})
		}
		of := &v.entries[i].value
		of.entries = append(of.entries, shownEntry{x.Name, p.node(x.Value)})
	}
	return v
}
