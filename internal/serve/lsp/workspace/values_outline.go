package workspace

import (
	"context"

	"weft/internal/check/jsonschema"
	"weft/internal/engine/schema"
	"weft/internal/lang/source"
)

// valuesOutline is what schemas say about data values, kept until one of them changes.
type valuesOutline struct {
	of      *schema.Type
	changed int // the sum of the last changes of the JSON Schemas
	outline jsonschema.Outline
}

// ValuesOutline returns what the schema of the data values says, and the JSON Schemas that the project names
// for them.
func (v *View) ValuesOutline(ctx context.Context, s *Snapshot) jsonschema.Outline {
	now := valuesOutline{}
	if values := v.Values(ctx, s); values != nil {
		now.of = values.Type
	}
	paths := v.valuesSchemas()
	for _, path := range paths {
		now.changed += v.folder.lastChange(path)
	}
	v.mu.Lock()
	was := v.outlined
	v.mu.Unlock()
	if was.outline != nil && was.of == now.of && was.changed == now.changed {
		return was.outline
	}
	now.outline = jsonschema.Outline{}
	if now.of != nil {
		own := jsonschema.New(now.of.JSONSchema(), jsonschema.Options{Name: "the schema of data values"})
		now.outline = append(now.outline, own.Outline()...)
	}
	for _, path := range paths {
		if read := v.readValuesSchema(s, path); read != nil {
			now.outline = append(now.outline, read.Outline()...)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.outlined = now
	return now.outline
}

// valuesSchemas returns the paths of JSON Schemas for data values.
func (v *View) valuesSchemas() (paths []string) {
	if v.config.JSONSchemas == nil {
		return nil
	}
	if p := v.config.Values.Project; p != nil {
		for _, x := range p.Schemas {
			paths = append(paths, x.Path)
		}
	}
	return append(paths, v.config.Values.JSONSchemas...)
}

// readValuesSchema reads a JSON Schema for data values. It returns nil if that fails: evaluations report why.
func (v *View) readValuesSchema(s *Snapshot, path string) *jsonschema.Schema {
	files := &source.Set{}
	read := func(p string) (*source.File, error) {
		if err := v.config.JSONSchemas.Allow(p); err != nil {
			return nil, err
		}
		text, err := s.Files().ReadFile(p)
		if err != nil {
			return nil, err
		}
		return files.Add(p, text)
	}
	f, err := read(path)
	if err != nil {
		return nil
	}
	found, wrong := (&jsonschema.Loader{Read: read}).Load(f, path)
	if wrong != nil {
		return nil
	}
	return found
}
