package cekit

import (
	"strconv"
	"strings"

	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file handles overrides with empty values.

// ignored returns a warning that CEKit treats the value of an override as missing.
func ignored(path override.Path, over tree.Value) *diag.Diagnostic {
	return diag.Warningf(source.Span{}, CodeIgnored,
		"`%s`: CEKit treats %s as no value, so the existing value "+
			"stays", path, override.Brief(over, 40)).
		WithHint("write ~ to remove it")
}

// nullSection reports what a section of a descriptor with nothing after its colon removes. CEKit itself
// would fail, so the author cannot mean to leave the section unchanged. Usually the entries below
// it were only commented out.
func nullSection(it tree.Item, old tree.Value) *diag.Diagnostic {
	if old.Kind() == tree.ScalarKind || old.Len() == 0 {
		return nil
	}
	if t, n, ok := it.Value.Syntax(); !ok || t.HasTag(n) || len(t.Text(n)) > 0 {
		return nil
	}
	key := override.KeyText(it.Key)
	return diag.Warningf(override.ItemSpan(it), CodeIgnored,
		"`%s:` has no value, which removes everything the image has there: %s", key,
		removedText(old)).
		WithHint("write %s: ~ to remove it on purpose, or delete the line", key)
}

// removedText names what is removed with a section: its entries by name, or its keys.
func removedText(v tree.Value) string {
	const maxNames = 5
	var r tree.Reader
	items := r.Items(nil, v)
	var names []string
	for i, it := range items {
		if i == maxNames {
			names = append(names, strconv.Itoa(len(items)-maxNames)+" more")
			break
		}
		switch name, ok := generatedName(it.Value); {
		case v.Kind() == tree.MapKind:
			names = append(names, override.KeyText(it.Key))
		case it.Value.Kind() != tree.MapKind:
			names = append(names, override.Brief(it.Value, 40))
		case has(it.Value, "name"):
			names = append(names, entryText(it.Value, "name"))
		case ok:
			names = append(names, name.Written())
		case has(it.Value, "value"):
			names = append(names, entryText(it.Value, "value"))
		default:
			names = append(names, override.Brief(it.Value, 40))
		}
	}
	return strings.Join(names, ", ")
}

// entryText returns the value that identifies an entry, for messages.
func entryText(v tree.Value, key string) string {
	if k, ok := v.Lookup(key); ok && k.Kind() == tree.ScalarKind {
		return k.Written()
	}
	return override.Brief(v, 40)
}
