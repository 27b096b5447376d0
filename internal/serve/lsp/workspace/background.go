package workspace

import (
	"context"

	"weft/internal/serve/lsp/wire"
)

// inBackground calls do, and returns when it does, or with the error of ctx as soon as ctx ends. Then do goes
// on until the next edit, so that later requests find what it has computed: a request that gives up in a
// large workspace does not make the next one begin from the start.
func (s *Snapshot) inBackground(ctx context.Context, what string, do func(context.Context)) error {
	going, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	done, finished := make(chan struct{}), false
	go func() {
		defer stop(nil)
		defer close(done)
		s.folder.Guard(what, func() {
			do(going)
			finished = true
		})
	}()
	select {
	case <-done:
		if !finished {
			return wire.ErrBug
		}
		return nil
	case <-ctx.Done():
		context.AfterFunc(s.ctx, func() { stop(context.Cause(s.ctx)) })
		return context.Cause(ctx)
	}
}
