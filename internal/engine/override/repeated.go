package override

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// YAML gives duplicate keys in a mapping no meaning, and most programs use the last one. So an
// override changes the last one, and all other bytes stay. But a file with comments like `#@ if`
// and `#@ else` between the two is a template, in which either may be meant.

// noteAllRepeated records the duplicate keys anywhere in v, which may be transformed before it is
// merged.
func (m *merger) noteAllRepeated(v tree.Value) {
	t, root, ok := v.Syntax()
	if !ok || !m.opt.Written {
		return
	}
	for n := root; n < t.Next(root); n++ {
		if t.Kind(n) == yaml.Mapping {
			m.noteRepeated(t, n, len(m.reader.Items(nil, tree.FromSyntax(t, n))))
		}
	}
}

// noteRepeated records the duplicate keys of mapping n, which has the given items.
func (m *merger) noteRepeated(t *yaml.Tree, n yaml.NodeID, items int) {
	count := 0
	for range t.Pairs(n) {
		count++
	}
	if count == items && !t.Merges(n) { // the common case
		return
	}
	before := map[tree.ScalarKey]yaml.NodeID{}
	for key := range t.Pairs(n) {
		k, ok := tree.FromSyntax(t, key).ScalarKey()
		if !ok || t.IsMerge(key) {
			continue
		}
		if first, ok := before[k]; ok {
			if m.repeated == nil {
				m.repeated = map[tree.Value]yaml.NodeID{}
			}
			m.repeated[tree.FromSyntax(t, key)] = first
			continue
		}
		before[k] = key
	}
}

// otherSpelling returns the index of the item with a duplicate key that is written as text in a
// spelling that is not used: `on` beside `true`. It returns -1 if there is none.
func (m *merger) otherSpelling(items []tree.Item, text string) int {
	if len(m.repeated) == 0 {
		return -1
	}
	return slices.IndexFunc(
		items,
		func(it tree.Item) bool { return slices.Contains(m.spellings(it.Key), text) },
	)
}

// spellings returns the spellings of a duplicate key, in order.
func (m *merger) spellings(key tree.Value) (list []string) {
	first, ok := m.repeated[key]
	if !ok {
		return nil
	}
	t, last, _ := key.Syntax()
	k, _ := key.ScalarKey()
	for n := first; n <= last; n = t.Next(t.Next(n)) {
		at := tree.FromSyntax(t, n)
		if same, ok := at.ScalarKey(); ok && same == k && !t.IsMerge(n) &&
			!slices.Contains(list, KeyText(at)) {
			list = append(list, KeyText(at))
		}
	}
	return list
}

// onlyIn11 reports whether words are the same key in YAML 1.1 but not in YAML 1.2.
func onlyIn11(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return yaml.Core.Resolve([]byte(w)) != yaml.Core.Resolve([]byte(words[0])) ||
			yaml.Core.Resolve([]byte(w)).Kind == yaml.String && w != words[0]
	})
}

// touchedAll reports problems with replacing the items of a mapping. A key that is missing in right
// is removed with all of its entries.
func (m *merger) touchedAll(left, right []tree.Item) {
	if len(m.repeated) == 0 {
		return
	}
	stay := make(map[tree.Value]tree.Value, len(right))
	for _, it := range right {
		stay[it.Key] = it.Value
	}
	for _, it := range left {
		if v, ok := stay[it.Key]; ok && v != it.Value || !ok && m.inTemplate(it.Key) {
			m.enter(KeyText(it.Key))
			m.touched(it.Key, !ok)
			m.leave()
		}
	}
}

// inTemplate reports whether there is template code between the entries of a duplicate key.
func (m *merger) inTemplate(key tree.Value) bool {
	first, ok := m.repeated[key]
	if !ok {
		return false
	}
	t, last, _ := key.Syntax()
	return bytes.Contains(
		t.File().Data()[t.Start(first).Offset():t.Start(last).Offset()],
		[]byte("#@"),
	)
}

// touched reports a problem with changing or removing an entry with a duplicate key.
func (m *merger) touched(key tree.Value, removed bool) {
	first, ok := m.repeated[key]
	if !ok {
		return
	}
	t, last, _ := key.Syntax()
	at, before := t.Span(last), t.Span(first)
	name := KeyText(key)
	words := m.spellings(key)
	var d *diag.Diagnostic
	switch {
	case m.inTemplate(key):
		d = diag.Errorf(at, CodeRepeated, "`%s` is defined twice with template code in "+
			"between, so an override cannot tell which one you mean", name).
			WithHint("render the template with `weft -f` and override the result, or use an " +
				"overlay")
	case onlyIn11(words):
		d = diag.Errorf(at, CodeRepeated, "`%s` are the same key in YAML 1.1, so an override "+
			"cannot tell which one you mean", strings.Join(words, "` and `")).
			WithHint("remove all but one from the file, or use --yaml 1.2, where they are different keys")
	case removed:
		d = diag.Errorf(at, CodeRepeated, "`%s` is defined twice, so it cannot be removed: "+
			"without the last one, the first would take effect", name).
			WithHint("remove one of them from the file")
	case m.opt.Strict:
		d = diag.Errorf(at, CodeRepeated, "`%s` is defined twice, and only the last one counts", name).
			WithHint("remove one of them from the file")
	default:
		d = diag.Warningf(at, CodeRepeated,
			"`%s` is defined twice; the last one counts, so only that one is overridden", name).
			WithHint("remove one of them from the file")
	}
	d.WithRelated(before, "it is first defined here")
	d.Path = m.path.String()
	delete(m.repeated, key) // report each key once
	if d.Severity == diag.Error {
		m.refused = append(m.refused, d)
	} else {
		m.notes = append(m.notes, d)
	}
}

// warnAll emits the warnings.
func (m *merger) warnAll() {
	m.notes.Sort()
	for _, d := range m.notes {
		m.warn(d)
	}
}
