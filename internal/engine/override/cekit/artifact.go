package cekit

import (
	"slices"

	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// A bare artifact is one artifact outside of an image, as the handbook's examples show it.

// isBareArtifact reports whether v is an artifact rather than an image: it has a source, and no
// keys of an image.
func isBareArtifact(v tree.Value) bool {
	if v.Kind() != tree.MapKind || resourceKind(v) == nil {
		return false
	}
	for key := range imageNode.fields() {
		if key != "name" && key != "description" && has(v, key) {
			return false
		}
	}
	return true
}

// checkBare checks a bare artifact, or an override of one.
func (c *run) checkBare(d tree.Doc) error {
	check := checker{}
	check.resource(tree.Item{Value: d.Value, Pos: d.Value.Start()})
	return c.failure(check.problems)
}

// bareFilled fills in CEKit's defaults, but keeps checksums as they are written, as the handbook
// does.
func (c *run) bareFilled(d tree.Doc, all bool) tree.Value {
	it := tree.Item{Value: d.Value, Pos: d.Value.Start()}
	if !c.opt.Effective {
		return c.plainResource(it)
	}
	filled := c.edit(c.resource(it, all))
	for _, key := range slices.Concat(checksums, sourceChecksums) {
		if v, ok := d.Value.Lookup(key); ok && filled.index(key) >= 0 {
			if val, _ := v.Scalar(); v.Written() == string(canonicalInt(val)) {
				filled.set(key, v)
			}
		}
	}
	return filled.value()
}

// bare overrides a bare artifact. It stays the same artifact even if an override renames it, and
// then its target follows from the new name.
func (c *run) bare(i, j int, d tree.Doc, overrides []*override.Patch) (tree.Value, error) {
	if err := c.checkBare(d); err != nil {
		return d.Value, err
	}
	v := d.Value
	if c.opt.Effective {
		v = c.bareFilled(d, true)
	}
	c.merger.Begin(override.Place{File: i, Doc: j})
	for k, o := range overrides {
		if o.Value().Kind() == tree.MapKind && o.Value().Len() == 0 {
			continue
		}
		if resourceKind(o.Value()) == nil {
			return v, diag.Errorf(valueSpan(o.Value(), o.Pos()), CodeSchema,
				"the input is an artifact, but this override is for an image").
				WithRelated(d.Value.Start().To(d.Value.Start().Offset()+1), "the artifact")
		}
		over := c.edit(o.Value())
		name, named := over.get("name")
		old, known := v.Lookup("name")
		if !known {
			old, _ = generatedName(v)
		}
		if _, ok := over.get("target"); !ok && named && !tree.SameScalar(name, old) &&
			(c.opt.Effective || has(v, "target")) {
			over.remove("target")
			over.set("target", baseOf(name))
		}
		v = c.merger.Override(k, artifactRule, v, c.merger.Patch(over.value(), o.Pos()))
	}
	if !c.opt.Effective {
		if v == d.Value {
			return v, nil
		}
		return c.tidy(v, fileOf(d.Value), generatedName), nil
	}
	e := c.edit(v)
	c.fillPlace(e)
	return c.prune(e.value()), nil
}
