package suggest

import (
	"slices"

	"weft/internal/engine/shortcut"
	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
	"weft/internal/origin/diff"
	"weft/internal/project"
)

// shortening is an entry of the short cuts of weft.yml that would make a change.
type shortening struct {
	way   []tree.Step // below `kubernetes`
	value tree.Value
}

// shortenOptions offers new short cuts of this environment for changes that they can make, if the project has
// short cuts. A label or an annotation is one if several places get it.
func (s *search) shortenOptions(list []*choice) {
	entry, none := s.entryOfShortcuts()
	if none || s.attempt.as != Auto {
		return
	}
	text, err := s.read(s.in.Project)
	_, docs, fault := parse(text, s.in.Project, projectSyntax)
	if err != nil || fault != nil || len(docs) != 1 {
		return
	}
	found := make([][]shortening, len(list))
	places := map[string]int{}
	for i, c := range list {
		found[i] = s.shortenings(c)
		for _, x := range found[i] {
			places[stepsText(x.way)]++
		}
	}
	isOfOne := func(x shortening) bool {
		group := x.way[0].Key
		return (group == "labels" || group == "annotations") && places[stepsText(x.way)] < 2
	}
	for i, c := range list {
		if len(found[i]) == 0 || slices.ContainsFunc(found[i], isOfOne) {
			continue
		}
		var options []option
		for _, x := range found[i] {
			way := slices.Concat(entry, x.way)
			was, ok := tree.At(docs[0], way)
			options = append(options, option{
				at:   spot{file: s.in.Project, path: way, offset: -1},
				kind: Literal, value: &x.value, name: stepsText(way), was: was, isNew: !ok,
			})
		}
		options[0].also = options[1:]
		c.options = append(c.options, options[0])
	}
}

// entryOfShortcuts returns the path of the short cuts of this environment in weft.yml. It reports true if
// there cannot be any, or no environment has some.
func (s *search) entryOfShortcuts() (entry []tree.Step, none bool) {
	if s.now == nil || !slices.ContainsFunc(s.environments(), func(env string) bool {
		settings, err := s.now.Environment(env)
		return err == nil && len(settings.Kubernetes) > 0
	}) {
		return nil, true
	}
	entry, why := s.entryOf("kubernetes")
	return entry, why != nil
}

// shortenings returns the short cuts that make a change.
func (s *search) shortenings(c *choice) []shortening {
	x := &c.change
	if x.Object.A < 0 || x.Object.B < 0 || x.Op == diff.Removed || x.Op == diff.Moved {
		return nil
	}
	now := s.edited[x.Object.B].Value
	if !isObject(now) {
		return nil
	}
	n := len(x.Path)
	switch {
	case n == 0:
		return s.namespaced(s.docs[x.Object.A].Value, now)
	case endsWith(x.Path, "metadata", "namespace") && n == 2 && x.After.Kind() == tree.ScalarKind:
		return []shortening{{keys("namespace"), x.After}}
	case endsWith(x.Path, "spec", "replicas") && n == 2:
		name, _ := tree.At(now, keys("metadata", "name"))
		if val, _ := x.After.Scalar(); x.After.Kind() == tree.ScalarKind && val.Kind == yaml.Int {
			return []shortening{{keys("replicas", name.Text()), x.After}}
		}
	case x.Op == diff.Changed && isImage(x.Path):
		return s.shortImage(c)
	}
	return metadataShortenings(x)
}

// isObject reports whether a document is an object of Kubernetes.
func isObject(v tree.Value) bool {
	_, hasVersion := v.Lookup("apiVersion")
	_, hasKind := v.Lookup("kind")
	return hasVersion && hasKind
}

// endsWith reports whether a path ends with keys.
func endsWith(way path.Path, names ...string) bool {
	if len(way) < len(names) {
		return false
	}
	for i, name := range names {
		if x := way[len(way)-len(names)+i]; x.Kind != path.Key || !x.Key.IsString(name) {
			return false
		}
	}
	return true
}

// isImage reports whether a path is that of a container's image.
func isImage(way path.Path) bool {
	n := len(way)
	if n < 3 || !endsWith(way, "image") || way[n-2].Kind != path.Item {
		return false
	}
	lists := []string{"containers", "initContainers", "ephemeralContainers"}
	return slices.ContainsFunc(lists, func(key string) bool { return endsWith(way[:n-2], key) })
}

// namespaced returns the short cut for a document of which only the namespace differs in its name.
func (s *search) namespaced(was, now tree.Value) []shortening {
	for _, way := range [][]string{{"kind"}, {"metadata", "name"}} {
		a, _ := tree.At(was, keys(way...))
		if b, _ := tree.At(now, keys(way...)); !edit.Equal(a, b) {
			return nil
		}
	}
	before, _ := tree.At(was, keys("metadata", "namespace"))
	after, ok := tree.At(now, keys("metadata", "namespace"))
	if !ok || edit.Equal(before, after) || after.Kind() != tree.ScalarKind {
		return nil
	}
	return []shortening{{keys("namespace"), after}}
}

// metadataShortenings returns the short cuts for labels and annotations of an object or a pod template.
func metadataShortenings(x *diff.Change) (list []shortening) {
	for _, group := range []string{"labels", "annotations"} {
		n := len(x.Path)
		isWhole := endsWith(x.Path, "metadata", group)
		if !isWhole && (n < 3 || x.Path[n-1].Kind != path.Key || !endsWith(x.Path[:n-1], "metadata", group)) {
			continue
		}
		if !isWhole {
			return []shortening{{keys(group, tree.KeyText(x.Path[n-1].Key)), x.After}}
		}
		for _, it := range entriesOf(x.After) {
			list = append(list, shortening{keys(group, tree.KeyText(it.Key)), it.Value})
		}
	}
	return list
}

// shortImage returns the short cut for the image of a container.
func (s *search) shortImage(c *choice) []shortening {
	was, now := shortcut.ParseImage(c.change.Before.Text()), shortcut.ParseImage(c.change.After.Text())
	name := was.Name
	if x := s.shortcutOf(c); x != nil {
		name = x.Name
	}
	var items []tree.Item
	add := func(key, text string) {
		if text != "" {
			items = append(items, tree.Item{Key: tree.String(key), Value: tree.String(text)})
		}
	}
	if now.Name != name {
		add("name", now.Name)
	}
	add("tag", now.Tag)
	add("digest", now.Digest)
	return []shortening{{keys("images", name), tree.Of(tree.NewMap(items, c.change.After.Start()))}}
}

// shortcutOf returns the short cut that sets what a change changes, or nil.
func (s *search) shortcutOf(c *choice) *project.Shortcut {
	n := s.nodeAt(c.change.Object.A, c.change.Path)
	if n == nil {
		return nil
	}
	history := s.history(n)
	return s.shortcutAtEvent(history[len(history)-1])
}

// shortcutAtEvent returns the short cut of this environment that an event is about, or nil.
func (s *search) shortcutAtEvent(e blame.Event) *project.Shortcut {
	settings, err := s.now.Environment(s.in.Env)
	if err != nil || e.By != tree.ByShortcut {
		return nil
	}
	i := slices.IndexFunc(settings.Kubernetes, func(x project.Shortcut) bool {
		return x.At.Pos.Offset() == e.At.Offset()
	})
	if f := s.res.Files.File(e.At); i < 0 || f == nil || f.Shown() != s.in.Project {
		return nil
	}
	return &settings.Kubernetes[i]
}
