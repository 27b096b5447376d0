// Package lazy makes the values of package variables on first use.
//
// It does what sync.OnceValue does, without its allocations: those happen before main, in every run
// of the program, even for packages that the run does not need. These variables are static data.
package lazy

import (
	"regexp"
	"sync"
)

// Value is a value that New makes on first use.
type Value[T any] struct {
	New func() T

	once  sync.Once
	value T
}

// Get returns the value.
func (v *Value[T]) Get() T {
	v.once.Do(func() { v.value = v.New() })
	return v.value
}

// Regexp is a regular expression that is compiled on first use.
type Regexp struct {
	Text string

	once     sync.Once
	compiled *regexp.Regexp
}

// Get returns the compiled expression. It panics if Text is not a regular expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.Text) })
	return r.compiled
}
