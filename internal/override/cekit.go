package override

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
)

// CEKitDescriptor is the file that CEKit reads if none is named.
const CEKitDescriptor = "image.yaml"

// The table of how CEKit merges the sections of a descriptor. docs/migrating-from-cekit.md has it in words.
var (
	// A value of an entry stands whole, but two lists are united.
	cekitValue = &rule{whole: true, list: unionMoving, data: true}
	// An entry is merged key by key, one level deep.
	cekitEntry = &rule{others: cekitValue}
	// A top-level scalar.
	cekitScalar = &rule{keepIfFalse: true}
	// A plain list of packages.
	cekitUnited = &rule{list: unionMoving}

	// It is made when it is first asked for.
	cekitRule = sync.OnceValue(func() *rule {
		return &rule{fields: map[string]*rule{
			"name": cekitScalar, "version": cekitScalar, "from": cekitScalar, "description": cekitScalar,
			"release": cekitScalar, "schema_version": cekitScalar, "follow_tag": cekitScalar,
			"help":      {whole: true, data: true, keepIfFalse: true},
			"labels":    cekitList("name", cekitEntry),
			"args":      cekitList("name", cekitEntry),
			"envs":      cekitList("name", cekitEntry),
			"ports":     cekitList("value", cekitEntry),
			"volumes":   cekitNamed(cekitEntry, volumeName),
			"artifacts": cekitNamed(cekitArtifact, generatedName),
			"run":       {noFalse: true, fields: map[string]*rule{"cmd": {list: replaceList}, "entrypoint": {list: replaceList}}},
			"modules": {fields: map[string]*rule{
				"repositories": cekitNamed(&rule{others: cekitValue, own: checksums}, generatedName),
				"install":      cekitList("name", &rule{whole: true}),
			}},
			"packages": {fields: map[string]*rule{
				"install": cekitUnited, "remove": cekitUnited, "reinstall": cekitUnited,
				"repositories": cekitList("name", &rule{others: cekitValue, own: repositoryKinds}),
				"content_sets": {whole: true, data: true},
			}},
			"osbs": {others: &rule{whole: true, data: true, keepIfFalse: true}},
		}}
	})

	// An artifact takes the place of the one with its name, and keeps where that one goes.
	cekitArtifact = &rule{whole: true, nulls: true, inherits: []string{"dest", "target", "description"}}
)

// cekitList is a section that is a list of entries. An empty one in an override says nothing.
func cekitList(key string, entry *rule) *rule {
	return &rule{list: alwaysKeyed, key: key, entry: entry, keepIfFalse: true}
}

// cekitNamed is a list of entries that have a name, or get one.
func cekitNamed(entry *rule, nameOf func(tree.Value) (tree.Value, bool)) *rule {
	r := cekitList("name", entry)
	r.nameOf = nameOf
	return r
}

// cekit applies overrides to image descriptors.
type cekit struct {
	home   string // the directory of the image
	json   bool   // the image is JSON
	opt    *Options
	merger *merger
	reader tree.Reader
	words  directives
}

// applyCEKit is apply for image descriptors: overrides and images are checked, and what CEKit fills in is filled in, before they are merged.
func applyCEKit(ctx context.Context, left [][]tree.Document, overrides []tree.Document, opt *Options, log *log) ([][]tree.Document, error) {
	c := &cekit{opt: opt, merger: newMerger(opt, cekitRule(), log)}
	out := make([][]tree.Document, len(left))
	bare := false
	for i, docs := range left {
		out[i] = slices.Clone(docs)
		if err := oneDescriptor(docs); err != nil {
			return nil, err
		}
		for _, d := range docs {
			bare = bare || isBareArtifact(d.Value)
		}
	}
	for _, o := range overrides {
		if err := c.check(o, bare); err != nil {
			return nil, diag.Of(err)
		}
	}
	var filled []*patch
	home, isJSON := "", false // of the image that the overrides are filled for
	for i := range out {
		for j := range out[i] {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			d := &out[i][j]
			if d.Value.IsNull() {
				continue
			}
			c.home, c.json = c.dir(tree.Item{Pos: d.Value.Start()}), isJSONFile(fileOf(d.Value))
			if filled == nil || c.json != isJSON || c.home != home && !opt.Effective {
				list, err := c.fillOverrides(overrides, bare)
				if err != nil {
					return nil, diag.Of(err)
				}
				filled, home, isJSON = list, c.home, c.json
			}
			c.merger.noteAllRepeated(d.Value)
			v, err := c.document(i, j, *d, filled)
			if err != nil {
				return nil, diag.Of(err)
			}
			d.Value = v
		}
	}
	c.merger.warnAll()
	if c.merger.refused != nil {
		return nil, c.merger.refused
	}
	if len(overrides) > 0 {
		c.merger.unselected()
		c.merger.words(&c.words)
	}
	if list := c.merger.finish(); len(list) > 0 {
		return nil, list
	}
	return out, nil
}

func isJSONFile(f *source.File) bool { return f != nil && json.Valid(f.Data()) }

// oneDescriptor refuses several documents in a file, of which CEKit would read none.
func oneDescriptor(docs []tree.Document) error {
	full := 0
	for _, d := range docs {
		if d.Value.IsNull() {
			continue
		}
		if full++; full > 1 {
			return diag.List{diag.Errorf(d.Pos.To(d.Pos.Offset()+3), CodeDocuments, "Cannot load descriptor: a descriptor is one document, but a second one begins here").
				WithHint("the stages of a multi-stage image are a list in one document")}
		}
	}
	return nil
}

// fillOverrides fills in what CEKit does, or what it takes to merge the plain form.
func (c *cekit) fillOverrides(overrides []tree.Document, bare bool) ([]*patch, error) {
	list := make([]*patch, len(overrides))
	for i, d := range overrides {
		var v tree.Value
		var err error
		switch {
		case bare && isBareArtifact(d.Value):
			v = c.bareFilled(d, false)
		case c.opt.Effective:
			v, err = c.fill(d.Value, fillOverride)
		default:
			v = c.plainOverride(d.Value)
		}
		if err != nil {
			return nil, err
		}
		if c.json { // where words cannot be written as they are in the override, they are written as what they are to CEKit
			v = pyView(v)
		}
		list[i] = patchOf(v, d.Value.Start(), true)
	}
	return list, nil
}

// check checks an override.
func (c *cekit) check(d tree.Document, bare bool) error {
	if err := c.words.check(d.Value); err != nil {
		return err
	}
	if bare && isBareArtifact(d.Value) {
		return c.checkBare(d)
	}
	check := checker{}
	if d.Value.Kind() == tree.MapKind {
		// CEKit leaves a null here aside. It says that a key is to be removed that no image can be without.
		var r tree.Reader
		for _, key := range []string{"name", "version"} {
			if it, ok := lookup(r.Items(nil, d.Value), key); ok && it.Value.IsNull() {
				check.fail(imageNode, itemSpan(it), "required.novalue : '/%s'", key)
				check.problems[len(check.problems)-1].WithHint("a required key cannot be removed")
			}
		}
	}
	check.descriptor(overrideNode, d.Value, d.Value.Start())
	return c.told(check.problems)
}

// told is what a check has found: all of it if that was asked for, else the first.
func (c *cekit) told(problems diag.List) error {
	if len(problems) == 0 {
		return nil
	}
	if n := len(problems) - 1; !c.opt.Verbose && n > 0 {
		first, more := problems[0], "--verbose tells of "+strconv.Itoa(n)+" more"
		if first.Hint != "" {
			more = first.Hint + "; " + more
		}
		first.Hint = more
		return diag.List{first}
	}
	return problems
}

// document overrides the descriptor j of file i: one image, or a list of stages.
func (c *cekit) document(i, j int, d tree.Document, overrides []*patch) (tree.Value, error) {
	if isBareArtifact(d.Value) {
		return c.bare(i, j, d, overrides)
	}
	if d.Value.Kind() != tree.ArrayKind {
		return c.image(i, j, d.Value, d.Value.Start(), overrides)
	}
	stages := c.reader.Items(nil, d.Value)
	changed := false
	for k := range stages {
		c.merger.stage = []segment{{text: strconv.Itoa(k), entry: true}}
		v, err := c.image(i, j, stages[k].Value, stages[k].Pos, overrides)
		if err != nil {
			return v, err
		}
		changed = changed || v != stages[k].Value
		stages[k].Value = v
	}
	c.merger.stage = nil
	switch {
	case len(stages) == 1 && c.opt.Effective:
		return stages[0].Value, nil // a list of one stage is an image
	case !changed:
		return d.Value, nil
	}
	return tree.Of(tree.NewArray(stages, d.Value.Start())), nil
}

// image overrides one image.
func (c *cekit) image(i, j int, v tree.Value, pos source.Pos, overrides []*patch) (tree.Value, error) {
	check := checker{path: slices.Clone(c.merger.stage)}
	check.descriptor(imageNode, v, pos)
	if err := c.told(check.problems); err != nil {
		return v, err
	}
	base := v
	if c.opt.Effective {
		filled, err := c.fill(v, fillImage)
		if err != nil {
			return v, err
		}
		v = filled
	}
	if len(overrides) > 0 && c.merger.chooses(v) {
		if err := c.listsOfLists(v, overrides); err != nil {
			return v, err
		}
		if c.opt.Effective {
			v = c.unique(v)
		}
		before := c.merger.log.len()
		v, _ = c.merger.document(i, j, v, overrides)
		if !c.opt.Effective {
			c.tidyLog(before, fileOf(base))
		}
	}
	if !c.opt.Effective {
		return c.finishPlain(base, v), nil
	}
	return c.finish(base, v), nil
}

// listsOfLists refuses what CEKit cannot unite.
func (c *cekit) listsOfLists(image tree.Value, overrides []*patch) error {
	packages, ok := image.Lookup("packages")
	if !ok {
		return nil
	}
	for _, key := range []string{"install", "remove", "reinstall"} {
		list, ok := packages.Lookup(key)
		if !ok || list.Kind() != tree.ArrayKind {
			continue
		}
		for _, it := range c.reader.Items(nil, list) {
			if it.Value.Kind() != tree.ArrayKind {
				continue
			}
			for _, o := range overrides {
				if p, ok := o.value.Lookup("packages"); ok && has(p, key) {
					return diag.Errorf(itemSpan(it), CodeSchema, "Cannot merge list of lists").WithRelated(spanOf(p, key), "this list would be united with it")
				}
			}
		}
	}
	return nil
}

// unique leaves one entry for each key in the lists of an image, as CEKit does as soon as there is an override: the last one, in the place of the first.
func (c *cekit) unique(v tree.Value) tree.Value {
	e := c.edit(v)
	for _, s := range []struct{ key, by string }{{"labels", "name"}, {"args", "name"}, {"envs", "name"}, {"ports", "value"}, {"artifacts", "name"}} {
		e.update(s.key, func(list tree.Value) tree.Value { return c.uniqueList(list, s.key, s.by) })
	}
	e.update("modules", func(modules tree.Value) tree.Value {
		m := c.edit(modules)
		m.update("repositories", func(list tree.Value) tree.Value { return c.uniqueList(list, "modules.repositories", "name") })
		m.update("install", func(list tree.Value) tree.Value { return c.uniqueList(list, "modules.install", "name") })
		return m.value()
	})
	e.update("packages", func(packages tree.Value) tree.Value {
		p := c.edit(packages)
		p.update("repositories", func(list tree.Value) tree.Value { return c.uniqueList(list, "packages.repositories", "name") })
		return p.value()
	})
	return e.value()
}

func (c *cekit) uniqueList(list tree.Value, path, by string) tree.Value {
	if list.Kind() != tree.ArrayKind {
		return list
	}
	items := c.reader.Items(nil, list)
	at := make(map[tree.ScalarKey]int, len(items))
	kept := items[:0]
	for _, it := range items {
		k, ok := entryKey(it.Value, by, true)
		i, again := at[k]
		if !ok || !again {
			at[k] = len(kept)
			kept = append(kept, it)
			continue
		}
		shown, _ := it.Value.Lookup(by)
		c.merger.warn(diag.Warningf(itemSpan(it), CodeIgnored, "%s has `%s` twice: this one counts, and takes the place of the first", path, shown.Written()).
			WithRelated(itemSpan(kept[i]), "the first one"))
		kept[i] = it
	}
	if len(kept) == list.Len() {
		return list
	}
	return tree.Of(tree.NewArray(kept, list.Start()))
}

// finish gives an image the form in which it is shown: artifacts with where they go, nothing that is null, and no section that overrides have emptied.
func (c *cekit) finish(base, v tree.Value) tree.Value {
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
			return goneIfEmptied(c.prune(p.value()))
		})
	}
	c.warnKindless(e.value())
	return c.prune(e.value())
}

// warnKindless warns of entries that have lost the key that says of what kind they are, since it is null: CEKit takes them while it merges, but refuses them in a descriptor.
func (c *cekit) warnKindless(v tree.Value) {
	warn := func(section tree.Value, key, lost, hint string, kindless func(tree.Value) bool) {
		list, ok := section.Lookup(key)
		if !ok || list.Kind() != tree.ArrayKind {
			return
		}
		for _, it := range c.reader.Items(nil, list) {
			if it.Value.Kind() == tree.MapKind && kindless(it.Value) {
				name, _ := it.Value.Lookup("name")
				c.merger.warn(diag.Warningf(spanOf(it.Value, "name"), CodeIgnored, "`%s` has no %s left, and CEKit refuses that when it reads the result", name.Written(), lost).WithHint("%s", hint))
			}
		}
	}
	noSource := func(r tree.Value) bool { return resourceKind(r) == nil }
	const source, remove = "path, url, git, image, pnc_build_id or checksum", "give it one of them, or remove the repository with $remove: true"
	warn(v, "artifacts", source, "give it one of them, or keep a null checksum with --effective=false", noSource)
	if modules, ok := v.Lookup("modules"); ok {
		warn(modules, "repositories", source, remove, noSource)
	}
	if packages, ok := v.Lookup("packages"); ok {
		warn(packages, "repositories", "id, rpm or url", remove, func(r tree.Value) bool {
			return !slices.ContainsFunc(repositoryKinds, func(k string) bool { return has(r, k) })
		})
	}
}

// absoluteTemplate is the section help with an absolute path: CEKit looks for it beside the image, wherever it is named.
func (c *cekit) absoluteTemplate(help tree.Value) tree.Value {
	e := c.edit(help)
	if t, ok := e.get("template"); ok && t.Kind() == tree.ScalarKind {
		if s := t.Written(); s != "" && !strings.HasPrefix(s, "/") && !filepath.IsAbs(s) && !strings.Contains(s, "://") {
			e.set("template", tree.String(filepath.ToSlash(c.home)+"/"+s))
		}
	}
	return e.value()
}

// prune is a mapping without the keys that are null.
func (c *cekit) prune(v tree.Value) tree.Value {
	if v.Kind() != tree.MapKind {
		return v
	}
	e := c.edit(v)
	for _, it := range slices.Clone(e.items) {
		if it.Value.Kind() == tree.ScalarKind && isPyNull(it.Value) {
			e.remove(keyText(it.Key))
		}
	}
	return e.value()
}

func (c *cekit) pruneEntries(list tree.Value) tree.Value {
	return c.each(list, func(it tree.Item) tree.Value { return c.prune(it.Value) })
}

// each is a list with what f makes of its entries.
func (c *cekit) each(list tree.Value, f func(tree.Item) tree.Value) tree.Value {
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

// warnUnreadable warns of what CEKit makes of a descriptor and would not take as one, or take for something else. What the file own says is as CEKit reads it.
func (c *cekit) warnUnreadable(v tree.Value, own *source.File) {
	warn := func(it tree.Item, key, why string) {
		name, _ := it.Value.Lookup("name")
		c.merger.warn(diag.Warningf(spanOf(it.Value, key), CodeIgnored, "`%s` has the key %s, as it has in CEKit once it is merged, but CEKit's schema refuses that %s", name.Written(), key, why).
			WithHint("give the overrides to CEKit itself, or leave the key out with --effective=false"))
	}
	entries := func(section tree.Value, key string) []tree.Item {
		if list, ok := section.Lookup(key); ok && list.Kind() == tree.ArrayKind {
			return c.reader.Items(nil, list)
		}
		return nil
	}
	for _, it := range entries(v, "artifacts") {
		if fileOf(it.Value) != nil && fileOf(it.Value) == own {
			continue
		}
		dest, ok := it.Value.Lookup("dest")
		switch s := dest.Written(); {
		case !ok || dest.Kind() != tree.ScalarKind || isPyNull(dest):
		case resourceKind(it.Value) == gitNode:
			warn(it, "dest", "of a git artifact")
		case fileOf(dest) != nil && fileOf(dest) != own && normalDest(s) != s:
			name, _ := it.Value.Lookup("name")
			c.merger.warn(diag.Warningf(spanOf(it.Value, "dest"), CodeIgnored, "CEKit copies `%s` to %s if the override is given to it, but to %s if it reads that from a descriptor", name.Written(), s, normalDest(s)).
				WithHint("say which is meant: write %s for the directory; for a file, give its name as target", normalDest(s)))
		}
	}
	if packages, ok := v.Lookup("packages"); ok {
		c.warnRepositories(packages, own)
	}
	if modules, ok := v.Lookup("modules"); ok {
		for _, it := range entries(modules, "repositories") {
			if n := resourceKind(it.Value); n == pathNode && has(it.Value, "git") {
				warn(it, "git", "beside path")
			}
		}
	}
}

// mapEdit is a mapping that is being changed. It is the same value in the end if nothing was.
type mapEdit struct {
	old     tree.Value
	items   []tree.Item
	changed bool
}

func (c *cekit) edit(v tree.Value) *mapEdit {
	e := &mapEdit{old: v}
	if v.Kind() == tree.MapKind {
		e.items = c.reader.Items(nil, v)
	}
	return e
}

func (e *mapEdit) value() tree.Value {
	if !e.changed {
		return e.old
	}
	return tree.Of(tree.NewMap(e.items, e.old.Start()))
}

func (e *mapEdit) index(key string) int {
	return slices.IndexFunc(e.items, func(it tree.Item) bool { return it.Key.IsString(key) })
}

// get is the value of a key; not ok if it is null or not there.
func (e *mapEdit) get(key string) (tree.Value, bool) {
	if i := e.index(key); i >= 0 && !(e.items[i].Value.Kind() == tree.ScalarKind && isPyNull(e.items[i].Value)) {
		return e.items[i].Value, true
	}
	return tree.Value{}, false
}

func (e *mapEdit) set(key string, v tree.Value) {
	i := e.index(key)
	switch {
	case i < 0:
		e.items = append(e.items, tree.Item{Key: tree.String(key), Value: v, Pos: e.old.Start()})
	case e.items[i].Value == v:
		return
	default:
		e.items[i].Value = v
	}
	e.changed = true
}

func (e *mapEdit) remove(key string) {
	if i := e.index(key); i >= 0 {
		e.items, e.changed = slices.Delete(e.items, i, i+1), true
	}
}

// update puts what f makes of the value of a key in its place, if there is one. A value that is gone is removed.
func (e *mapEdit) update(key string, f func(tree.Value) tree.Value) {
	v, ok := e.get(key)
	if !ok {
		return
	}
	if n := f(v); n == gone {
		e.remove(key)
	} else if n != v {
		e.set(key, n)
	}
}
