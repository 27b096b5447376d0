//go:build unix

package main

import (
	"strings"
	"testing"
	"time"
)

func runs(peak int64, ms ...int) []outcome {
	var list []outcome
	for _, n := range ms {
		list = append(list, outcome{wall: time.Duration(n) * time.Millisecond, peak: peak})
	}
	return list
}

func TestChecks(t *testing.T) {
	m := results{
		"weft":          {{wall: 10 * time.Millisecond, peak: 20e6, input: 5e6}},
		"peer":          runs(100e6, 90, 30, 50),
		"late":          {{wall: time.Second, late: true}},
		"empty":         runs(0, 9),
		"weft, 2 cores": runs(0, 10, 20),
		"weft, 1 core":  runs(0, 18, 24),
	}
	for _, c := range []struct {
		check check
		want  string // cells and verdict
	}{
		{faster("peer", 5), "w | time | peer | 10.0 (10.0) ms | 50.0 (30.0) ms | 5 × | ≥ 5 | met"},
		{faster("peer", 5.1), "w | time | peer | 10.0 (10.0) ms | 50.0 (30.0) ms | 5 × | ≥ 5.1 | **missed**"},
		{faster("late", 2), "w | time | late | 10.0 (10.0) ms | > 1000 (1000) ms | > 100 × | ≥ 2 | met"},
		{faster("nobody", 5), "w | time | nobody |  |  |  | ≥ 5 | not run"},
		{within("growth", "peer", "weft", 2), "w | growth | weft | 50.0 (30.0) ms | 10.0 (10.0) ms | 5 | ≤ 2 | **missed**"},
		{memory("peer", 0.2), "w | peak memory | peer | 20.0 MB | 100.0 MB | 0.20 | ≤ 0.2 | met"},
		{timesInput(3), "w | peak memory | the input | 20.0 MB | 5.0 MB | 4.00 | ≤ 3 | **missed**"},
		{overEmpty(1.3), "w | ms on top | empty | 10.0 (10.0) ms | 9.00 (9.00) ms | 1.00 ms | ≤ 1.3 | met"},
		{cores(1.4), "w | time on 2 cores | weft, 1 core | 15.0 (10.0) ms | 21.0 (18.0) ms | 1.4 × | ≥ 1.4 | met"},
	} {
		var b strings.Builder
		met := printTable(&b, []row{c.check.row(workload{name: "w"}, m)})
		got := strings.Split(b.String(), "\n")[2]
		if got != "| "+c.want+" |" {
			t.Errorf("got\n%s\nwant\n| %s |", got, c.want)
		}
		if met == strings.Contains(c.want, "missed") {
			t.Errorf("%s: reported %t", c.want, met)
		}
	}
}

// A check compares contestants that the workload has.
func TestWorkloadsAreWhole(t *testing.T) {
	for _, w := range workloads {
		names := map[string]bool{"": true}
		for _, c := range w.contestants {
			if names[c.name] {
				t.Errorf("%s: two contestants are called %q", w.name, c.name)
			}
			names[c.name] = true
			if c.program == "" || c.data == "" {
				t.Errorf("%s: %q has no program or no data", w.name, c.name)
			}
		}
		for _, c := range w.checks {
			if !names[c.weft] || !names[c.with] {
				t.Errorf("%s: %q or %q does not take part", w.name, c.weft, c.with)
			}
		}
	}
}
