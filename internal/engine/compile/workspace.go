package compile

import (
	"slices"
	"sync"

	"weft/internal/lang/tree"
)

// workspace is memory in which templates are compiled one after another. Their tables grow in it
// and are then copied in the size that they have, and what is needed no longer once there is a
// program, such as its syntax tree, is written over by the next: memory that is touched for the
// first time costs more than what is written into it.
type workspace struct {
	metas     []meta
	moving    []int
	nodes     []Node
	stretches []Stretch
	steps     []Step
	items     []tree.Item // of the stretch that is being gathered
	stretch   Stretch

	calls [][]opCall
	used  int // how many of the calls
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// callChunk is how many calls are made at a time.
const callChunk = 32

// call returns an opCall that nothing uses.
func (w *workspace) call() *opCall {
	chunk := w.used / callChunk
	if chunk == len(w.calls) {
		w.calls = append(w.calls, make([]opCall, callChunk))
	}
	o := &w.calls[chunk][w.used%callChunk]
	w.used++
	return o
}

// manyCalls is how large the tables may be that are kept for the next template.
const manyCalls = 4096

// enter lends the compiler a workspace. What the unit keeps is its own once leave was called.
func (c *compiler) enter() {
	w := workspaces.Get().(*workspace)
	c.work = w
	c.unit.Nodes, c.unit.Stretches, c.unit.Steps = w.nodes[:0], w.stretches[:0], w.steps[:0]
}

// leave gives the workspace back. There is no use of the syntax tree from here on.
func (c *compiler) leave() {
	w, u := c.work, c.unit
	w.nodes, w.stretches, w.steps = u.Nodes, u.Stretches, u.Steps
	u.Nodes, u.Stretches, u.Steps = fitting(u.Nodes), fitting(u.Stretches), fitting(u.Steps)
	if w.used > manyCalls || cap(w.nodes) > manyCalls || cap(w.items) > manyCalls {
		return // so large a template comes once
	}
	// What is kept for the next template must not keep this one's file.
	clear(w.metas)
	clear(w.nodes)
	clear(w.stretches)
	clear(w.items[:cap(w.items)])
	w.used = 0
	workspaces.Put(w)
}

// fitting returns a copy of list that is not a larger than it must be.
func fitting[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}
