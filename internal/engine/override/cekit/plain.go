package cekit

import (
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The plain form of a descriptor is what its author wrote, changed only by overrides. It means the
// same to CEKit as the effective form, which has all defaults filled in, but it stays a file that
// people can maintain: it has no generated names, and its paths are relative to it.

// generatedName returns the name that CEKit gives a resource that has none.
func generatedName(v tree.Value) (tree.Value, bool) {
	if v.Kind() != tree.MapKind {
		return tree.Value{}, false
	}
	c := run{}
	return c.defaultName(c.edit(v), resourceKind(v))
}

// volumeName returns the name that CEKit gives a volume that has none.
func volumeName(v tree.Value) (tree.Value, bool) {
	p, ok := v.Lookup("path")
	if !ok || p.Kind() != tree.ScalarKind || has(v, "name") {
		return tree.Value{}, false
	}
	return tree.String(baseName(p.Written())), true
}

// plainResource returns a resource of an override as it goes into an image in plain form: with a
// name, so that it can be matched, and with a path relative to the image.
func (c *run) plainResource(it tree.Item) tree.Value {
	e := c.namedResource(it, func(e *mapEdit) { c.plainPath(e, "path", it) })
	if e == nil {
		return it.Value
	}
	return e.value()
}

// plainRepository is plainResource for a repository of modules. The override decides its kind and
// target even if it does not mention them: those of the image are removed.
func (c *run) plainRepository(it tree.Item) tree.Value {
	e := c.edit(c.plainResource(it))
	if len(e.items) == 0 || override.Removes(it.Value) {
		return e.value()
	}
	keys := []string{"target"}
	if kind := resourceKind(it.Value); kind != nil {
		for _, k := range resourceKinds {
			if _, ok := kind.fields()[k.key]; !ok && k.node != plainNode {
				keys = append(keys, k.key)
			}
		}
		if kind != gitNode {
			keys = append(keys, "dest")
		}
	}
	for _, key := range keys {
		if e.index(key) < 0 {
			e.items = append(
				e.items,
				tree.Item{Key: tree.String(key), Value: tree.Null, Pos: e.items[0].Pos},
			)
			e.changed = true
		}
	}
	return e.value()
}

// plainPath makes the path under a key of an override relative to the image. It does not change a path
// that already is.
func (c *run) plainPath(e *mapEdit, key string, it tree.Item) {
	p, ok := e.get(key)
	if !ok || p.Kind() != tree.ScalarKind {
		return
	}
	s, dir := p.Written(), c.dir(it)
	if strings.HasPrefix(s, "/") || filepath.IsAbs(s) || dir == c.home {
		return
	}
	if rel, err := filepath.Rel(c.home, dir); err == nil {
		dir = rel
	}
	e.set(key, tree.String(filepath.ToSlash(dir)+"/"+s))
}

// plainOverride fills in what an override needs to be merged into images in plain form.
func (c *run) plainOverride(v tree.Value) tree.Value {
	e := c.edit(v)
	e.update("artifacts", func(list tree.Value) tree.Value { return c.each(list, c.plainResource) })
	e.update("volumes", func(list tree.Value) tree.Value { return c.each(list, c.namedVolume) })
	e.update("modules", func(modules tree.Value) tree.Value {
		m := c.edit(modules)
		m.update(
			"repositories",
			func(list tree.Value) tree.Value { return c.each(list, c.plainRepository) },
		)
		return m.value()
	})
	e.update("packages", func(packages tree.Value) tree.Value {
		p := c.edit(packages)
		for _, pair := range [][2]string{
			{"content_sets", "content_sets_file"},
			{"content_sets_file", "content_sets"},
		} {
			if i := p.index(pair[0]); i >= 0 &&
				p.index(pair[1]) < 0 { // one replaces the other
				c.plainPath(p, "content_sets_file", p.items[i])
				p.items = append(
					p.items,
					tree.Item{Key: tree.String(pair[1]), Value: tree.Null, Pos: p.items[i].Pos},
				)
				p.changed = true
				break
			}
		}
		c.withoutRepositories(p)
		return p.value()
	})
	e.update("osbs", func(osbs tree.Value) tree.Value {
		o := c.edit(osbs)
		o.update("configuration", func(conf tree.Value) tree.Value {
			f := c.edit(conf)
			for _, key := range []string{"container_file", "gating_file"} {
				if i := f.index(key); i >= 0 {
					c.plainPath(f, key, f.items[i])
				}
			}
			return f.value()
		})
		return o.value()
	})
	return e.value()
}

// finishPlain removes what was only needed for merging: names that CEKit generates again, and nulls
// of overrides. base is the image before merging.
func (c *run) finishPlain(base, v tree.Value) tree.Value {
	if v == base {
		return v
	}
	imageFile := fileOf(base)
	e := c.edit(v)
	tidy := func(nameOf func(tree.Value) (tree.Value, bool)) func(tree.Value) tree.Value {
		return func(list tree.Value) tree.Value {
			return c.each(
				list,
				func(it tree.Item) tree.Value { return c.tidy(it.Value, imageFile, nameOf) },
			)
		}
	}
	e.update("artifacts", tidy(generatedName))
	e.update("artifacts", func(list tree.Value) tree.Value { return c.each(list, c.withoutDest) })
	e.update("volumes", tidy(volumeName))
	e.update("modules", func(modules tree.Value) tree.Value {
		m := c.edit(modules)
		m.update("repositories", tidy(generatedName))
		return m.value()
	})
	for _, key := range []string{"modules", "packages", "osbs"} {
		e.update(key, dropIfEmptied)
	}
	c.warnUnreadable(e.value(), imageFile)
	c.warnKindless(e.value())
	return e.value()
}

// tidy returns an entry of a list without a generated name, and without nulls that do not come from
// the file of the image.
func (c *run) tidy(
	v tree.Value, imageFile *source.File, nameOf func(tree.Value) (tree.Value, bool),
) tree.Value {
	if _, _, read := v.Syntax(); read && fileOf(v) == imageFile || v.Kind() != tree.MapKind {
		return v
	}
	e := c.edit(v)
	for _, it := range slices.Clone(e.items) {
		if it.Value.Kind() == tree.ScalarKind && isPyNull(it.Value) && fileOf(it.Value) != imageFile &&
			!c.lastKind(e, override.KeyText(it.Key)) {
			e.remove(override.KeyText(it.Key))
		}
	}
	if i := e.index("name"); i >= 0 {
		if _, _, written := e.items[i].Key.Syntax(); !written {
			bare := mapEdit{items: slices.Delete(slices.Clone(e.items), i, i+1), changed: true}
			if name, ok := nameOf(bare.value()); ok &&
				name.Written() == e.items[i].Value.Written() {
				e.remove("name")
			}
		}
	}
	return e.value()
}

// tidyChanges removes generated names from the changes with index since and above.
func (c *run) tidyChanges(since int, imageFile *source.File) {
	changes := c.merger.Changes()
	if len(changes) == since {
		return
	}
	changes = append(
		changes[:since],
		slices.DeleteFunc(changes[since:], func(x override.ValueChange) bool {
			_, _, read := x.New.Syntax()
			return x.Added() && !read && strings.HasSuffix(x.Path, "].name") &&
				x.New.Kind() == tree.ScalarKind
		})...)
	for i := range changes[since:] {
		x := &changes[since+i]
		if nameOf := generatedName; !x.Removed() && x.New.Kind() == tree.MapKind {
			if strings.Contains(x.Path, "volumes[") {
				nameOf = volumeName
			}
			x.New = c.tidy(x.New, imageFile, nameOf)
		}
	}
	c.merger.SetChanges(changes)
}

// lastKind reports whether a key, though null, is what determines the kind of a resource.
func (c *run) lastKind(e *mapEdit, key string) bool {
	kind := resourceKind(e.value())
	if kind == nil {
		return false
	}
	without := mapEdit{
		items: slices.DeleteFunc(
			slices.Clone(e.items),
			func(it tree.Item) bool { return override.KeyText(it.Key) == key },
		),
		changed: true,
	}
	return resourceKind(without.value()) != kind
}

// withoutDest returns an artifact without a dest that CEKit's schema rejects: one that became a git
// artifact and still has the dest from before.
func (c *run) withoutDest(it tree.Item) tree.Value {
	dest, ok := it.Value.Lookup("dest")
	if _, _, read := it.Value.Syntax(); read || !ok || resourceKind(it.Value) != gitNode {
		return it.Value
	}
	name, _ := it.Value.Lookup("name")
	c.merger.Warn(
		diag.Warningf(override.KeySpan(it.Value, "dest"), CodeIgnored,
			"`%s` is a git artifact now, which has no dest in a descriptor, so its %s is left out",
			name.Written(), dest.Written()).
			WithHint("pass the overrides to CEKit itself to keep it"),
	)
	e := c.edit(it.Value)
	e.remove("dest")
	return e.value()
}

// dropIfEmptied returns a section, or gone if overrides have emptied it.
func dropIfEmptied(section tree.Value) tree.Value {
	if _, _, written := section.Syntax(); section.Kind() == tree.MapKind && section.Len() == 0 &&
		!written {
		return override.NoValue
	}
	return section
}

// fileOf returns the file that a value was read from, or nil if it was computed.
func fileOf(v tree.Value) *source.File {
	if t, _, ok := v.Syntax(); ok {
		return t.File()
	}
	return nil
}
