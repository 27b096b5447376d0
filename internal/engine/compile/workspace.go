package compile

import (
	"slices"
	"sync"

	"weft/internal/lang/tree"
)

// workspace is memory that is reused to compile one template after another. Tables grow in it and are
// then copied at their final size. Memory that is not needed once the program exists, such as that of
// its syntax tree, is overwritten by the next template: new memory costs more when it is first
// written than filling it does.
type workspace struct {
	metas     []meta
	moving    []int
	nodes     []Node
	stretches []Stretch
	steps     []Step
	items     []tree.Item // items of the current stretch
	stretch   Stretch

	calls [][]opCall
	used  int // the number of calls in use

	notes map[string]string // the names of annotations that mean something, by themselves
}

// noteName returns the name of an annotation as a string, and whether it means something.
func (w *workspace) noteName(name []byte) (_ string, known bool) {
	if len(name) == 0 {
		return "", false
	}
	if s, ok := w.notes[string(name)]; ok {
		return s, true
	}
	s := string(name)
	known = tree.Means(s)
	if known {
		if w.notes == nil {
			w.notes = map[string]string{}
		}
		w.notes[s] = s
	}
	return s, known
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// callChunk is the number of calls allocated at once.
const callChunk = 32

// call returns an unused opCall.
func (w *workspace) call() *opCall {
	chunk := w.used / callChunk
	if chunk == len(w.calls) {
		w.calls = append(w.calls, make([]opCall, callChunk))
	}
	o := &w.calls[chunk][w.used%callChunk]
	w.used++
	return o
}

// manyCalls is the maximum size of tables that are kept for the next template.
const manyCalls = 4096

// enter lends the compiler a workspace. The unit refers to it until leave is called.
func (c *compiler) enter() {
	w := workspaces.Get().(*workspace)
	c.work = w
	c.unit.Nodes, c.unit.Stretches, c.unit.Steps = w.nodes[:0], w.stretches[:0], w.steps[:0]
}

// leave returns the workspace. The syntax tree must not be used afterwards.
func (c *compiler) leave() {
	w, u := c.work, c.unit
	w.nodes, w.stretches, w.steps = u.Nodes, u.Stretches, u.Steps
	u.Nodes, u.Stretches, u.Steps = fitting(u.Nodes), fitting(u.Stretches), fitting(u.Steps)
	if w.used > manyCalls || cap(w.nodes) > manyCalls || cap(w.items) > manyCalls {
		return // so large a template is rare
	}
	// Memory kept for the next template must not refer to this template's file.
	clear(w.metas)
	clear(w.nodes)
	clear(w.stretches)
	clear(w.items[:cap(w.items)])
	w.used = 0
	workspaces.Put(w)
}

// fitting returns a copy of list without spare capacity.
func fitting[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}
