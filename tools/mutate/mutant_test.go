package main

import (
	"fmt"
	"strings"
	"testing"
)

// Every condition of a file can be flipped, in place: the lines stay.
func TestFlipped(t *testing.T) {
	const text = `package a

func f(a, b int, list []int) bool {
	if a == 1 && (b == 2 || len(list) > 3) {
		return a > b || b > a
	}
	switch {
	case a > 4, b > 5:
	}
	return !(a < 6)
}
`
	const want = `package a

func f(a, b int, list []int) bool {
	if weftFlip("1", a == 1) && (weftFlip("2", b == 2) || weftFlip("3", len(list) > 3)) {
		return weftFlip("4", a > b) || weftFlip("5", b > a)
	}
	switch {
	case weftFlip("6", a > 4), weftFlip("7", b > 5):
	}
	return !(a < 6)
}
`
	found, err := conditionsOf("a/a.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	chosen := sample([][]*mutant{found}, 1, 100)
	if got := string(flipped([]byte(text), chosen)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if m := chosen[2]; m.function != "f" || m.text != "len(list) > 3" || m.String() != "a/a.go:4" {
		t.Errorf("the third is %+v", m)
	}
}

// A sample takes as many of each package, and the same ones for a seed.
func TestSample(t *testing.T) {
	groups := func() (list [][]*mutant) {
		for _, file := range []string{"a", "b"} {
			var g []*mutant
			for i := range 50 {
				g = append(g, &mutant{file: file, start: i})
			}
			list = append(list, g)
		}
		return append(list, nil)
	}
	names := func(seed uint64) string {
		var b strings.Builder
		for _, m := range sample(groups(), seed, 10) {
			fmt.Fprint(&b, m.file, m.start, " ")
		}
		return b.String()
	}
	if a := names(1); strings.Count(a, "a") != 5 || a != names(1) || a == names(2) {
		t.Errorf("the sample is %q", a)
	}
}
