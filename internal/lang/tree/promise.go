package tree

import (
	"errors"

	"go.starlark.net/starlark"
)

// Promise stands for a value that is computed when code first reads it. It is in data values from which
// functions compute others of them, and nowhere else: no document holds one.
type Promise struct {
	// Compute returns the value. It is called for each struct that has the value, and has to remember it.
	Compute func() Value
}

// PromiseIn returns the promise that v is, or nil.
func PromiseIn(v Value) *Promise {
	p, _ := v.x.(*Promise)
	return p
}

// String implements starlark.Value.
func (p *Promise) String() string { return "promise" }

// Type implements starlark.Value.
func (p *Promise) Type() string { return "promise" }

// Freeze implements starlark.Value.
func (p *Promise) Freeze() {}

// Truth implements starlark.Value.
func (p *Promise) Truth() starlark.Bool { return true }

// Hash implements starlark.Value.
func (p *Promise) Hash() (uint32, error) { return 0, errors.New("unhashable type: promise") }

// keep computes field i if it is a promise, before the struct is locked: what computes it may read other
// fields.
func (s *Struct) keep(i int) {
	if p := PromiseIn(s.fields[i].from); p != nil {
		p.Compute()
	}
}

// Settle says what the data values are whose reads r records, once all of them are known. r may be nil.
func (r *Reads) Settle(v Value) {
	if r == nil || r.trace == nil {
		return
	}
	r.trace.mu.Lock()
	defer r.trace.mu.Unlock()
	r.trace.Origins.values[r.at.values].Value = v
}

// Below returns the Reads of a value that a field or an item holds. r may be nil.
func (r *Reads) Below(s Step) *Reads {
	switch {
	case r == nil:
		return nil
	case s.Index >= 0:
		return r.item(s.Index)
	}
	return r.of(s.Key)
}
