package override

import (
	"bytes"
	"slices"

	"weft/internal/diag"
	"weft/internal/edit"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// merger applies overrides to documents. It is made for one goroutine.
//
// Merging gives a value and whether it differs from the base. A value that does not is the base's own, not a copy of it: that is how the printer tells
// what to leave alone. Of collections that change, one level is made anew and the rest is shared.
type merger struct {
	opt  *Options
	rule *rule
	log  *log // nil unless somebody wants to know

	reader tree.Reader
	slab   []tree.Item // room for items: see items
	names  []name      // room for matching
	room   []int
	stage  []segment // the way to what is merged: nothing, or an entry of a list of documents
	path   []segment
	over   int         // index of the override
	around tree.Origin // of what the value being merged lies in

	met      map[string]bool       // flags of Rules that were of use
	found    map[source.Pos]bool   // places of overrides that were there in some document: with Strict all, else those that matter
	missed   map[source.Pos]missed // and those that were not there in one
	doubts   map[source.Pos]*diag.Diagnostic
	problems diag.List
	refused  diag.List // documents that cannot be overridden
	selected int       // how many documents were chosen
	chosen   []bool    // which alternatives of Select have chosen one

	notes    diag.List                  // warnings
	repeated map[tree.Value]yaml.NodeID // keys that stand twice in what was read, and where they stand first
}

// segment is a part of the way to a value: a key, or the entry of a list. It is put into words only if somebody asks.
type segment struct {
	text  string // the key; of an entry the key by which it is known, or its number
	entry bool
	id    tree.Value // of an entry that is known by a key
}

func (s segment) String() string {
	if s.id == (tree.Value{}) {
		return s.text
	}
	return s.text + "=" + s.id.Written()
}

func newMerger(opt *Options, r *rule, log *log) *merger {
	return &merger{
		opt: opt, rule: r, log: log, met: map[string]bool{}, chosen: make([]bool, len(opt.Select.any)),
		found: map[source.Pos]bool{}, missed: map[source.Pos]missed{}, doubts: map[source.Pos]*diag.Diagnostic{},
	}
}

// python reports whether scalars are what CEKit reads.
func (m *merger) python() bool { return m.opt.Profile == CEKit }

func (m *merger) warn(d *diag.Diagnostic) {
	if m.opt.Warn != nil {
		m.opt.Warn(d)
	}
}

// document applies all overrides to the document j of file i.
func (m *merger) document(i, j int, base tree.Value, overrides []*patch) (tree.Value, bool) {
	if m.log != nil {
		m.log.begin(i, j)
	}
	changed := false
	for k, o := range overrides {
		m.over, m.path = k, append(m.path[:0], m.stage...)
		v, ch := m.merge(m.rule, base, o)
		base, changed = v, changed || ch
	}
	return base, changed
}

// merge merges what an override has at a place into what is there.
func (m *merger) merge(r *rule, base tree.Value, over *patch) (tree.Value, bool) {
	if r.keepIfFalse && isFalse(over.value) {
		m.ignored(over)
		return base, false
	}
	switch bk := base.Kind(); {
	case bk != over.kind:
	case bk == tree.MapKind && !r.whole && !over.replace:
		return m.inside(base, func() (tree.Value, bool) { return m.mapping(r, base, over) })
	case bk == tree.MapKind:
		return m.instead(r, base, over)
	case bk == tree.ArrayKind:
		return m.inside(base, func() (tree.Value, bool) { return m.lists(r, base, over) })
	case over.is(base):
		return base, false
	}
	if base.Kind() == tree.ArrayKind && over.kind == tree.MapKind {
		m.mappingForList(r, base, over)
	}
	v := m.sets(base, m.fresh(r, over), over.pos)
	m.changed(base, v, over.pos)
	return v, true
}

// mapping merges two mappings, key by key.
func (m *merger) mapping(r *rule, base tree.Value, over *patch) (tree.Value, bool) {
	entries := over.list()
	if len(entries) == 0 && !r.noFalse && r.own == nil {
		return base, false
	}
	left := m.items(base)
	there := left // what is added is not looked for
	var index *keyIndex
	if len(left) > 16 && len(entries) > 4 { // so that the cost stays linear
		index = &keyIndex{exact: tree.IndexKeys(left)}
	}
	changed, removed := false, false
	for k := range entries {
		o := &entries[k]
		i := m.find(there, index, o)
		m.enter(o.text)
		switch f := r.field(o.text); {
		case o.removes() && i < 0:
			m.missKey(o, left, "there is no key `%s` to remove")
		case o.removes():
			m.hit(o)
			m.bareNull(o, left[i].Value)
			m.touched(left[i].Key, true)
			m.changed(left[i].Value, gone, o.pos)
			left[i].Value, removed, changed = gone, true, true
		case i < 0:
			m.missKey(o, left, "there is no key `%s` to override")
			m.pathAsKey(o, there, index)
			if f.keepIfFalse && isFalse(o.value) {
				break
			}
			v := m.sets(gone, m.fresh(f, o.patch), o.pos)
			m.changed(gone, v, o.pos)
			left, changed = append(left, tree.Item{Key: o.item.Key, Value: v, Pos: o.pos}), true
		default:
			m.hit(o)
			m.touched(left[i].Key, false)
			v, ch := m.merge(f, left[i].Value, o.patch)
			if !ch {
				break
			}
			if v.Kind() == tree.ScalarKind {
				left[i].Pos = o.pos
			}
			left[i].Value, changed = v, true
		}
		m.leave()
	}
	if r.own != nil || r.noFalse {
		if m.outlived(r, left, over) {
			removed, changed = true, true
		}
	}
	if !changed {
		return base, false
	}
	if removed {
		left = slices.DeleteFunc(left, func(it tree.Item) bool { return it.Value == gone })
	}
	return tree.Of(tree.NewMap(left, base.Start())).WithOrigin(base.Origin()), true
}

// keyIndex finds the keys of a large mapping.
type keyIndex struct {
	exact map[tree.ScalarKey]int
	words map[string]int // keys that are no texts, as they are written; made when somebody asks
}

// find is the index of the item with the key of o, or -1. A key of JSON is always a text, so that a text and the same word without quotes are one key, whatever YAML
// takes the word for: {"on": 1} means `on:`, and 8080: means "8080". Where a mapping has both, each is itself, also in an override.
func (m *merger) find(items []tree.Item, index *keyIndex, o *patchEntry) int {
	key := &o.key
	switch {
	case key.value.Kind() != tree.ScalarKind: // rare enough
		return slices.IndexFunc(items, func(it tree.Item) bool { return edit.Identical(it.Key, key.value) })
	case index == nil:
		for i := range items {
			if key.is(items[i].Key) {
				return i
			}
		}
	default:
		if k, ok := key.value.ScalarKey(); ok {
			if i, ok := index.exact[k]; ok {
				return i
			}
		}
	}
	switch {
	case o.both:
	case !key.isText && o.text != "" && isPlain(o.item.Key): // a key that is not written at all is no word
		return textKey(items, index, o.text)
	case key.isText && isWord(o.text):
		if index == nil {
			index = &keyIndex{}
		}
		if i := index.word(items, o.text); i >= 0 {
			return i
		}
		return m.otherSpelling(items, o.text)
	}
	return -1
}

// textKey is the index of the key that is a text, or -1.
func textKey(items []tree.Item, index *keyIndex, key string) int {
	if index == nil {
		return slices.IndexFunc(items, func(it tree.Item) bool { return it.Key.IsString(key) })
	}
	k, _ := tree.String(key).ScalarKey()
	if i, ok := index.exact[k]; ok {
		return i
	}
	return -1
}

// word is the index of the key that is no text and is written as text, or -1. A truth value that was computed is written in all ways.
func (x *keyIndex) word(items []tree.Item, text string) int {
	if x.words == nil {
		x.words = map[string]int{}
		for i := range items {
			if k := items[i].Key; k.Kind() == tree.ScalarKind && !isText(k) {
				x.words[keyText(k)] = i
			}
		}
	}
	if i, ok := x.words[text]; ok {
		return i
	}
	if v := yaml.Compat.Resolve([]byte(text)); v.Kind == yaml.Bool {
		if i, ok := x.words[string(yaml.AppendValue(nil, v, nil, 0))]; ok {
			if _, _, read := items[i].Key.Syntax(); !read {
				return i
			}
		}
	}
	return -1
}

// isWord reports whether a text, written without quotes, is something else than a text.
func isWord(text string) bool {
	return text != "" && (yaml.Compat.Resolve([]byte(text)).Kind != yaml.String || yaml.Core.Resolve([]byte(text)).Kind != yaml.String)
}

// isPlain reports whether v is a scalar that was written without quotes and without a tag.
func isPlain(v tree.Value) bool {
	t, n, ok := v.Syntax()
	return ok && t.Kind(n) == yaml.Scalar && t.Style(n) == yaml.Plain && !t.HasTag(n)
}

func isText(v tree.Value) bool {
	val, _ := v.Scalar()
	return val.Kind == yaml.String
}

// outlived takes from left what does not outlive the override.
func (m *merger) outlived(r *rule, left []tree.Item, over *patch) (any bool) {
	for i := range left {
		key := keyText(left[i].Key)
		if left[i].Value == gone || !slices.Contains(r.own, key) && !(r.noFalse && isFalse(left[i].Value)) || over.get(key) != nil {
			continue
		}
		m.enter(key)
		m.changed(left[i].Value, gone, over.pos)
		m.leave()
		left[i].Value, any = gone, true
	}
	return any
}

// gone stands for a value that is not there, or not any more. It is compared by its identity: no value of a document is equal to it.
var gone = tree.Of(tree.NewMap(nil, source.Pos{}))

// instead puts the override's mapping in the place of the base's. Keys that both of them have stay where they are, so that a file changes no more than it must.
func (m *merger) instead(r *rule, base tree.Value, over *patch) (tree.Value, bool) {
	left, right := m.items(base), m.items(m.fresh(r, over))
	for _, key := range r.inherits {
		if over.replace {
			break
		}
		b, ok := lookup(left, key)
		o, said := lookup(right, key)
		if !ok || isFalse(b.Value) || said && !isFalse(o.Value) {
			continue
		}
		if p := over.get(key); p != nil && p.null && key == "description" {
			continue // null removes; the others are given a default if they are removed, which is less than what is there
		}
		right = append(slices.DeleteFunc(right, func(it tree.Item) bool { return keyText(it.Key) == key }), b)
	}
	arranged := arrange(left, right)
	if sameItems(left, arranged) {
		return base, false
	}
	m.touchedAll(left, arranged)
	v := m.sets(base, tree.Of(tree.NewMap(arranged, base.Start())), over.pos)
	m.changed(base, v, over.pos)
	return v, true
}

// arrange puts right in the order of left: keys of both stand as in left, a key that is new stands before the next one that is not.
func arrange(left, right []tree.Item) []tree.Item {
	out := make([]tree.Item, 0, len(right))
	at := map[string]int{}
	for i, it := range right {
		at[keyText(it.Key)] = i
	}
	placed := make([]bool, len(right))
	known := map[string]bool{}
	for _, it := range left {
		known[keyText(it.Key)] = true
	}
	for _, it := range left {
		i, ok := at[keyText(it.Key)]
		if !ok {
			continue
		}
		from := i
		for from > 0 && !known[keyText(right[from-1].Key)] && !placed[from-1] {
			from--
		}
		for ; from < i; from++ {
			out, placed[from] = append(out, right[from]), true
		}
		// What is the same stays the base's own.
		item := right[i]
		item.Key = it.Key
		if edit.Identical(it.Value, item.Value) {
			item = it
		}
		out, placed[i] = append(out, item), true
	}
	for i, it := range right {
		if !placed[i] {
			out = append(out, it)
		}
	}
	return out
}

func sameItems(a, b []tree.Item) bool {
	return slices.EqualFunc(a, b, func(x, y tree.Item) bool { return x.Pos == y.Pos && x.Value == y.Value })
}

func lookup(items []tree.Item, key string) (tree.Item, bool) {
	for _, it := range items {
		if it.Key.IsString(key) {
			return it, true
		}
	}
	return tree.Item{}, false
}

// enter and leave keep the path of what is being merged.
func (m *merger) enter(key string) { m.path = append(m.path, segment{text: key}) }

func (m *merger) enterEntry(key string, id tree.Value) {
	m.path = append(m.path, segment{text: key, entry: true, id: id})
}
func (m *merger) leave() { m.path = m.path[:len(m.path)-1] }

// changed notes a change at the current path. A value that was not there, or is not any more, is gone.
func (m *merger) changed(old, new tree.Value, pos source.Pos) {
	if m.log != nil {
		m.log.add(m.path, m.over, old, new, pos)
	}
}

// ignored warns of an override that has no effect.
func (m *merger) ignored(over *patch) {
	m.warn(diag.Warningf(over.pos.To(over.pos.Offset()+1), CodeIgnored, "`%s`: CEKit takes %s for no value at all, so what is there stays", pathText(m.path), Brief(over.value, 40)).
		WithHint("write ~ to remove it"))
}

// itemSpan is what a message points at: the key of an item, or the beginning of an entry.
func itemSpan(it tree.Item) source.Span {
	if t, n, ok := it.Key.Syntax(); ok {
		return t.Span(n)
	}
	if t, n, ok := it.Value.Syntax(); ok {
		if s := t.Span(n); s.Len > 0 {
			first, _, _ := bytes.Cut(t.File().Data()[s.Offset():s.End()], []byte("\n"))
			return s.To(s.Offset() + len(bytes.TrimRight(first, "\r")))
		}
	}
	return it.Pos.To(it.Pos.Offset() + 1)
}

// keyText is a key as text.
func keyText(key tree.Value) string {
	if key.Kind() != tree.ScalarKind {
		return Brief(key, 40)
	}
	return key.Written()
}
