// Package chart renders Helm charts with Helm's engine, as `helm template` does.
//
//	chart.go     the steps: load, values, render, sort
//	load.go      the files of a chart
//	schema.go    values against values.schema.json, which may not fetch anything
//	random.go    functions with another result in each run: errors, or seeded
//	keys.go      seeded keys and certificates
package chart

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

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

// Render returns the documents of a chart.
func Render(r *wire.Request, f *files.System) *wire.Answer {
	docs, err := render(r.Chart, f)
	if denied := f.Denied(); err != nil && denied != nil {
		err = denied
	}
	if err != nil {
		return &wire.Answer{Error: errorOf(err)}
	}
	return &wire.Answer{Docs: docs}
}

func render(r *wire.Chart, f *files.System) ([]wire.Doc, error) {
	c, digest, err := load(f, r.Path)
	if err != nil {
		return nil, err
	}
	if err := installable(c); err != nil {
		return nil, err
	}
	top, err := values(r, c)
	if err != nil {
		return nil, err
	}
	e := engine.Engine{CustomTemplateFuncs: deterministic(r, digest)}
	texts, err := e.RenderWithContext(context.Background(), c, top)
	if err != nil {
		return nil, err
	}
	return documents(r, c, texts)
}

// installable reports as an error what Helm does not install: libraries, and charts whose dependencies are
// missing.
func installable(c *v2.Chart) error {
	if t := c.Metadata.Type; t != "" && t != "application" {
		return fmt.Errorf("%s charts are not installable", t)
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
		return fmt.Errorf("dependencies of Chart.yaml are missing in charts/: %s", strings.Join(missing, ", "))
	}
	return nil
}

// values returns what templates see.
func values(r *wire.Chart, c *v2.Chart) (common.Values, error) {
	given := map[string]any{}
	for _, f := range r.Values {
		v, err := loader.LoadValues(strings.NewReader(f.Text))
		if err != nil {
			return nil, &wire.Error{Message: err.Error(), File: f.Name}
		}
		given = loader.MergeMaps(given, v)
	}
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

// documents returns rendered texts in the order in which Helm prints them.
func documents(r *wire.Chart, c *v2.Chart, texts map[string]string) ([]wire.Doc, error) {
	for name := range texts {
		if path.Base(name) == "NOTES.txt" || strings.HasSuffix(name, "NOTES.txt") {
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
	var docs []wire.Doc
	if r.CRDs {
		for _, crd := range c.CRDObjects() {
			docs = append(docs, wire.Doc{Source: crd.Filename, Text: string(crd.File.Data)})
		}
	}
	for _, m := range manifests {
		docs = append(docs, wire.Doc{Source: m.Name, Text: m.Content})
	}
	if r.Hooks {
		for _, h := range hooks {
			docs = append(docs, wire.Doc{Source: h.Path, Text: h.Manifest})
		}
	}
	return docs, nil
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

// errorOf returns an error with the place of a template, if its message has one.
func errorOf(err error) *wire.Error {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e
	}
	e := &wire.Error{Message: err.Error()}
	e.File, e.Line = place(e.Message)
	return e
}

// place finds the first place such as chart/templates/web.yaml:12:4 in a message.
func place(message string) (string, int) {
	for _, word := range strings.FieldsFunc(message, func(r rune) bool {
		return r == ' ' || r == '\n' || r == '(' || r == ')' || r == '"'
	}) {
		name, rest, ok := strings.Cut(word, ":")
		if !ok || !strings.Contains(name, "/") {
			continue
		}
		var line int
		if n, _ := fmt.Sscanf(rest, "%d", &line); n == 1 {
			return name, line
		}
	}
	return "", 0
}
