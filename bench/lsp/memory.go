//go:build unix

package main

import (
	"fmt"
	"time"
)

// maxMemory is the budget of the server: 175 MB, and 25 MB for a second environment.
const maxMemory = 200e6

// maxGrowth is how much memory may grow during edits.
const maxGrowth = 0.1

// opened returns a server with one open template, when it has nothing left to do.
func (b *bench) opened() (*editor, error) {
	e, err := start(b.weft, b.project)
	if err != nil {
		return nil, err
	}
	if err = e.open(template, "", ""); err == nil {
		err = e.settle()
	}
	if err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

// memory measures the memory of a server at the start, and after many edits.
func (b *bench) memory() ([]row, error) {
	e, err := b.opened()
	if err != nil {
		return nil, err
	}
	defer e.stop()
	opened, used := e.atRest(), e.cpu()
	const warm = 500
	if err := e.typeOn(0, min(warm, b.edits)); err != nil {
		return nil, err
	}
	before, began := e.atRest(), time.Now()
	if err := e.typeOn(warm, b.edits); err != nil {
		return nil, err
	}
	lasted := time.Since(began)
	after, peak := e.atRest(), e.memory("VmHWM")
	growth := float64(after)/float64(before) - 1
	return []row{
		{
			name: "memory after the start", best: megabytes(opened), budget: megabytes(maxMemory),
			missed: opened > maxMemory,
		},
		{
			name: fmt.Sprintf("memory after %d edits", b.edits), best: megabytes(after),
			budget: megabytes(maxMemory), missed: after > maxMemory,
		},
		{
			name: "its growth", best: fmt.Sprintf("%.1f %%", 100*growth), budget: "10.0 %",
			missed: growth > maxGrowth,
		},
		{name: "the most memory at any time", best: megabytes(peak)},
		{
			name: "an edit among many", all: shown(lasted / time.Duration(max(1, b.edits-warm))),
			cpu: shown((e.cpu() - used) / time.Duration(b.edits)),
		},
	}, nil
}

// atRest returns the memory of a server that has had nothing to do for some seconds: then it has given back
// what it does not need.
func (e *editor) atRest() int64 {
	const pause = 4 * time.Second
	time.Sleep(pause)
	return e.memory("VmRSS")
}

// typeOn makes edits, each as soon as the server has checked the one before. From time to time it waits
// until the server has evaluated everything.
func (e *editor) typeOn(from, to int) error {
	const rest = 1000
	for i := from; i < to; i++ {
		old, text := "level", "levels"
		if i%2 == 1 {
			old, text = text, old
		}
		if err := e.edit(template, old, text); err != nil {
			return err
		}
		if _, err := e.await(template, anything); err != nil {
			return err
		}
		if (i+1)%rest == 0 || i+1 == to {
			if err := e.settle(); err != nil {
				return err
			}
		}
	}
	return nil
}

func megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }
