package cekit

import (
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/override"
	"weft/internal/lang/tree"
)

// finish returns an image in the form that is shown: artifacts with their targets, no nulls, and no
// sections that overrides have emptied.
func (c *run) finish(base, v tree.Value) tree.Value {
	e := c.edit(v)
	e.update("help", c.absoluteTemplate)
	e.update("artifacts", func(list tree.Value) tree.Value {
		return c.each(list, func(it tree.Item) tree.Value {
			a := c.edit(it.Value)
			c.fillPlace(a)
			return a.value()
		})
	})
	c.warnUnreadable(e.value(), fileOf(base))
	for _, key := range []string{"labels", "args", "envs", "ports", "volumes", "artifacts"} {
		e.update(key, c.pruneEntries)
	}
	e.update("run", c.prune)
	for _, s := range []struct {
		key   string
		lists []string
		nodes []string
	}{
		{"modules", []string{"repositories", "install"}, nil},
		{"packages", []string{"repositories"}, nil},
		{"osbs", nil, []string{"repository", "configuration"}},
	} {
		e.update(s.key, func(section tree.Value) tree.Value {
			p := c.edit(section)
			for _, l := range s.lists {
				p.update(l, c.pruneEntries)
			}
			for _, n := range s.nodes {
				p.update(n, c.prune)
			}
			return dropIfEmptied(c.prune(p.value()))
		})
	}
	c.warnKindless(e.value())
	return c.prune(e.value())
}

// absoluteTemplate returns the section help with an absolute path: CEKit looks for the template
// beside the image, wherever it is named.
func (c *run) absoluteTemplate(help tree.Value) tree.Value {
	e := c.edit(help)
	if t, ok := e.get("template"); ok && t.Kind() == tree.ScalarKind {
		if s := t.Written(); s != "" && !strings.HasPrefix(s, "/") && !filepath.IsAbs(s) &&
			!strings.Contains(s, "://") {
			e.set("template", tree.String(filepath.ToSlash(c.home)+"/"+s))
		}
	}
	return e.value()
}

// prune returns a mapping without null values.
func (c *run) prune(v tree.Value) tree.Value {
	if v.Kind() != tree.MapKind {
		return v
	}
	e := c.edit(v)
	for _, it := range slices.Clone(e.items) {
		if it.Value.Kind() == tree.ScalarKind && isPyNull(it.Value) {
			e.remove(override.KeyText(it.Key))
		}
	}
	return e.value()
}

func (c *run) pruneEntries(list tree.Value) tree.Value {
	return c.each(list, func(it tree.Item) tree.Value { return c.prune(it.Value) })
}

// each returns a list with f applied to its entries.
func (c *run) each(list tree.Value, f func(tree.Item) tree.Value) tree.Value {
	if list.Kind() != tree.ArrayKind {
		return list
	}
	items := c.reader.Items(nil, list)
	changed := false
	for i := range items {
		if v := f(items[i]); v != items[i].Value {
			items[i].Value, changed = v, true
		}
	}
	if !changed {
		return list
	}
	return tree.Of(tree.NewArray(items, list.Start()))
}
