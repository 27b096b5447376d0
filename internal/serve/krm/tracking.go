package krm

import (
	"bytes"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// isTracking reports whether callers use an annotation to recognize items. They add it to each item,
// look for it in the result, and remove it again. An overlay that replaces all annotations should not
// lose it.
func isTracking(annotation string) bool {
	return strings.HasPrefix(annotation, "internal.config.kubernetes.io/") ||
		slices.Contains([]string{
			"config.kubernetes.io/path", "config.kubernetes.io/index", "config.k8s.io/id",
		}, annotation)
}

// tracked returns the result of an item, with the tracking annotations that were lost.
func (l *list) tracked(it *item, d document) document {
	lost := it.lost(d.value)
	was, ok := l.parsed(d.text)
	if len(lost) == 0 || !ok {
		return d
	}
	meta, _ := was.Lookup("metadata")
	annotations, _ := meta.Lookup("annotations")
	merged := mapOf(slices.Concat(annotations.Entries(), lost))
	v := set(was, "metadata", set(meta, "annotations", merged))
	var text []byte
	if t, _, ok := was.Syntax(); ok {
		if parts, err := edit.Text([]*yaml.Tree{t}, []tree.Value{v}, l.yaml); err == nil {
			text = bytes.Join(parts, nil)
		}
	}
	return document{v, l.proven(text, v)}
}

// lost returns the tracking annotations of an item that v does not have.
func (it *item) lost(v tree.Value) (all []tree.Item) {
	was, _ := it.value.Lookup("metadata")
	was, _ = was.Lookup("annotations")
	is, _ := v.Lookup("metadata")
	is, _ = is.Lookup("annotations")
	if was.Kind() != tree.MapKind {
		return nil
	}
	for _, e := range was.Entries() {
		if _, has := is.Lookup(e.Key.Text()); !has && isTracking(e.Key.Text()) {
			all = append(all, e)
		}
	}
	return all
}

// set returns a map with another value for a key.
func set(m tree.Value, key string, v tree.Value) tree.Value {
	items := slices.Clone(m.Entries())
	i := slices.IndexFunc(items, func(e tree.Item) bool { return e.Key.IsString(key) })
	if i < 0 {
		return mapOf(append(items, tree.Item{Key: tree.String(key), Value: v}))
	}
	items[i].Value = v
	return mapOf(items)
}

func mapOf(items []tree.Item) tree.Value { return tree.Of(tree.NewMap(items, source.Pos{})) }

func number(n int) tree.Value { return tree.Of(starlark.MakeInt(n)) }
