//go:build unix

package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// samples holds the measured times of a scene, by round.
type samples struct {
	rounds []*recorder
}

// recorder records the times of one round.
type recorder struct {
	wall, cpu []time.Duration
	at        time.Time
	used      time.Duration
}

func (s *samples) begin() *recorder {
	r := &recorder{}
	s.rounds = append(s.rounds, r)
	return r
}

// begin starts a measurement.
func (r *recorder) begin(e *editor) { r.from(time.Now(), e.cpu()) }

// from starts a measurement at an earlier time, with the processor time that the server had used by
// then.
func (r *recorder) from(at time.Time, used time.Duration) { r.at, r.used = at, used }

// done ends the measurement.
func (r *recorder) done(e *editor) {
	r.wall = append(r.wall, time.Since(r.at))
	r.cpu = append(r.cpu, e.cpu()-r.used)
}

// row is a line of the table.
type row struct {
	name, best, all, cpu, budget string
	missed                       bool
}

// row returns the 95th percentile of the best round, which other load on the machine disturbs least,
// that of all rounds, and the median of the processor time.
func (s *samples) row(name string, budget time.Duration) row {
	var all, cpu []time.Duration
	best := time.Duration(1<<63 - 1)
	for _, r := range s.rounds {
		all, cpu = append(all, r.wall...), append(cpu, r.cpu...)
		best = min(best, quantile(r.wall, 0.95))
	}
	r := row{
		name: name, best: shown(best), all: shown(quantile(all, 0.95)), cpu: shown(quantile(cpu, 0.5)),
	}
	if budget > 0 {
		r.budget, r.missed = shown(budget), best > budget
	}
	return r
}

// quantile returns the smallest time that is not exceeded by the given part of all times.
func quantile(list []time.Duration, part float64) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}

func shown(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	switch {
	case v < 10:
		return fmt.Sprintf("%.1f ms", v)
	case v < 1000:
		return fmt.Sprintf("%.0f ms", v)
	}
	return fmt.Sprintf("%.2f s", v/1000)
}

// printTable prints rows, and reports whether all are within their budgets.
func printTable(w io.Writer, rows []row) bool {
	fmt.Fprintln(w, "| | best round | all rounds | processor time | budget | |")
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|---|")
	missed := 0
	for _, r := range rows {
		verdict := "met"
		switch {
		case r.missed:
			verdict = "**missed**"
			missed++
		case r.budget == "":
			verdict = ""
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", r.name, r.best, r.all, r.cpu, r.budget, verdict)
	}
	return missed == 0
}
