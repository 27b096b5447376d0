package overlay

import "weft/internal/lang/tree"

// Use is what happens to a value that is used: see Options.Used.
type Use uint8

// The uses.
const (
	Replaced Use = iota
	Compared
)

// compared tells Options.Used which scalars the matcher of p has compared: its own, and those of its
// matches.
func (e *editor) compared(d *draft, p *plan, found []int32) {
	if e.opt.Used == nil || p.by == nil {
		return
	}
	use := func(v tree.Value) { e.opt.Used(v, Compared) }
	p.by.wanted(use)
	for _, i := range found {
		p.by.compares(d.entries[i].cell(), use)
	}
}

// compares tells Options.Used that a function is given scalars, to compare them. What it reads of
// maps and arrays is not known.
func (c *caller) compares(left, right tree.Value) {
	if c.opt.Used == nil {
		return
	}
	for _, v := range []tree.Value{left, right} {
		if v.Kind() == tree.ScalarKind {
			c.opt.Used(v, Compared)
		}
	}
}

// wanted calls use with what the test looks for, if that is written in the overlay's node.
func (t *test) wanted(use func(tree.Value)) {
	if t.kind == matchMapKey {
		use(t.right.value)
	}
	for _, x := range t.of {
		x.wanted(use)
	}
}

// compares calls use with the scalars of a candidate that the test looks at. Those that functions look
// at are known already.
func (t *test) compares(left cell, use func(tree.Value)) {
	switch t.kind {
	case matchMapKey:
		if v, ok := left.lookup(t.key); ok {
			use(v.value())
		}
	case matchSubset:
		common(t.whole, left.value(), use)
	}
	for _, x := range t.of {
		x.compares(left, use)
	}
}

// common calls use with the scalars of v that stand where want has one.
func common(want, v tree.Value, use func(tree.Value)) {
	switch {
	case v.Kind() != want.Kind():
	case v.Kind() == tree.MapKind:
		for _, it := range want.Entries() {
			if found, ok := v.Lookup(tree.KeyText(it.Key)); ok {
				common(it.Value, found, use)
			}
		}
	case v.Kind() == tree.ScalarKind:
		use(v)
	}
}
