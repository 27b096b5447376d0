// Package budget limits the memory and the time of a run: it watches what the process uses, and
// checks large allocations before they are made.
//
// A budget is part of the context. Exceeding it ends the context with an *Error as its cause; then
// code in templates stops, and the code that knows the place adds it with Blame. The heap belongs to
// the process, so a budget covers everything in it.
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

// CodeMemory is the code of a run that exceeds its memory, if no template code is to blame.
const CodeMemory diag.Code = "run/memory"

const (
	// small is the size of allocations that are not checked: the watch notices them in time.
	small = 1 << 20

	// How often the watch checks. Shorter runs are never checked.
	interval = 5 * time.Millisecond

	// Stacks of this size come from an infinite recursion, which can only be stopped by ending the
	// program. Go itself gives up, and prints all stacks, when one stack exceeds a gigabyte. Stacks
	// grow by doubling; the calls that Starlark allows need a quarter of a gigabyte.
	largeStack = stackScale * 700 << 20
	lostStack  = stackScale * 1000 << 20

	// stopTimeout is how long code may take to notice that it is stopped.
	stopTimeout = 2 * time.Second
)

// Memory is a limit of the memory in use. A nil Memory has no limit.
type Memory struct {
	limit   atomic.Uint64
	before  int64 // the previous limit of the collector, to restore; 0 if it was not changed
	stop    context.CancelCauseFunc
	timer   *time.Timer
	ended   chan struct{}
	lost    func(*Error)
	hint    string    // what to do if it is exceeded
	tripped time.Time // when and why the context was ended; only the watch uses it
	over    *Error
	// closed after the collection that began when the budget was exceeded; nil if there was none
	collected <-chan struct{}
	// collections before the watch began, whose results do not count
	cycles uint64

	mu      sync.Mutex
	running []string // what is being evaluated
}

type key struct{}

type hintKey struct{}

// WithHint returns a context for Limit. If the budget is exceeded, the error has this hint instead of
// the one about --max-memory, which not every program has.
func WithHint(ctx context.Context, hint string) context.Context {
	return context.WithValue(ctx, hintKey{}, hint)
}

// Hint returns the hint of WithHint, or else to raise a limit with a flag.
func Hint(ctx context.Context, flag string) string {
	if hint, ok := ctx.Value(hintKey{}).(string); ok {
		return hint
	}
	return "raise the limit with " + flag
}

// Limit returns a context with a budget of limit bytes, or less if the system allows the process
// less. stop ends the watch. A limit of 0 means none: then only stacks are watched. If lost is not
// nil, it is called when the budget is exceeded and code does not stop: then only the end of the
// program frees the memory.
func Limit(ctx context.Context, limit uint64, lost func(*Error)) (_ context.Context, stop func()) {
	if limit == 0 {
		limit = math.MaxInt64
	}
	b := &Memory{ended: make(chan struct{}), lost: lost, hint: Hint(ctx, "--max-memory")}
	b.limit.Store(limit)
	ctx, b.stop = context.WithCancelCause(context.WithValue(withBlamed(ctx), key{}, b))
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

// watch checks what is in use until the run is over.
func (b *Memory) watch() {
	b.limit.Store(min(b.max(), allowed()))
	u := newUsage()
	if u.read(); u.stacks > largeStack/2 {
		runtime.GC() // frees stacks of earlier runs of the process
		u.read()
	}
	b.cycles = u.cycles
	paced := uint64(0) // the last collection after which the watch scheduled the next one
	for tick := time.NewTicker(interval); ; {
		if u.read() > b.max()/4 {
			b.hold()
		}
		if u.cycles > paced {
			pace(u.live)
			paced = u.cycles
		}
		if b.check(u) {
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

// check ends the context if too much memory is in use. It reports whether there is no use in waiting
// for the code to stop.
func (b *Memory) check(u *usage) (lost bool) {
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
		// With so little memory left, the collector would run nearly all the time.
		b.trip(b.exceeded(0))
		return u.total() > b.max()+b.max()/4
	case u.total() <= b.max():
		b.collected = nil
	case b.collected == nil:
		// What is in use may be garbage. Do not wait for the collector here: it may itself wait for a
		// copy of a gigabyte.
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

// hold makes the collector keep the heap within the budget if possible, so that garbage is collected
// before it counts.
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

// exceededError returns the error of an exceeded budget, with what was being evaluated.
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

// Enter records that something is being evaluated, until leave is called.
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

// Fits returns an *Error if that many bytes would exceed the budget.
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

// exceeded returns the error of a budget exceeded by what is in use plus more.
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

// Error is an exceeded budget.
type Error struct {
	Code          diag.Code // "" means CodeMemory
	Message, Hint string
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns context.DeadlineExceeded for an exceeded time.
func (e *Error) Unwrap() error {
	if e.Code == CodeTime {
		return context.DeadlineExceeded
	}
	return nil
}

// Passed returns the error of the budget if it has ended the context, and otherwise nil.
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
	// includes garbage until it is collected
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

// Size formats a number of bytes for people.
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
