package yaml

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"

	"weft/internal/lang/diag"
)

// Composer reads the values of a tree: it expands aliases, applies merge keys and keeps one entry
// for each key. Only one goroutine may use it; it reuses its buffers from document to document.
type Composer struct {
	Tree *Tree

	entries []entry // a stack: the entries of each open mapping, innermost on top
	table   []int32
	buf     []byte
	work    int // keys compared; growth tests read it
}

// entry is one item of a mapping.
type entry struct {
	key, value NodeID
	hash       uint64
	scalar     Value // the value of the key; its text, if it has one, is in the tree
	simple     bool  // the key is a scalar whose text is a part of the source
}

// Write passes node n and everything below it to w. The tree must have passed Check.
func (c *Composer) Write(w Writer, n NodeID) {
	t := c.Tree
	n = t.Target(n)
	switch nd := &t.nodes[n]; nd.kind {
	case Mapping:
		base := len(c.entries)
		c.collect(n)
		end := len(c.entries)
		w.Mapping(end == base)
		if end == base {
			return
		}
		for i := base; i < end; i++ {
			e := &c.entries[i]
			value := e.value
			if e.simple {
				w.Scalar(e.scalar, t.raw(&t.nodes[e.key]))
			} else {
				c.Write(w, e.key)
			}
			c.Write(w, value)
		}
		c.entries = c.entries[:base]
		w.End()
	case Sequence:
		w.Sequence(nd.next == n+1)
		if nd.next == n+1 {
			return
		}
		for item := n + 1; item < nd.next; item = t.nodes[item].next {
			c.Write(w, item)
		}
		w.End()
	default:
		w.Scalar(c.Scalar(n))
	}
}

// Entries returns the keys and values of mapping m as they are printed: merged, and without
// duplicates.
func (c *Composer) Entries(m NodeID) iter.Seq2[NodeID, NodeID] {
	return func(yield func(key, value NodeID) bool) {
		base := len(c.entries)
		c.collect(m)
		end := len(c.entries)
		for i := base; i < end; i++ {
			if e := c.entries[i]; !yield(e.key, e.value) {
				break
			}
		}
		c.entries = c.entries[:base]
	}
}

// Repeats reports whether mapping m has a duplicate key after merging.
func (c *Composer) Repeats(m NodeID) bool {
	t, base := c.Tree, len(c.entries)
	for key := m + 1; key < t.nodes[m].next; {
		value := t.nodes[key].next
		if !t.IsMerge(key) {
			c.push(key, value)
		} else if from := t.Target(value); t.nodes[from].kind == Mapping {
			c.collect(from)
		}
		key = t.nodes[value].next
	}
	n := len(c.entries)
	c.unique(base)
	repeats := len(c.entries) < n
	c.entries = c.entries[:base]
	return repeats
}

// Empty reports whether node n is null, {} or []: a document with such a value is not printed.
func (c *Composer) Empty(n NodeID) bool {
	t := c.Tree
	n = t.Target(n)
	switch nd := &t.nodes[n]; nd.kind {
	case Sequence:
		return nd.next == n+1
	case Mapping:
		if nd.flags&merges == 0 {
			return nd.next == n+1
		}
		base := len(c.entries)
		c.collect(n)
		empty := len(c.entries) == base
		c.entries = c.entries[:base]
		return empty
	}
	return c.kind(n) == Null
}

// kind returns the kind of scalar n. It does not decode text that can only be a string, since it
// may be long.
func (c *Composer) kind(n NodeID) ValueKind {
	if t := c.Tree; t.nodes[n].flags&cooked != 0 && !t.HasTag(n) {
		return String
	}
	v, _ := c.Scalar(n)
	return v.Kind
}

// Scalar returns the value of scalar n and, for a String, its text, which is valid until the next
// call.
func (c *Composer) Scalar(n NodeID) (Value, []byte) {
	t := c.Tree
	nd := &t.nodes[n]
	var text []byte
	if nd.flags&cooked == 0 {
		text = t.raw(nd)
	} else {
		c.buf = t.AppendText(c.buf[:0], n)
		text = c.buf
	}
	if nd.ref != 0 && t.HasTag(n) {
		v, binary, err := c.Tree.schema.ResolveTagged(t.Tag(n), text, nd.style == Plain)
		if err != nil {
			return Value{Kind: String}, text
		}
		if binary != nil {
			text = binary
		}
		return v, text
	}
	if nd.style != Plain {
		return Value{Kind: String}, text
	}
	return c.Tree.schema.Resolve(text), text
}

// collect pushes the entries of mapping m, with merge keys expanded, one for each key: if keys are
// equal, the last entry takes the place of the first.
func (c *Composer) collect(m NodeID) {
	base := len(c.entries)
	c.expand(m, base, 0)
	c.unique(base)
}

// expand pushes the entries of mapping m. A merge key is replaced by the entries of its mapping. The
// first kept entries from base on are known to have different keys; expand returns how many such
// entries there are afterwards. It drops replaced entries whenever there may be as many of them as of
// others, so that a chain of merges takes time proportional to its entries.
func (c *Composer) expand(m NodeID, base, kept int) int {
	t := c.Tree
	nd := &t.nodes[m]
	for key := m + 1; key < nd.next; {
		value := t.nodes[key].next
		if nd.flags&merges == 0 || !t.IsMerge(key) {
			c.push(key, value)
		} else if from := t.Target(value); t.nodes[from].kind == Mapping {
			kept = c.expand(from, base, kept)
			if len(c.entries)-base > 2*kept {
				c.unique(base)
				kept = len(c.entries) - base
			}
		}
		key = t.nodes[value].next
	}
	return kept
}

// IsMerge reports whether key is a merge key: a plain `<<` without a tag, or a key with the tag of
// merge keys. As in ytt, a quoted `<<` with the tag `!` is one too.
func (t *Tree) IsMerge(key NodeID) bool {
	nd := &t.nodes[key]
	if nd.kind != Scalar || nd.ref == 0 || !t.HasTag(key) {
		return nd.isMerge(t.text)
	}
	if tag := t.Tag(key); tag != "!" && tag != mergeTag {
		return false
	}
	return string(t.Text(key)) == "<<"
}

// isMerge reports whether a key without a tag is a plain `<<`.
func (nd *node) isMerge(text []byte) bool {
	return nd.end-nd.off == 2 && nd.kind == Scalar && nd.style == Plain && text[nd.off] == '<' &&
		text[nd.off+1] == '<'
}

// mergeTag is the tag of merge keys, `!!merge`.
const mergeTag = coreTag + "merge"

// unique removes duplicate keys from the entries from base on. It compares the hashes of a few
// entries directly, and uses a table for many, so that the cost is linear.
func (c *Composer) unique(base int) {
	es := c.entries[base:]
	if len(es) <= 12 {
		for i := 1; i < len(es); i++ {
			for j := range es[:i] {
				if es[i].hash == es[j].hash && c.same(es[i].key, es[j].key) {
					c.uniqueByTable(base)
					return
				}
			}
		}
		return
	}
	c.uniqueByTable(base)
}

func (c *Composer) uniqueByTable(base int) {
	es := c.entries[base:]
	size := 1 << (bits.Len(uint(len(es))) + 1)
	if cap(c.table) < size {
		c.table = make([]int32, size)
	}
	table := c.table[:size]
	clear(table)
	kept := 0
next:
	for _, e := range es {
		for slot := e.hash; ; slot++ {
			c.work++
			at := &table[slot&uint64(size-1)]
			if *at == 0 {
				*at = int32(kept + 1)
				break
			}
			if old := &es[*at-1]; old.hash == e.hash && c.same(old.key, e.key) {
				*old = e
				continue next
			}
		}
		es[kept] = e
		kept++
	}
	c.entries = c.entries[:base+kept]
}

var seed = maphash.MakeSeed()

// push pushes the entry of a key. Equal keys have equal hashes.
func (c *Composer) push(key, value NodeID) {
	t := c.Tree
	c.entries = append(c.entries, entry{key: key, value: value})
	e := &c.entries[len(c.entries)-1]
	if nd := &t.nodes[key]; nd.kind == Scalar && nd.flags&cooked == 0 && nd.ref == 0 {
		text := t.raw(nd)
		e.scalar.Kind, e.simple = String, true
		if nd.style == Plain && (len(text) == 0 || opening[text[0]] != opensString) {
			e.scalar = t.schema.Resolve(text)
		}
		e.hash = hash(e.scalar, text)
		return
	}
	target := t.Target(key)
	if t.nodes[target].kind != Scalar {
		e.hash = uint64(key) // a collection equals no other key
		return
	}
	v, text := c.Scalar(target)
	e.scalar, e.hash = v, hash(v, text)
}

// salt makes hashes differ from run to run, so that nobody can write a file whose keys all collide.
var salt = [2]uint64{rand.Uint64() | 1, rand.Uint64() | 1}

// hash returns the hash of a key's value. Most keys are short, so two loads cover all of their
// bytes.
func hash(v Value, text []byte) uint64 {
	a, b := v.bits, uint64(v.Kind)
	if v.Kind == String {
		switch n := len(text); {
		case n > 16:
			return maphash.Bytes(seed, text)
		case n >= 8:
			a = binary.LittleEndian.Uint64(text)
			b = binary.LittleEndian.Uint64(text[n-8:]) + uint64(n)
		default:
			a, b = 0, uint64(n)<<8|uint64(String)
			for _, c := range text {
				a = a<<8 | uint64(c)
			}
		}
	}
	hi, lo := bits.Mul64(a^salt[0], b^salt[1])
	// Consecutive numbers differ in one factor only. Their products are equally spaced and, for an
	// unlucky salt, adjacent in the table: one multiplication does not spread them.
	hi, lo = bits.Mul64(hi^lo, spread)
	return hi ^ lo
}

// spread is the golden ratio as a 64-bit fraction: an odd number without a pattern.
const spread = 0x9e3779b97f4a7c15

// same reports whether two keys have the same type and value.
func (c *Composer) same(a, b NodeID) bool {
	t := c.Tree
	a, b = t.Target(a), t.Target(b)
	if t.nodes[a].kind != Scalar || t.nodes[b].kind != Scalar {
		return false
	}
	va, ta := c.Scalar(a)
	if va.Kind == String {
		ta = bytes.Clone(ta)
	}
	vb, tb := c.Scalar(b)
	return va == vb && (va.Kind != String || bytes.Equal(ta, tb))
}

// Check returns the errors that make a tree unreadable as values: tags that do not fit their text,
// merge keys without a mapping, and with Options.UniqueKeys duplicate keys. It also records the
// scalars that YAML 1.1 changes (see Changed), and with Options.NoteKeys where to look for
// duplicate keys (see Overridden). With strict, it rejects every plain scalar that can
// be read in two ways.
func (t *Tree) Check(strict bool) diag.List {
	s := t.schema
	t.changed, t.repeats = Changed{}, nil
	var list diag.List
	if t.unique {
		list = t.Duplicates()
	}
	for n := range NodeID(len(t.nodes)) {
		nd := &t.nodes[n]
		switch nd.kind {
		case Scalar:
			tagged := nd.ref != 0 && t.HasTag(n)
			if tagged {
				if _, _, err := s.ResolveTagged(t.Tag(n), t.Text(n), nd.style == Plain); err != nil {
					list = append(list, t.badTag(n, err))
				}
			} else if strict && nd.style == Plain {
				text := t.Text(n)
				v := s.Resolve(text)
				if problem := StrictProblem(text, v); problem != "" {
					list = append(list, diag.Errorf(t.Span(n), CodeStrict, "%s", problem).
						WithHint("%s", strictHint(text, v)))
				}
			} else if s == Compat && nd.style == Plain && nd.off < nd.end &&
				opening[t.text[nd.off]] != opensString && nd.flags&cooked == 0 {
				if text := t.text[nd.off:nd.end]; suspect(text) {
					t.noteChanged(n, text)
				}
			}
		case Mapping:
			if nd.flags&merges != 0 {
				list = append(list, t.checkMerges(n)...)
			}
			if t.noteKeys && t.mayRepeat(n) {
				t.repeats = append(t.repeats, n)
			}
		}
	}
	return list
}

func (t *Tree) checkMerges(m NodeID) (list diag.List) {
	for key := m + 1; key < t.nodes[m].next; {
		value := t.nodes[key].next
		if kind := t.nodes[t.Target(value)].kind; kind != Mapping && kind != Invalid &&
			t.IsMerge(key) {
			list = append(list, t.badMerge(value))
		}
		key = t.nodes[value].next
	}
	return list
}

// CheckJSON returns an error for each part of node n that JSON cannot represent.
func (c *Composer) CheckJSON(n NodeID) diag.List {
	t := c.Tree
	var list diag.List
	end := t.nodes[n].next
	for n := n; n < end; n++ {
		switch t.nodes[n].kind {
		case Scalar:
			if c.kind(n) != Float {
				continue
			}
			if v, _ := c.Scalar(n); math.IsInf(v.Float(), 0) || math.IsNaN(v.Float()) {
				list = append(list, diag.Errorf(t.Span(n), CodeJSON,
					"JSON cannot represent the number %s", AppendFloat(nil, v.Float())).
					WithHint("put it in quotes to make it a string, or write the output as YAML"))
			}
		case Mapping:
			for key := n + 1; key < t.nodes[n].next; key = t.nodes[t.nodes[key].next].next {
				if k := t.Target(key); t.nodes[k].kind != Scalar {
					list = append(
						list,
						diag.Errorf(t.Span(key), CodeJSON, "a %s cannot be a key in JSON", t.nodes[k].kind).
							WithHint("use a string as the key, or write the output as YAML"),
					)
				}
			}
		}
	}
	return list
}
