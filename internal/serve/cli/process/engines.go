package process

import (
	"context"
	"sync"

	"weft"
)

// enginePool is the engines of a run, by the program that --engines names. They are shared by everything that
// the run opens, and end with it.
type enginePool struct {
	mu  sync.Mutex
	all map[string]*weft.Engines
}

type enginesKey struct{}

// EnginesOf returns the engines of the run for charts and kustomizations. program is the value of --engines.
func EnginesOf(ctx context.Context, program string) *weft.Engines {
	pool, _ := ctx.Value(enginesKey{}).(*enginePool)
	if pool == nil {
		return nil // as in the playground, which has none
	}
	pool.mu.Lock()
	defer pool.mu.Unlock()
	e := pool.all[program]
	if e == nil {
		e = weft.NewEngines(program)
		if pool.all == nil {
			pool.all = map[string]*weft.Engines{}
		}
		pool.all[program] = e
	}
	return e
}

func (p *enginePool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.all {
		e.Close()
	}
}
