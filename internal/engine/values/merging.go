package values

import (
	"weft/internal/engine/overlay"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// merging merges documents one after another.
//
//	left    returns what a document is merged with: everything, or the part that it names
//	merge   merges the document with that
//	put     stores the result, after it has been checked
//	whole   returns everything
type merging struct {
	opt  overlay.Options
	many bool // a baseMap is worthwhile

	all   tree.Doc // its value is outdated if there is a baseMap
	on    *baseMap
	part  *part // what left returned last, if it is a part
	parts schema.Parts
	nodes int // nodes in the baseMap
	work  int // see baseMap
}

// left returns the value that doc is merged with.
func (m *merging) left(doc tree.Doc) tree.Doc {
	m.part = nil
	m.parts.Clear()
	right, ok := doc.Value.Map()
	if !m.many || !ok || !namesKey(doc.Annotations) || !merges(doc.Annotations) ||
		!namesKeys(right) {
		return m.leave()
	}
	if m.on == nil {
		m.enter()
	}
	if m.on != nil {
		m.part = m.on.part(right, &m.parts)
	}
	if m.part == nil {
		return m.leave()
	}
	left := m.all
	left.Value = tree.Of(m.part.Map).WithOrigin(m.all.Value.Origin())
	return left
}

// enter turns the whole value into a baseMap, if it is a map.
func (m *merging) enter() {
	if _, ok := m.all.Value.Map(); !ok {
		return
	}
	clean, err := overlay.Document(
		m.all,
		tree.Doc{Value: tree.Of(tree.NewMap(nil, source.Pos{}))},
		overlay.Options{MaxNodes: m.opt.MaxNodes},
	)
	if err != nil {
		return
	}
	// nothing has changed, except that overlay annotations were dropped, as in every merge
	m.all = clean
	m.on = newBaseMap(clean.Value, &m.work)
	m.nodes, _ = clean.Value.Weight()
	if m.parts.Maps == nil {
		m.parts = schema.Parts{Maps: map[*tree.Map]bool{}, Ends: map[*tree.Array]int{}}
	}
}

// leave converts the baseMap back.
func (m *merging) leave() tree.Doc {
	m.all = m.whole()
	m.on, m.part = nil, nil
	m.parts.Clear()
	return m.all
}

// merge merges doc with left. If that fails, it merges doc with the whole value and reports that
// error, because messages name similar keys.
func (m *merging) merge(left, doc tree.Doc) (_, merged tree.Doc, err error) {
	if m.part == nil {
		merged, err = overlay.Document(left, doc, m.opt)
		return left, merged, err
	}
	var warnings []func()
	opt := m.opt
	if warn := opt.Warn; warn != nil {
		opt.Warn = func(d *diag.Diagnostic) { warnings = append(warnings, func() { warn(d) }) }
	}
	if print := opt.Print; print != nil {
		opt.Print = func(text string) { warnings = append(warnings, func() { print(text) }) }
	}
	merged, err = overlay.Document(left, doc, opt)
	result, ok := merged.Value.Map()
	warned := len(warnings) > 0 && len(m.parts.Ends) > 0 // warnings about a part have the wrong indexes
	if err != nil || !ok || warned || m.after(merged) > m.maxNodes() {
		left = m.leave()
		merged, err = overlay.Document(left, doc, m.opt)
		return left, merged, err
	}
	for _, say := range warnings {
		say()
	}
	m.part.keep(result)
	return left, merged, nil
}

// after returns how many nodes there are after the part is put back.
func (m *merging) after(merged tree.Doc) int {
	before, _ := tree.Of(m.part.Map).Weight()
	now, _ := merged.Value.Weight()
	return m.nodes - before + now
}

// maxNodes returns the maximum number of nodes.
func (m *merging) maxNodes() int {
	if m.opt.MaxNodes > 0 {
		return m.opt.MaxNodes
	}
	return tree.MaxNodes
}

// put stores the result of the document that was merged last.
func (m *merging) put(result tree.Doc) {
	if m.part != nil {
		m.nodes = m.after(result)
		r, _ := result.Value.Map()
		m.part.put(r)
		m.all.Pos, m.all.Annotations = result.Pos, result.Annotations
		return
	}
	m.all = result
}

// whole returns the complete value.
func (m *merging) whole() tree.Doc {
	if m.on != nil {
		m.all.Value = m.on.value()
	}
	return m.all
}
