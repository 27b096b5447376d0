// Package chart renders Helm charts with Helm's engine, as `helm template` does.
//
//	chart.go      the steps: load, values, render, sort
//	load.go       the files of a chart
//	keep.go       the files of charts are kept for other values
//	misspelled.go keys of values against values.yaml
//	schema.go     values against values.schema.json, which may not fetch anything
//	functions.go  functions that are not Helm's own
//	sites.go      where templates call functions whose result depends on the place
//	random.go     functions with another result in each run: errors, or seeded
//	keys.go       seeded keys and certificates
//	errors.go     errors with their places, and the value to set
//	origins.go    where lines come from: the chart rendered once more, with marks
//	places.go     the lines at which values.yaml sets values
package chart

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"

	"weft/engines/files"
	"weft/internal/project/engines/wire"
)

// Charts renders charts. It keeps their files if requests say which are equal.
type Charts struct{ kept }

// Render returns the documents of a chart.
func (all *Charts) Render(r *wire.Request, f *files.System) *wire.Answer {
	a, err := all.render(r, f)
	if denied := f.Denied(); err != nil && denied != nil {
		err = denied
	}
	if err != nil {
		e, ok := errors.AsType[*wire.Error](err)
		if !ok {
			e = &wire.Error{Message: err.Error()}
		}
		return &wire.Answer{Error: e}
	}
	return a
}

func (all *Charts) render(r *wire.Request, f *files.System) (*wire.Answer, error) {
	s, err := all.source(r.Chart, func() (*source, error) { return read(f, r.Chart.Path) })
	if err != nil {
		return nil, err
	}
	p, err := prepare(r.Chart, s)
	if err != nil {
		return nil, err
	}
	c, top := p.chart, p.top
	funcs := newFunctions(r.Chart, s)
	e := engine.Engine{CustomTemplateFuncs: funcs.all}
	texts, err := e.RenderWithContext(context.Background(), c, top)
	if err != nil {
		return nil, templateError(err, funcs, c, s)
	}
	docs, err := documents(r.Chart, c, texts)
	if err != nil {
		return notYAML(r.Chart, s, texts, templateError(err, funcs, c, s)), nil
	}
	a := &wire.Answer{Warnings: append(p.misspelled, funcs.warnings()...)}
	if r.Origins {
		a.Chains = origins(r.Chart, s, texts, docs).chains
	}
	for _, d := range docs {
		a.Docs = append(a.Docs, d.Doc)
	}
	return a, nil
}

// prepared is a chart that can be rendered.
type prepared struct {
	chart      *v2.Chart
	top        common.Values  // what its templates see
	given      map[string]any // the values that were given
	misspelled []wire.Error
}

// prepare loads a chart and its values.
func prepare(r *wire.Chart, s *source) (p prepared, err error) {
	if p.chart, err = s.load(); err != nil {
		return p, err
	}
	if err := installable(p.chart); err != nil {
		return p, err
	}
	if p.given, err = givenValues(r); err != nil {
		return p, err
	}
	p.misspelled = misspelled(p.chart, r, p.given)
	p.top, err = values(r, p.chart, p.given)
	return p, err
}

// installable reports as an error what Helm does not install: libraries, and charts whose dependencies are
// missing.
func installable(c *v2.Chart) error {
	if t := c.Metadata.Type; t != "" && t != "application" {
		return &wire.Error{Message: t + " charts are not installable", Code: wire.CodeLibrary}
	}
	have := map[string]bool{}
	for _, d := range c.Dependencies() {
		have[d.Name()] = true
	}
	var missing []string
	for _, d := range c.Metadata.Dependencies {
		if !have[d.Name] {
			missing = append(missing, d.Name)
		}
	}
	if len(missing) > 0 {
		return &wire.Error{
			Message: "dependencies of Chart.yaml are missing in charts/: " + strings.Join(missing, ", "),
			Code:    wire.CodeDependency,
		}
	}
	return nil
}

// givenValues returns the values of the values files, merged.
func givenValues(r *wire.Chart) (map[string]any, error) {
	given := map[string]any{}
	for _, f := range r.Values {
		v, err := loader.LoadValues(strings.NewReader(f.Text))
		if err != nil {
			return nil, &wire.Error{Message: err.Error(), Code: wire.CodeValues, File: f.Name}
		}
		given = loader.MergeMaps(given, v)
	}
	return given, nil
}

// values returns what templates see.
func values(r *wire.Chart, c *v2.Chart, given map[string]any) (common.Values, error) {
	if err := chartutil.ProcessDependencies(c, given); err != nil {
		return nil, err
	}
	caps, err := capabilities(r)
	if err != nil {
		return nil, err
	}
	if need := c.Metadata.KubeVersion; need != "" &&
		!chartutil.IsCompatibleRange(need, caps.KubeVersion.String()) {
		return nil, fmt.Errorf("the chart requires Kubernetes %s, but kubernetes is %s", need, r.Kubernetes)
	}
	release := common.ReleaseOptions{Name: r.Release, Namespace: r.Namespace, Revision: 1, IsInstall: true}
	const skipSchema = true // Helm's check may fetch
	top, err := util.ToRenderValuesWithSchemaValidation(c, given, release, caps, skipSchema)
	if err != nil {
		return nil, err
	}
	all, err := top.Table("Values")
	if err != nil {
		return nil, err
	}
	return top, check(c, all)
}

// capabilities returns the cluster that templates see.
func capabilities(r *wire.Chart) (*common.Capabilities, error) {
	v, err := common.ParseKubeVersion(r.Kubernetes)
	if err != nil {
		return nil, fmt.Errorf("kubernetes: %q is not a version: %w", r.Kubernetes, err)
	}
	caps := common.DefaultCapabilities.Copy()
	caps.KubeVersion = *v
	caps.APIVersions = append(caps.APIVersions, r.APIVersions...)
	return caps, nil
}

// document is a document, and where its text is: in a file of the chart, or in the rendered text of its
// template, from a line on.
type document struct {
	wire.Doc
	file *common.File
	line int
}

// documents returns rendered texts in the order in which Helm prints them.
func documents(r *wire.Chart, c *v2.Chart, texts map[string]string) ([]document, error) {
	for name := range texts {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(texts, name)
		}
	}
	order := releaseutil.InstallOrder
	if r.Order == wire.Helm3 {
		order = withoutWebhooks(order)
	}
	hooks, manifests, err := releaseutil.SortManifests(texts, nil, order)
	if err != nil {
		return nil, err
	}
	var docs []document
	if r.CRDs {
		for _, crd := range c.CRDObjects() {
			doc := wire.Doc{Source: filepath.ToSlash(crd.Filename), Text: string(crd.File.Data)}
			docs = append(docs, document{Doc: doc, file: crd.File})
		}
	}
	at := positions(texts)
	for _, m := range manifests {
		docs = append(docs, newDocument(at, m.Name, m.Content))
	}
	if r.Hooks {
		for _, h := range hooks {
			docs = append(docs, newDocument(at, h.Path, h.Manifest))
		}
	}
	return docs, nil
}

// separator is what Helm takes for the beginning of another document.
var separator = regexp.MustCompile(`(?m)^---[ \t]*`)

// positions returns the lines at which documents begin that Helm cuts out of rendered texts, by the names of
// their templates and their texts. A text that is there more than once has several.
func positions(texts map[string]string) map[string][]int {
	at := map[string][]int{}
	for name, text := range texts {
		from := 0
		ends := append(separator.FindAllStringIndex(text, -1), []int{len(text), len(text)})
		for _, end := range ends {
			doc := strings.TrimLeftFunc(text[from:end[0]], unicode.IsSpace)
			begin := end[0] - len(doc)
			key := name + "\x00" + doc
			at[key] = append(at[key], strings.Count(text[:begin], "\n"))
			from = end[1]
		}
	}
	return at
}

// newDocument returns a document of a template. Its line is -1 if it is not known.
func newDocument(at map[string][]int, name, text string) document {
	d := document{Doc: wire.Doc{Source: name, Text: text}, line: -1}
	key := name + "\x00" + text
	if lines := at[key]; len(lines) > 0 {
		d.line = lines[0]
		at[key] = lines[1:]
	}
	return d
}

// withoutWebhooks returns the order of Helm 3, which sorts webhook configurations among unknown kinds.
func withoutWebhooks(order releaseutil.KindSortOrder) releaseutil.KindSortOrder {
	var out releaseutil.KindSortOrder
	for _, kind := range order {
		if kind != "MutatingWebhookConfiguration" && kind != "ValidatingWebhookConfiguration" {
			out = append(out, kind)
		}
	}
	return out
}
