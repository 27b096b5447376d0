package engine

import (
	"slices"

	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/engine/shortcut"
	"weft/internal/engine/values"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
)

// Mixed returns the session with other inputs and short cuts, and the overrides of another. Compiled files
// are shared.
func (s *Session) Mixed(
	inputs []load.Input, shortcuts *shortcut.Config, overrides *Session,
) (*Session, error) {
	next := s.next()
	next.inputs = slices.Clone(inputs)
	for i, in := range inputs {
		if in.File == nil || next.files.File(in.File.Pos(0)) == in.File {
			continue
		}
		f, err := next.files.AddShown(in.File.Name(), in.File.Shown(), in.File.Data())
		if err != nil {
			return nil, err
		}
		next.inputs[i].File = f
	}
	next.lib = s.lib.Next(next.inputs)
	next.config.Shortcuts = shortcuts
	next.config.Overrides, next.overrides = overrides.config.Overrides, overrides.overrides
	s.mu.Lock()
	defer s.mu.Unlock()
	next.inherit(s.declared)
	return next, nil
}

// Shortcuts returns the short cuts of weft.yml for Kubernetes objects; nil if there are none.
func (s *Session) Shortcuts() *shortcut.Config { return s.config.Shortcuts }

// SameOverrides reports whether two sessions that were evaluated have the same overrides.
func (s *Session) SameOverrides(other *Session) bool {
	x, y := s.overrides, other.overrides
	if x == y || x == nil || y == nil {
		return x == y
	}
	text := func(a, b override.Selector) bool { return a.String() == b.String() }
	return slices.EqualFunc(x.docs, y.docs, func(p, q tree.Doc) bool {
		return edit.Equal(p.Value, q.Value)
	}) && slices.EqualFunc(x.only, y.only, text)
}

// In returns the layers for an evaluation of s whose output is compared with that of another. JSON Schemas do
// not change output, and a mix of two sides need not fit that of either, so they are not checked: the sides
// are, each by itself.
func (l *Layers) In(s *Session) *Layers {
	next := *l
	next.id, next.files, next.schemas = &next, s.files.Fork(), nil
	return &next
}

// WithLibraries returns the layers with those for libraries taken from others.
func (l *Layers) WithLibraries(other *Layers) *Layers {
	next := *l
	next.docs = append(l.documents(false), other.documents(true)...)
	return &next
}

// Same reports whether layers set the same values.
func (l *Layers) Same(other *Layers) bool { return sameValues(l.docs, other.docs) }

// SameLibraries reports whether layers set the same values of libraries.
func (l *Layers) SameLibraries(other *Layers) bool {
	return sameValues(l.documents(true), other.documents(true))
}

// documents returns the documents for libraries, or for the project itself.
func (l *Layers) documents(libraries bool) []values.FlagDocument {
	var docs []values.FlagDocument
	for _, d := range l.docs {
		if (len(d.Ref) > 0) == libraries {
			docs = append(docs, d)
		}
	}
	return docs
}

func sameValues(a, b []values.FlagDocument) bool {
	return slices.EqualFunc(a, b, func(p, q values.FlagDocument) bool {
		return p.Ref.String() == q.Ref.String() && edit.Equal(p.Value, q.Value)
	})
}
