package cekit

import (
	"weft/internal/engine/override"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

// The table of how CEKit merges the sections of a descriptor. docs/migrating-from-cekit.md
// describes it in words.
var (
	// A value of an entry is replaced as a whole, but two lists are united.
	valueRule = &override.Rule{Whole: true, List: override.UnionMoving, Data: true}
	// An entry is merged key by key, one level deep.
	entryRule = &override.Rule{Others: valueRule}
	// A top-level scalar.
	scalarRule = &override.Rule{KeepIfFalse: true}
	// A plain list of packages.
	unitedRule = &override.Rule{List: override.UnionMoving}

	// It is built on first use.
	imageRule = lazy.Value[*override.Rule]{New: func() *override.Rule {
		return &override.Rule{Fields: map[string]*override.Rule{
			"name": scalarRule, "version": scalarRule, "from": scalarRule, "description": scalarRule,
			"release": scalarRule, "schema_version": scalarRule, "follow_tag": scalarRule,
			"help":      {Whole: true, Data: true, KeepIfFalse: true},
			"labels":    listRule("name", entryRule),
			"args":      listRule("name", entryRule),
			"envs":      listRule("name", entryRule),
			"ports":     listRule("value", entryRule),
			"volumes":   namedListRule(entryRule, volumeName),
			"artifacts": namedListRule(artifactRule, generatedName),
			"run": {
				NoFalse: true,
				Fields: map[string]*override.Rule{
					"cmd":        {List: override.ReplaceList},
					"entrypoint": {List: override.ReplaceList},
				},
			},
			"modules": {Fields: map[string]*override.Rule{
				"repositories": namedListRule(
					&override.Rule{Others: valueRule, OverrideOnly: checksums},
					generatedName,
				),
				"install": listRule("name", &override.Rule{Whole: true}),
			}},
			"packages": {Fields: map[string]*override.Rule{
				"install": unitedRule, "remove": unitedRule, "reinstall": unitedRule,
				"repositories": listRule(
					"name",
					&override.Rule{Others: valueRule, OverrideOnly: repositoryKinds},
				),
				"content_sets": {Whole: true, Data: true},
			}},
			"osbs": {Others: &override.Rule{Whole: true, Data: true, KeepIfFalse: true}},
		}}
	}}

	// An artifact replaces the one with the same name, and keeps its target.
	artifactRule = &override.Rule{
		Whole:              true,
		Nulls:              true,
		Inherits:           []string{"dest", "target"},
		InheritsUnlessNull: []string{"description"},
	}
)

// listRule returns the rule for a section that is a list of entries. An empty list in an override
// changes nothing.
func listRule(key string, entry *override.Rule) *override.Rule {
	return &override.Rule{List: override.AlwaysKeyed, Key: key, Entry: entry, KeepIfFalse: true}
}

// namedListRule returns the rule for a list of entries that have a name, or get one.
func namedListRule(
	entry *override.Rule, nameOf func(tree.Value) (tree.Value, bool),
) *override.Rule {
	r := listRule("name", entry)
	r.NameOf = nameOf
	return r
}
