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
func (e *editor) compared(d *draft, p *Plan, found []int32) {
	if e.opt.Used == nil || p.By == nil {
		return
	}
	use := func(v tree.Value) { e.opt.Used(v, Compared) }
	p.By.wanted(use)
	for _, i := range found {
		p.By.compares(d.entries[i].cell(), use)
	}
}

// compares tells Options.Used that a function is given scalars, to compare them. What it reads of
// maps and arrays is not known.
func (c *Caller) compares(left, right tree.Value) {
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
func (t *Test) wanted(use func(tree.Value)) {
	if t.Kind == MatchMapKey {
		use(t.right.value)
	}
	for _, x := range t.Of {
		x.wanted(use)
	}
}

// compares calls use with the scalars of a candidate that the test looks at. Those that functions look
// at are known already.
func (t *Test) compares(left Cell, use func(tree.Value)) {
	switch t.Kind {
	case MatchMapKey:
		if v, ok := left.Lookup(t.Key); ok {
			use(v.Value())
		}
	case MatchSubset:
		common(t.Whole, left.Value(), use)
	}
	for _, x := range t.Of {
		x.compares(left, use)
	}
}

// common calls use with the scalars of v that are where want has one.
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
