package engine

import (
	"weft/internal/lang/parallel"
	"weft/internal/lang/tree"
)

// A traced run finds out which data values each value of the output was made of: see Config.Origins.
// It goes one step at a time, since a data value that is read cannot tell by whom.

// AlwaysTrace makes every run a traced one, so that tests can show that its outcome is the same.
var AlwaysTrace bool

// trace returns what overlays need of the tracer, or nil.
func (e *evaluation) trace() *tree.Trace {
	if e.tracer == nil {
		return nil
	}
	return e.tracer.Trace
}

// workers returns how many documents of the library are worked on at a time.
func (l *library) workers() parallel.Workers {
	if l.run.tracer != nil {
		return 1
	}
	return l.run.config.Workers
}

// watch notes what is read of the data values of the library, if anybody asks: those that it has
// come to, in a traced run, or those that nothing reads.
func (l *library) watch(v tree.Value) *tree.Reads {
	unread := l.reads()
	if l.run.tracer == nil {
		return unread
	}
	tr := l.run.tracer
	return tr.Traced(tree.DataValues{Library: l.name, Value: v, Calls: tr.Calls()}, unread)
}
