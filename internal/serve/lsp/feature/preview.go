package feature

import (
	"context"

	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// Preview returns the output of a file or its project, with a map from its lines to those of the
// sources. If the inputs have errors, it returns the last output without errors.
func Preview(
	ctx context.Context, doc *workspace.TextDocument, p protocol.PreviewParams,
) (*protocol.Preview, error) {
	v, err := viewOf(doc, p.Environment)
	if err != nil {
		return nil, err
	}
	if p.Scope == "" {
		p.Scope = protocol.ScopeProject
	}
	out, err := v.Rendered(ctx, doc.Snapshot())
	if err != nil {
		return nil, err
	}
	answer := &protocol.Preview{
		LanguageID: protocol.LanguageYAML, Environment: v.Env, Errors: []string{},
		Sources: []protocol.DocumentURI{}, Map: []int{},
	}
	if wrong := out.Failure(); wrong != nil {
		answer.Stale, answer.Errors = true, wrong.Lines()
	}
	if out.Failed {
		out = v.LastGood()
	}
	if out == nil {
		return answer, nil
	}
	output, err := printScope(ctx, v, out, doc.Path(), p.Scope)
	if err != nil {
		return nil, err
	}
	answer.Text = output.text
	if !output.yaml {
		answer.LanguageID = protocol.LanguagePlain
		output.traceText(v)
	}
	answer.Sources, answer.Map = sourceLines(doc.Snapshot(), &output)
	return answer, nil
}

// viewOf returns an environment of a document's project, or the active one for "".
func viewOf(doc *workspace.TextDocument, env string) (*workspace.View, error) {
	p := doc.Project()
	if p == nil {
		return nil, wire.Errorf(wire.RequestFailed, "%s is not evaluated: it is in no folder that is "+
			"open and trusted", doc.Path())
	}
	if p.Overtaken() {
		return nil, wire.ErrModified
	}
	v := p.View(env)
	if v == nil && env != "" {
		return nil, p.UnknownEnvironment(env)
	}
	if v == nil {
		return nil, wire.Errorf(wire.RequestFailed, "%s", p.Problem())
	}
	return v, nil
}

// printScope prints the output of a file or of everything. For a file without output, such as one with
// overlays, a schema or data values, it prints everything.
func printScope(
	ctx context.Context, v *workspace.View, out *workspace.Outcome, path, scope string,
) (printed, error) {
	if out.Result == nil {
		return printed{yaml: true}, nil
	}
	if scope == protocol.ScopeFile {
		return printResult(ctx, v, out.Result, outputOf(out.Result.Outputs, path))
	}
	return printResult(ctx, v, out.Result, everything)
}

// outputOf returns the output of a file by its path in the folder, or everything if it has none.
func outputOf(outputs []eval.Output, path string) int {
	for i := range outputs {
		out := &outputs[i]
		if out.File.Input.Origin() == path && (out.Kept || out.File.Input.Type == load.Text) {
			return i
		}
	}
	return everything
}

// traceText adds where lines of text templates come from, if that is known from the last traced
// evaluation: tracing takes too long for a preview.
func (p *printed) traceText(v *workspace.View) {
	t := v.LatestTrace()
	if t == nil || t.Result == nil {
		return
	}
	byPath := map[string]*eval.Output{}
	for i := range t.Result.Outputs {
		byPath[t.Result.Outputs[i].File.Input.Path] = &t.Result.Outputs[i]
	}
	for i := range p.lines {
		l := &p.lines[i]
		out := byPath[l.file]
		if out == nil || l.number > len(out.Lines) {
			continue
		}
		if s, ok := t.Result.Origins.Of(out.Lines[l.number-1]); ok {
			l.at = s.At.Pos
		}
	}
	p.files = t.Result.Files
}

// sourceLines returns the map of a preview: the sources, and for each line the index of a source and
// a line in the client's text.
func sourceLines(s *workspace.Snapshot, p *printed) ([]protocol.DocumentURI, []int) {
	uris, lines := []protocol.DocumentURI{}, make([]int, 0, 2*len(p.lines))
	type known struct {
		index int
		now   func(off int) (line int, ok bool)
	}
	sources := map[*source.File]known{}
	for _, l := range p.lines {
		path, f, at := s.Openable(p.files, l.at.To(l.at.Offset()))
		if f == nil {
			lines = append(lines, -1, -1)
			continue
		}
		k, ok := sources[f]
		if !ok {
			k = known{len(uris), s.LinesNow(path, f)}
			sources[f] = k
			uris = append(uris, s.URI(path))
		}
		line, ok := k.now(at.Offset())
		if !ok {
			lines = append(lines, -1, -1)
			continue
		}
		lines = append(lines, k.index, line)
	}
	return uris, lines
}
