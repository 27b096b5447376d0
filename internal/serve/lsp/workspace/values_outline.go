package workspace

import (
	"context"
	"slices"

	"weft/internal/check/jsonschema"
	"weft/internal/engine/schema"
	"weft/internal/lang/source"
)

// valuesOutline is what schemas say about data values, kept until one of them changes.
type valuesOutline struct {
	of      *schema.Type
	schemas []string       // the JSON Schemas
	read    map[string]int // their last changes, and those of the files that they refer to
	outline jsonschema.Outline
}

// isOf reports whether nothing has changed that an outline is of.
func (o *valuesOutline) isOf(f *Folder, of *schema.Type, schemas []string) bool {
	if o.outline == nil || o.of != of || !slices.Equal(o.schemas, schemas) {
		return false
	}
	for path, changed := range o.read {
		if f.lastChange(path) != changed {
			return false
		}
	}
	return true
}

// ValuesOutline returns what the schema of the data values says, and the JSON Schemas that the project names
// for them.
func (v *View) ValuesOutline(ctx context.Context, s *Snapshot) jsonschema.Outline {
	now := valuesOutline{schemas: v.valuesSchemas(), read: map[string]int{}, outline: jsonschema.Outline{}}
	if values := v.Values(ctx, s); values != nil {
		now.of = values.Type
	}
	v.mu.Lock()
	was := v.outlined
	v.mu.Unlock()
	if was.isOf(v.folder, now.of, now.schemas) {
		return was.outline
	}
	if now.of != nil {
		own := jsonschema.New(now.of.JSONSchema(), jsonschema.Options{Name: "the schema of data values"})
		now.outline = append(now.outline, own.Outline()...)
	}
	for _, path := range now.schemas {
		if found := v.readValuesSchema(s, path, now.read); found != nil {
			now.outline = append(now.outline, found.Outline()...)
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

// readValuesSchema reads a JSON Schema for data values, and notes the last changes of the files that it reads. It
// returns nil if that fails: evaluations report why.
func (v *View) readValuesSchema(s *Snapshot, path string, changes map[string]int) *jsonschema.Schema {
	files := &source.Set{}
	read := func(p string) (*source.File, error) {
		if err := v.config.JSONSchemas.Allow(p); err != nil {
			return nil, err
		}
		if changes[p] = v.folder.lastChange(p); changes[p] > s.ID {
			changes[p] = -1 // a newer snapshot has another text
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
