package eval

import (
	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/cover"
)

// coverage records what code of a thread is reached. A nil *coverage records nothing.
type coverage struct {
	recorder *cover.Recorder
	unit     *compile.Unit // the unit that the counters belong to
	counts   cover.Counts
}

func (r *run) newCoverage() *coverage {
	if r.opt.Cover == nil {
		return nil
	}
	return &coverage{recorder: r.opt.Cover}
}

// hit records that the program of u reaches a counter.
func (c *coverage) hit(u *compile.Unit, counter int) {
	if c == nil || u.Cover == nil {
		return
	}
	if c.unit != u {
		c.unit, c.counts = u, c.recorder.Add(u.Cover)
	}
	c.counts.Hit(counter)
}

// step records that a step is executed.
func (c *coverage) step(u *compile.Unit, s compile.Step) {
	switch {
	case c == nil:
	case s.Stretch:
		c.hit(u, u.StretchCounter(int(s.ID)))
	default:
		c.hit(u, u.NodeCounter(int(s.ID)))
	}
}

// coverers adds the builtins that a unit compiled for coverage calls.
func coverers(d starlark.StringDict, u *compile.Unit) {
	define(d, compile.OpCond,
		func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			p.build.cover.hit(u, small(args[0])+branchIndex(bool(args[1].Truth())))
			return args[1], nil
		})
	define(d, compile.OpLoop,
		func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			if it := starlark.Iterate(args[1]); it != nil { // if not, the loop fails
				var first starlark.Value
				some := it.Next(&first)
				it.Done()
				p.build.cover.hit(u, small(args[0])+branchIndex(some))
			}
			return args[1], nil
		})
	define(d, compile.OpHit,
		func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			p.build.cover.hit(u, small(args[0]))
			if len(args) > 1 {
				return args[1], nil
			}
			return starlark.None, nil
		})
}

func branchIndex(taken bool) int {
	if taken {
		return cover.Taken
	}
	return cover.NotTaken
}
