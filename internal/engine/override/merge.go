package override

import (
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// merger applies overrides to documents. It is for one goroutine.
//
// Merging returns a value and whether it differs from the base. An unchanged value is the base's, not
// a copy, so the printer knows what to leave alone. If a collection changes, only one level of it is
// copied.
type merger struct {
	opt  *Options
	rule *Rule
	view view
	log  *log // nil unless changes are recorded

	reader tree.Reader
	slab   []tree.Item // memory for items: see items
	names  []name      // memory for matching
	room   []int
	stage  Path // the path of the merged value in its document: empty, or an entry of a list of documents
	path   Path
	over   int         // index of the override
	around tree.Origin // the origin of the enclosing value
	where  source.Pos  // the position of the document

	met map[string]bool // flags of Rules that matched
	// positions in overrides that matched in some document: all with Strict, otherwise only
	// removals and keys at the top
	found    map[source.Pos]bool
	missed   map[source.Pos]missed // positions that did not match in one
	compared map[source.Pos]int    // the number of documents that missTop has searched
	doubts   map[source.Pos]*diag.Diagnostic
	problems diag.List
	refused  diag.List // documents that cannot be overridden
	// overrides with the kind and name of another document, by position
	strays   map[source.Pos]*diag.Diagnostic
	renames  bool                              // one of them would replace the kind and name of a document
	taken    taken                             // the documents that are selected
	numbered map[numberedKey]map[docPlace]bool // those that selections of overrides with numbers select
	routes   *routes                           // which overrides may be for a document
	selected int                               // the number of them
	chosen   []bool                            // which alternatives of Select have selected one
	picked   []bool                            // which overrides have selected one

	follows *following // the aliases of the document; nil if they do not follow their anchors
	trying  bool       // nothing is reported: see following
	aside   int        // how many aliases the merged value is reached by

	notes diag.List // warnings
	// duplicate keys in the input, with the first place of each
	repeated map[tree.Value]yaml.NodeID
}

func newMerger(opt *Options, log *log) *merger {
	m := &merger{
		opt: opt, rule: genericRule, log: log, met: map[string]bool{},
		chosen: make([]bool, len(opt.Select.any)),
		found:  map[source.Pos]bool{}, missed: map[source.Pos]missed{},
		compared: map[source.Pos]int{},
		doubts:   map[source.Pos]*diag.Diagnostic{},
	}
	if d := opt.Dialect; d != nil {
		m.rule, m.view = d.Rule, d.View
	}
	return m
}

func (m *merger) warn(d *diag.Diagnostic) {
	if m.opt.Warn != nil {
		m.opt.Warn(d)
	}
}

// document applies all overrides to a document.
func (m *merger) document(at docPlace, base tree.Value, overrides []*patch) tree.Value {
	m.begin(at)
	for k, o := range overrides {
		base = m.override(k, m.rule, base, o)
	}
	return base
}

// begin sets the current document.
func (m *merger) begin(at docPlace) {
	if m.log != nil {
		m.log.begin(at.file, at.doc)
	}
}

// override applies override k to a document.
func (m *merger) override(k int, r *Rule, base tree.Value, o *patch) tree.Value {
	m.over, m.path = k, append(m.path[:0], m.stage...)
	v, _ := m.merge(r, base, o)
	return v
}

// merge merges the value of an override into the existing value.
func (m *merger) merge(r *Rule, base tree.Value, over *patch) (tree.Value, bool) {
	if r.KeepIfFalse && isFalse(over.value) {
		m.ignored(over)
		return base, false
	}
	switch bk := base.Kind(); {
	case bk == tree.ArrayKind && over.drops != nil:
		return m.inside(base, func() (tree.Value, bool) { return m.addressed(r, base, over) })
	case bk != over.kind:
	case bk == tree.MapKind && !r.Whole && !over.replace:
		return m.inside(base, func() (tree.Value, bool) { return m.mapping(r, base, over) })
	case bk == tree.MapKind:
		return m.instead(r, base, over)
	case bk == tree.ArrayKind:
		return m.inside(base, func() (tree.Value, bool) { return m.lists(r, base, over) })
	case over.is(base):
		return base, false
	}
	if over.drops != nil { // there is no list to remove from
		m.missDrops(over.value)
		return base, false
	}
	if base.Kind() == tree.ArrayKind && over.kind == tree.MapKind {
		m.mappingForList(r, base, over)
	}
	v := m.sets(base, m.newValue(r, over), over.pos)
	m.changed(base, v, over.pos)
	return v, true
}

// mapping merges two mappings, key by key.
func (m *merger) mapping(r *Rule, base tree.Value, over *patch) (tree.Value, bool) {
	entries := over.list()
	if len(entries) == 0 && !r.NoFalse && r.OverrideOnly == nil {
		return base, false
	}
	left := m.items(base)
	there := left // keys that are added here are not searched
	var index *keyIndex
	if len(left) > 16 && len(entries) > 4 { // keeps the cost linear
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
			m.reportNull(o, left[i].Value)
			m.touched(left[i].Key, true)
			m.changed(left[i].Value, NoValue, o.pos)
			left[i].Value, removed, changed = NoValue, true, true
		case i < 0 && o.drops != nil:
			m.missDrops(o.value)
		case i < 0:
			m.missKey(o, left, "there is no key `%s` to override")
			m.missTop(o, there, entries)
			m.pathAsKey(o, there, index)
			if f.KeepIfFalse && isFalse(o.value) {
				break
			}
			v := m.sets(NoValue, m.newValue(f, o.patch), o.pos)
			m.changed(NoValue, v, o.pos)
			left, changed = append(left, tree.Item{Key: o.item.Key, Value: v, Pos: o.pos}), true
		default:
			m.hit(o)
			m.touched(left[i].Key, false)
			v, ch := m.mergeItem(f, base, left[i], o.patch)
			if !ch {
				break
			}
			m.aliased(o, left[i])
			if v.Kind() == tree.ScalarKind && !m.opt.KeepPlaces {
				left[i].Pos = o.pos
			}
			left[i].Value, changed = v, true
		}
		m.leave()
	}
	if r.OverrideOnly != nil || r.NoFalse {
		if m.dropFromBase(r, left, over) {
			removed, changed = true, true
		}
	}
	if !changed {
		return base, false
	}
	if removed {
		left = slices.DeleteFunc(left, func(it tree.Item) bool { return it.Value == NoValue })
	}
	return tree.Of(tree.NewMap(left, base.Start())).WithOrigin(base.Origin()), true
}

// mergeItem merges the value of an override into that of an item of base.
func (m *merger) mergeItem(r *Rule, base tree.Value, left tree.Item, over *patch) (tree.Value, bool) {
	if !m.trying {
		return m.merge(r, left.Value, over)
	}
	aside := m.aside
	if through(base.Start(), left) {
		m.aside++
	}
	v, changed := m.merge(r, left.Value, over)
	if m.aside = aside; changed {
		m.becomes(base.Start(), left, v)
	}
	return v, changed
}

// keyIndex finds the keys of a large mapping.
type keyIndex struct {
	exact map[tree.ScalarKey]int
	words map[string]int // keys that are not strings, as they are written; built on first use
}

// find returns the index of the item with the key of o, or -1. JSON keys are always strings, so a
// string and the same word without quotes are one key, even if YAML reads the word as another type:
// {"on": 1} means `on:`, and 8080: means "8080". If a mapping or an override has both, each only
// matches itself.
func (m *merger) find(items []tree.Item, index *keyIndex, o *patchEntry) int {
	key := &o.key
	switch {
	case key.value.Kind() != tree.ScalarKind: // rare
		return slices.IndexFunc(
			items,
			func(it tree.Item) bool { return edit.Identical(it.Key, key.value) },
		)
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
	// a key that is not in a file is not a word
	case !key.isText && o.text != "" && isPlain(o.item.Key):
		return textKey(items, index, o.text)
	case key.isText && changesUnquoted(o.text):
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

// textKey returns the index of the string key, or -1.
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

// word returns the index of the key that is not a string but is written as text, or -1. A computed
// boolean matches all of its spellings.
func (x *keyIndex) word(items []tree.Item, text string) int {
	if x.words == nil {
		x.words = map[string]int{}
		for i := range items {
			if k := items[i].Key; k.Kind() == tree.ScalarKind && !isText(k) {
				x.words[KeyText(k)] = i
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

// changesUnquoted reports whether a string would not be a string without quotes.
func changesUnquoted(text string) bool {
	return text != "" &&
		(yaml.Compat.Resolve([]byte(text)).Kind != yaml.String ||
			yaml.Core.Resolve([]byte(text)).Kind != yaml.String)
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

// dropFromBase removes from left the keys that only the override may set.
func (m *merger) dropFromBase(r *Rule, left []tree.Item, over *patch) (any bool) {
	for i := range left {
		key := KeyText(left[i].Key)
		if left[i].Value == NoValue ||
			!slices.Contains(r.OverrideOnly, key) && !(r.NoFalse && isFalse(left[i].Value)) ||
			over.get(key) != nil {
			continue
		}
		m.enter(key)
		m.changed(left[i].Value, NoValue, over.pos)
		m.leave()
		left[i].Value, any = NoValue, true
	}
	return any
}

// NoValue means a missing or removed value. It is compared by identity: no value of a document equals
// it.
var NoValue = tree.Of(tree.NewMap(nil, source.Pos{}))

// instead replaces the base's mapping with the override's. Common keys keep their positions, so
// that a file changes no more than it must.
func (m *merger) instead(r *Rule, base tree.Value, over *patch) (tree.Value, bool) {
	left, right := m.items(base), m.items(m.newValue(r, over))
	if !over.replace {
		right = inherit(r, left, right, over)
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

// inherit adds to right the keys that it keeps from left, the mapping that right replaces.
func inherit(r *Rule, left, right []tree.Item, over *patch) []tree.Item {
	for i, key := range slices.Concat(r.Inherits, r.InheritsUnlessNull) {
		b, ok := lookup(left, key)
		o, given := lookup(right, key)
		if !ok || isFalse(b.Value) || given && !isFalse(o.Value) {
			continue
		}
		if p := over.get(key); i >= len(r.Inherits) && p != nil && p.null {
			continue
		}
		right = append(
			slices.DeleteFunc(right, func(it tree.Item) bool { return KeyText(it.Key) == key }),
			b,
		)
	}
	return right
}

// arrange puts right in the order of left: common keys are ordered as in left, and a new key comes
// before the next common one.
func arrange(left, right []tree.Item) []tree.Item {
	out := make([]tree.Item, 0, len(right))
	at := map[string]int{}
	for i, it := range right {
		at[KeyText(it.Key)] = i
	}
	placed := make([]bool, len(right))
	known := map[string]bool{}
	for _, it := range left {
		known[KeyText(it.Key)] = true
	}
	for _, it := range left {
		i, ok := at[KeyText(it.Key)]
		if !ok {
			continue
		}
		from := i
		for from > 0 && !known[KeyText(right[from-1].Key)] && !placed[from-1] {
			from--
		}
		for ; from < i; from++ {
			out, placed[from] = append(out, right[from]), true
		}
		// Equal items stay the base's.
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
	return slices.EqualFunc(
		a,
		b,
		func(x, y tree.Item) bool { return x.Pos == y.Pos && x.Value == y.Value },
	)
}

func lookup(items []tree.Item, key string) (tree.Item, bool) {
	for _, it := range items {
		if it.Key.IsString(key) {
			return it, true
		}
	}
	return tree.Item{}, false
}

// enter and leave maintain the path of the value being merged.
func (m *merger) enter(key string) { m.path = append(m.path, Key(key)) }

func (m *merger) enterEntry(key string, id tree.Value) {
	m.path = append(m.path, Entry(key, id))
}
func (m *merger) leave() { m.path = m.path[:len(m.path)-1] }

// changed records a change at the current path. A missing or removed value is NoValue.
func (m *merger) changed(old, new tree.Value, pos source.Pos) {
	if m.log != nil {
		m.log.add(m.path, m.over, old, new, pos)
	}
	if new == NoValue && m.opt.Origins != nil && !m.trying {
		m.removed(old, pos)
	}
}

// ignored warns about an override without an effect.
func (m *merger) ignored(over *patch) {
	if d := m.opt.Dialect; d != nil && d.Ignored != nil {
		warning := d.Ignored(m.path, over.value)
		warning.At = over.at()
		m.warn(warning)
	}
}
