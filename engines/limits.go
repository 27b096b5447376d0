package main

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"weft/internal/project/engines/wire"
)

// limits are what one request may use. Templates can loop and double texts, and nothing can interrupt them,
// so a request that reaches a limit is the last one of the process.
type limits struct {
	memory int64 // bytes
	output int   // bytes of documents
	every  time.Duration
}

// standard are the limits of weft-engines. Large charts need a tenth of them.
var standard = limits{memory: 2 << 30, output: 100 << 20, every: 10 * time.Millisecond}

// memoryOfProcess tells the garbage collector and the system about the limit of memory. Below it, garbage may
// be four times what is in use: a render of a small chart leaves a few megabytes, and Go's default would
// collect after each.
func (l limits) memoryOfProcess() {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(l.memory / 4 * 3)
	const reserved = 8 << 30 // addresses that Go reserves without using memory for them
	limitSystem(uint64(l.memory) + reserved)
}

// watch waits for the answer to a request. It returns an error instead if a limit is reached.
func (l limits) watch(r *wire.Request, done <-chan *wire.Answer) (*wire.Answer, *wire.Error) {
	seconds := r.Seconds
	if seconds <= 0 {
		seconds = wire.DefaultSeconds
	}
	end := time.NewTimer(time.Duration(min(seconds, math.MaxInt32)) * time.Second)
	defer end.Stop()
	tick := time.NewTicker(l.every)
	defer tick.Stop()
	for {
		select {
		case a := <-done:
			return a, nil
		case <-end.C:
			return nil, limit("it takes longer than %d s", seconds)
		case <-tick.C:
			if used() > uint64(l.memory) {
				return nil, limit("it takes more than %d MB of memory", l.memory>>20)
			}
		}
	}
}

// used returns the bytes of memory that the process has from the system.
func used() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// fits returns an answer, or an error if its documents are too large to send.
func (l limits) fits(a *wire.Answer) *wire.Answer {
	n := 0
	for i := range a.Docs {
		n += len(a.Docs[i].Text)
	}
	if n > l.output || len(a.Docs) > wire.MaxDocs {
		return &wire.Answer{Error: limit("%d documents with %d MB are too much", len(a.Docs), n>>20)}
	}
	return a
}

func limit(format string, args ...any) *wire.Error {
	return &wire.Error{Message: fmt.Sprintf(format, args...), Code: wire.CodeLimit}
}
