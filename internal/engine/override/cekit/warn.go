package cekit

import (
	"slices"

	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// warnUnreadable warns about results that CEKit would reject or read differently. Text from the file
// of the image is fine: CEKit reads it as before.
func (c *run) warnUnreadable(v tree.Value, imageFile *source.File) {
	warn := func(it tree.Item, key, why string) {
		name, _ := it.Value.Lookup("name")
		c.merger.Warn(diag.Warningf(override.KeySpan(it.Value, key), CodeIgnored,
			"`%s` has the key %s, as in CEKit after merging, but CEKit's schema rejects that "+
				"%s", name.Written(), key, why).
			WithHint("pass the overrides to CEKit itself, or omit the key with --effective=false"))
	}
	entries := func(section tree.Value, key string) []tree.Item {
		if list, ok := section.Lookup(key); ok && list.Kind() == tree.ArrayKind {
			return c.reader.Items(nil, list)
		}
		return nil
	}
	for _, it := range entries(v, "artifacts") {
		if fileOf(it.Value) != nil && fileOf(it.Value) == imageFile {
			continue
		}
		dest, ok := it.Value.Lookup("dest")
		switch s := dest.Written(); {
		case !ok || dest.Kind() != tree.ScalarKind || isPyNull(dest):
		case resourceKind(it.Value) == gitNode:
			warn(it, "dest", "of a git artifact")
		case fileOf(dest) != nil && fileOf(dest) != imageFile && normalDest(s) != s:
			name, _ := it.Value.Lookup("name")
			c.merger.Warn(
				diag.Warningf(override.KeySpan(it.Value, "dest"), CodeIgnored,
					"CEKit copies `%s` to %s if it gets the override, but to %s if it reads the "+
						"result as a descriptor", name.Written(), s, normalDest(s)).
					WithHint("write %s for the directory, or set target to the name of the "+
						"file", normalDest(s)),
			)
		}
	}
	if packages, ok := v.Lookup("packages"); ok {
		c.warnRepositories(packages, imageFile)
	}
	if modules, ok := v.Lookup("modules"); ok {
		for _, it := range entries(modules, "repositories") {
			if n := resourceKind(it.Value); n == pathNode && has(it.Value, "git") {
				warn(it, "git", "next to path")
			}
		}
	}
}

// warnKindless warns about entries whose kind is unknown because the key that determines it is
// null: CEKit accepts them while merging, but rejects them in a descriptor.
func (c *run) warnKindless(v tree.Value) {
	warn := func(section tree.Value, key, lost, hint string, kindless func(tree.Value) bool) {
		list, ok := section.Lookup(key)
		if !ok || list.Kind() != tree.ArrayKind {
			return
		}
		for _, it := range c.reader.Items(nil, list) {
			if it.Value.Kind() == tree.MapKind && kindless(it.Value) {
				name, _ := it.Value.Lookup("name")
				c.merger.Warn(
					diag.Warningf(override.KeySpan(it.Value, "name"), CodeIgnored,
						"`%s` has no %s left, so CEKit rejects the result", name.Written(), lost).
						WithHint("%s", hint),
				)
			}
		}
	}
	noSource := func(r tree.Value) bool { return resourceKind(r) == nil }
	const source, remove = "path, url, git, image, pnc_build_id or checksum",
		"give it one of them, or remove the repository with $remove: true"
	warn(
		v,
		"artifacts",
		source,
		"give it one of them, or keep a null checksum with --effective=false",
		noSource,
	)
	if modules, ok := v.Lookup("modules"); ok {
		warn(modules, "repositories", source, remove, noSource)
	}
	if packages, ok := v.Lookup("packages"); ok {
		warn(packages, "repositories", "id, rpm or url", remove, func(r tree.Value) bool {
			return !slices.ContainsFunc(repositoryKinds, func(k string) bool { return has(r, k) })
		})
	}
}
