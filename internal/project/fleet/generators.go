package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/values"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
	"weft/internal/project/engines"
	"weft/internal/project/engines/wire"
)

// Generator is a chart or a kustomization of a project.
type Generator struct {
	of  engine.Generator // without Render
	how generator
}

// Chart returns the path of a chart and those of its values files. They are empty for a kustomization.
func (g *Generator) Chart() (chart string, values []string) {
	if g.how.request.Chart == nil {
		return "", nil
	}
	for _, v := range g.of.Values {
		values = append(values, filepath.ToSlash(v.Path))
	}
	return filepath.ToSlash(g.how.request.Chart.Path), values
}

// generator makes the requests for a chart or a kustomization.
type generator struct {
	project *project.Description
	request wire.Request // without values; the paths are those of the project
	reads   func(path string)
}

// generators returns the charts and kustomizations for the pipeline.
func (o *Options) generators() (list []engine.Generator) {
	opts := *o
	for _, g := range o.Generators {
		g.how.reads = opts.ReportRead
		g.of.Render = g.how.render
		g.of.Files = func(r engine.GeneratorRequest) any { return g.how.files(r) }
		list = append(list, g.of)
	}
	return list
}

// reportGenerators reports the paths that charts and kustomizations name. Those that they read are reported
// then.
func (o *Options) reportGenerators() {
	for _, g := range o.Generators {
		if r := &g.how.request; r.Chart != nil {
			o.ReportRead(r.Chart.Path)
		} else {
			o.ReportRead(r.Kustomization.Path)
		}
		for _, v := range g.of.Values {
			o.ReportRead(v.Path)
		}
	}
}

// setGenerators sets the charts and kustomizations of an environment.
func (o *Options) setGenerators(
	p *project.Description, s *project.Settings, place func(source.Span) values.Place,
) {
	o.Generators = nil
	add := func(g engine.Generator, r wire.Request) {
		key, _ := json.Marshal(r) // which cannot fail
		g.Key = string(key)
		o.Generators = append(o.Generators, Generator{of: g, how: generator{project: p, request: r}})
	}
	for _, c := range s.Charts {
		g := engine.Generator{Kind: "chart", Name: c.Name, At: place(c.At)}
		for _, x := range c.Values {
			g.Values = append(g.Values, engine.ValuesPath{Path: x.Text, At: place(x.At)})
		}
		add(g, wire.Request{Chart: &wire.Chart{
			Path: c.Chart.Text, Release: cmp.Or(c.Release.Text, c.Name),
			Namespace:  cmp.Or(c.Namespace.Text, "default"),
			Kubernetes: c.Kubernetes.Text, APIVersions: textsOf(c.APIVersions),
			CRDs: c.CRDs.Text != "false", Hooks: c.Hooks.Text != "drop",
			Order: cmp.Or(c.Order.Text, wire.Helm4), Random: cmp.Or(c.Random.Text, wire.RandomError),
		}})
	}
	for _, k := range s.Kustomizations {
		add(engine.Generator{Kind: "kustomization", Name: k.Name, At: place(k.At)},
			wire.Request{Kustomization: &wire.Kustomization{Path: k.Dir.Text}})
	}
}

// render returns the documents of a chart or a kustomization.
func (g generator) render(ctx context.Context, r engine.GeneratorRequest) (*engine.Generated, error) {
	if browser.IsPage {
		return nil, diag.Failf(engines.CodeMissing, "the playground does not render charts and kustomizations").
			WithHint("run weft in a terminal")
	}
	files := g.files(r)
	if other, ok := r.From.(*engines.Files); ok {
		files = files.Taking(other, r.Take)
	}
	request, err := g.requestFor(r, files)
	if err != nil {
		return nil, &engine.GeneratorError{Message: err.Error(), Hint: "vendor it: see `weft vendor --help`"}
	}
	run := g.project.Engines()
	if run == nil {
		return nil, diag.Failf(engines.CodeMissing, "charts and kustomizations need the program weft-engines, but "+
			"it was not allowed").WithHint("set Engines in ProjectOptions")
	}
	answer, err := run.Render(ctx, request, files)
	if err != nil {
		return nil, err
	}
	if answer.Error != nil {
		p := problem(answer.Error, files)
		if d := answer.Error.Rendered; d != nil {
			rendered := g.document(answer.Answer, d, request, files)
			p.Rendered = &rendered
		}
		return nil, p
	}
	rendered := &engine.Generated{Placed: request.Origins, Read: map[string]string{}, Text: files.Text}
	for _, a := range answer.Asked {
		if a.IsFile {
			rendered.Read[a.Path] = string(a.Sum[:])
		}
		if a.IsFile && r.FS == nil {
			rendered.Paths = append(rendered.Paths, files.Path(a.Path))
		}
	}
	for i := range answer.Warnings {
		rendered.Warnings = append(rendered.Warnings, problem(&answer.Warnings[i], files))
	}
	for i := range answer.Docs {
		rendered.Documents = append(rendered.Documents, g.document(answer.Answer, &answer.Docs[i], request, files))
	}
	return rendered, nil
}

// document returns a document of an answer.
func (g generator) document(
	a *wire.Answer, d *wire.Doc, r *wire.Request, files *engines.Files,
) engine.GeneratedDocument {
	file := files.Path(g.sourceOf(d.Source, r))
	return engine.GeneratedDocument{
		Path: g.pathOf(d.Source), Text: d.Text,
		Origins: func(line int) []source.Origin { return originsOf(a.Origin(d, line-1), file, files) },
		Value:   func(line int) []string { return valueOf(a.Origin(d, line-1)) },
		Values:  func(line int) [][]string { return valuesOf(a.Origin(d, line-1)) },
		Source: func(path string) []byte {
			name, err := files.Name(path)
			if err != nil {
				return nil
			}
			return files.Text(name)
		},
	}
}

// originsOf returns the lines of templates that a line comes from, or only the file.
func originsOf(chain []wire.Place, file string, files *engines.Files) (list []source.Origin) {
	for _, p := range chain {
		if p.File != "" && p.Values == nil {
			list = append(list, source.Origin{Path: files.Path(p.File), Line: p.Line})
		}
	}
	if list == nil {
		return []source.Origin{{Path: file}}
	}
	return list
}

// valueOf returns the path of the value that a line comes from, if a values file of the request sets it.
func valueOf(chain []wire.Place) []string {
	if len(chain) > 0 && chain[0].File == "" {
		return chain[0].Values
	}
	return nil
}

// valuesOf returns the paths of all values that a line comes from.
func valuesOf(chain []wire.Place) (list [][]string) {
	for _, p := range chain {
		if p.Values != nil {
			list = append(list, p.Values)
		}
	}
	return list
}

// sourceOf returns the file that a document comes from. The engine names the chart instead of its folder.
func (g generator) sourceOf(name string, r *wire.Request) string {
	if r.Chart == nil {
		return name
	}
	_, rest, _ := strings.Cut(name, "/")
	return path.Join(r.Chart.Path, rest)
}

// files returns what the engine may read, which all requests of a session share.
func (g generator) files(r engine.GeneratorRequest) *engines.Files {
	if known, ok := r.Snapshot.Load(g.project); ok {
		return known.(*engines.Files)
	}
	bounds := g.project.Bounds()
	known, _ := r.Snapshot.LoadOrStore(g.project, engines.NewFiles(engines.Repository{
		Root: g.project.Relative(g.project.Root()), FS: r.FS,
		Allow: func(path string) error {
			if d := bounds.CheckInside(path, source.Span{}); d != nil {
				return d
			}
			if r.FS == nil {
				g.reads(path)
			}
			return nil
		},
	}))
	return known.(*engines.Files)
}

// requestFor returns the request with the values of an evaluation, and with paths as the engine has them.
func (g generator) requestFor(r engine.GeneratorRequest, files *engines.Files) (*wire.Request, error) {
	request := g.request
	request.Origins, request.Seconds = r.Origins, r.Seconds
	var err error
	if k := request.Kustomization; k != nil {
		dir := *k
		dir.Path, err = files.Name(k.Path)
		request.Kustomization = &dir
		return &request, err
	}
	chart := *request.Chart
	if chart.Path, err = files.Name(chart.Path); err != nil {
		return nil, err
	}
	for _, v := range r.Values {
		chart.Values = append(chart.Values, wire.ValuesFile(v))
	}
	request.Chart = &chart
	return &request, nil
}

// pathOf returns the path of a document in the folder of the chart or the kustomization. The engine names the
// template, with the name of the chart as its first folder.
func (g generator) pathOf(from string) string {
	name := from
	if g.request.Chart != nil {
		if _, rest, ok := strings.Cut(from, "/"); ok {
			name = rest
		}
	}
	if ext := path.Ext(name); ext != ".yaml" && ext != ".yml" {
		name += ".yaml"
	}
	return name
}

// problem returns an error or a warning of an engine.
func problem(e *wire.Error, files *engines.Files) *engine.GeneratorError {
	p := &engine.GeneratorError{Message: files.Shown(e.Message), Hint: hintFor(e), Line: e.Line}
	if e.Code == wire.CodeKey {
		p.Key = e.Values
	}
	if e.File != "" {
		p.File, p.Text = files.Path(e.File), files.Text(e.File)
	}
	return p
}

// hintFor returns what to do about an error, or "".
func hintFor(e *wire.Error) string {
	switch e.Code {
	case wire.CodeRandom:
		if len(e.Values) > 0 {
			return "set the value `" + strings.Join(e.Values, ".") + "`, or use `random: seeded` if it is not a secret"
		}
		return "set the value that the template asks for first, or use `random: seeded` if it is not a secret"
	case wire.CodeKey:
		return "did you mean " + e.Near + "?"
	case wire.CodeLibrary:
		return "name a chart that uses the library"
	case wire.CodeDependency:
		return "put the dependencies into the folder `charts` of the chart: `weft vendor` keeps whole charts"
	case wire.CodeRemote:
		return "keep a copy in the repository: see `weft vendor --help`"
	}
	return ""
}
