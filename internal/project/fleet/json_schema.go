package fleet

import (
	"io/fs"

	"weft/internal/check/jsonschema"
	"weft/internal/engine"
	"weft/internal/engine/gitdir"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/project"
)

// schemaPaths returns the JSON Schemas of data values.
func (o *Options) schemaPaths() []string {
	paths := o.Values.JSONSchemas
	if o.Layers != nil {
		paths = paths[:len(paths):len(paths)]
		for _, x := range o.Layers.Schemas {
			paths = append(paths, x.Path)
		}
	}
	return paths
}

// jsonSchemas returns how JSON Schemas of data values are read, or nil if there can be none. Schemas may be
// written by others: references must stay in the project, or in the repository of the schema.
func (o *Options) jsonSchemas() *engine.JSONSchemas {
	if o.Layers == nil && len(o.Values.JSONSchemas) == 0 {
		return nil
	}
	allow := o.Named.CheckPath // of the project
	switch {
	case allow != nil:
	case o.FS != nil:
		allow = func(path string) error { return insideFS(o.FS, path) }
	case len(o.Values.JSONSchemas) > 0:
		bounds := project.BoundsOf(o.Values.JSONSchemas[0], nil)
		allow = func(path string) error {
			if d := bounds.CheckInside(path, source.Span{}); d != nil {
				return d
			}
			return nil
		}
	default:
		allow = func(path string) error { return insideFS(o.FS, path) }
	}
	opts := *o
	return &engine.JSONSchemas{Load: loadSchema, Allow: func(path string) error {
		opts.ReportRead(path)
		return allow(path)
	}}
}

// insideFS returns an error for a path that must not be read from a file system: of git, or outside
// of it, also through links.
func insideFS(fsys fs.FS, path string) error {
	inside := fs.ValidPath(path) && !gitdir.IsBelow(path)
	if inside && fsys != nil {
		_, ok := gitdir.RealIn(fsys, path)
		inside = ok && !gitdir.InFS(fsys, path)
	}
	if !inside {
		return diag.Failf(project.CodeOutside, "'%s' is outside of the project", path)
	}
	return nil
}

// loadSchema reads a JSON Schema.
func loadSchema(
	f *source.File, name string, read func(path string) (*source.File, error),
) (engine.JSONSchema, diag.List) {
	if browser.IsFirst {
		return engine.JSONSchema{}, diag.List{browser.Later()}
	}
	s, list := (&jsonschema.Loader{Read: read}).Load(f, name)
	if list != nil {
		return engine.JSONSchema{}, list
	}
	misfits := func(v tree.Value) (found []engine.Misfit) {
		for _, p := range s.Check(v, nil) {
			found = append(found, engine.Misfit{
				Path: p.Path, OnKey: p.IsUnknown() || p.IsMissing(), Message: p.Message(nil),
				Quoted: p.IsQuoted(), Broken: p.IsSchema(), Hint: p.Hint(false), Rule: p.Rule(),
			})
		}
		return found
	}
	return engine.JSONSchema{Misfits: misfits, Secrets: s.Secrets}, nil
}
