package engine

import (
	"context"
	"errors"

	"weft/internal/engine/schema"
	"weft/internal/engine/values"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// DataValuesOf describes the data values of a project, for explanations.
type DataValuesOf struct {
	Type     *schema.Type   // as the schema declares it
	Declared bool           // there is a schema
	Layers   []values.Given // documents, the weakest first: those of files, then those from outside
	Value    tree.Value     // the result; zero if unknown
	Files    *source.Set    // the files that positions refer to
}

// DataValues describes the data values of the project, without evaluating templates. If something is
// wrong, the error is a *diag.Failure, and the result has everything that is known; Type is nil if it
// is unknown.
func (s *Session) DataValues(ctx context.Context) (*DataValuesOf, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // see Evaluate
	e := s.evaluation(ctx, Request{Goal: DataValues})
	out := &DataValuesOf{Files: s.files}
	layers, wrong := s.commandLine(ctx)
	if wrong != nil {
		layers = &Layers{files: s.files}
	}
	e.files, out.Files = layers.files, layers.files
	root := e.root()
	root.addLayers(layers)
	if err := errors.Join(wrong, root.describe(out)); err != nil {
		return out, s.config.Fail(ctx, e.files, err)
	}
	return out, nil
}

// describe fills in what is known about the data values of a library.
func (l *library) describe(out *DataValuesOf) error {
	var log messages
	files, broken := l.compile()
	typ, err := l.schema(files, &log)
	if err != nil {
		return errors.Join(broken, err)
	}
	out.Type, out.Declared = typ.typ, files.ownType(l).declared
	docs := files.valuesDocuments(l)
	if docs.err != nil {
		return errors.Join(broken, docs.err)
	}
	out.Layers = layersBy(tree.ByDocument, docs.own)
	for _, r := range l.layers {
		if len(r.rest) == 0 && !r.schema {
			out.Layers = append(out.Layers, values.Given{Doc: r.doc, By: r.by})
		}
	}
	vals, err := l.values(files, typ, &log)
	if err != nil {
		return errors.Join(broken, err)
	}
	out.Value = vals.stack.Value
	return broken
}
