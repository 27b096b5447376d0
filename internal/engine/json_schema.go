package engine

import (
	"context"
	"slices"
	"strings"
	"sync"

	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The codes of this file's diagnostics.
const (
	codeFit        diag.Code = "values/fit"         // data values that do not fit a JSON Schema
	codeJSONSchema diag.Code = "values/json-schema" // a JSON Schema that cannot be used
)

// JSONSchemas is how JSON Schemas of data values are read. What they mean is known on a floor above.
type JSONSchemas struct {
	// Load reads the schema in a file. read returns the files that it refers to.
	Load func(f *source.File, name string, read func(path string) (*source.File, error)) (JSONSchema, diag.List)

	// Allow returns why a schema must not refer to a path, or nil.
	Allow func(path string) error
}

// JSONSchema is what a JSON Schema says about data values.
type JSONSchema struct {
	Misfits func(v tree.Value) []Misfit     // how they do not fit; nil if the schema is wrong
	Secrets func(v tree.Value) []tree.Value // those that are secret
}

// Misfit is a data value that does not fit a JSON Schema.
type Misfit struct {
	Path    path.Path
	OnKey   bool // it is about the key, not about its value
	Quoted  bool // it is a string, and its text would fit
	Broken  bool // the schema is wrong, not the value
	Message string
	Hint    string
	Rule    source.Span // the keyword of the schema, in the files of the schema
}

// jsonSchema is a JSON Schema that the data values of a session must fit.
type jsonSchema struct {
	files *source.Set // the schema, and the files that it refers to
	read  []load.Input
	asked []string  // the paths of all files that were asked for, even of those that do not exist
	wrong diag.List // what is wrong with the schema
	JSONSchema
}

// usedSchema is a JSON Schema, and where the project names it.
type usedSchema struct {
	*jsonSchema
	at source.Span
}

// knownSchemas are the JSON Schemas of a session, by path: thousands of environments may share one.
type knownSchemas struct {
	mu    sync.Mutex
	known map[string]*jsonSchema
}

// jsonSchemas reads the JSON Schemas that flags and the project name.
func (s *Session) jsonSchemas(ctx context.Context, flags *values.Flags, l *Layers) {
	if s.config.JSONSchemas == nil {
		return
	}
	add := func(name string, at source.Span) {
		x := s.jsonSchema(ctx, name)
		l.schemas = append(l.schemas, usedSchema{x, at})
		l.read, l.asked = append(l.read, x.read...), append(l.asked, x.asked...)
	}
	if flags.Project != nil {
		for _, x := range flags.Project.Schemas {
			add(x.Path, x.At.In(s.project))
		}
	}
	for _, name := range flags.JSONSchemas {
		add(name, source.Span{})
	}
}

// jsonSchema returns the JSON Schema at a path.
func (s *Session) jsonSchema(ctx context.Context, name string) *jsonSchema {
	k := &s.schemas
	k.mu.Lock()
	defer k.mu.Unlock()
	if x := k.known[name]; x != nil {
		return x
	}
	x := &jsonSchema{files: &source.Set{}}
	read := func(p string) (*source.File, error) { return s.readSchema(ctx, p, x) }
	f, err := read(name)
	if err != nil {
		x.wrong = diag.Of(err)
	} else {
		x.JSONSchema, x.wrong = s.config.JSONSchemas.Load(f, name, func(p string) (*source.File, error) {
			if err := s.config.JSONSchemas.Allow(p); err != nil {
				return nil, err
			}
			return read(p)
		})
	}
	if ctx.Err() == nil {
		if k.known == nil {
			k.known = map[string]*jsonSchema{}
		}
		k.known[name] = x
	}
	return x
}

// readSchema reads a file of a JSON Schema. What the loader takes for something else than the path of a file
// is refused: a schema of others must not name standard input, or another path than the one that was checked.
func (s *Session) readSchema(ctx context.Context, p string, x *jsonSchema) (*source.File, error) {
	if p == "-" || strings.Contains(p, "=") {
		return nil, diag.Failf(codeJSONSchema, "'%s' is not the path of a file, or has a '=' in its name", p)
	}
	x.asked = append(x.asked, p)
	inputs, err := load.Read(x.files, s.config.reading(ctx, p, "**/*:type=text-plain"))
	x.read = append(x.read, inputs...)
	switch {
	case err != nil:
		return nil, err
	case len(inputs) != 1:
		return nil, diag.Failf(codeJSONSchema, "expected '%s' to be a file, but it is a directory", p)
	}
	return inputs[0].File, nil
}

// jsonSchemas returns the JSON Schemas of the library's data values.
func (l *library) jsonSchemas() []usedSchema {
	if l.given == nil || l.run.request.Library != "" {
		return nil
	}
	return l.given.schemas
}

// fit returns how data values do not fit the JSON Schemas of the run.
func (l *library) fit(doc tree.Doc) (list diag.List) {
	where := schema.NewLocator(doc)
	for _, x := range l.jsonSchemas() {
		into := intoSet{l.run.files, x.files, map[*source.File]*source.File{}}
		for _, d := range x.wrong {
			list = append(list, into.diagnostic(d, x.at))
		}
		if x.Misfits == nil {
			continue
		}
		for _, m := range x.Misfits(doc.Value) {
			list = append(list, l.misfit(where, m, into.span(m.Rule), x.at))
		}
	}
	return list
}

// misfit reports a data value that does not fit a JSON Schema, where it is set. named is where the
// project names the schema.
func (l *library) misfit(where *schema.Locator, m Misfit, rule, named source.Span) *diag.Diagnostic {
	if m.Broken {
		return diag.Errorf(rule, codeJSONSchema, "%s", m.Message)
	}
	key, value := where.Locate(m.Path)
	at := value
	if m.OnKey {
		at = key
	}
	if !at.IsValid() {
		at = named
	}
	d := diag.Errorf(at, codeFit, "%s", m.Message)
	d.Path = m.Path.String()
	if hint := l.hintMisfit(m); hint != "" {
		d.WithHint("%s", hint)
	}
	if !rule.IsValid() {
		return d
	}
	if !at.IsValid() {
		d.At = rule
		return d
	}
	return d.WithRelated(rule, "the rule is here")
}

// hintMisfit returns how to fix a value. One that a flag sets has no quotes to remove.
func (l *library) hintMisfit(m Misfit) string {
	if !m.Quoted {
		return m.Hint
	}
	keys := make([]string, len(m.Path))
	for i, s := range m.Path {
		keys[i] = tree.KeyText(s.Key)
	}
	for _, r := range slices.Backward(l.layers) {
		if len(r.rest) == 0 && !r.schema {
			if hint := values.HintText(r.doc, keys); hint != "" {
				return hint
			}
		}
	}
	return m.Hint
}

// intoSet moves places of a schema to the files of a run. Runs without errors have no need of these
// files.
type intoSet struct {
	files, from *source.Set
	moved       map[*source.File]*source.File
}

func (s *intoSet) span(at source.Span) source.Span {
	f := s.from.File(at.Pos)
	if !at.IsValid() || f == nil {
		return source.Span{}
	}
	to := s.moved[f]
	if to == nil {
		to = s.find(f)
		if to == nil {
			return source.Span{}
		}
		s.moved[f] = to
	}
	return to.Span(at.Offset(), at.End())
}

// find returns the file of the run with the same text, which may be an input too, or adds it.
func (s *intoSet) find(f *source.File) *source.File {
	all := s.files.All()
	if i := slices.IndexFunc(all, func(x *source.File) bool {
		return x.Shown() == f.Shown() && x.SameText(f)
	}); i >= 0 {
		return all[i]
	}
	to, err := s.files.AddShown(f.Name(), f.Shown(), f.Data())
	if err != nil {
		return nil // it is too large to show
	}
	return to
}

// diagnostic moves an error about a schema. named is where the project names the schema.
func (s *intoSet) diagnostic(d *diag.Diagnostic, named source.Span) *diag.Diagnostic {
	moved := *d
	moved.At = s.span(d.At)
	if moved.Code == "" {
		moved.Code = codeJSONSchema
	}
	if moved.Code == yaml.CodeLimit {
		moved.Hint = "" // flags that raise limits are for inputs
	}
	moved.Related = nil
	for _, r := range d.Related {
		r.At = s.span(r.At)
		moved.Related = append(moved.Related, r)
	}
	switch {
	case !moved.At.IsValid():
		moved.At = named
	case named.IsValid():
		moved.WithRelated(named, "the schema is named here")
	}
	return &moved
}
