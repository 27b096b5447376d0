package workspace

import (
	"bytes"
	"context"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/lang/yaml"
)

// maxGenerating limits the seconds in which a chart or a kustomization must be rendered: the next one waits
// for it.
const maxGenerating = 20

// followGenerator changes a chart or a kustomization of a view: it always finds out where lines come from.
// The linter needs that after each edit, and what was rendered with origins is not rendered a second time.
func followGenerator(g *engine.Generator) {
	render := g.Render
	g.Render = func(ctx context.Context, r engine.GeneratorRequest) (*engine.Generated, error) {
		r.Origins, r.Seconds = true, maxGenerating
		return render(ctx, r)
	}
}

// chartValues returns how a view reads a values file of a chart: one with `#@` is a template, and others are
// read as Helm reads them. It returns false if the view has no such file.
func (v *View) chartValues(path string, text []byte) (compile.Kind, compile.Options, bool) {
	if !v.charted[path] {
		return 0, compile.Options{}, false
	}
	opt := v.config.Compile
	if bytes.Contains(text, []byte("#@")) {
		return compile.YAML, opt, true
	}
	opt.Strict, opt.YAML = false, yaml.Options{MaxDepth: opt.YAML.MaxDepth, MaxNodes: opt.YAML.MaxNodes}
	return compile.PlainYAML, opt, true
}
