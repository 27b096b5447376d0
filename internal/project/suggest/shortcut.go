package suggest

import (
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/origin/blame"
	"weft/internal/project"
)

// shortcutOptions returns the ways to change a short cut of weft.yml where it is written: one that only this
// environment has or, if other environments may change, too, one of the project.
func (s *search) shortcutOptions(c *choice, e blame.Event, after *tree.Value) []option {
	if s.now == nil || after == nil {
		return nil
	}
	found := s.shortcutAtEvent(e)
	if found == nil {
		return nil
	}
	x := *found
	way, ok := s.writtenAt(x)
	if !ok {
		return nil
	}
	if entry, why := s.entryOf("kubernetes"); why == nil && s.now.Uses(x) == 1 {
		return s.shortcutAt(c, way, slices.Concat(entry, nameOf(x)), *after)
	}
	if entry, why := s.entryOf("kubernetes"); why == nil && s.in.Env != "" {
		// one for this environment wins
		list := s.shortcutAt(c, way, slices.Concat(entry, nameOf(x)), *after)
		for i := range list {
			list[i].isNew = true
		}
		return list
	}
	if s.attempt.shared {
		return s.shortcutAt(c, way, way, *after)
	}
	return nil
}

// nameOf returns the path of a short cut in a mapping of short cuts.
func nameOf(x project.Shortcut) []tree.Step {
	if x.Name == "" {
		return keys(x.Key)
	}
	return keys(x.Key, x.Name)
}

// writtenAt returns the path of a short cut in weft.yml: in the project's or an environment's mapping of them.
func (s *search) writtenAt(x project.Shortcut) (way []tree.Step, ok bool) {
	text, err := s.read(s.in.Project)
	if err != nil {
		return nil, false
	}
	_, docs, err := parse(text, s.in.Project, projectSyntax)
	if err != nil || len(docs) != 1 {
		return nil, false
	}
	owners := [][]tree.Step{nil}
	environments, _ := docs[0].Lookup("environments")
	for _, it := range entriesOf(environments) {
		owners = append(owners, keys("environments", tree.KeyText(it.Key)))
	}
	for _, owner := range owners {
		way := slices.Concat(owner, keys("kubernetes"), nameOf(x))
		around, _ := tree.At(docs[0], way[:len(way)-1])
		it, found := entryAt(around, way[len(way)-1])
		if at := x.At.Offset(); found && (it.Pos.Offset() == at || it.Value.Span().Offset() == at) {
			return way, true
		}
	}
	return nil, false
}

// shortcutAt returns the ways to set what a short cut has at a path of weft.yml, at the same path or another one. That of
// an image has parts.
func (s *search) shortcutAt(c *choice, way, to []tree.Step, after tree.Value) (list []option) {
	text, err := s.read(s.in.Project)
	if err != nil {
		return nil
	}
	_, docs, err := parse(text, s.in.Project, projectSyntax)
	if err != nil || len(docs) != 1 {
		return nil
	}
	add := func(way []tree.Step, was, v tree.Value) {
		list = append(list, option{
			at: spot{file: s.in.Project, path: way, offset: -1}, kind: Literal, value: &v, was: was,
			name: stepsText(way),
		})
	}
	v, ok := tree.At(docs[0], way)
	switch {
	case !ok:
	case v.Kind() == tree.ScalarKind:
		add(to, v, after)
	default:
		for _, key := range []string{"tag", "digest", "name"} {
			part, _ := v.Lookup(key)
			for _, now := range parts(c.change.Before.Text(), after.Text(), part) {
				add(slices.Concat(to, keys(key)), part, now)
			}
		}
	}
	return list
}
