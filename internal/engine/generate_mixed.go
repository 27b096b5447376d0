package engine

import (
	"context"
	"maps"
	"slices"

	"weft/internal/engine/load"
	"weft/internal/lang/source"
)

// noteRead records what a generator was rendered from.
func (s *Session) noteRead(g *Generator, rendered *Generated) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readBy == nil {
		s.readBy = map[string]*Generated{}
	}
	s.readBy[g.folder()] = &Generated{Read: rendered.Read, Text: rendered.Text}
}

// GeneratorChange is a difference between the charts and kustomizations of two sessions.
type GeneratorChange struct {
	Kind, Name string
	Values     string   // the path of a values file that differs; "" if it is the generator itself
	Files      []string // the files that differ, if it is the generator itself
	Apart      bool     // only these files are taken, not the whole generator
	Config     bool     // the first file has entries that say what changed
	Before     bool     // the first session has the generator or, if Apart, the file
	After      bool     // the second session has it

	// Old and New are the contents of the first file, or of the values file; nil if it does not exist.
	Old, New []byte
}

// GeneratorChanges returns how the charts and kustomizations of two sessions differ. Both have been
// evaluated.
func (s *Session) GeneratorChanges(ctx context.Context, other *Session) (list []GeneratorChange) {
	for _, g := range s.config.Generators {
		if i := generatorAt(other.config.Generators, &g); i < 0 {
			list = append(list, GeneratorChange{Kind: g.Kind, Name: g.Name, Before: true})
		}
	}
	for _, g := range other.config.Generators {
		i := generatorAt(s.config.Generators, &g)
		if i < 0 {
			list = append(list, GeneratorChange{Kind: g.Kind, Name: g.Name, After: true})
			continue
		}
		was := s.config.Generators[i]
		a, b := s.readOf(&was), other.readOf(&g)
		files := differing(a.Read, b.Read)
		whole := GeneratorChange{Kind: g.Kind, Name: g.Name, Files: files, Before: true, After: true}
		switch {
		case was.Key != g.Key:
			list = append(list, whole)
		case len(files) > 0:
			list = append(list, whole.parts(a, b)...)
		}
		list = append(list, s.valuesChanges(ctx, &was, other, &g)...)
	}
	return list
}

func generatorAt(list []Generator, g *Generator) int {
	return slices.IndexFunc(list, func(x Generator) bool { return x.Kind == g.Kind && x.Name == g.Name })
}

func (s *Session) readOf(g *Generator) *Generated {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rendered := s.readBy[g.folder()]; rendered != nil {
		return rendered
	}
	return &Generated{}
}

// differing returns the names of files that differ, sorted.
func differing(a, b map[string]string) (names []string) {
	for name, sum := range a {
		if other, ok := b[name]; !ok || other != sum {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// valuesChanges returns the values files of a chart that differ.
func (s *Session) valuesChanges(
	ctx context.Context, was *Generator, other *Session, g *Generator,
) (list []GeneratorChange) {
	a, b := s.valuesTexts(ctx, was), other.valuesTexts(ctx, g)
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		x, before := a[name]
		y, after := b[name]
		if x != y || before != after {
			list = append(list, GeneratorChange{
				Kind: g.Kind, Name: g.Name, Values: name, Before: before, After: after,
				Config: true, Old: []byte(x), New: []byte(y),
			})
		}
	}
	return list
}

// valuesTexts returns the values files of a chart, by their paths. A file that cannot be read is left out.
func (s *Session) valuesTexts(ctx context.Context, g *Generator) map[string]string {
	texts := map[string]string{}
	for _, p := range g.Values {
		inputs, err := load.Read(&source.Set{}, s.config.reading(ctx, p.Path, "**/*:type=text-plain"))
		if err == nil && len(inputs) == 1 {
			texts[p.Path] = string(inputs[0].File.Data())
		}
	}
	return texts
}

// TakeGenerators returns the session with some of the differences of GeneratorChanges applied.
func (s *Session) TakeGenerators(other *Session, changes []GeneratorChange) *Session {
	next := s.next()
	next.inputs = s.inputs
	next.lib = s.lib.Next(s.inputs)
	next.overrides = s.overrides
	next.config.Generators = slices.Clone(s.config.Generators)
	for _, c := range changes {
		key := &Generator{Kind: c.Kind, Name: c.Name}
		i, j := generatorAt(next.config.Generators, key), generatorAt(other.config.Generators, key)
		switch {
		case i >= 0 && j < 0:
			next.config.Generators = slices.Delete(next.config.Generators, i, i+1)
		case j >= 0 && i < 0:
			next.config.Generators = append(next.config.Generators, other.borrowed(j))
		case i >= 0 && c.Apart:
			next.config.Generators[i] = next.config.Generators[i].taking(c.Files, other, j)
		case i >= 0 && c.Values == "":
			taken := other.borrowed(j)
			taken.Values = next.config.Generators[i].Values
			next.config.Generators[i] = taken
		case i >= 0:
			g := next.config.Generators[i]
			g.Values = takenValues(g.Values, other.borrowed(j).Values, c.Values)
			next.config.Generators[i] = g
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	next.inherit(s.declared)
	return next
}

// borrowed returns a generator for another session. It reads the files of this one.
func (s *Session) borrowed(i int) Generator {
	g := s.config.Generators[i]
	render := g.Render
	g.Render = func(ctx context.Context, r GeneratorRequest) (*Generated, error) {
		r.FS, r.Snapshot = s.config.Load.FS, s.snapshot
		return render(ctx, r)
	}
	g.Values = slices.Clone(g.Values)
	for i := range g.Values {
		if g.Values[i].of == nil {
			g.Values[i].of = s
		}
	}
	return g
}

// taking returns the generator with some files as another session has them.
func (g Generator) taking(names []string, other *Session, j int) Generator {
	r := GeneratorRequest{FS: other.config.Load.FS, Snapshot: other.snapshot}
	from := other.config.Generators[j].Files(r)
	render := g.Render
	g.Render = func(ctx context.Context, r GeneratorRequest) (*Generated, error) {
		r.Take, r.From = append(slices.Clip(r.Take), names...), from
		return render(ctx, r)
	}
	return g
}

// takenValues returns values files with one of them taken from others.
func takenValues(own, others []ValuesPath, path string) []ValuesPath {
	is := func(p ValuesPath) bool { return p.Path == path }
	i, j := slices.IndexFunc(own, is), slices.IndexFunc(others, is)
	own = slices.Clone(own)
	switch {
	case i >= 0 && j >= 0:
		own[i] = others[j]
	case i >= 0:
		own = slices.Delete(own, i, i+1)
	case j >= 0:
		own = slices.Insert(own, min(j, len(own)), others[j])
	}
	return own
}
