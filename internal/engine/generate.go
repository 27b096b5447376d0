package engine

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The codes of this file's diagnostics.
const (
	codeGenerator       diag.Code = "engines/render" // a chart or a kustomization cannot be rendered
	codeGeneratorValues diag.Code = "engines/values" // a values file of a chart cannot be used
	codeGeneratorKey    diag.Code = "engines/key"    // a key of a values file is probably misspelled
)

// Generator is a chart or a kustomization, whose documents come after those of templates. What renders it is
// known on a floor above.
type Generator struct {
	Kind   string       // chart or kustomization
	Name   string       // its key in weft.yml
	At     values.Place // where it is named
	Key    string       // everything that its documents depend on, except files
	Values []ValuesPath // the values files of a chart, the weakest first

	// Render returns the documents. It must be safe for concurrent use. An error is a *GeneratorError, or
	// about what all generators need.
	Render func(ctx context.Context, r GeneratorRequest) (*Generated, error)

	// Files returns the files that Render reads, for GeneratorRequest.From.
	Files func(r GeneratorRequest) any
}

// folder returns the folder of the documents in the output.
func (g *Generator) folder() string { return g.Kind + "s/" + g.Name }

// ValuesPath is the path of a values file, and where the project names it.
type ValuesPath struct {
	Path string
	At   values.Place

	of *Session // the session that has the file, if it is another one: see TakeValues
}

// GeneratorRequest is what a generator needs from an evaluation.
type GeneratorRequest struct {
	Values   []GeneratorValues
	Origins  bool      // whether to find out where lines come from, which takes longer
	Seconds  int       // how long it may take; 0 means the limit of the command line
	FS       fs.FS     // the file system of the session; nil means the disk
	Snapshot *sync.Map // for what generators keep as long as files do not change

	Take []string // files to read as another session has them, by their names in Generated.Read
	From any      // the files of that session: see Generator.Files
}

// GeneratorValues is the text of a values file.
type GeneratorValues struct {
	Name string // as messages show it
	Text string
}

// Generated is what a generator returns.
type Generated struct {
	Documents []GeneratedDocument
	Placed    bool // the request asked for origins
	Warnings  []*GeneratorError
	Paths     []string          // all files on disk that were asked for
	Read      map[string]string // digests of all files that were asked for, by their names

	// Text returns the content of a file that was asked for, or nil.
	Text func(name string) []byte
}

// GeneratedDocument is the text of one document, or of several.
type GeneratedDocument struct {
	Path string // in the folder of the generator
	Text string

	// Origins returns where a line comes from, counted from 1: see source.File.SetOrigins.
	Origins func(line int) []source.Origin

	// Source returns the content of a file that Origins name, or nil.
	Source func(path string) []byte

	// Value returns the path of the value that a line has, if values files set it; or nil.
	Value func(line int) []string

	// Values returns the paths of all values of a chart that a line has, also those that no file sets.
	Values func(line int) [][]string
}

// GeneratorError is why documents cannot be made, or a warning.
type GeneratorError struct {
	Message, Hint string

	File string // the file that it is about, as messages show it; or ""
	Text []byte // the content of the file, if it is known
	Line int    // from 1; or 0

	Key []string // the path of a key of the values files that is probably misspelled; or nil

	Rendered *GeneratedDocument // the text that it is about, which is not YAML; or nil
}

func (e *GeneratorError) Error() string { return e.Message }

// generate adds the documents of charts and kustomizations to those of templates.
func (l *library) generate(res *eval.Result, vals *valued, log *messages) error {
	all := l.run.config.Generators
	if len(all) == 0 || !l.isProject() || l.run.request.Library != "" {
		return nil
	}
	defer l.stage("charts")()
	var list diag.List
	for i := range all {
		outputs, err := l.generateOne(&all[i], vals, log)
		if err != nil {
			list = append(list, diag.Of(err)...)
		}
		res.Outputs = append(res.Outputs, outputs...)
	}
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	if list != nil {
		return list
	}
	return nil
}

// generateOne returns the documents of one generator.
func (l *library) generateOne(g *Generator, vals *valued, log *messages) ([]eval.Output, error) {
	e := l.run
	req := GeneratorRequest{
		FS: e.config.Load.FS, Snapshot: e.session.snapshot, Origins: e.session.origins != nil || e.request.Explain,
	}
	var files []valuesFile
	for _, p := range g.Values {
		f, err := l.chartValues(p, vals, log)
		if err != nil {
			return nil, err
		}
		req.Values = append(req.Values, f.GeneratorValues)
		files = append(files, f)
	}
	made, err := g.Render(l.ctx, req)
	if x, ok := err.(*GeneratorError); ok {
		return nil, l.generatorError(g, x)
	}
	if err != nil {
		return nil, err
	}
	if !made.Placed {
		e.placeLater(g, req, made)
	}
	e.session.noteRead(g, made)
	e.read = append(e.read, made.Paths...)
	for _, w := range made.Warnings {
		if at := l.keyOfValues(files, w.Key); at.IsValid() {
			log.notes = append(log.notes, diag.Warningf(at, codeGeneratorKey,
				"%s '%s': %s", g.Kind, g.Name, w.Message).WithHint("%s", w.Hint))
			continue
		}
		log.notes = append(log.notes, e.generatorProblem(g, w, diag.Warningf))
	}
	outputs, err := l.readGenerated(g, made)
	if e.session.origins != nil {
		vals := l.valuesOf(files)
		for i := range outputs {
			outputs[i].Docs = e.followValues(&outputs[i], vals)
		}
	}
	return outputs, err
}

// readGenerated reads the text of documents.
func (l *library) readGenerated(g *Generator, made *Generated) ([]eval.Output, error) {
	var opt load.Options
	for _, d := range made.Documents {
		opt.Memory = append(opt.Memory, load.Memory{
			Path: g.folder() + "/" + d.Path, Data: []byte(d.Text), Plain: true,
		})
	}
	inputs, err := load.Read(l.run.files, opt)
	if err != nil {
		return nil, err
	}
	l.run.noteGenerated(inputs, made)
	outputs, err := l.readPlain(inputs)
	if err != nil {
		return nil, err
	}
	outputs = slices.DeleteFunc(outputs, func(out eval.Output) bool {
		return !slices.ContainsFunc(out.Docs, func(d tree.Doc) bool { return !d.Value.Empty() })
	})
	seen := map[string]bool{}
	for i := range outputs {
		name := outputs[i].File.Input.Path
		outputs[i].Joins, seen[name] = seen[name], true
	}
	return outputs, nil
}

// readPlain reads files as readers of Helm and kustomize do: as YAML 1.1, where the last of two equal keys
// wins.
func (l *library) readPlain(inputs []load.Input) ([]eval.Output, error) {
	how := l.run.config.Compile
	how.Strict = false
	how.YAML = yaml.Options{
		MaxDepth: how.YAML.MaxDepth, MaxNodes: how.YAML.MaxNodes, Workers: how.YAML.Workers,
	}
	lib := eval.NewLibrary(inputs, how)
	lib.Keep = l.run.session.lib.Keep
	if err := lib.Root().Compile(); err != nil {
		return nil, err
	}
	res, err := eval.Files(l.ctx, lib.Root(), lib.Files, l.eval)
	return res.Outputs, err
}

// noteGenerated records files that generators made.
func (e *evaluation) noteGenerated(inputs []load.Input, made *Generated) {
	if e.generated == nil {
		e.generated = map[*source.File]*GeneratedDocument{}
	}
	for i, in := range inputs {
		e.generated[in.File] = &made.Documents[i]
		in.File.SetOrigins(made.Documents[i].Origins, made.Documents[i].Source)
		in.File.SetValues(made.Documents[i].Values)
	}
}

// isGenerated reports whether a place is in a document of a generator. weft reads it as Kubernetes does.
func (e *evaluation) isGenerated(at source.Span) bool {
	return e.generated[e.files.File(at.Pos)] != nil
}

// generatorProblem returns an error or a warning of a generator as a diagnostic. It is about a line of a
// chart if that is known, and otherwise about the entry in weft.yml.
func (e *evaluation) generatorProblem(
	g *Generator, x *GeneratorError, as func(source.Span, diag.Code, string, ...any) *diag.Diagnostic,
) *diag.Diagnostic {
	entry := e.session.PlaceOf(g.At)
	at := entry
	if x.File != "" && x.Text != nil && x.Line > 0 {
		if f, err := e.files.AddShown(x.File, x.File, x.Text); err == nil {
			at = f.LineSpan(x.Line)
		}
	}
	message := x.Message
	if at == entry && x.File != "" && !strings.Contains(message, x.File) {
		message = x.File + ": " + message
	}
	d := as(at, codeGenerator, "%s '%s': %s", g.Kind, g.Name, message)
	if at != entry {
		d.WithRelated(entry, "the %s is named here", g.Kind)
	}
	if x.Hint != "" {
		d.WithHint("%s", x.Hint)
	}
	return d
}
