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
)

// Where nothing else can stop code, it checks the clock and its own call depth after this many
// steps. Browsers have a small call stack, and end a program that exceeds it.
const (
	betweenLooks = 2_000
	deepestCalls = 2_000
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
// or when the deadline of ctx has passed. It checks the deadline itself.
func watchLimits(ctx gocontext.Context, t *starlark.Thread, maxSteps uint64) {
	deadline, _ := ctx.Deadline()
	t.SetMaxExecutionSteps(min(maxSteps, betweenLooks))
	t.OnMaxSteps = func(t *starlark.Thread) {
		switch {
		case t.Steps >= maxSteps:
			t.Cancel(modules.TooManySteps)
		case t.CallStackDepth() > deepestCalls:
			t.Cancel(hints.StackOverflow)
		case time.Now().After(deadline):
			<-ctx.Done() // the call returns at once: waiting for it lets the context record why it ended
			t.Cancel(hints.Interrupted)
		default:
			t.SetMaxExecutionSteps(min(maxSteps, t.Steps+betweenLooks))
		}
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
