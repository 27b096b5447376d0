package edit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Editor turns the difference between a syntax tree and new values into edits of the text.
//
// It walks both at once. It leaves unchanged nodes alone, replaces a scalar in its place, removes a
// deleted entry with its lines and its comments, and inserts a new entry after the one before it, in
// the column of its siblings. Where that is impossible, it rewrites the smallest collection around
// the change. The result is parsed again: see check.go.
type Editor struct {
	t   *yaml.Tree
	src []byte
	opt yaml.Options // the options that the file was parsed with
	bom int          // length of the byte order mark

	from, to int // the part of the file that the tree covers

	edits    []edit             // edits of one document, until flush applies them
	out      []byte             // the text up to src[copied]; empty while nothing is edited
	copied   int                // how much of src is in out
	slab     []child            // memory for children
	buf      []byte             // memory for the text of edits
	rendered map[written][]byte // entries written before
	layout   *style             // nil until it is known
	crlf     bool               // lines of the file end in "\r\n"
	json     bool               // the document is JSON, and stays JSON

	// State of the current document.
	oneLine    bool                 // new scalars are written on one line
	forced     map[yaml.NodeID]bool // collections to rewrite
	cannotEdit yaml.NodeID          // a collection that cannot be edited in place; 0 for none
	aliased    bool                 // it has aliases
	following  bool                 // aliases follow: anchors stay

	// What changes for aliases: collections that gain or lose entries, and removed nodes.
	altered, removed []yaml.NodeID
	// aliases to expand because their anchor changes, in order
	expand []yaml.NodeID

	// Used to parse the result again.
	excerpts []excerpt
	scratch  []byte
}

// newEditor returns an editor for the part of a file from from to to, which was parsed into t with
// opt.
func newEditor(t *yaml.Tree, from, to int, opt yaml.Options) *Editor {
	e := &Editor{t: t, src: t.File().Data(), from: from, to: to, copied: from, opt: opt}
	if bytes.HasPrefix(e.src, []byte("\ufeff")) {
		e.bom = len("\ufeff")
	}
	e.crlf = EndsCRLF(e.src)
	return e
}

// slot is the place of a value: after a key, after a dash, or the root.
type slot struct {
	kind slotKind
	flow bool        // inside brackets
	in   yaml.NodeID // the collection around
	// where the indicator before it (`:`, `-`) ends, or where it begins if there is none
	after int
	colon bool // for an entry: it has a `:`
}

type slotKind uint8

const (
	rootSlot  slotKind = iota
	entrySlot          // after a key
	itemSlot           // after a dash, or in a flow sequence
)

func (e *Editor) rootSlot(doc yaml.NodeID) slot {
	return slot{kind: rootSlot, after: e.t.Start(e.t.Root(doc)).Offset()}
}

// slotColumn returns the column of the collection around a slot.
func (e *Editor) slotColumn(s slot) int {
	switch {
	case s.kind == rootSlot:
		return -1
	case s.flow: // a line in brackets may be as long as the file, and the column is not needed
		return 0
	}
	return e.column(s.in)
}

// Set gives a document a new value. Call it for documents in their order. The error is a *Refusal.
func (e *Editor) Set(doc yaml.NodeID, v tree.Value) error {
	root := e.t.Root(doc)
	if e.same(root, v) {
		return nil
	}
	e.json = e.isJSON(root)
	e.oneLine, e.forced = false, nil
	aliases := e.aliases(doc)
	e.aliased = len(aliases) > 0
	e.plan(doc, v, aliases)
	if tail, ok := e.tail(doc); ok {
		e.edits = append(e.edits, tail)
		if e.misread(doc, v) == nil {
			return e.finish()
		}
		e.plan(doc, v, aliases)
	}
	around := e.misread(doc, v)
	if around != nil && e.to == len(e.src) && !e.t.More(e.t.Next(doc)) &&
		e.lastContent(e.to) == e.to {
		// The last line has no line break, but may need one now.
		e.edits = append(e.edits, edit{start: e.to, end: e.to, text: []byte("\n")})
		around = e.misread(doc, v)
	}
	if around != nil {
		// A multi-line text may be impossible in its place, but on one line it is possible.
		e.oneLine = true
		e.plan(doc, v, aliases)
		around = e.misread(doc, v)
	}
	for climb := 1; around != nil && !e.forced[root]; climb *= 2 {
		for _, n := range around {
			e.force(n, root, climb)
		}
		e.plan(doc, v, aliases)
		around = e.misread(doc, v)
	}
	if around != nil {
		return e.failure(doc)
	}
	return e.finish()
}

// SetFrom gives a document a new value in which aliases have what their anchors have now. In the draft they
// have what they had: where that is so, the aliases stay as they are written. If the text would not have
// the value, it is as with Set.
func (e *Editor) SetFrom(doc yaml.NodeID, draft, v tree.Value) error {
	if draft != v && !e.same(e.t.Root(doc), v) {
		e.json = e.isJSON(e.t.Root(doc))
		e.oneLine, e.forced, e.aliased = false, nil, true
		e.following = true
		e.plan(doc, draft, nil)
		e.following = false
		slices.SortStableFunc(e.edits, compareEdits)
		if from, to := e.region(doc); e.readsWhole(doc, v, from, to) {
			return e.finish()
		}
	}
	return e.Set(doc, v)
}

// finish applies the edits of a document, which were checked.
func (e *Editor) finish() error {
	if err := e.dropped(); err != nil {
		return err
	}
	e.flush()
	return nil
}

// tail removes trailing blanks with a tab from a file without a final line break, if its last line
// is edited. They ended a plain scalar; after anything else, many parsers reject a tab.
func (e *Editor) tail(doc yaml.NodeID) (edit, bool) {
	line := e.lineStart(len(e.src))
	if e.to != len(e.src) || e.t.More(e.t.Next(doc)) || bytes.IndexByte(e.src[line:], '\t') < 0 ||
		!e.isBlank(line) {
		return edit{}, false
	}
	above := e.lineStart(len(bytes.TrimRight(e.src, " \t\r\n")))
	near := slices.ContainsFunc(e.edits, func(x edit) bool { return x.end >= above })
	inside := slices.ContainsFunc(e.edits, func(x edit) bool { return x.end > line })
	return edit{start: line, end: len(e.src)}, near && !inside
}

// plan computes the edits of a document.
func (e *Editor) plan(doc yaml.NodeID, v tree.Value, aliases []yaml.NodeID) {
	root := e.t.Root(doc)
	for {
		e.expand = nil
		e.walk(root, v, doc)
		if len(aliases) > 0 && e.cannotEdit == 0 {
			if e.expand = e.affected(aliases); len(e.expand) > 0 {
				e.walk(root, v, doc)
			}
		}
		if e.cannotEdit == 0 {
			return
		}
		e.force(e.cannotEdit, root, 1)
	}
}

// walk computes the edits of a document, given the collections to rewrite and the aliases to expand
// that are known so far.
func (e *Editor) walk(root yaml.NodeID, v tree.Value, doc yaml.NodeID) {
	e.edits, e.altered, e.removed, e.cannotEdit = e.edits[:0], e.altered[:0], e.removed[:0], 0
	e.value(root, v, e.rootSlot(doc))
}

// force marks collection n to be rewritten. If it is marked already, force marks the collection that
// many levels above it.
func (e *Editor) force(n, root yaml.NodeID, levels int) {
	if e.forced == nil {
		e.forced = map[yaml.NodeID]bool{}
	}
	if !e.forced[n] {
		e.forced[n] = true
		return
	}
	// The path from the root down to n.
	var path []yaml.NodeID
	for at := root; at != n; {
		path = append(path, at)
		child := at + 1
		for e.t.Next(child) <= n {
			child = e.t.Next(child)
		}
		at = child
	}
	e.forced[path[max(len(path)-levels, 0)]] = true
}

// dropped refuses to rewrite a collection with a duplicate key: one of the two entries would be
// lost.
func (e *Editor) dropped() error {
	t := e.t
	c := yaml.Composer{Tree: t}
	for root := range e.forced {
		for n := root; n < t.Next(root); n++ {
			if t.Kind(n) == yaml.Mapping && !t.Merges(n) && c.Repeats(n) {
				return &Refusal{At: t.Span(n + 1), Repeated: true}
			}
		}
	}
	return nil
}

// failure returns the error that a document cannot be written.
func (e *Editor) failure(doc yaml.NodeID) error {
	at := e.t.Start(doc)
	return &Refusal{At: at.To(at.Offset() + 1)}
}

// Refusal is why a document cannot be edited: a mapping to be rewritten has a duplicate key, or
// this package has a bug.
type Refusal struct {
	At       source.Span
	Repeated bool
}

func (r *Refusal) Error() string {
	if r.Repeated {
		return "a mapping with a duplicate key cannot be rewritten"
	}
	return "the text would differ from the values"
}

// isJSON reports whether a document is JSON that any JSON parser can read.
func (e *Editor) isJSON(root yaml.NodeID) bool {
	t := e.t
	if t.Kind(root) != yaml.Mapping || t.Style(root) != yaml.Flow {
		return false
	}
	if t.Next(root) == root+1 { // {} is YAML as well
		return strings.HasSuffix(t.File().Name(), ".json")
	}
	return json.Valid(t.Raw(root))
}

// aliases returns the aliases of a document.
func (e *Editor) aliases(doc yaml.NodeID) (list []yaml.NodeID) {
	t := e.t
	if from, to := e.region(doc); bytes.IndexByte(e.src[from:to], '*') < 0 {
		return nil
	}
	for n := doc; n < t.Next(doc); n++ {
		if t.Kind(n) == yaml.Alias {
			list = append(list, n)
		}
	}
	return list
}

// keepsBreaks reports whether n is a block scalar to which the blank lines after it belong.
func (e *Editor) keepsBreaks(n yaml.NodeID) bool {
	if !isBlockScalar(e.t, n) {
		return false
	}
	raw := e.t.Raw(n)
	return bytes.IndexByte(raw[:min(3, len(raw))], '+') >= 0
}

// affected returns the aliases of nodes that are changed or removed. The values of these aliases do
// not change, so they have to be written out.
func (e *Editor) affected(aliases []yaml.NodeID) (list []yaml.NodeID) {
	t := e.t
	changed := slices.Concat(e.altered, e.removed)
	slices.Sort(changed)
	slices.Sort(e.removed) // none of these nodes is inside another
	for _, a := range aliases {
		target := t.Target(a)
		i, _ := slices.BinarySearch(changed, target)
		if i < len(changed) && changed[i] < t.Next(target) {
			list = append(list, a)
			continue
		}
		i, _ = slices.BinarySearch(e.removed, target)
		if i > 0 && target < t.Next(e.removed[i-1]) {
			list = append(list, a)
		}
	}
	return list
}

// same reports whether v is the unchanged value of node n.
func (e *Editor) same(n yaml.NodeID, v tree.Value) bool {
	t, m, ok := v.Syntax()
	return ok && t == e.t && m == t.Target(n)
}

// value plans the edits that give node n the value v.
func (e *Editor) value(n yaml.NodeID, v tree.Value, s slot) {
	if e.same(n, v) {
		e.writeOut(n, s)
		return
	}
	switch k := e.t.Kind(n); {
	case e.forced[n]:
		e.replace(n, v, s)
	case k == yaml.Mapping && v.Kind() == tree.MapKind && e.collection(n, v, s, e.mappingPlan):
	case k == yaml.Sequence && v.Kind() == tree.ArrayKind && e.collection(n, v, s, e.sequencePlan):
	case k == yaml.Scalar && v.Kind() == tree.ScalarKind && e.isReadAs(n, v):
	default:
		e.replace(n, v, s)
	}
}

// isReadAs reports whether every YAML parser reads scalar n as v. A computed value has one meaning,
// so it must not be written as a scalar that parsers disagree about.
func (e *Editor) isReadAs(n yaml.NodeID, v tree.Value) bool {
	_, _, written := v.Syntax()
	return SameText(tree.FromSyntax(e.t, n), v) && (written || !e.t.IsAmbiguous(n))
}

// refuse records that collection n cannot be edited in place.
func (e *Editor) refuse(n yaml.NodeID) { e.cannotEdit = n }

// writeOut expands the aliases in node n that have to be expanded.
func (e *Editor) writeOut(n yaml.NodeID, s slot) {
	t := e.t
	i, _ := slices.BinarySearch(e.expand, n)
	if i == len(e.expand) || e.expand[i] >= t.Next(n) {
		return
	}
	switch k := t.Kind(n); {
	case k == yaml.Alias || e.forced[n]:
		e.replace(n, tree.FromSyntax(t, n), s)
	case k == yaml.Mapping:
		children := e.children(n)
		for i := range children {
			c := &children[i]
			if j, _ := slices.BinarySearch(e.expand, c.first); j < len(e.expand) &&
				e.expand[j] < t.Next(c.first) {
				e.refuse(n) // a key that is an alias, or contains one
			}
			e.writeOut(c.last, e.entrySlot(n, c))
		}
		e.done(children)
	case k == yaml.Sequence:
		children := e.children(n)
		for i := range children {
			c := &children[i]
			e.writeOut(c.last, e.itemSlot(n, c))
		}
		e.done(children)
	}
}

// child is an entry of a collection in the text: a key with its value, or an item. The key and the
// value of an item are the same node.
type child struct {
	first, last yaml.NodeID
	kept        bool
	item        int32       // the index of the corresponding new item; -1 if it stays unchanged
	added       []tree.Item // new entries after it
}

// children returns the entries of a collection, in the order of the text. Their memory comes from a
// slab: see done.
func (e *Editor) children(n yaml.NodeID) []child {
	t := e.t
	from, end, pairs := len(e.slab), t.Next(n), t.Kind(n) == yaml.Mapping
	for c := n + 1; c < end; {
		last, next := c, t.Next(c)
		if pairs {
			last, next = next, t.Next(next)
		}
		e.slab = append(e.slab, child{first: c, last: last, item: -1})
		c = next
	}
	return e.slab[from:]
}

// done returns the memory of the children that were requested last.
func (e *Editor) done(children []child) { e.slab = e.slab[:len(e.slab)-len(children)] }

// itemsOf returns the items of a new value. Do not change them.
func itemsOf(v tree.Value) []tree.Item {
	if m, ok := v.Starlark().(*tree.Map); ok {
		return m.Entries()
	}
	if a, ok := v.Starlark().(*tree.Array); ok {
		return a.Entries()
	}
	return nil
}

// start and end return where an entry begins and ends, without comments.
func (e *Editor) start(c *child) int { return e.t.Start(c.first).Offset() }

func (e *Editor) end(c *child) int {
	return max(e.t.Span(c.first).End(), e.t.Span(c.last).End())
}

// lastNode returns the last node of an entry: its value, or its key if the value has no text.
func (e *Editor) lastNode(c *child) yaml.NodeID {
	if e.t.Span(c.last).End() <= e.t.Span(c.first).End() {
		return e.t.Next(c.first) - 1
	}
	return e.t.Next(c.last) - 1
}

// column returns the column of a collection: that of its first entry.
func (e *Editor) column(n yaml.NodeID) int { return e.columnAt(e.t.Start(n + 1).Offset()) }

func (e *Editor) entrySlot(n yaml.NodeID, c *child) slot {
	at := e.t.Start(c.last).Offset()
	s := slot{kind: entrySlot, flow: e.t.Style(n) == yaml.Flow, in: n, after: at}
	if at < len(e.src) && e.src[at] == ':' && at >= e.t.Span(c.first).End() {
		s.after, s.colon = at+1, true
	}
	return s
}

func (e *Editor) itemSlot(n yaml.NodeID, c *child) slot {
	s := slot{kind: itemSlot, flow: e.t.Style(n) == yaml.Flow, in: n, after: e.start(c)}
	if !s.flow {
		s.after++ // the dash
	}
	return s
}

// planner matches the entries of a collection with those of its new value. It returns the new entries
// that come before all existing ones, and false if the text cannot be edited that way.
type planner func(n yaml.NodeID, children []child, items []tree.Item) (before []tree.Item, ok bool)

// collection edits a collection in place. If that is impossible, it changes nothing and returns
// false.
func (e *Editor) collection(n yaml.NodeID, v tree.Value, s slot, plan planner) bool {
	items := itemsOf(v)
	if e.editInOrder(n, items) {
		return true
	}
	children := e.children(n)
	defer e.done(children)
	before, ok := plan(n, children, items)
	if !ok || !slices.ContainsFunc(children, func(c child) bool { return c.kept }) {
		return false
	}
	flow := e.t.Style(n) == yaml.Flow
	if flow {
		if c := e.src[e.t.Span(n).Offset()]; c != '{' && c != '[' {
			return false // a pair inside a flow sequence, which can have only one entry
		}
	}
	// Text inserted at the end of a value comes before text inserted after its entry.
	for i := range children {
		c := &children[i]
		if !c.kept || c.item >= 0 && e.expand == nil && e.same(c.last, items[c.item].Value) {
			continue
		}
		at := e.slotOf(n, c)
		if c.item < 0 {
			e.writeOut(c.last, at)
		} else {
			e.value(c.last, items[c.item].Value, at)
		}
	}
	if flow {
		e.flowEntries(n, children, before)
	} else {
		e.blockEntries(n, children, before, s)
	}
	return true
}

// editInOrder edits a block collection if all entries stay and new ones only come after them, as with
// nearly every override. Otherwise it changes nothing and returns false.
func (e *Editor) editInOrder(n yaml.NodeID, items []tree.Item) bool {
	t := e.t
	if e.expand != nil || t.Style(n) == yaml.Flow || t.Merges(n) {
		return false
	}
	k, end, pairs := 0, t.Next(n), t.Kind(n) == yaml.Mapping
	for c := n + 1; c < end; k++ {
		switch {
		case k == len(items):
			return false
		case pairs:
			if tr, key, _ := items[k].Key.Syntax(); tr != t || key != c {
				return false
			}
			c = t.Next(c)
		case t.Start(c) != items[k].Pos:
			return false
		}
		c = t.Next(c)
	}
	if k == 0 {
		return false
	}
	var at child
	for i, c := 0, n+1; c < end; i++ {
		at.first, at.last = c, c
		if pairs {
			at.last = t.Next(c)
		}
		if !e.same(at.last, items[i].Value) {
			e.value(at.last, items[i].Value, e.slotOf(n, &at))
		}
		c = t.Next(at.last)
	}
	if at.added = items[k:]; len(at.added) > 0 {
		e.altered = append(e.altered, n)
		e.insertLines(&at, n, e.column(n))
	}
	return true
}

// slotOf returns the slot of a child's value.
func (e *Editor) slotOf(n yaml.NodeID, c *child) slot {
	if e.t.Kind(n) == yaml.Mapping {
		return e.entrySlot(n, c)
	}
	return e.itemSlot(n, c)
}

// mappingPlan matches entries by the nodes of their keys, because a merge keeps the key nodes of the
// base.
func (e *Editor) mappingPlan(
	n yaml.NodeID, children []child, items []tree.Item,
) (before []tree.Item, ok bool) {
	t := e.t
	if slices.ContainsFunc(children, func(c child) bool { return t.Kind(c.first) == yaml.Alias }) {
		return nil, false
	}
	c := yaml.Composer{Tree: t}
	var inherited map[yaml.NodeID]yaml.NodeID
	repeats := c.Repeats(n)
	if t.Merges(n) || repeats {
		inherited = e.inherited(&c, n, children, items)
	}
	places := e.places(children, repeats)
	at := 0    // the next child
	last := -1 // the last child that stays
	passMerges := func() {
		for at < len(children) && t.IsMerge(children[at].first) {
			last, at = at, at+1
		}
	}
	passMerges()
	after := e.afterAll(children, items, repeats)
	// entries that must be at the end: those that override inherited entries follow the merge key
	var late []tree.Item
	for k, it := range items {
		tr, key, isNode := it.Key.Syntax()
		isNode = isNode && tr == t
		if value, ok := inherited[key]; isNode && ok {
			delete(inherited, key)
			if !e.same(value, it.Value) {
				late = append(late, it)
			}
			continue
		}
		i, found := at, isNode && at < len(children) &&
			children[at].first == key // usually it is the next one
		if isNode && !found {
			i, found = slices.BinarySearchFunc(
				children,
				key,
				func(c child, key yaml.NodeID) int { return cmp.Compare(c.first, key) },
			)
		}
		switch {
		case found && places.of(i) < at && !repeats:
			return nil, false // they are in another order
		case found:
			children[i].kept, children[i].item = true, int32(k)
			if p := places.of(i); p >= at {
				last, at = p, p+1
				passMerges()
			}
		case k >= after:
			late = append(late, it)
		case last < 0:
			before = append(before, it)
		default:
			children[last].added = appendRun(children[last].added, items, k)
		}
	}
	if len(inherited) > 0 {
		return nil, false // one of them is removed
	}
	return before, appendLate(children, late)
}

// inherited returns the entries of n that come from merge keys, with their keys and values. It also
// marks the merge keys as kept, and duplicates of a key that have no effect, as long as the one with
// an effect stays.
func (e *Editor) inherited(
	c *yaml.Composer, n yaml.NodeID, children []child, items []tree.Item,
) map[yaml.NodeID]yaml.NodeID {
	t := e.t
	inherited := map[yaml.NodeID]yaml.NodeID{}
	for key, value := range c.Entries(n) {
		inherited[key] = value
	}
	var index map[tree.ScalarKey]int
	stays := func(key tree.Value) bool {
		if index == nil {
			index = tree.IndexKeys(items)
		}
		k, ok := key.ScalarKey()
		_, found := index[k]
		return ok && found
	}
	for i := range children {
		_, counts := inherited[children[i].first]
		delete(inherited, children[i].first)
		if t.IsMerge(children[i].first) || !counts && stays(tree.FromSyntax(t, children[i].first)) {
			children[i].kept = true
		}
	}
	return inherited
}

// appendLate adds items after the last child that is kept, and reports whether there is one.
func appendLate(children []child, late []tree.Item) bool {
	if len(late) == 0 {
		return true
	}
	end := len(children) - 1
	for end >= 0 && !children[end].kept {
		end--
	}
	if end < 0 {
		return false
	}
	children[end].added = append(children[end].added, late...)
	return true
}

// places holds where each entry of a mapping counts: if a key is duplicated, its last entry counts in
// the place of the first. It is nil if there are no duplicates.
type places []int

func (e *Editor) places(children []child, repeats bool) places {
	if !repeats {
		return nil
	}
	first := make(map[tree.ScalarKey]int, len(children))
	list := make(places, len(children))
	for i := range children {
		list[i] = i
		if k, ok := tree.FromSyntax(e.t, children[i].first).ScalarKey(); ok {
			if before, again := first[k]; again {
				list[i] = before
			} else {
				first[k] = i
			}
		}
	}
	return list
}

func (p places) of(i int) int {
	if p == nil {
		return i
	}
	return p[i]
}

// afterAll returns the index of the first new item after all existing ones. If the mapping has
// duplicate keys, new items follow all entries, including those without effect.
func (e *Editor) afterAll(children []child, items []tree.Item, repeats bool) int {
	if !repeats {
		return len(items)
	}
	k := len(items)
	for k > 0 {
		t, key, isNode := items[k-1].Key.Syntax()
		if isNode && t == e.t {
			byFirst := func(c child, key yaml.NodeID) int { return cmp.Compare(c.first, key) }
			if _, found := slices.BinarySearchFunc(children, key, byFirst); found {
				break
			}
		}
		k--
	}
	return k
}

// sequencePlan matches items by position, because a merge keeps the positions of the base's items,
// even if it changes them.
func (e *Editor) sequencePlan(
	_ yaml.NodeID, children []child, items []tree.Item,
) (before []tree.Item, ok bool) {
	at, last := 0, -1
	for k, it := range items {
		i, found := at, at < len(children) && e.t.Start(children[at].first) == it.Pos
		if !found {
			i, found = slices.BinarySearchFunc(
				children,
				it.Pos,
				func(c child, pos source.Pos) int { return e.t.Start(c.first).Compare(pos) },
			)
		}
		switch {
		case found && i < at:
			return nil, false // they are in another order
		case found:
			children[i].kept, children[i].item = true, int32(k)
			last, at = i, i+1
		case last < 0:
			before = append(before, it)
		default:
			children[last].added = appendRun(children[last].added, items, k)
		}
	}
	return before, true
}

// appendRun adds items[k] to a run of items, without a copy if the run ends just before it.
func appendRun(run, items []tree.Item, k int) []tree.Item {
	if n := len(run); n == 0 || k >= n && &run[0] == &items[k-n] {
		return items[k-n : k+1 : k+1]
	}
	return append(run, items[k])
}
