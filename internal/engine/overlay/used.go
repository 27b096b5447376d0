package overlay

import "weft/internal/lang/tree"

// Use is the way in which a value is used: see Options.Used.
type Use uint8

const (
	Replaced Use = iota
	Compared
)

// compared reports to Options.Used the scalars that the matcher of p compared: its own, and those
// of its matches.
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

// compares reports to Options.Used scalars that are passed to a function for comparison. What it
// reads of maps and arrays is unknown.
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

// wanted calls use with the values that the test looks for, if the overlay's node contains them.
func (t *Test) wanted(use func(tree.Value)) {
	if t.Kind == MatchMapKey {
		use(t.right.value)
	}
	for _, x := range t.Of {
		x.wanted(use)
	}
}

// compares calls use with the scalars of a candidate that the test looks at, except those passed to
// functions, which are reported already.
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

// common calls use with the scalars of v for which want has a scalar in the same place.
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
