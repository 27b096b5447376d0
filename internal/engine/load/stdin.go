package load

import (
	"bytes"
	"io"
	"reflect"
	"sync"

	"weft/internal/lang/diag"
)

// Stdin is standard input that several runs read, each from its beginning. It is read when the
// first of them needs it.
type Stdin struct {
	from io.Reader
	once sync.Once
	data []byte
	err  error
}

// Share lets several runs read r, which may be nil.
func Share(r io.Reader) *Stdin { return &Stdin{from: r} }

// Reader returns a reader for one run.
func (s *Stdin) Reader() io.Reader {
	if s.from == nil {
		return nil
	}
	return &reading{of: s}
}

type reading struct {
	of   *Stdin
	rest *bytes.Reader
}

// Read implements io.Reader.
func (r *reading) Read(p []byte) (int, error) {
	r.of.once.Do(func() { r.of.data, r.of.err = io.ReadAll(r.of.from) })
	if r.rest == nil {
		r.rest = bytes.NewReader(r.of.data)
	}
	n, err := r.rest.Read(p)
	if err == io.EOF && r.of.err != nil {
		err = r.of.err
	}
	return n, err
}

// Once returns standard input for the arguments of one run: reading it twice is an error.
func Once(r io.Reader) io.Reader {
	if r == nil {
		return nil
	}
	return &once{Reader: r}
}

type once struct {
	io.Reader
	used bool
}

// stdinTwice is a function, so that the error is not created at startup.
func stdinTwice() error {
	return diag.Failf(CodeStdinTwice, "standard input has already been read, "+
		"has the '-' argument been used in more than one flag?")
}

// SameReader reports whether two readers are the same. Values that cannot be compared are not.
func SameReader(a, b io.Reader) bool {
	return a != nil && b != nil && reflect.ValueOf(a).Comparable() && a == b
}
