package eval

import (
	"cmp"
	gocontext "context"
	"errors"
	"runtime"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"weft/internal/engine/budget"
	"weft/internal/engine/eval/hints"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Where nothing else can stop code, it checks the clock and its own call depth after this many
// steps. Browsers have a small call stack, and end a program that exceeds it.
const (
	betweenLooks = 2_000
	deepestCalls = 2_000

	// betweenPlaces is how long code runs before it reports its line, and then the next one.
	betweenPlaces = 250 * time.Millisecond
)

// preempted means that the deadline of a context is noticed while code runs. Under WebAssembly it
// is not, because nothing runs in parallel.
const preempted = runtime.GOARCH != "wasm"

// limitSteps makes t stop when it has taken too many steps.
func (p *proc) limitSteps(t *starlark.Thread) {
	maxSteps := p.run.opt.MaxSteps
	if _, ok := p.ctx.Deadline(); preempted || !ok {
		t.SetMaxExecutionSteps(maxSteps)
		t.OnMaxSteps = func(t *starlark.Thread) { t.Cancel(modules.TooManySteps) }
		return
	}
	watchLimits(p.ctx, t, maxSteps)
}

// watchLimits makes t stop when it has taken too many steps, when its calls are nested too deeply,
// or when the deadline of ctx has passed. It checks the deadline itself, and reports where code is that takes
// long.
func watchLimits(ctx gocontext.Context, t *starlark.Thread, maxSteps uint64) {
	deadline, _ := ctx.Deadline()
	reported := time.Now()
	t.SetMaxExecutionSteps(min(maxSteps, betweenLooks))
	t.OnMaxSteps = func(t *starlark.Thread) {
		now := time.Now()
		switch {
		case t.Steps >= maxSteps:
			t.Cancel(modules.TooManySteps)
		case t.CallStackDepth() > deepestCalls:
			t.Cancel(hints.StackOverflow)
		case now.After(deadline):
			<-ctx.Done() // the call returns at once: waiting for it lets the context record why it ended
			t.Cancel(hints.Interrupted)
		default:
			t.SetMaxExecutionSteps(min(maxSteps, t.Steps+betweenLooks))
			if now.Sub(reported) > betweenPlaces || t.CallStackDepth() > deepestCalls/4 {
				reported = now
				reportPlace(ctx, t)
			}
		}
	}
}

// reportLarge returns what reports the line of a large operation, or nil where others can stop the code.
func (p *proc) reportLarge() func(*starlark.Thread) {
	if preempted {
		return nil
	}
	return func(t *starlark.Thread) { reportPlace(p.ctx, t) }
}

// reportPlace reports the line that t is at. If something then takes longer than a browser waits, or needs a
// larger stack than it has, the page still knows the place.
func reportPlace(ctx gocontext.Context, t *starlark.Thread) {
	var f *source.File
	at, ok := hints.Innermost(t.CallStack(), func(name string) *source.File {
		f = procOf(t).source(name)
		return f
	})
	if ok {
		budget.At(ctx, f.Shown(), f.Line(at.Offset()))
	}
}

// blame records where code was when it exceeded the memory or time budget, for the first file that
// was stopped. If memory ran out and that file failed for another reason, it records that error
// instead, which may be the cause.
func (r *run) blame(order []int, procs []*proc) {
	passed := budget.Passed(r.ctx)
	if passed == nil {
		return
	}
	for _, i := range order {
		p := procs[i]
		if p == nil || p.err == nil {
			continue
		}
		list := p.diagnose(p.err)
		e, ok := errors.AsType[*starlark.EvalError](p.err)
		stopped := ok && strings.Contains(e.Msg, hints.Cancelled)
		switch {
		case stopped && len(list) > 0:
			d := *list[0]
			d.Code, d.Message, d.Hint = cmp.Or(passed.Code, hints.CodeLimit), passed.Message, passed.Hint
			list = diag.List{&d}
		case passed.Code == budget.CodeTime:
			continue
		}
		budget.Blame(r.ctx, list)
		return
	}
}
