package engine

import (
	"weft/internal/lang/parallel"
	"weft/internal/lang/tree"
)

// A traced run records which data values each value of the output was computed from: see
// Config.Origins. It runs sequentially because a data value cannot tell which file reads it.

// AlwaysTrace traces every run, so that tests can show that the results are the same.
var AlwaysTrace bool

// trace returns the part of the tracer that overlays need, or nil.
func (e *evaluation) trace() *tree.Trace {
	if e.tracer == nil {
		return nil
	}
	return e.tracer.Trace
}

// workers returns how many documents of the library are processed at a time.
func (l *library) workers() parallel.Workers {
	if l.run.tracer != nil {
		return 1
	}
	return l.run.config.Workers
}

// watch returns the Reads that record reads of v, the data values of the library: for the tracer in a
// traced run, and for the warning about unread values. It may be nil.
func (l *library) watch(v tree.Value) *tree.Reads {
	unread := l.reads()
	if l.run.tracer == nil {
		return unread
	}
	tr := l.run.tracer
	return tr.Traced(tree.DataValues{Library: l.name, Value: v, Calls: tr.Calls()}, unread)
}
