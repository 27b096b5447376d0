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
	f := s.res.Files.File(e.At)
	if s.now == nil || after == nil || f == nil || f.Shown() != s.in.Project {
		return nil
	}
	settings, err := s.now.Environment(s.in.Env)
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(settings.Kubernetes, func(x project.Shortcut) bool {
		return x.At.Pos.Offset() == e.At.Offset()
	})
	if i < 0 {
		return nil
	}
	x := settings.Kubernetes[i]
	way := keys("kubernetes", x.Key)
	if x.Name != "" {
		way = append(way, keys(x.Name)...)
	}
	if entry, why := s.entryOf("kubernetes"); why == nil && s.now.Uses(x) == 1 {
		return s.shortcutAt(c, slices.Concat(entry, way[1:]), *after)
	}
	if entry, why := s.entryOf("kubernetes"); why == nil && s.in.Env != "" {
		// one for this environment wins
		list := s.shortcutAt(c, way, *after)
		for i := range list {
			list[i].at.path = slices.Concat(entry, list[i].at.path[1:])
			list[i].name, list[i].isNew = stepsText(list[i].at.path), true
		}
		return list
	}
	if s.attempt.shared {
		return s.shortcutAt(c, way, *after)
	}
	return nil
}

// shortcutAt returns the ways to change the short cut at a path of weft.yml. That of an image has parts.
func (s *search) shortcutAt(c *choice, way []tree.Step, after tree.Value) (list []option) {
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
		add(way, v, after)
	default:
		for _, key := range []string{"tag", "digest", "name"} {
			part, _ := v.Lookup(key)
			for _, now := range parts(c.change.Before.Text(), after.Text(), part) {
				add(slices.Concat(way, keys(key)), part, now)
			}
		}
	}
	return list
}
