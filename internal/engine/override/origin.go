package override

import (
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// sets returns v as set by an override at pos. It replaces old, which may be NoValue.
func (m *merger) sets(old, v tree.Value, pos source.Pos) tree.Value {
	if m.opt.Used != nil && old != NoValue {
		m.opt.Used(old)
	}
	if m.opt.Origins == nil {
		return v
	}
	s := tree.Setting{By: tree.ByOverride, At: pos.To(pos.Offset() + 1), From: v.Origin()}
	if old != NoValue {
		s.Old, s.Was, s.Before = old, old.Span(), m.around
		if o := old.Origin(); o != 0 {
			s.Before = o
		}
	}
	return m.opt.Origins.Set(v, s)
}

// added marks items, which are not shared, as added by the override at pos.
func (m *merger) added(items []tree.Item, pos source.Pos) {
	if m.opt.Origins == nil {
		return
	}
	for i := range items {
		items[i].Value = m.sets(NoValue, items[i].Value, pos)
	}
}

// inside calls do to merge inside base: values without an origin get that of base.
func (m *merger) inside(base tree.Value, do func() (tree.Value, bool)) (tree.Value, bool) {
	outside := m.around
	if o := base.Origin(); o != 0 {
		m.around = o
	}
	v, changed := do()
	m.around = outside
	return v, changed
}

// removed records that an override at pos removes old, the value at the current path.
func (m *merger) removed(old tree.Value, pos source.Pos) {
	absence := tree.Absence{
		Kind: tree.Removed, By: tree.ByOverride,
		Condition: tree.Condition{At: pos.To(pos.Offset() + 1)},
		Document:  m.where, Old: old, Was: old.Span(), Before: m.around,
	}
	if o := old.Origin(); o != 0 {
		absence.Before = o
	}
	for _, s := range m.path {
		absence.Path = append(absence.Path, tree.Step{Key: s.String(), Index: -1})
	}
	m.opt.Origins.Absent(absence)
}
