// Package parallel runs loops on several goroutines without a visible difference: results come in
// order, and a panic reaches the caller.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is the number of goroutines; 0 means one per processor.
type Workers int

// workers is how many goroutines a loop starts if some are to be spare; otherwise 0.
var workers atomic.Int64

// KeepSpare lets n more goroutines run at a time than a loop starts. A server keeps some, so that it
// reads what its client wants while loops have all processors: the system takes turns between
// threads sooner than Go does between goroutines.
func KeepSpare(n int) {
	workers.CompareAndSwap(0, int64(runtime.GOMAXPROCS(0)))
	runtime.GOMAXPROCS(int(workers.Load()) + n)
}

// Count returns the number of goroutines.
func (w Workers) Count() int {
	if w > 0 {
		return int(w)
	}
	if n := workers.Load(); n > 0 {
		return int(n)
	}
	return runtime.GOMAXPROCS(0)
}

// Each calls f for 0 to n-1 and returns when all calls have returned.
func (w Workers) Each(n int, f func(i int)) {
	if n == 1 || w.Count() == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var (
		next  atomic.Int64
		fault atomic.Pointer[any]
		wg    sync.WaitGroup
	)
	for range min(n, w.Count()) {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					fault.CompareAndSwap(nil, &r)
				}
			}()
			for i := int(next.Add(1)) - 1; i < n && fault.Load() == nil; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
	if r := fault.Load(); r != nil {
		panic(*r)
	}
}

// InOrder computes values for 0 to n-1 and passes them to take, in this order, until take returns
// false. It computes only a few values ahead, so memory stays small even if take is slow.
func InOrder[T any](w Workers, n int, make1 func(i int) T, take func(T) bool) {
	type result struct {
		value T
		fault any
	}
	slots := make(chan chan result, w.Count())
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(slots)
		for i := range n {
			slot := make(chan result, 1)
			select {
			case slots <- slot:
			case <-stop:
				return
			}
			go func() {
				var r result
				defer func() {
					r.fault = recover()
					slot <- r
				}()
				r.value = make1(i)
			}()
		}
	}()
	for slot := range slots {
		r := <-slot
		if r.fault != nil {
			panic(r.fault)
		}
		if !take(r.value) {
			return
		}
	}
}
