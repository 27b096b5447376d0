package values

import (
	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/overlay"
	"weft/internal/tree"
)

// fewFlags is how many documents of flags in a row are laid one by one. Each of them costs as much as there are values.
const fewFlags = 32

// Lay lays documents over s, in order. After each step the result is checked and completed. The error is a diag.List: a document that does not fit is left out, so that what is
// wrong in those behind it is told in the same run.
func (s Stack) Lay(docs []tree.Document, opt overlay.Options) (Stack, error) {
	first := len(docs)
	for first > 0 && fromFlag(docs[first-1]) {
		first--
	}
	if len(docs)-first <= fewFlags {
		return s.layEach(docs, opt)
	}
	s, err := s.layEach(docs[:first], opt)
	wrong := diag.Of(err)
	if s, err = s.layFlags(docs[first:], opt); err != nil {
		wrong = append(wrong, diag.Of(err)...)
	}
	if wrong != nil {
		return s, wrong
	}
	return s, nil
}

// layFlags lays documents of flags. Where all is well, those that set different values are laid at once; where something is wrong, it is looked for in either half.
func (s Stack) layFlags(docs []tree.Document, opt overlay.Options) (Stack, error) {
	if len(docs) <= fewFlags {
		return s.layEach(docs, opt)
	}
	if done, err := s.layEach(together(docs), opt); err == nil {
		return done, nil
	}
	half := len(docs) / 2
	s, err := s.layFlags(docs[:half], opt)
	wrong := diag.Of(err)
	if s, err = s.layFlags(docs[half:], opt); err != nil {
		wrong = append(wrong, diag.Of(err)...)
	}
	if wrong != nil {
		return s, wrong
	}
	return s, nil
}

// together is documents of flags, put together where none sets what another one before it has set, or a part of that: it begins a new document, so that what was before is checked as
// if it had come alone.
func together(docs []tree.Document) []tree.Document {
	var out []tree.Document
	g := &gathering{}
	first := docs[0]
	end := func() {
		first.Value = tree.Of(g.made())
		out = append(out, first)
	}
	for _, d := range docs {
		m, _ := d.Value.Map()
		if g.clashes(m) {
			end()
			g, first = &gathering{}, d
		}
		g.add(m)
	}
	end()
	return out
}

// gathering is a map while documents of flags are put into it.
type gathering struct {
	items []tree.Item
	inner []*gathering // of the items that are maps to put more into
	at    map[string]int
	of    *tree.Map // the first that was added
}

// clashes reports whether m sets something that is set already, or a part of it.
func (g *gathering) clashes(m *tree.Map) bool {
	for _, it := range m.Entries() {
		i, ok := g.find(it)
		if !ok {
			continue
		}
		inner, isMap := it.Value.Map()
		if it.Annotations != missingNotes || !isMap || g.inner[i] == nil || g.inner[i].clashes(inner) {
			return true
		}
	}
	return false
}

func (g *gathering) find(it tree.Item) (int, bool) {
	key, ok := it.Key.Starlark().(starlark.String)
	if !ok {
		return 0, false
	}
	i, ok := g.at[string(key)]
	return i, ok
}

// add adds m, which does not clash.
func (g *gathering) add(m *tree.Map) {
	if g.at == nil {
		g.at, g.of = map[string]int{}, m
	}
	for _, it := range m.Entries() {
		inner, isMap := it.Value.Map()
		i, ok := g.find(it)
		if !ok {
			i = len(g.items)
			g.items, g.inner = append(g.items, it), append(g.inner, nil)
			if key, ok := it.Key.Starlark().(starlark.String); ok {
				g.at[string(key)] = i
			}
			if it.Annotations == missingNotes && isMap {
				g.inner[i] = &gathering{}
			}
		}
		if g.inner[i] != nil {
			g.inner[i].add(inner)
		}
	}
}

func (g *gathering) made() *tree.Map {
	for i, inner := range g.inner {
		if inner != nil && inner.of != nil {
			g.items[i].Value = tree.Of(inner.made())
		}
	}
	return tree.NewMap(g.items, g.of.Pos)
}
