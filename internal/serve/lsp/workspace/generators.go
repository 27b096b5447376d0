package workspace

import (
	"context"

	"weft/internal/engine"
)

// maxGenerating limits the seconds in which a chart or a kustomization must be rendered: the next one waits for
// it.
const maxGenerating = 20

// followGenerator changes a chart or a kustomization of a view: it always finds out where lines come from. The
// linter needs that after each edit, and what was rendered with origins is not rendered a second time.
func followGenerator(g *engine.Generator) {
	render := g.Render
	g.Render = func(ctx context.Context, r engine.GeneratorRequest) (*engine.Generated, error) {
		r.Origins, r.Seconds = true, maxGenerating
		return render(ctx, r)
	}
}
