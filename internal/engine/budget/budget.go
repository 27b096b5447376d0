// Package budget keeps a run within a budget: it watches what the process has in use, and says
// before much is taken whether it fits.
//
// A budget travels in the context. What passes it ends the context with an *Error as its cause;
// code in templates is stopped where it is then, and whoever has a place for that adds it with
// Blame. The heap is that of the process, so a budget is for all that goes on in it.
package budget

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"weft/internal/lang/diag"
)

// CodeMemory is the code of a run that needs more memory than it may have, where no code of a
// template is to blame.
const CodeMemory diag.Code = "run/memory"

const (
	// small is what is never asked for: the watch sees it in time.
	small = 1 << 20

	// How often the watch looks. A run that is over by then is never looked at.
	interval = 5 * time.Millisecond

	// Stacks as large as this are a recursion over something that is nested without end, and there
	// is no way to stop it but to end the program. Go itself gives up, with all its stacks on
	// standard error, when one stack passes a gigabyte. They grow by doubling; the calls that
	// Starlark allows need a quarter of a gigabyte.
	largeStack = stackScale * 700 << 20
	lostStack  = stackScale * 1000 << 20

	// stopTimeout is how long code may take to notice that it is stopped.
	stopTimeout = 2 * time.Second
)

// Memory is how much may be in use. A nil Memory has no limit.
type Memory struct {
	limit   atomic.Uint64
	before  int64 // the collector's own limit, to be put back; 0 if it was left alone
	stop    context.CancelCauseFunc
	timer   *time.Timer
	ended   chan struct{}
	lost    func(*Error)
	hint    string    // what helps when it is passed
	tripped time.Time // when the context was ended, and why; only the watch knows
	over    *Error
	// closed when the collection is done that was begun as the budget was passed; nil if there was
	// none
	collected <-chan struct{}
	// collections before the watch began: what they found alive says nothing
	cycles uint64

	mu      sync.Mutex
	running []string // what is being evaluated
}

type key struct{}

type hintKey struct{}

// WithHint gives a context whose budget, see Limit, says what helps when it is passed, where that is
// not the flag of the command line.
func WithHint(ctx context.Context, hint string) context.Context {
	return context.WithValue(ctx, hintKey{}, hint)
}

// Limit gives a context whose budget is limit bytes, or less where the system allows the process
// less. Ended with stop, it is watched no more. A limit of 0 is none: only stacks are watched then.
// If lost is not nil, it is called when the budget is passed and code does not notice that it is
// stopped: only the end of the program frees the memory then.
func Limit(ctx context.Context, limit uint64, lost func(*Error)) (_ context.Context, stop func()) {
	if limit == 0 {
		limit = math.MaxInt64
	}
	b := &Memory{ended: make(chan struct{}), lost: lost, hint: "raise the limit with --max-memory"}
	if hint, ok := ctx.Value(hintKey{}).(string); ok {
		b.hint = hint
	}
	b.limit.Store(limit)
	ctx, b.stop = context.WithCancelCause(context.WithValue(withCulprit(ctx), key{}, b))
	b.timer = time.AfterFunc(2*interval, b.watch)
	return ctx, sync.OnceFunc(func() {
		b.timer.Stop()
		close(b.ended)
		b.stop(nil)
	})
}

// Of returns the budget of a context, or nil.
func Of(ctx context.Context) *Memory {
	b, _ := ctx.Value(key{}).(*Memory)
	return b
}

// watch looks at what is in use until the run is over.
func (b *Memory) watch() {
	b.limit.Store(min(b.max(), allowed()))
	u := newUsage()
	if u.read(); u.stacks > largeStack/2 {
		runtime.GC() // stacks of earlier runs of the process, which are not in use any more
		u.read()
	}
	b.cycles = u.cycles
	paced := uint64(0) // the collection after which it was said when to collect next
	for tick := time.NewTicker(interval); ; {
		if u.read() > b.max()/4 {
			b.hold()
		}
		if u.cycles > paced {
			pace(u.live)
			paced = u.cycles
		}
		if b.look(u) {
			if b.lost != nil {
				b.lost(b.exceededError())
			}
			return
		}
		select {
		case <-tick.C:
		case <-b.ended:
			tick.Stop()
			b.release()
			return
		}
	}
}

// look ends the context if too much is in use, and reports whether there is no use in waiting for
// the code to notice.
func (b *Memory) look(u *usage) (lost bool) {
	switch {
	case !b.tripped.IsZero():
		return u.stacks > lostStack || u.total() > b.max()+b.max()/4 ||
			time.Since(b.tripped) > stopTimeout
	case u.stacks > largeStack:
		b.trip(&Error{Message: "values or calls are nested too deeply: the stack is " +
			"full", Hint: "check for a loop that keeps putting a value into itself"})
		return u.stacks > lostStack
	case u.total() > b.max()+b.max()/2:
		b.trip(b.exceeded(0))
		return true
	case u.cycles > b.cycles && u.live+u.stacks > b.max()-b.max()/8:
		// The collector would do little else than collect from here on.
		b.trip(b.exceeded(0))
		return u.total() > b.max()+b.max()/4
	case u.total() <= b.max():
		b.collected = nil
	case b.collected == nil:
		// It may be garbage. To wait for the collector here would be to look away: it waits itself
		// for whoever copies a gigabyte.
		collected := make(chan struct{})
		go func() {
			runtime.GC()
			close(collected)
		}()
		b.collected = collected
	default:
		select {
		case <-b.collected:
			b.trip(b.exceeded(0))
			return u.total() > b.max()+b.max()/4
		default:
		}
	}
	return false
}

func (b *Memory) trip(e *Error) {
	b.tripped = time.Now()
	b.over = e
	b.stop(e)
}

func (b *Memory) max() uint64 { return b.limit.Load() }

// hold makes the collector keep the heap within the budget where it can: what is garbage is to be
// gone before it counts.
func (b *Memory) hold() {
	if now := debug.SetMemoryLimit(-1); b.max() < uint64(now) {
		b.before = now
		debug.SetMemoryLimit(int64(b.max()))
	}
}

func (b *Memory) release() {
	if b.before != 0 {
		debug.SetMemoryLimit(b.before)
	}
}

// exceededError returns the error of a budget that was passed, with what was being evaluated.
func (b *Memory) exceededError() *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := *b.over
	if len(b.running) > 0 {
		err.Message += ", while " + strings.Join(
			slices.Compact(slices.Sorted(slices.Values(b.running))),
			", ",
		) + " was evaluated"
	}
	return &err
}

// Enter says that something is being evaluated, until the result is called.
func (b *Memory) Enter(name string) (leave func()) {
	if b == nil {
		return func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running = append(b.running, name)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if i := slices.Index(b.running, name); i >= 0 {
			b.running = slices.Delete(b.running, i, i+1)
		}
	}
}

// Fits says whether so many bytes may be taken. The error is an *Error.
func (b *Memory) Fits(bytes uint64) error {
	if b == nil || bytes < small {
		return nil
	}
	u := newUsage()
	limit := min(b.max(), allowed())
	if bytes <= limit && u.read()+bytes <= limit {
		return nil
	}
	if bytes <= limit {
		if runtime.GC(); u.read()+bytes <= limit {
			return nil
		}
	}
	return b.exceeded(bytes)
}

// exceeded returns the error of a budget that is passed by what is in use, or by what is asked for
// besides.
func (b *Memory) exceeded(more uint64) *Error {
	limit := min(b.max(), allowed())
	switch {
	case more == 0:
		return &Error{
			Message: fmt.Sprintf("the run needs more than %s of memory", Size(limit)),
			Hint:    b.hint,
		}
	case more > limit:
		return &Error{Message: fmt.Sprintf("this needs %s of memory, but the limit is "+
			"%s", Size(more), Size(limit)), Hint: b.hint}
	}
	return &Error{Message: fmt.Sprintf("this needs %s of memory on top of what is in use, but "+
		"the limit is %s", Size(more), Size(limit)), Hint: b.hint}
}

// Error says that a budget is passed.
type Error struct {
	Code          diag.Code // "" means CodeMemory
	Message, Hint string
}

func (e *Error) Error() string { return e.Message }

// Unwrap makes the end of the time what it is to others.
func (e *Error) Unwrap() error {
	if e.Code == CodeTime {
		return context.DeadlineExceeded
	}
	return nil
}

// Passed returns the error of the budget if that is why the context has ended, else nil.
func Passed(ctx context.Context) *Error {
	e, _ := errors.AsType[*Error](context.Cause(ctx))
	return e
}

// usage is what the process has in use.
type usage struct {
	samples                    [4]metrics.Sample
	heap, stacks, live, cycles uint64
}

func newUsage() *usage {
	u := &usage{}
	// what is garbage is in there until it is collected
	u.samples[0].Name = "/memory/classes/heap/objects:bytes"
	u.samples[1].Name = "/memory/classes/heap/stacks:bytes"
	u.samples[2].Name = "/gc/heap/live:bytes" // what the last collection found alive
	u.samples[3].Name = "/gc/cycles/total:gc-cycles"
	return u
}

func (u *usage) read() uint64 {
	metrics.Read(u.samples[:])
	u.heap, u.stacks, u.live = u.samples[0].Value.Uint64(), u.samples[1].Value.Uint64(),
		u.samples[2].Value.Uint64()
	u.cycles = u.samples[3].Value.Uint64()
	return u.total()
}

func (u *usage) total() uint64 { return u.heap + u.stacks }

// Size returns a number of bytes for people.
func Size(bytes uint64) string {
	units := [...]string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	f, i := float64(bytes), 0
	for ; f >= 1024 && i < len(units)-1; i++ {
		f /= 1024
	}
	if f == math.Trunc(f) || f >= 100 {
		return fmt.Sprintf("%.0f %s", f, units[i])
	}
	return fmt.Sprintf("%.1f %s", f, units[i])
}
