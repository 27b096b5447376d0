package cekit

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// filling says which of CEKit's defaults are filled in.
type filling uint8

const (
	fillImage    filling = iota
	fillOverride         // the target of an artifact is left open, so that it is inherited
)

// defaultDest is where CEKit puts artifacts by default.
const defaultDest = "/tmp/artifacts/"

// fill fills in CEKit's defaults for a descriptor, and reads the files that it names.
func (c *run) fill(v tree.Value, how filling) (tree.Value, error) {
	e := c.edit(v)
	if list, ok := e.get("artifacts"); ok {
		e.set(
			"artifacts",
			c.each(list, func(it tree.Item) tree.Value { return c.resource(it, how == fillImage) }),
		)
	}
	if list, ok := e.get("volumes"); ok {
		e.set("volumes", c.each(list, c.namedVolume))
	}
	if modules, ok := e.get("modules"); ok {
		m := c.edit(modules)
		if list, ok := m.get("repositories"); ok {
			m.set(
				"repositories",
				c.each(list, func(it tree.Item) tree.Value { return c.resource(it, true) }),
			)
		}
		e.set("modules", m.value())
	}
	if packages, ok := e.get("packages"); ok {
		p, err := c.packages(packages, how)
		if err != nil {
			return v, err
		}
		e.set("packages", p)
	}
	if osbs, ok := e.get("osbs"); ok {
		o := c.edit(osbs)
		if conf, ok := o.get("configuration"); ok {
			filled, err := c.configuration(conf)
			if err != nil {
				return v, err
			}
			o.set("configuration", filled)
		}
		e.set("osbs", o.value())
	}
	return e.value(), nil
}

// namedVolume returns a volume with its name.
func (c *run) namedVolume(it tree.Item) tree.Value {
	vol := c.edit(it.Value)
	if name, ok := volumeName(it.Value); ok {
		vol.set("name", name)
	}
	return vol.value()
}

// resource fills in the name of an artifact or a repository and, if all is set, where it goes.
func (c *run) resource(it tree.Item, all bool) tree.Value {
	e := c.namedResource(it, func(e *mapEdit) {
		if p, ok := e.get("path"); ok {
			if s := p.Written(); !strings.HasPrefix(s, "/") && !filepath.IsAbs(s) {
				e.set("path", tree.String(filepath.ToSlash(c.dir(it))+"/"+s))
			}
		}
	})
	if e == nil {
		return it.Value
	}
	if all {
		c.fillPlace(e)
		if d, ok := e.get("dest"); ok {
			if s := d.Written(); normalDest(s) != s {
				e.set("dest", tree.String(normalDest(s)))
			}
		}
	}
	return e.value()
}

// namedResource starts an edit of a resource, with its name and its values as CEKit reads them.
// setPath sets the path, unless it is a path inside another image. It returns nil if the item is
// not a resource, or is removed.
func (c *run) namedResource(it tree.Item, setPath func(*mapEdit)) *mapEdit {
	if it.Value.Kind() != tree.MapKind || override.Removes(it.Value) {
		return nil
	}
	e := c.edit(it.Value)
	kind := resourceKind(it.Value)
	if _, ok := e.get("name"); !ok {
		if name, ok := c.defaultName(e, kind); ok {
			e.set("name", name)
		}
	}
	if kind != contentNode {
		setPath(e)
	}
	if u, ok := e.get("url"); ok {
		if s := u.Written(); strings.TrimSpace(s) != s {
			e.set("url", tree.String(strings.TrimSpace(s)))
		}
	}
	c.quoteChecksums(e)
	return e
}

// fillPlace fills in where a resource goes.
func (c *run) fillPlace(e *mapEdit) {
	if name, ok := e.get("name"); ok {
		if _, ok := e.get("target"); !ok {
			e.set("target", baseOf(name))
		}
	}
	if e.index("dest") < 0 && resourceKind(e.value()) != gitNode {
		e.set("dest", tree.String(defaultDest))
	}
}

// baseOf returns the last part of a name. A name with one part is returned as it is written.
func baseOf(name tree.Value) tree.Value {
	if s := name.Written(); baseName(s) != s {
		return tree.String(baseName(s))
	}
	return name
}

// defaultName returns the name of a resource that has none.
func (c *run) defaultName(e *mapEdit, kind *node) (tree.Value, bool) {
	key := map[*node]string{pathNode: "path", contentNode: "path", urlNode: "url", pncNode: "target"}[kind]
	if kind == gitNode {
		git, _ := e.get("git")
		u, ok := git.Lookup("url")
		if !ok {
			return tree.Value{}, false
		}
		name, _, _ := strings.Cut(baseName(u.Written()), ".")
		return tree.String(name), true
	}
	from, ok := e.get(key)
	switch {
	case !ok:
		return tree.Value{}, false
	case kind == pncNode:
		return from, true
	}
	return tree.String(baseName(from.Written())), true
}

// quoteChecksums turns unquoted checksums that consist of digits into strings. CEKit would reject
// them, and a number does not keep its spelling.
func (c *run) quoteChecksums(e *mapEdit) {
	for _, key := range slices.Concat(checksums, sourceChecksums) {
		v, ok := e.get(key)
		if !ok || v.Kind() != tree.ScalarKind {
			continue
		}
		if kind, _, _ := pyResolve(v); kind != pyStr {
			e.set(key, tree.String(v.Written()))
		}
	}
}

// baseName returns what follows the last slash.
func baseName(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

// normalDest returns a directory as CEKit writes it: clean, with a slash at the end.
func normalDest(s string) string {
	clean := path.Clean(s)
	if strings.HasPrefix(s, "//") && !strings.HasPrefix(s, "///") {
		clean = "/" + clean // two leading slashes may have a meaning, and stay
	}
	return clean + "/"
}

// dir returns the directory that relative paths of an item are relative to.
func (c *run) dir(it tree.Item) string {
	if c.opt.Dir == nil {
		return ""
	}
	pos := it.Pos
	if !pos.IsValid() {
		pos = it.Value.Start()
	}
	return c.opt.Dir(pos)
}

// packages fills in a packages section.
func (c *run) packages(v tree.Value, how filling) (tree.Value, error) {
	e := c.edit(v)
	if i := e.index("content_sets_file"); i >= 0 {
		file := e.items[i]
		if name, ok := e.get("content_sets_file"); ok {
			t, err := c.readYAML(name, file)
			if err != nil {
				return v, err
			}
			e.items[i] = tree.Item{Key: tree.String("content_sets"), Value: t, Pos: file.Pos}
			e.changed = true
		} else if how == fillOverride {
			e.set("content_sets", tree.Null) // remove both
		}
	} else if i := e.index("content_sets"); i >= 0 && how == fillOverride {
		if _, ok := e.get("content_sets"); !ok {
			e.items = append(e.items,
				tree.Item{
					Key: tree.String("content_sets_file"), Value: tree.Null,
					Pos: e.items[i].Pos,
				})
			e.changed = true
		}
	}
	c.withoutRepositories(e)
	return e.value(), nil
}

// withoutRepositories removes the repositories from a packages section whose manager has none in
// CEKit.
func (c *run) withoutRepositories(e *mapEdit) {
	m, ok := e.get("manager")
	if !ok || !m.IsString("apk") && !m.IsString("apt-get") {
		return
	}
	if list, ok := e.get("repositories"); ok && list.Len() > 0 {
		c.merger.Warn(
			diag.Warningf(
				override.ItemSpan(e.items[e.index("repositories")]),
				CodeIgnored,
				"CEKit defines no repositories for the package manager %s, so these are left out",
				m.Written(),
			),
		)
		e.remove("repositories")
	}
}

// warnRepositories warns about repositories that CEKit keeps while merging, but drops when it reads
// the merged descriptor.
func (c *run) warnRepositories(packages tree.Value, imageFile *source.File) {
	e := c.edit(packages)
	m, ok := e.get("manager")
	list, also := e.get("repositories")
	if !ok || !also || list.Len() == 0 || !m.IsString("apk") && !m.IsString("apt-get") ||
		fileOf(packages) == imageFile && imageFile != nil {
		return
	}
	if fileOf(m) == imageFile && fileOf(list) == imageFile &&
		imageFile != nil { // the repositories are in the image itself, and CEKit drops them anyway
		return
	}
	c.merger.Warn(
		diag.Warningf(override.ItemSpan(e.items[e.index("repositories")]), CodeIgnored,
			"CEKit drops these repositories as soon as it reads the descriptor, since the "+
				"package manager is %s", m.Written()).
			WithHint("pass the overrides to CEKit itself, or remove them: packages: {repositories: ~}"),
	)
}

// configuration reads the files that osbs.configuration names.
func (c *run) configuration(v tree.Value) (tree.Value, error) {
	e := c.edit(v)
	if name, ok := e.get("container_file"); ok {
		i := e.index("container_file")
		t, err := c.readYAML(name, e.items[i])
		if err != nil {
			return v, err
		}
		e.items[i] = tree.Item{Key: tree.String("container"), Value: t, Pos: e.items[i].Pos}
		e.changed = true
	}
	if name, ok := e.get("gating_file"); ok {
		i := e.index("gating_file")
		data, _, err := c.readFile(name, e.items[i])
		if err != nil {
			return v, err
		}
		c.merger.Warn(diag.Warningf(override.ItemSpan(e.items[i]), CodeIgnored,
			"the text of the file is written under `gating`, as CEKit does when it merges, but "+
				"CEKit's schema rejects that key in a descriptor").
			WithHint("to build the image, pass the overrides to CEKit itself"))
		e.items[i] = tree.Item{
			Key:   tree.String("gating"),
			Value: tree.String(string(data)),
			Pos:   e.items[i].Pos,
		}
		e.changed = true
	}
	return e.value(), nil
}

// readFile reads a file that a descriptor names.
func (c *run) readFile(name tree.Value, it tree.Item) ([]byte, string, error) {
	p := name.Written()
	if !strings.HasPrefix(p, "/") && !filepath.IsAbs(p) {
		p = c.dir(it) + "/" + p
	}
	at := override.ItemSpan(it)
	if c.opt.ReadFile == nil {
		return nil, p, diag.Errorf(at, override.CodeArgument, "'%s' cannot be read here", p)
	}
	data, err := c.opt.ReadFile(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, p, diag.Errorf(at, override.CodeArgument, "'%s' file not found!", p)
	case err != nil:
		return nil, p, diag.Errorf(at, override.CodeArgument, "cannot read '%s': %s", p, err)
	}
	return data, p, nil
}

// readYAML reads the first document of a file that a descriptor names.
func (c *run) readYAML(name tree.Value, it tree.Item) (tree.Value, error) {
	data, p, err := c.readFile(name, it)
	if err != nil {
		return tree.Value{}, err
	}
	files := c.opt.Files
	if files == nil {
		files = &source.Set{}
	}
	f, err := files.Add(p, data)
	if err != nil {
		return tree.Value{}, err
	}
	t, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		return tree.Value{}, err
	}
	if list := t.Check(false); list != nil {
		return tree.Value{}, list
	}
	docs := override.DocumentsOf(t)
	if len(docs) == 0 {
		return tree.Null, nil
	}
	return docs[0].Value, nil
}
