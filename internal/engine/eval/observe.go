package eval

import "time"

// PrivateDir is the name of folders whose content only library.get reaches.
const PrivateDir = privateDir

// Work is what is done with a file.
type Work uint8

// The kinds of work.
const (
	Compiling Work = iota
	Evaluating
)

// Observer is called with the time that a file took. It must be safe for concurrent use.
type Observer func(path string, w Work, took time.Duration)

// time notes how long work on f takes, from now until the result is called. Without an observer it
// costs a comparison.
func (f *File) time(w Work) (end func()) {
	observe := f.lib.original().Observe
	if observe == nil {
		return func() {}
	}
	began := time.Now()
	return func() { observe(f.Input.Shown(), w, time.Since(began)) }
}
