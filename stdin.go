package weft

import (
	"bytes"
	"io"
	"sync"
)

// again lets a reader be read any number of times. It is read when somebody asks for it first.
type again struct {
	from io.Reader
	once sync.Once
	data []byte
	err  error
}

// reader is what a run reads.
func (a *again) reader() io.Reader {
	if a.from == nil {
		return nil
	}
	return &reading{of: a}
}

// reading is one of those who read.
type reading struct {
	of   *again
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
