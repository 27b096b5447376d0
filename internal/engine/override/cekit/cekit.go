// Package cekit applies overrides to CEKit's image descriptors. It is a dialect of package override,
// to which it passes its rules as values, and does what CEKit does before and after merging: it
// checks descriptors, and fills in defaults.
//
//	cekit.go    descriptors and overrides, from beginning to end
//	read.go     what CEKit reads, and rejects
//	schema.go   CEKit's schema of descriptors
//	scalar.go   how CEKit reads a scalar, which is how Python does
//	rules.go    how CEKit merges each section
//	nothing.go  empty values
//	fill.go     what CEKit fills in
//	finish.go   the effective form, with everything filled in
//	plain.go    the plain form, as its author wrote it
//	filled.go   what differs between the two
//	warn.go     what CEKit would not read again
//	artifact.go one artifact outside of an image
//	mapping.go  a mapping that is being changed
package cekit

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The codes of this package's diagnostics.
const (
	CodeSchema  diag.Code = "override/schema"  // a descriptor that CEKit's schema rejects
	CodeIgnored diag.Code = "override/ignored" // something that CEKit accepts and ignores
)

// Descriptor is the file that CEKit reads by default.
const Descriptor = "image.yaml"

// Options says how overrides are applied to descriptors.
type Options struct {
	// Options are those of the merge. Apply sets the dialect.
	override.Options
	// Effective fills in CEKit's defaults and reads the files that descriptors name. Without it,
	// only what overrides change is changed.
	Effective bool
	// Verbose reports all schema violations, not only the first.
	Verbose bool
	// Dir is the directory that relative paths at a position are relative to.
	Dir func(source.Pos) string
	// ReadFile reads the files that a descriptor names.
	ReadFile func(path string) ([]byte, error)
	// Files is the set that positions refer to. Files that descriptors name are added to it.
	Files *source.Set
}

// Apply applies overrides to descriptors as override.Apply does to any documents: left[i] are those
// of file i. Before merging, it checks descriptors and overrides and fills in CEKit's defaults.
func Apply(
	ctx context.Context, left [][]tree.Doc, overrides []tree.Doc, opt Options,
) ([][]tree.Doc, error) {
	return apply(ctx, left, overrides, newRun(&opt, false))
}

// Explain is like Apply, and also returns what each override did, in order.
func Explain(
	ctx context.Context, left [][]tree.Doc, overrides []tree.Doc, opt Options,
) ([]override.ValueChange, [][]tree.Doc, error) {
	c := newRun(&opt, true)
	docs, err := apply(ctx, left, overrides, c)
	return c.merger.Changes(), docs, err
}

// run applies overrides to image descriptors.
type run struct {
	home   string // the directory of the image
	json   bool   // the image is JSON
	opt    *Options
	merger *override.Merger
	reader tree.Reader
	stage  override.Path // the path of the current image, if it is one of several in a document
}

func newRun(opt *Options, explain bool) *run {
	opt.Dialect = &override.Dialect{
		Rule:           imageRule.Get(),
		View:           pyView,
		AppendIdentity: appendIdentity,
		Ignored:        ignored,
		OnNull:         nullSection,
	}
	return &run{opt: opt, merger: override.NewMerger(&opt.Options, explain)}
}

func apply(
	ctx context.Context, left [][]tree.Doc, overrides []tree.Doc, c *run,
) ([][]tree.Doc, error) {
	out := make([][]tree.Doc, len(left))
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
	var filled []*override.Patch
	home, isJSON := "", false // for the image that the overrides are filled for
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
			if filled == nil || c.json != isJSON || c.home != home && !c.opt.Effective {
				list, err := c.fillOverrides(overrides, bare)
				if err != nil {
					return nil, diag.Of(err)
				}
				filled, home, isJSON = list, c.home, c.json
			}
			c.merger.NoteRepeated(d.Value)
			v, err := c.document(i, j, *d, filled)
			if err != nil {
				return nil, diag.Of(err)
			}
			d.Value = v
		}
	}
	if err := c.merger.End(len(overrides) > 0); err != nil {
		return nil, err
	}
	return out, nil
}

func isJSONFile(f *source.File) bool { return f != nil && json.Valid(f.Data()) }

// oneDescriptor rejects a file with several documents, which CEKit cannot read.
func oneDescriptor(docs []tree.Doc) error {
	full := 0
	for _, d := range docs {
		if d.Value.IsNull() {
			continue
		}
		if full++; full > 1 {
			return diag.List{
				diag.Errorf(d.Pos.To(d.Pos.Offset()+3), override.CodeDocuments,
					"Cannot load descriptor: a descriptor is one document, but a second one "+
						"begins here").
					WithHint("write the stages of a multi-stage image as a list in one document"),
			}
		}
	}
	return nil
}

// fillOverrides fills in CEKit's defaults, or only what merging the plain form needs.
func (c *run) fillOverrides(overrides []tree.Doc, bare bool) ([]*override.Patch, error) {
	list := make([]*override.Patch, len(overrides))
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
		// where words cannot be written as in the override, write them as CEKit reads them
		if c.json {
			v = pyView(v)
		}
		list[i] = c.merger.Patch(v, d.Value.Start())
	}
	return list, nil
}

// check checks an override.
func (c *run) check(d tree.Doc, bare bool) error {
	if err := c.merger.Check(d.Value); err != nil {
		return err
	}
	if bare && isBareArtifact(d.Value) {
		return c.checkBare(d)
	}
	check := checker{}
	if d.Value.Kind() == tree.MapKind {
		// CEKit ignores a null here. It would remove a key that every image needs.
		for _, key := range []string{"name", "version"} {
			if v, ok := d.Value.Lookup(key); ok && v.IsNull() {
				check.fail(
					imageNode,
					override.KeySpan(d.Value, key),
					"required.novalue : '/%s'",
					key,
				)
				check.problems[len(check.problems)-1].WithHint("a required key cannot be removed")
			}
		}
	}
	check.descriptor(overrideNode, d.Value, d.Value.Start())
	return c.failure(check.problems)
}

// failure returns the problems that a check found: all of them with Verbose, otherwise the first.
func (c *run) failure(problems diag.List) error {
	if len(problems) == 0 {
		return nil
	}
	if n := len(problems) - 1; !c.opt.Verbose && n > 0 {
		first, more := problems[0], "use --verbose to see "+strconv.Itoa(n)+" more"
		if first.Hint != "" {
			more = first.Hint + "; " + more
		}
		first.Hint = more
		return diag.List{first}
	}
	return problems
}

// document overrides descriptor j of file i: one image, or a list of stages.
func (c *run) document(i, j int, d tree.Doc, overrides []*override.Patch) (tree.Value, error) {
	if isBareArtifact(d.Value) {
		return c.bare(i, j, d, overrides)
	}
	if d.Value.Kind() != tree.ArrayKind {
		return c.image(i, j, d.Value, d.Value.Start(), overrides)
	}
	stages := c.reader.Items(nil, d.Value)
	changed := false
	for k := range stages {
		c.stage = override.Path{override.Index(k)}
		v, err := c.image(i, j, stages[k].Value, stages[k].Pos, overrides)
		if err != nil {
			return v, err
		}
		changed = changed || v != stages[k].Value
		stages[k].Value = v
	}
	c.stage = nil
	switch {
	case len(stages) == 1 && c.opt.Effective:
		return stages[0].Value, nil // a list of one stage is an image
	case !changed:
		return d.Value, nil
	}
	return tree.Of(tree.NewArray(stages, d.Value.Start())), nil
}

// image overrides one image.
func (c *run) image(
	i, j int, v tree.Value, pos source.Pos, overrides []*override.Patch,
) (tree.Value, error) {
	check := checker{path: slices.Clone(c.stage)}
	check.descriptor(imageNode, v, pos)
	if err := c.failure(check.problems); err != nil {
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
	if len(overrides) > 0 && c.merger.Selects(override.Place{File: i, Doc: j}, v) {
		if err := c.listsOfLists(v, overrides); err != nil {
			return v, err
		}
		if c.opt.Effective {
			v = c.unique(v)
		}
		before := len(c.merger.Changes())
		v = c.merger.Document(override.Place{File: i, Doc: j, Path: c.stage}, v, overrides)
		if !c.opt.Effective {
			c.tidyChanges(before, fileOf(base))
		}
	}
	if !c.opt.Effective {
		return c.finishPlain(base, v), nil
	}
	return c.finish(base, v), nil
}

// listsOfLists rejects lists that CEKit cannot unite.
func (c *run) listsOfLists(image tree.Value, overrides []*override.Patch) error {
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
				if p, ok := o.Value().Lookup("packages"); ok && has(p, key) {
					return diag.Errorf(override.ItemSpan(it), CodeSchema,
						"Cannot merge list of "+
							"lists").WithRelated(override.KeySpan(p, key),
						"this list would be merged with it")
				}
			}
		}
	}
	return nil
}

// unique keeps one entry per key in the lists of an image: the last one, at the position of the
// first. CEKit does so as soon as there is an override.
func (c *run) unique(v tree.Value) tree.Value {
	e := c.edit(v)
	for _, s := range []struct{ key, by string }{
		{"labels", "name"},
		{"args", "name"},
		{"envs", "name"},
		{"ports", "value"},
		{"artifacts", "name"},
	} {
		e.update(s.key, func(list tree.Value) tree.Value { return c.uniqueList(list, s.key, s.by) })
	}
	e.update("modules", func(modules tree.Value) tree.Value {
		m := c.edit(modules)
		m.update(
			"repositories",
			func(list tree.Value) tree.Value { return c.uniqueList(list, "modules.repositories", "name") },
		)
		m.update(
			"install",
			func(list tree.Value) tree.Value { return c.uniqueList(list, "modules.install", "name") },
		)
		return m.value()
	})
	e.update("packages", func(packages tree.Value) tree.Value {
		p := c.edit(packages)
		p.update(
			"repositories",
			func(list tree.Value) tree.Value { return c.uniqueList(list, "packages.repositories", "name") },
		)
		return p.value()
	})
	return e.value()
}

func (c *run) uniqueList(list tree.Value, path, by string) tree.Value {
	if list.Kind() != tree.ArrayKind {
		return list
	}
	items := c.reader.Items(nil, list)
	at := make(map[tree.ScalarKey]int, len(items))
	kept := items[:0]
	for _, it := range items {
		k, ok := identityKey(it.Value, by)
		i, again := at[k]
		if !ok || !again {
			at[k] = len(kept)
			kept = append(kept, it)
			continue
		}
		shown, _ := it.Value.Lookup(by)
		c.merger.Warn(diag.Warningf(override.ItemSpan(it), CodeIgnored,
			"%s has `%s` twice: this one replaces the first", path, shown.Written()).
			WithRelated(override.ItemSpan(kept[i]), "the first one"))
		kept[i] = it
	}
	if len(kept) == list.Len() {
		return list
	}
	return tree.Of(tree.NewArray(kept, list.Start()))
}

// identityKey returns the value that identifies an entry in its list, as CEKit reads it.
func identityKey(entry tree.Value, by string) (tree.ScalarKey, bool) {
	v, ok := entry.Lookup(by)
	if !ok {
		return tree.ScalarKey{}, false
	}
	if v.Kind() == tree.ScalarKind {
		v = pyView(v)
	}
	return v.ScalarKey()
}
