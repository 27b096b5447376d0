package parallel

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		got := make([]int, n)
		Workers(0).Each(n, func(i int) { got[i] = i + 1 })
		for i, v := range got {
			if v != i+1 {
				t.Fatalf("%d of %d was not called", i, n)
			}
		}
	}
}

func TestInOrder(t *testing.T) {
	var got []int
	InOrder(0, 100, func(i int) int { return i * i }, func(v int) bool {
		got = append(got, v)
		return len(got) < 50
	})
	want := make([]int, 50)
	for i := range want {
		want[i] = i * i
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestPanic(t *testing.T) {
	var calls atomic.Int64
	for name, f := range map[string]func(){
		"Each": func() {
			Workers(0).Each(100, func(i int) {
				if calls.Add(1); i == 7 {
					panic("seven")
				}
			})
		},
		"InOrder": func() {
			InOrder(0, 100, func(i int) int {
				if i == 7 {
					panic("seven")
				}
				return i
			}, func(int) bool { return true })
		},
	} {
		func() {
			defer func() {
				if r := recover(); r != "seven" {
					t.Errorf("%s: recovered %v, want the panic of a call", name, r)
				}
			}()
			f()
		}()
	}
}

// No more are at work at a time than there may be.
func TestWorkers(t *testing.T) {
	for _, w := range []Workers{1, 3} {
		var now, most atomic.Int64
		w.Each(100, func(int) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			runtime.Gosched()
			now.Add(-1)
		})
		if most.Load() > int64(w) {
			t.Errorf("%d were at work, want at most %d", most.Load(), w)
		}
	}
}

// However often spare ones are kept, and whatever sets the number of processors afterwards.
func TestKeepSpare(t *testing.T) {
	before, processors := Workers(0).Count(), runtime.GOMAXPROCS(0)
	defer func() {
		workers.Store(0)
		runtime.GOMAXPROCS(processors)
	}()
	for range 3 {
		KeepSpare(3)
	}
	if got := runtime.GOMAXPROCS(0); got != processors+3 {
		t.Errorf("%d goroutines can run at a time, want %d", got, processors+3)
	}
	runtime.GOMAXPROCS(1)
	if got := Workers(0).Count(); got != before {
		t.Errorf("a loop starts %d goroutines, want %d as before", got, before)
	}
}
