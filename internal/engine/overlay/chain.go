package overlay

import "weft/internal/lang/tree"

// chain is a linked list of the items of a draft.
//
// Items keep their numbers, so inserting and removing cost the same in long and short lists, and
// indexes that refer to items by number stay valid.
type chain struct {
	entries    []entry
	head, tail int32   // the first and the last, or None
	n          int     // the number of items
	order      []int32 // the chain as a list; nil after a change, see at
	places     []int32 // positions of the entries in order; nil until computed: see position

	work int // entries visited; the growth test reads it
}

// entry is one item of a draft.
type entry struct {
	tree.Item
	child      *draft // the value, if it is being edited
	prev, next int32
	file       int32  // the file of a document
	print      uint32 // the fingerprint of a map item's key, see tree.Value.Fingerprint
}

// None means no entry.
const None int32 = -1

// nearEnd is the distance from either end up to which walking is cheaper than building a list.
const nearEnd = 64

// emptyChain returns an empty chain that uses the memory of entries.
func emptyChain(entries []entry) chain {
	return chain{entries: entries[:0], head: None, tail: None}
}

// push adds an item at the end and returns its number.
func (c *chain) push(it tree.Item) int32 {
	i := int32(len(c.entries))
	c.work++
	c.entries = append(c.entries, entry{Item: it, prev: c.tail, next: None})
	if c.tail == None {
		c.head = i
	} else {
		c.entries[c.tail].next = i
	}
	c.tail = i
	c.n++
	c.order, c.places = nil, nil
	return i
}

// insertNext inserts an item before or after entry at, and returns its number. A document goes to
// the file of its neighbor.
func (c *chain) insertNext(it tree.Item, at int32, after bool) int32 {
	i := int32(len(c.entries))
	prev, next := c.entries[at].prev, at
	if after {
		prev, next = at, c.entries[at].next
	}
	file := c.entries[at].file
	c.entries = append(c.entries, entry{Item: it, prev: prev, next: next, file: file})
	c.link(prev, i)
	c.linkBack(next, i)
	c.n++
	c.order, c.places = nil, nil
	return i
}

// takeOut removes entry i. The entry keeps its prev and next, so that a loop that is at the entry can
// continue.
func (c *chain) takeOut(i int32) {
	x := &c.entries[i]
	c.link(x.prev, x.next)
	c.linkBack(x.next, x.prev)
	c.n--
	c.order, c.places = nil, nil
}

// link makes next the successor of prev, and linkBack makes prev the predecessor of next. At the
// ends they set head and tail.
func (c *chain) link(prev, next int32) {
	if prev == None {
		c.head = next
	} else {
		c.entries[prev].next = next
	}
}

func (c *chain) linkBack(next, prev int32) {
	if next == None {
		c.tail = prev
	} else {
		c.entries[next].prev = prev
	}
}

// position returns the position of entry i, from 0. Like at, it walks near the ends and builds a
// list otherwise.
func (c *chain) position(i int32) int {
	if c.places != nil {
		return int(c.places[i])
	}
	back, front := i, i
	for n := range nearEnd {
		if back = c.entries[back].prev; back == None {
			return n
		}
		if front = c.entries[front].next; front == None {
			return c.n - 1 - n
		}
		c.work++
	}
	c.places = make([]int32, len(c.entries))
	for n, j := range c.list() {
		c.places[j] = int32(n)
	}
	return int(c.places[i])
}

// at returns the entry at position n, or None. Near the ends it walks, so that removing the first
// item repeatedly is cheap; otherwise it builds a list.
func (c *chain) at(n int64) int32 {
	rest := int64(c.n) - 1 - n
	switch {
	case n < 0 || rest < 0:
		return None
	case c.order != nil:
		return c.order[n]
	case n < nearEnd:
		i := c.head
		for ; n > 0; n-- {
			i = c.entries[i].next
			c.work++
		}
		return i
	case rest < nearEnd:
		i := c.tail
		for ; rest > 0; rest-- {
			i = c.entries[i].prev
			c.work++
		}
		return i
	}
	return c.list()[n]
}

// list returns the chain as a list, which is valid until an item is inserted or removed.
func (c *chain) list() []int32 {
	if c.order != nil {
		return c.order
	}
	c.order = make([]int32, 0, c.n)
	for i := c.head; i != None; i = c.entries[i].next {
		c.order = append(c.order, i)
	}
	c.work += c.n
	return c.order
}
