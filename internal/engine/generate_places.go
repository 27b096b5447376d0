package engine

import (
	"strings"
	"sync"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// placeLater lets the lines of documents be found when a message first names one: the documents are rendered
// once more, with origins. If that gives other documents, only their files are known.
func (e *evaluation) placeLater(g *Generator, req GeneratorRequest, rendered *Generated) {
	req.Origins = true
	list := rendered.Documents
	again := sync.OnceValue(func() []GeneratedDocument {
		with, err := g.Render(e.caller, req)
		if err != nil || len(with.Documents) != len(list) {
			return list
		}
		return with.Documents
	})
	rendered.Documents = make([]GeneratedDocument, len(list))
	for i, d := range list {
		rendered.Documents[i] = d
		rendered.Documents[i].Origins = func(line int) []source.Origin {
			with := &again()[i]
			if with.Path != d.Path || with.Text != d.Text {
				return d.Origins(line)
			}
			return with.Origins(line)
		}
	}
}

// generatorError returns why a generator failed. If it rendered what is not YAML, weft finds the place in the
// text better than the engine does.
func (l *library) generatorError(g *Generator, x *GeneratorError) error {
	if x.Rendered != nil {
		_, err := l.readGenerated(g, &Generated{Documents: []GeneratedDocument{*x.Rendered}})
		if err != nil {
			return err
		}
	}
	return l.run.generatorProblem(g, x, diag.Errorf)
}

// opened returns diagnostics with places that people can open: see diag.List.Opened. Where the line of a
// template is not known, the hint also says how to see the rendered text.
func (e *evaluation) opened(list diag.List) diag.List {
	if e.generated == nil {
		return list
	}
	list = list.Opened(e.files)
	for i, d := range list {
		f := e.files.File(d.At.Pos)
		if f == nil || !f.IsRendered() || f.Origins(d.At.Offset())[0].Line > 0 {
			continue
		}
		program := "helm template"
		if strings.HasPrefix(f.Name(), "kustomizations/") {
			program = "kustomize build"
		}
		hinted := *d
		list[i] = hinted.WithHint("%s", strings.TrimPrefix(d.Hint+"\nthe line is part of the rendered text, which `"+
			program+"` prints; where it comes from is not known", "\n"))
	}
	return list
}
