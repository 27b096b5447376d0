package process

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// pending is what a signal has to wait for.
type pending struct {
	others atomic.Int32 // the programs that Foreground runs

	mu   sync.Mutex
	tidy map[*func()]bool // what removes the files of commands
}

type pendingKey struct{}

func pendingOf(ctx context.Context) *pending {
	if p, ok := ctx.Value(pendingKey{}).(*pending); ok {
		return p
	}
	return &pending{}
}

// Foreground calls run, which starts another program in the terminal and waits for it. Until it returns, an
// interrupt does not end weft: Ctrl-C is for the other program, such as an editor.
func Foreground(ctx context.Context, run func() error) error {
	p := pendingOf(ctx)
	p.others.Add(1)
	defer p.others.Add(-1)
	return run()
}

// Removes calls remove when the returned function is called, or when the run ends without waiting for the command
// that called Removes. A signal gives the command more time to end.
func Removes(ctx context.Context, remove func()) (done func()) {
	p := pendingOf(ctx)
	remove = sync.OnceFunc(remove)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tidy == nil {
		p.tidy = map[*func()]bool{}
	}
	p.tidy[&remove] = true
	return func() {
		remove()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.tidy, &remove)
	}
}

// remove removes the files of commands that have not ended.
func (p *pending) remove() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for remove := range p.tidy {
		(*remove)()
	}
}

// isForOther reports whether a signal is for a program that Foreground runs.
func (p *pending) isForOther(s os.Signal) bool { return s == os.Interrupt && p.others.Load() > 0 }

// grace returns how long an interrupted run may take to stop by itself.
func (p *pending) grace() time.Duration {
	const removing = 5 * time.Second // a secret that stays is worse than a wait
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.tidy) > 0 {
		return removing
	}
	return grace
}
