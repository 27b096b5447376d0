//go:build unix

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// check is a comparison and its target.
type check struct {
	what  string // what is compared; "" means the time
	weft  string // name of weft's contestant
	with  string // name of the other; empty if it is the input
	value func(weft, other []outcome) (shown [3]string, ratio float64)
	least float64 // minimum ratio; 0 means none
	most  float64 // maximum ratio
}

// row is the result of a check.
type row struct {
	cells   [7]string
	missed  bool
	skipped bool
}

func (c check) row(w workload, m results) row {
	r := row{cells: [7]string{w.name, c.what, c.with, "", "", "", c.must()}}
	if c.what == "" {
		r.cells[1] = "time"
	}
	weft, other := m[c.weft], m[c.with]
	if c.with == "" {
		other, r.cells[2] = weft, "the input"
	}
	if len(weft) == 0 || len(other) == 0 {
		r.skipped = true
		return r
	}
	shown, ratio := c.value(weft, other)
	r.cells[3], r.cells[4], r.cells[5] = shown[0], shown[1], shown[2]
	r.missed = c.least != 0 && ratio < c.least || c.most != 0 && ratio > c.most
	return r
}

func (c check) must() string {
	switch {
	case c.least != 0:
		return fmt.Sprintf("≥ %.3g", c.least)
	case c.most != 0:
		return fmt.Sprintf("≤ %.3g", c.most)
	}
	return ""
}

// printTable prints rows and reports whether every target is met.
func printTable(w io.Writer, rows []row) bool {
	fmt.Fprintln(w, "| workload | compared | with | weft | other | ratio | must be | |")
	fmt.Fprintln(w, "|---|---|---|---:|---:|---:|---:|---|")
	missed, met, skipped := 0, 0, 0
	for _, r := range rows {
		verdict := "met"
		switch {
		case r.skipped:
			verdict = "not run"
			skipped++
		case r.missed:
			verdict = "**missed**"
			missed++
		case r.cells[6] == "":
			verdict = ""
		default:
			met++
		}
		fmt.Fprintf(w, "| %s | %s |\n", strings.Join(r.cells[:], " | "), verdict)
	}
	fmt.Fprintf(w, "\n%d targets met, %d missed, %d not run.\n", met, missed, skipped)
	return missed == 0
}

// faster returns the check that the other program takes at least this many times as long.
func faster(with string, times float64) check {
	return check{
		weft:  "weft",
		with:  with,
		least: times,
		value: func(weft, other []outcome) ([3]string, float64) {
			a, b := median(wall(weft)), median(wall(other))
			ratio := float64(b) / float64(a)
			return [3]string{
				shownTime(weft),
				shownTime(other),
				fmt.Sprintf("%s%.3g ×", atLeast(other), ratio),
			}, ratio
		},
	}
}

// within returns the check that weft takes at most this many times as long as another program, or as
// another run of weft.
func within(what, name, with string, times float64) check {
	return check{
		what: what,
		weft: name,
		with: with,
		most: times,
		value: func(weft, other []outcome) ([3]string, float64) {
			ratio := float64(median(wall(weft))) / float64(median(wall(other)))
			return [3]string{shownTime(weft), shownTime(other), fmt.Sprintf("%.3g", ratio)}, ratio
		},
	}
}

// cores returns the check of the speedup from one to two processors.
func cores(times float64) check {
	c := faster("weft, 1 core", times)
	c.what, c.weft = "time on 2 cores", "weft, 2 cores"
	return c
}

// memory returns the check of weft's peak memory, as a part of the other's.
func memory(with string, part float64) check {
	return check{
		what: "peak memory",
		weft: "weft",
		with: with,
		most: part,
		value: func(weft, other []outcome) ([3]string, float64) {
			a, b := peaks(weft), peaks(other)
			ratio := float64(a) / float64(b)
			return [3]string{megabytes(a), megabytes(b), fmt.Sprintf("%.2f", ratio)}, ratio
		},
	}
}

// timesInput returns the check of peak memory against the size of the input.
func timesInput(times float64) check {
	return check{
		what: "peak memory",
		weft: "weft",
		most: times,
		value: func(weft, _ []outcome) ([3]string, float64) {
			a, b := peaks(weft), weft[0].input
			ratio := float64(a) / float64(b)
			return [3]string{megabytes(a), megabytes(b), fmt.Sprintf("%.2f", ratio)}, ratio
		},
	}
}

// overEmpty returns the check of how many milliseconds longer weft takes to start than a program that
// does nothing.
func overEmpty(ms float64) check {
	return check{
		what: "ms on top",
		weft: "weft",
		with: "empty",
		most: ms,
		value: func(weft, other []outcome) ([3]string, float64) {
			more := float64(median(wall(weft))-median(wall(other))) / float64(time.Millisecond)
			return [3]string{shownTime(weft), shownTime(other), fmt.Sprintf("%.2f ms", more)}, more
		},
	}
}

func wall(list []outcome) []time.Duration {
	out := make([]time.Duration, len(list))
	for i, o := range list {
		out[i] = o.wall
	}
	return out
}

func median(list []time.Duration) time.Duration {
	list = slices.Sorted(slices.Values(list))
	if n := len(list); n%2 == 0 {
		return (list[n/2-1] + list[n/2]) / 2
	}
	return list[len(list)/2]
}

func peaks(list []outcome) int64 {
	var most int64
	for _, o := range list {
		most = max(most, o.peak)
	}
	return most
}

// shownTime returns the median and the best time as text.
func shownTime(list []outcome) string {
	t := wall(list)
	return fmt.Sprintf(
		"%s%s (%s) ms",
		atLeast(list),
		milliseconds(median(t)),
		milliseconds(slices.Min(t)),
	)
}

// atLeast returns the prefix for the time of a program that was stopped.
func atLeast(list []outcome) string {
	if slices.ContainsFunc(list, func(o outcome) bool { return o.late }) {
		return "> "
	}
	return ""
}

func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
