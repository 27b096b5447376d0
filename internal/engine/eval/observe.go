package eval

import "time"

// PrivateDir is the name of folders that only library.get can access.
const PrivateDir = privateDir

// Work is a kind of work on a file.
type Work uint8

// The kinds of work.
const (
	Compiling Work = iota
	Evaluating
)

// Observer receives the time that work on a file took. It must be safe for concurrent use.
type Observer func(path string, w Work, took time.Duration)

// time measures the work on f until the returned function is called. Without an observer it costs
// almost nothing.
func (f *File) time(w Work) (end func()) {
	observe := f.lib.original().Observe
	if observe == nil {
		return func() {}
	}
	began := time.Now()
	return func() { observe(f.Input.Shown(), w, time.Since(began)) }
}
