package parallel

import (
	"slices"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		got := make([]int, n)
		Each(n, func(i int) { got[i] = i + 1 })
		for i, v := range got {
			if v != i+1 {
				t.Fatalf("%d of %d was not called", i, n)
			}
		}
	}
}

func TestInOrder(t *testing.T) {
	var got []int
	InOrder(100, func(i int) int { return i * i }, func(v int) bool {
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
			Each(100, func(i int) {
				if calls.Add(1); i == 7 {
					panic("seven")
				}
			})
		},
		"InOrder": func() {
			InOrder(100, func(i int) int {
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
