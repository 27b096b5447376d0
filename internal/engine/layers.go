package engine

import (
	"context"
	"errors"
	"path"
	"slices"

	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Layers are data values from outside of the project, the weakest first. They never change.
type Layers struct {
	id    *Layers // the original layers, if these are the same for other files
	docs  []values.FlagDocument
	notes diag.List    // diagnostics about them
	read  []load.Input // the files that they were read from
	files *source.Set  // the files that their positions refer to: those of the session and their own

	tested []values.FlagDocument // the documents in docs that a test sets

	asked   []string     // the paths of their files, even of those that do not exist
	schemas []usedSchema // what the data values must fit, in addition to the schema
}

// Files returns the files that the positions of the layers refer to.
func (l *Layers) Files() *source.Set { return l.files }

// commandLine returns the layers of the session's configuration, which are read once.
func (s *Session) commandLine(ctx context.Context) (*Layers, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flags == nil {
		layers, err := s.complete(ctx, s.files, s.config.Values)
		if err != nil {
			return nil, err
		}
		s.flags = layers
	}
	return s.flags, nil
}

// Layers reads data values from flags, for evaluations with values other than those of the command
// line.
func (s *Session) Layers(ctx context.Context, flags values.Flags) (*Layers, error) {
	// their positions refer to files that all evaluations share
	if _, err := s.readOverrides(ctx); err != nil {
		return nil, s.config.Fail(ctx, s.files, err)
	}
	files := s.files.Fork()
	layers, err := s.complete(ctx, files, flags)
	if err != nil {
		return nil, s.config.Fail(ctx, files, err)
	}
	return layers, nil
}

// complete reads data values from flags, and checks that nothing that a project requires is
// missing.
func (s *Session) complete(
	ctx context.Context, files *source.Set, flags values.Flags,
) (*Layers, error) {
	layers, err := s.layers(ctx, files, flags, "")
	if err != nil {
		return nil, err
	}
	return layers, s.require(flags.Project, layers)
}

// require checks that layers have what a project requires.
func (s *Session) require(project *values.ProjectValues, layers *Layers) error {
	if project == nil {
		return nil
	}
	if d := project.Missing(s.project, layers.docs); d != nil {
		return d
	}
	return nil
}

// layers reads data values from flags. fileFlag names the flag that files come from, if it is not
// --data-values-file.
func (s *Session) layers(
	ctx context.Context,
	files *source.Set,
	flags values.Flags,
	fileFlag string,
) (*Layers, error) {
	l := &Layers{files: files}
	l.id = l
	r := layerReader{ctx: ctx, config: &s.config, layers: l}
	var err error
	l.docs, err = flags.Documents(values.Environment{
		Files:    files,
		Vars:     s.config.Variables,
		Allowed:  s.config.AllowedVariables,
		Read:     r.documents,
		ReadFile: r.text,
		YAML:     s.config.Compile.YAML,
		Strict:   s.config.Compile.Strict,
		Typed:    s.config.TypedTexts,
		FileFlag: fileFlag,
		Project:  s.project,
		Warn:     func(d *diag.Diagnostic) { l.notes = append(l.notes, d) },
	})
	if err == nil {
		s.jsonSchemas(ctx, &flags, l)
	}
	return l, err
}

// Over returns the layers with others below them.
func (l *Layers) Over(below *Layers) *Layers {
	all := &Layers{
		docs:  slices.Concat(below.docs, l.docs),
		notes: slices.Concat(below.notes, l.notes),
		read:  slices.Concat(below.read, l.read),
		files: l.files,

		asked:   slices.Concat(below.asked, l.asked),
		schemas: slices.Concat(below.schemas, l.schemas),
	}
	all.id = all
	return all
}

// layerReader reads the files that flags name.
type layerReader struct {
	ctx    context.Context
	config *Config
	layers *Layers
}

// documents reads the files of --data-values-file: a file of any name, or the YAML files of a
// directory.
func (r layerReader) documents(p string) ([]load.Input, error) {
	opt := r.config.reading(r.ctx, p, "**/*:type=yaml-plain")
	inputs, err := load.Read(r.layers.files, opt)
	r.layers.read = append(r.layers.read, inputs...)
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok && d.Code == load.CodeIrregular &&
		d.Hint != "" {
		d.WithHint(
			"weft reads only regular files in a directory: move it elsewhere",
		) // file marks do not apply to data values
	}
	if err != nil || !opt.IsDir(p) {
		return inputs, err
	}
	return slices.DeleteFunc(slices.Clone(inputs), func(in load.Input) bool {
		ext := path.Ext(in.Path)
		return ext != ".yml" && ext != ".yaml"
	}), nil
}

// text reads the file of --data-value-file. For a directory with a single file, it reads that file,
// as in ytt.
func (r layerReader) text(p string) (string, error) {
	opt := r.config.reading(r.ctx, p, "**/*:type=text-plain")
	inputs, err := load.Read(&source.Set{}, opt)
	r.layers.read = append(r.layers.read, inputs...)
	switch {
	case (err != nil || len(inputs) != 1) && opt.IsDir(p):
		return "", diag.Errorf(
			source.Span{},
			values.CodeFlag,
			"expected '%s' to be a file, but is a directory",
			p,
		)
	case err != nil:
		return "", err
	}
	return string(inputs[0].File.Data()), nil
}
