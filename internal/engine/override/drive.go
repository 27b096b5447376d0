package override

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Merger is the merge in steps, for a dialect that does more than merge: overrides are checked,
// turned into patches, and applied to documents one by one. It is for one goroutine.
type Merger struct {
	m     *merger
	words directives
}

// Place is the location of a document: its file and index, and the path in the document if it is
// part of one.
type Place struct {
	File, Doc int
	Path      Path
}

// Patch is an override that has been read, and can be applied to many documents.
type Patch = patch

// NewMerger begins a merge. If explain is set, it records the changes.
func NewMerger(opt *Options, explain bool) *Merger {
	var l *log
	if explain {
		l = &log{}
	}
	return &Merger{m: newMerger(opt, l)}
}

// Check finds directives of an override that have no meaning where they are.
func (d *Merger) Check(override tree.Value) error { return d.words.check(override) }

// Patch reads an override, which begins at pos.
func (d *Merger) Patch(override tree.Value, pos source.Pos) *Patch {
	return patchOf(override, pos, d.m.view)
}

// Value returns the override.
func (p *patch) Value() tree.Value { return p.value }

// Pos returns where the override begins.
func (p *patch) Pos() source.Pos { return p.pos }

// Selects reports whether a document with the value v is to be overridden, and counts it.
func (d *Merger) Selects(at Place, v tree.Value) bool {
	doc := selectable(at, v, d.m.opt.Files)
	return d.m.counted(func(k int) bool { return d.m.opt.Select.any[k].Matches(doc) })
}

// NoteRepeated records the duplicate keys of a document that is transformed before it is merged.
func (d *Merger) NoteRepeated(v tree.Value) { d.m.noteAllRepeated(v) }

// Document applies all overrides to a document.
func (d *Merger) Document(at Place, base tree.Value, overrides []*Patch) tree.Value {
	d.m.stage = at.Path
	return d.m.document(docPlace{at.File, at.Doc}, base, overrides)
}

// Begin sets the document that the next overrides are applied to.
func (d *Merger) Begin(at Place) {
	d.m.stage = at.Path
	d.m.begin(docPlace{at.File, at.Doc})
}

// Override applies override k to a document by a rule.
func (d *Merger) Override(k int, r *Rule, base tree.Value, o *Patch) tree.Value {
	return d.m.override(k, r, base, o)
}

// Warn adds a warning.
func (d *Merger) Warn(x *diag.Diagnostic) { d.m.warn(x) }

// Changes returns what the overrides have changed so far.
func (d *Merger) Changes() []ValueChange {
	if d.m.log == nil {
		return nil
	}
	return d.m.log.changes
}

// SetChanges replaces the changes.
func (d *Merger) SetChanges(changes []ValueChange) {
	if d.m.log != nil {
		d.m.log.changes = changes
	}
}

// End emits the warnings and returns the remaining errors. If there were no overrides, none can
// have missed its target.
func (d *Merger) End(overrides bool) error {
	d.m.warnAll()
	if d.m.refused != nil {
		return d.m.refused
	}
	if overrides {
		d.m.unselected()
		d.m.words(&d.words)
	}
	if list := d.m.finish(); len(list) > 0 {
		return list
	}
	return nil
}
