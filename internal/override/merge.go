package override

import (
	"bytes"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// The keys by which an override says what no value could say.
const (
	keyRemove  = "$remove"  // true: the mapping that holds it names what is to be removed
	keyReplace = "$replace" // true: the mapping that holds it takes the place of what is there
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
	slab   []tree.Item  // room for items: see items
	names  []tree.Value // room for matching
	room   []int
	stage  []segment // the way to what is merged: nothing, or an entry of a list of documents
	path   []segment
	over   int // index of the override

	met      map[string]bool       // flags of Rules that were of use
	found    map[source.Pos]bool   // with Strict: places of overrides that were there in some document
	missed   map[source.Pos]missed // and those that were not there in one
	problems diag.List
	refused  diag.List // documents that cannot be overridden
	selected int       // how many documents were chosen
}

// take adds to m what another merger has found out about other documents.
func (m *merger) take(o *merger) {
	for flag := range o.met {
		m.met[flag] = true
	}
	for pos := range o.found {
		m.found[pos] = true
	}
	for pos, x := range o.missed {
		if _, ok := m.missed[pos]; !ok {
			m.missed[pos] = x
		}
	}
	m.problems = append(m.problems, o.problems...)
	m.refused = append(m.refused, o.refused...)
	m.selected += o.selected
}

// missed is something in an override that is not in a document.
type missed struct {
	at   source.Span
	path string
	what string
	near string // a key that is there and may have been meant
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
	return s.text + "=" + scalarText(s.id)
}

func newMerger(opt *Options, r *rule, log *log) *merger {
	m := &merger{opt: opt, rule: r, log: log, met: map[string]bool{}}
	if opt.Strict {
		m.found, m.missed = map[source.Pos]bool{}, map[source.Pos]missed{}
	}
	return m
}

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
		return m.mapping(r, base, over)
	case bk == tree.MapKind:
		return m.instead(r, base, over)
	case bk == tree.ArrayKind:
		return m.lists(r, base, over)
	case over.is(base):
		return base, false
	}
	v := m.fresh(r, over)
	m.changed(base, v, over.pos)
	return v, true
}

// mapping merges two mappings, key by key.
func (m *merger) mapping(r *rule, base tree.Value, over *patch) (tree.Value, bool) {
	if len(over.entries) == 0 && !r.noFalse && r.own == nil {
		return base, false
	}
	left := m.items(base)
	var index map[tree.ScalarKey]int
	if len(left) > 16 && len(over.entries) > 4 { // so that the cost stays linear
		index = indexKeys(left)
	}
	changed, removed := false, false
	for k := range over.entries {
		o := &over.entries[k]
		i := find(left, index, o.key)
		m.enter(o.text)
		switch f := r.field(o.text); {
		case o.removes() && i < 0:
			m.missKey(o, left, "there is no key `%s` to remove")
		case o.removes():
			m.hit(o)
			m.changed(left[i].Value, gone, o.pos)
			left[i].Value, removed, changed = gone, true, true
		case i < 0:
			m.missKey(o, left, "there is no key `%s` to override")
			if f.keepIfFalse && isFalse(o.value) {
				break
			}
			v := m.fresh(f, o.patch)
			m.changed(gone, v, o.pos)
			left, changed = append(left, tree.Item{Key: o.item.Key, Value: v, Pos: o.pos}), true
		default:
			m.hit(o)
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
	return tree.Of(tree.NewMap(left, base.Start())), true
}

// find is the index of the item with a key, or -1.
func find(items []tree.Item, index map[tree.ScalarKey]int, key tree.Value) int {
	switch {
	case key.Kind() != tree.ScalarKind: // rare enough
		return slices.IndexFunc(items, func(it tree.Item) bool { return identical(it.Key, key) })
	case index == nil:
		for i := range items {
			if same(items[i].Key, key) {
				return i
			}
		}
		return -1
	}
	if k, ok := key.ScalarKey(); ok {
		if i, ok := index[k]; ok {
			return i
		}
	}
	return -1
}

// same reports whether a scalar of a document is what an override has, which is made. Nearly always the length of a text shows that it is not.
func same(v, made tree.Value) bool {
	if t, n, ok := v.Syntax(); ok && t.Kind(n) == yaml.Scalar && t.Style(n) == yaml.Plain {
		if s, ok := made.Starlark().(starlark.String); ok && int(t.Span(n).Len) < len(s) && !t.HasTag(n) {
			return false // folding and escapes make texts shorter
		}
	}
	return tree.SameScalar(v, made)
}

func indexKeys(items []tree.Item) map[tree.ScalarKey]int {
	index := make(map[tree.ScalarKey]int, len(items))
	for i := range items {
		if k, ok := items[i].Key.ScalarKey(); ok {
			index[k] = i
		}
	}
	return index
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
	v := tree.Of(tree.NewMap(arranged, base.Start()))
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
		if identical(it.Value, item.Value) {
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

// fresh is what an override adds where there is nothing, or puts in the place of something else: itself, without what only has a meaning for merging.
func (m *merger) fresh(r *rule, over *patch) tree.Value {
	if !over.cleaned {
		over.fresh, _ = m.clean(r, over.value)
		over.cleaned = true
	}
	return over.fresh
}

// clean is v without keys that are null, entries that are to be removed, and directives. Entries of a list with the same key are merged, as they would be if the list had been there and
// empty: so an override that is applied twice says the same as once. It is v itself if there is nothing to do.
func (m *merger) clean(r *rule, v tree.Value) (tree.Value, bool) {
	if r.data || v.Kind() == tree.ScalarKind || !needsCleaning(v) {
		return v, false
	}
	if v.Kind() == tree.ArrayKind {
		return m.cleanList(r, v)
	}
	var kept []tree.Item
	changed := false
	for _, it := range m.items(v) {
		if it.Value.IsNull() && !r.nulls || isDirective(it.Key) || directive(it.Value, keyRemove) {
			changed = true
			continue
		}
		key := keyText(it.Key)
		m.enter(key)
		cleaned, ch := m.clean(r.field(key), it.Value)
		m.leave()
		it.Value = cleaned
		changed = changed || ch
		kept = append(kept, it)
	}
	if !changed {
		return v, false
	}
	return tree.Of(tree.NewMap(kept, v.Start())), true
}

func (m *merger) cleanList(r *rule, v tree.Value) (tree.Value, bool) {
	items := m.items(v)
	if mode, key := m.listRule(r); (mode == byKey || mode == alwaysKeyed) && repeats(items, key) {
		quiet := *m
		quiet.log, quiet.found, quiet.missed = nil, nil, nil // what happens inside of an override is nobody's business
		quiet.slab, quiet.names, quiet.room = nil, nil, nil  // these are one merger's own
		merged, _ := quiet.byKey(r.forEntry(), tree.Of(tree.NewArray(nil, v.Start())), nil, patchOf(v, v.Start()), matching{key: key})
		return merged, true
	}
	var kept []tree.Item
	changed := false
	for _, it := range items {
		if directive(it.Value, keyRemove) {
			changed = true
			continue
		}
		cleaned, ch := m.clean(r.forEntry(), it.Value)
		it.Value = cleaned
		changed = changed || ch
		kept = append(kept, it)
	}
	if !changed {
		return v, false
	}
	return tree.Of(tree.NewArray(kept, v.Start())), true
}

// needsCleaning reports whether v, a collection, may hold something to clean. Most overrides have nothing of the kind, and a look at their nodes tells.
func needsCleaning(v tree.Value) bool {
	t, n, ok := v.Syntax()
	if !ok {
		return true
	}
	for i := n; i < t.Next(n); i++ {
		switch t.Kind(i) {
		case yaml.Alias:
			return true
		case yaml.Sequence:
			if c := i + 1; c < t.Next(i) && t.Kind(c) != yaml.Scalar {
				return true // entries may repeat
			}
		case yaml.Mapping:
			if t.Merges(i) {
				return true
			}
		case yaml.Scalar:
			if raw := t.Raw(i); len(raw) <= 4 || raw[0] == '$' || strings.Contains(string(raw), "$re") || t.HasTag(i) {
				return true
			}
		}
	}
	return false
}

// items are the items of a collection, in a slice of the caller's own. They are cut from a slab, since a document has many small collections.
func (m *merger) items(v tree.Value) []tree.Item {
	t, n, ok := v.Syntax()
	if !ok {
		return m.reader.Items(nil, v)
	}
	count := 0
	for c := n + 1; c < t.Next(n); c = t.Next(c) {
		count++
	}
	if v.Kind() == tree.MapKind {
		count /= 2
	}
	const some = 512
	if cap(m.slab)-len(m.slab) < count+1 {
		m.slab = make([]tree.Item, 0, max(some, count+1))
	}
	// One more may be added without a copy, which is what most overrides do.
	from := len(m.slab)
	list := m.slab[from : from : from+count+1]
	if v.Kind() == tree.MapKind && distinct(t, n, count) {
		for key := n + 1; key < t.Next(n); {
			value := t.Next(key)
			list = append(list, tree.Item{Key: tree.FromSyntax(t, key), Value: tree.FromSyntax(t, value), Pos: t.Start(key)})
			key = t.Next(value)
		}
	} else {
		list = m.reader.Items(list, v)
	}
	m.slab = m.slab[:from+count+1]
	return list
}

// distinct reports whether mapping n has nothing but plain keys, of which no two are the same, so that it can be read as it stands. It looks no further than it must: a few short
// keys are compared faster than they are hashed.
func distinct(t *yaml.Tree, n yaml.NodeID, count int) bool {
	const most = 12
	if count > most || t.Merges(n) {
		return false
	}
	var keys [most][]byte
	i := 0
	for key := n + 1; key < t.Next(n); key = t.Next(t.Next(key)) {
		if t.Kind(key) != yaml.Scalar || t.Style(key) != yaml.Plain || t.HasTag(key) || t.Explicit(key) {
			return false
		}
		raw := t.Raw(key)
		if len(raw) == 0 || raw[0] < 'A' { // two texts may be one number
			return false
		}
		for _, k := range keys[:i] {
			if bytes.Equal(k, raw) || len(raw) <= len("false") && sameWord(k, raw) {
				return false
			}
		}
		keys[i] = raw
		i++
	}
	return true
}

// sameWord reports whether two keys may be one word for a truth value or for null.
func sameWord(a, b []byte) bool {
	return yaml.Compat.Resolve(a).Kind != yaml.String && yaml.Compat.Resolve(b).Kind != yaml.String
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

// hit and miss note, with Strict, whether the parts of an override meet something. An override for several documents must meet something in one of them.
func (m *merger) hit(o *patchEntry) {
	if m.found != nil {
		m.found[o.pos] = true
	}
}

func (m *merger) miss(o *patchEntry, format, key string) {
	if m.missed == nil {
		return
	}
	if _, ok := m.missed[o.pos]; !ok {
		m.missed[o.pos] = missed{at: itemSpan(o.item), path: pathText(m.path), what: strings.ReplaceAll(format, "%s", key)}
	}
}

// missKey is miss for a key of a mapping that has others.
func (m *merger) missKey(o *patchEntry, left []tree.Item, format string) {
	if m.missed == nil {
		return
	}
	m.miss(o, format, o.text)
	if x := m.missed[o.pos]; x.near == "" {
		keys := make([]string, len(left))
		for i := range left {
			keys[i] = keyText(left[i].Key)
		}
		x.near = diag.Nearest(o.text, keys)
		m.missed[o.pos] = x
	}
}

// finish gives what there is to say in the end.
func (m *merger) finish() diag.List {
	list := m.problems
	for pos, x := range m.missed {
		if m.found[pos] {
			continue
		}
		d := diag.Errorf(x.at, CodeNoMatch, "%s in any document", x.what).WithHint("with --strict an override changes what is there; leave --strict out to add something")
		if x.near != "" {
			d.WithHint("did you mean `%s`?", x.near)
		}
		d.Path = x.path
		list = append(list, d)
	}
	if m.opt.Strict {
		for _, flag := range m.opt.Rules.unmet(m.met) {
			list = append(list, diag.Errorf(source.Span{}, CodeNoMatch, "%s meets no list of the overrides", flag))
		}
	}
	list.Sort()
	return list
}

// itemSpan is what a message points at: the key of an item, or the beginning of an entry.
func itemSpan(it tree.Item) source.Span {
	if t, n, ok := it.Key.Syntax(); ok {
		return t.Span(n)
	}
	if t, n, ok := it.Value.Syntax(); ok {
		if s := t.Span(n); s.Len > 0 {
			first, _, _ := strings.Cut(string(t.File().Data()[s.Offset():s.End()]), "\n")
			return s.To(s.Offset() + len(strings.TrimRight(first, "\r")))
		}
	}
	return it.Pos.To(it.Pos.Offset() + 1)
}

// keyText is a key as text.
func keyText(key tree.Value) string {
	if key.Kind() != tree.ScalarKind {
		return Brief(key, 40)
	}
	return scalarText(key)
}

func isDirective(key tree.Value) bool { return key.IsString(keyRemove) || key.IsString(keyReplace) }

// directive reports whether v is a mapping that says key: true.
func directive(v tree.Value, key string) bool {
	if v.Kind() != tree.MapKind {
		return false
	}
	d, ok := v.Lookup(key)
	if !ok || d.Kind() != tree.ScalarKind {
		return false
	}
	val, _ := d.Scalar()
	return val.Kind == yaml.Bool && val.Bool()
}

// checkDirectives finds directives that have no meaning where they stand.
func checkDirectives(v tree.Value, root bool) error {
	if v.Kind() == tree.ScalarKind || !mayHaveDirectives(v) {
		return nil
	}
	var r tree.Reader
	for _, it := range r.Items(nil, v) {
		if v.Kind() == tree.MapKind && isDirective(it.Key) {
			key := keyText(it.Key)
			if val, _ := it.Value.Scalar(); it.Value.Kind() != tree.ScalarKind || val.Kind != yaml.Bool {
				return diag.Errorf(itemSpan(it), CodeDirective, "%s is true or false, but found %s", key, Brief(it.Value, 40))
			}
			if root && key == keyRemove && directive(v, key) {
				return diag.Errorf(itemSpan(it), CodeDirective, "%s names an entry or a mapping inside of a document, not the document itself", key)
			}
		}
		if err := checkDirectives(it.Value, false); err != nil {
			return err
		}
	}
	return nil
}

func mayHaveDirectives(v tree.Value) bool {
	t, n, ok := v.Syntax()
	if !ok {
		return true
	}
	for i := n; i < t.Next(n); i++ {
		if t.Kind(i) == yaml.Alias || t.Kind(i) == yaml.Scalar && strings.Contains(string(t.Text(i)), "$re") {
			return true
		}
	}
	return false
}
