package override

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file finds what is allowed but probably a mistake: a warning, or an error with Strict.

// warnOnce records a probable mistake, once for each position in an override, however many documents
// it is applied to.
func (m *merger) warnOnce(pos source.Pos, d *diag.Diagnostic) {
	if m.doubts == nil || m.doubts[pos] != nil {
		return
	}
	d.Severity = diag.Warning
	if m.opt.Strict {
		d.Severity = diag.Error
	}
	m.doubts[pos] = d
}

// hasWarned reports whether there is already a warning at pos, so that no other is needed.
func (m *merger) hasWarned(pos source.Pos) bool { return m.doubts == nil || m.doubts[pos] != nil }

// mappingForList warns about a mapping that replaces a list of mappings.
func (m *merger) mappingForList(r *Rule, base tree.Value, over *patch) {
	mode, key := m.listRule(r)
	if over.replace || mode != ByKey || m.opt.Dialect != nil || m.hasWarned(over.pos) {
		return
	}
	entries := m.items(base)
	if len(entries) == 0 || slices.ContainsFunc(entries, func(it tree.Item) bool { return !isMapping(it) }) {
		return
	}
	lacks := func(it tree.Item) bool { return !hasKey(it, key) }
	d := diag.Errorf(over.at(), CodeMapping, "this mapping replaces a list whose entries have a `%s`", key).
		WithRelated(ItemSpan(entries[0]), "the first of them")
	if slices.ContainsFunc(entries, lacks) {
		d.Message = "this mapping replaces a list of mappings"
		d.WithHint("write a list whose entries say which ones they change: %s; to replace the list with "+
			"the mapping, write $replace: true in it", m.byHint(over, entries))
	} else {
		first, _ := entries[0].Value.Lookup(key)
		if named, ok := over.value.Lookup(key); ok && named.Kind() == tree.ScalarKind {
			first = named
		}
		d.WithHint("write a list, as in `- %s: %s`, so that entries are merged; to replace the "+
			"list with the mapping, write $replace: true in it", key, first.Written())
	}
	d.Path = m.path.String()
	m.warnOnce(over.pos, d)
}

func isMapping(it tree.Item) bool { return it.Value.Kind() == tree.MapKind }

// byHint says how an override changes entries of a list that have no name.
func (m *merger) byHint(over *patch, entries []tree.Item) string {
	index := "0"
	for _, it := range over.value.Entries() {
		if _, err := strconv.Atoi(KeyText(it.Key)); err == nil {
			index = KeyText(it.Key)
			break
		}
	}
	hint := fmt.Sprintf("`- {%s: %s, …}`", keyAt, index)
	if key, ok := commonKey(entries); ok {
		first, _ := entries[0].Value.Lookup(key)
		hint += fmt.Sprintf(" or `- {%s: {%s: %s}, …}`", keyMatch, key, first.Written())
	}
	return hint
}

// commonKey returns the first key of a list's entries whose values differ, so that it can be used
// to merge them.
func commonKey(entries []tree.Item) (string, bool) {
	for _, it := range entries[0].Value.Entries() {
		key := it.Key.Text()
		seen := map[string]bool{}
		for _, e := range entries {
			if hasKey(e, key) {
				v, _ := e.Value.Lookup(key)
				seen[v.Text()] = true
			}
		}
		if len(seen) == len(entries) {
			return key, true
		}
	}
	return "", false
}

// pathAsKey warns about an added key that reads like the path of an existing value: `spec.replicas`
// beside `spec`.
func (m *merger) pathAsKey(o *patchEntry, left []tree.Item, index *keyIndex) {
	key, sep := o.text, "."
	if strings.HasPrefix(key, "/") {
		key, sep = key[1:], "/"
	}
	at := strings.IndexAny(key, sep+"[")
	if at <= 0 || at == len(key)-1 || m.opt.Dialect != nil || m.hasWarned(o.pos) {
		return
	}
	if i := textKey(left, index, key[:at]); i < 0 || left[i].Value.Kind() == tree.ScalarKind {
		return
	}
	d := diag.Errorf(ItemSpan(o.item), CodePathKey,
		"this adds the key `%s` next to `%s`: a key is a name, not a path", o.text, key[:at]).
		WithHint("nest the mappings, as in %s", Nested(strings.ReplaceAll(key, "[", sep+"["), sep))
	d.Path = m.path.String()
	m.warnOnce(o.pos, d)
}

// Nested returns a path as nested mappings. `[name=a]` becomes an entry of a list with a name, and `[0]`
// one with its index.
func Nested(path, sep string) string {
	var b strings.Builder
	end, inside := "", false
	for key := range strings.SplitSeq(path, sep) {
		index, isIndex := strings.CutPrefix(key, "[")
		switch {
		case key == "":
		case isIndex:
			name := "name: …"
			if n := strings.TrimSuffix(index, "]"); n != "" && strings.Trim(n, "0123456789") == "" {
				name = keyAt + ": " + n
			}
			if k, v, ok := strings.Cut(strings.TrimSuffix(index, "]"), "="); ok {
				name = k + ": " + v
			}
			b.WriteString("[{" + name)
			end, inside = "}]"+end, true
		case inside:
			b.WriteString(", " + key + ": ")
			inside = false
		default:
			b.WriteString("{" + key + ": ")
			end = "}" + end
		}
	}
	if !inside {
		b.WriteString("…")
	}
	return b.String() + end
}

// aliased warns about a change of a value with an anchor: aliases keep the old value.
func (m *merger) aliased(o *patchEntry, left tree.Item) {
	if m.follows != nil || m.opt.SplitAliases || !left.Value.HasAnchor() || m.hasWarned(o.pos) ||
		left.Pos.Offset() > left.Value.Start().Offset() {
		return
	}
	aliases := left.Value.Aliases()
	if len(aliases) == 0 {
		return
	}
	anchor := left.Value.Anchor()
	d := diag.Warningf(ItemSpan(o.item), CodeAlias, "the override changes what has the anchor &%s; where "+
		"*%s is written, the old value stays", anchor, anchor).
		WithHint("to change these as well, change the value in its file; if they are to stay, write them "+
			"out instead of *%s", anchor)
	const shown = 3
	for _, at := range aliases[:min(len(aliases), shown)] {
		d.WithRelated(at, "this stays as it was")
	}
	d.Path = m.path.String()
	m.warnOnce(o.pos, d)
}

// replacedWhole warns about a list that replaces another, and loses part of it, because an entry has
// no key to merge by.
func (m *merger) replacedWhole(lacks tree.Item, key string, left, right []tree.Item, over *patch) {
	if m.hasWarned(over.pos) || !m.opt.Strict && !losesMapping(left, right) {
		return
	}
	d := diag.Errorf(ItemSpan(lacks), CodeNoKey,
		"this entry has no key `%s` to merge by, so the override replaces the whole list", key).
		WithHint("%s", m.keyHint(true))
	if m.opt.Strict {
		d.Message = "this entry has no key `" + key + "` to merge by, so the whole list would " +
			"be replaced"
	}
	d.Path = m.path.String()
	m.warnOnce(over.pos, d)
}

// losesMapping reports whether left has a mapping that is not in right.
func losesMapping(left, right []tree.Item) bool {
	var have map[string]bool
	for _, it := range left {
		if it.Value.Kind() != tree.MapKind {
			continue
		}
		if have == nil {
			have = make(map[string]bool, len(right))
			for _, r := range right {
				have[fingerprint(r.Value, appendIdentity)] = true
			}
		}
		if !have[fingerprint(it.Value, appendIdentity)] {
			return true
		}
	}
	return false
}

// at returns the span for messages about p.
func (p *patch) at() source.Span { return p.pos.To(p.pos.Offset() + 1) }

// keyHint returns a hint on how to set the merge key of the list at the current path and, if
// replace is set, how to replace the list instead.
func (m *merger) keyHint(replace bool) string {
	hint := fmt.Sprintf("say which entry it changes: `- {%s: 0, …}` or `- {%s: {KEY: VALUE}, …}`",
		keyAt, keyMatch)
	if m.opt.Rules == nil { // the flags belong to another command
		return hint
	}
	path := patternText(m.path)
	hint += ", or set the key of this list with --merge-key " + diag.InShell(path+"=KEY")
	if replace {
		hint += ", or replace the list with --lists " + diag.InShell(path+"=replace")
	}
	return hint
}

// reportNull reports what a null in an override removes, if the dialect has a message for it.
func (m *merger) reportNull(o *patchEntry, old tree.Value) {
	if m.opt.Dialect == nil || m.opt.Dialect.OnNull == nil || !o.null || m.hasWarned(o.pos) {
		return
	}
	if d := m.opt.Dialect.OnNull(o.item, old); d != nil {
		d.Path = m.path.String()
		m.doubts[o.pos] = d
	}
}
