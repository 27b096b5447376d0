package override

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Merger is the merge in steps, for a dialect that has more to do than merge: overrides are
// checked, made patches, and applied to documents one by one. It is made for one goroutine.
type Merger struct {
	m     *merger
	words directives
}

// Place is where a document is: which one of which file, and where in it, if it is a part of one.
type Place struct {
	File, Doc int
	Path      Path
}

// Patch is an override that has been read: it may meet many documents.
type Patch = patch

// NewMerger begins a merge. It keeps a record of changes if explain says so.
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

// Chooses reports whether a document with the value v is to be overridden, and counts it.
func (d *Merger) Chooses(v tree.Value) bool { return d.m.chooses(v) }

// NoteRepeated records the duplicate keys of a document that is transformed before it is merged.
func (d *Merger) NoteRepeated(v tree.Value) { d.m.noteAllRepeated(v) }

// Document applies all overrides to a document.
func (d *Merger) Document(at Place, base tree.Value, overrides []*Patch) tree.Value {
	d.m.stage = at.Path
	return d.m.document(docPlace{at.File, at.Doc}, base, overrides)
}

// Begin notes which document the next overrides are applied to, one by one.
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

// SetChanges puts others in their place.
func (d *Merger) SetChanges(changes []ValueChange) {
	if d.m.log != nil {
		d.m.log.changes = changes
	}
}

// End gives out warnings, and gives what is wrong in the end. If there were no overrides, they can
// have missed nothing.
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
