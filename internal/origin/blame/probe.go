package blame

import (
	"math"
	"slices"
	"strconv"

	"go.starlark.net/starlark"

	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// maxProbes is the maximum number of other values tried for one data value.
const maxProbes = 6

// probes returns other values for a data value, most likely to be accepted first: neighbours, which keep
// the form that parsers and validations require, then the literals that templates compare values with.
func probes(v tree.Value, known *literals) []tree.Value {
	var list []tree.Value
	switch v.Kind() {
	case tree.ArrayKind:
		return arrayProbes(v, known)
	case tree.MapKind:
		return mapProbes(v, known)
	}
	val, text := v.Scalar()
	switch val.Kind {
	case yaml.Bool:
		return []tree.Value{tree.Of(starlark.Bool(!bool(v.Starlark().(starlark.Bool))))}
	case yaml.Null:
		list = []tree.Value{tree.String("x"), tree.Of(starlark.MakeInt(1)), tree.Of(starlark.True)}
	case yaml.Float:
		f := val.Float()
		list = []tree.Value{
			tree.Of(starlark.Float(f + 0.5)), tree.Of(starlark.Float(f * 2)),
			tree.Of(starlark.Float(0)),
		}
	case yaml.String:
		list = []tree.Value{tree.String(neighbour(string(text)))}
		for _, s := range known.texts {
			list = append(list, tree.String(s))
		}
		list = append(list, tree.String(""))
	default:
		list = intProbes(v, known)
	}
	list = slices.DeleteFunc(list, func(p tree.Value) bool { return tree.SameScalar(p, v) })
	return list[:min(len(list), maxProbes)]
}

func intProbes(v tree.Value, known *literals) []tree.Value {
	n, ok := v.Starlark().(starlark.Int)
	if !ok {
		return nil
	}
	i, ok := n.Int64()
	if !ok || i == math.MaxInt64 || i == math.MinInt64 {
		return []tree.Value{tree.Of(starlark.MakeInt(1))}
	}
	list := []tree.Value{tree.Of(starlark.MakeInt64(i + 1)), tree.Of(starlark.MakeInt64(i - 1))}
	for _, k := range known.numbers {
		for _, near := range []int64{k, k + 1, k - 1} {
			if near > i+1 || near < i-1 {
				list = append(list, tree.Of(starlark.MakeInt64(near)))
			}
		}
	}
	return append(list, tree.Of(starlark.MakeInt(0)))
}

// arrayProbes returns an array without its last item, with one item changed, and with two swapped.
func arrayProbes(v tree.Value, known *literals) []tree.Value {
	a, _ := v.Array()
	items := a.Entries()
	if len(items) == 0 {
		return []tree.Value{tree.Of(tree.NewArray([]tree.Item{{Value: tree.String("x")}}, a.Pos))}
	}
	list := []tree.Value{tree.Of(tree.NewArray(items[:len(items)-1], a.Pos))}
	if inner := probes(items[0].Value, known); len(inner) > 0 {
		changed := slices.Clone(items)
		changed[0].Value = inner[0]
		list = append(list, tree.Of(tree.NewArray(changed, a.Pos)))
	}
	if n := len(items); n > 1 {
		swapped := slices.Clone(items)
		swapped[0], swapped[n-1] = swapped[n-1], swapped[0]
		list = append(list, tree.Of(tree.NewArray(swapped, a.Pos)))
	}
	return list
}

// mapProbes returns a map with one of its values changed.
func mapProbes(v tree.Value, known *literals) []tree.Value {
	m, _ := v.Map()
	var list []tree.Value
	for i, it := range m.Entries() {
		if inner := probes(it.Value, known); len(inner) > 0 && len(list) < maxProbes {
			changed := slices.Clone(m.Entries())
			changed[i].Value = inner[0]
			list = append(list, tree.Of(tree.NewMap(changed, m.Pos)))
		}
	}
	return list
}

// neighbour returns a text with its last letter or digit changed within its class, so that
// versions, names of hosts and the like stay what they are.
func neighbour(s string) string {
	b := []byte(s)
	for i := len(b) - 1; i >= 0; i-- {
		switch c := b[i]; {
		case c == '9' || c == 'z' || c == 'Z':
			b[i]--
			return string(b)
		case c >= '0' && c < '9', c >= 'a' && c < 'z', c >= 'A' && c < 'Z':
			b[i]++
			return string(b)
		}
	}
	return s + "x"
}

// literals are the constants that templates compare values with.
type literals struct {
	texts   []string
	numbers []int64
}

var compared = lazy.Regexp{
	Text: `(?:==|!=|<=|>=|<|>|\bin\b)\s*[\[(]?\s*(?:"([^"\\\n]{0,60})"|'([^'\\\n]{0,60})'|(-?\d{1,15})\b)`,
}

// literalsOf finds the constants that the code in files compares values with.
func literalsOf(files *source.Set) *literals {
	var found literals
	for _, f := range files.All() {
		for _, m := range compared.Get().FindAllSubmatch(f.Data(), 200) {
			switch {
			case m[3] != nil:
				n, _ := strconv.ParseInt(string(m[3]), 10, 64)
				found.numbers = append(found.numbers, n)
			case m[2] != nil:
				found.texts = append(found.texts, string(m[2]))
			default:
				found.texts = append(found.texts, string(m[1]))
			}
		}
	}
	slices.Sort(found.texts)
	slices.Sort(found.numbers)
	found.texts, found.numbers = slices.Compact(found.texts), slices.Compact(found.numbers)
	return &found
}

// patchFor returns the value to merge into the data values to change one of them. Maps are merged, so it
// holds only what changes; arrays are replaced as a whole.
func patchFor(values tree.Value, way []tree.Step, v tree.Value, whole bool) (tree.Value, bool) {
	if len(way) == 0 {
		return v, true
	}
	var items []tree.Item
	at := way[0].Index
	m, isMap := values.Map()
	a, isArray := values.Array()
	switch {
	case isMap && at < 0:
		items = m.Entries()
		at = slices.IndexFunc(items, func(it tree.Item) bool {
			return tree.KeyText(it.Key) == way[0].Key
		})
	case isArray:
		items, whole = a.Entries(), true
	}
	if at < 0 || at >= len(items) {
		return tree.Value{}, false
	}
	inner, ok := patchFor(items[at].Value, way[1:], v, whole)
	if !ok {
		return tree.Value{}, false
	}
	if whole {
		items = slices.Clone(items)
		items[at].Value = inner
	} else {
		items = []tree.Item{{Key: items[at].Key, Value: inner, Pos: items[at].Pos}}
	}
	if isArray {
		return tree.Of(tree.NewArray(items, a.Pos)), true
	}
	return tree.Of(tree.NewMap(items, m.Pos)), true
}
