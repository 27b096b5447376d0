//go:build unix

// Command compare runs weft and similar tools on the same workloads and prints a Markdown table of the
// results, with the targets that weft has to meet.
//
// It takes a folder of programs and a folder of workloads that command gen has created; bench/run
// prepares both. The programs of a workload run in rounds, one after another, so that other load on the
// machine affects all of them. Ratios are ratios of medians. It exits with code 1 if a target is missed.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	var b bench
	var list bool
	flag.StringVar(
		&b.bin,
		"bin",
		"",
		"`folder` of the programs: weft, empty, and the peers that there are",
	)
	flag.StringVar(&b.data, "data", "", "`folder` of the workloads")
	flag.StringVar(
		&b.other,
		"other-data",
		"",
		"`folder` of existing workloads to use instead of generating them",
	)
	flag.StringVar(
		&b.tmp,
		"tmp",
		defaultTmp(),
		"`folder` for output; in memory if possible, so that the disk is not what is measured",
	)
	flag.IntVar(&b.rounds, "rounds", 9, "how often each program is run")
	flag.DurationVar(
		&b.budget,
		"budget",
		20*time.Second,
		"how long one program may take for all rounds of a workload; it is run once in any case",
	)
	flag.DurationVar(
		&b.timeout,
		"timeout",
		2*time.Minute,
		"how long one run may take; what takes longer counts as taking that long",
	)
	flag.BoolVar(
		&list,
		"list",
		false,
		"print the names of the workloads that have to be made, and stop",
	)
	flag.Parse()

	chosen := workloads
	if flag.NArg() > 0 {
		chosen = nil
		for _, w := range workloads {
			if slices.ContainsFunc(
				flag.Args(),
				func(arg string) bool { return w.name == arg || strings.HasPrefix(w.name, arg+"-") },
			) {
				chosen = append(chosen, w)
			}
		}
	}
	if list {
		for _, name := range needed(chosen) {
			fmt.Println(name)
		}
		return
	}
	// programs run in other folders
	for _, dir := range []*string{&b.bin, &b.data, &b.other, &b.tmp} {
		if *dir != "" {
			abs, err := filepath.Abs(*dir)
			if err != nil {
				fmt.Fprintln(os.Stderr, "compare:", err)
				os.Exit(1)
			}
			*dir = abs
		}
	}
	var rows []row
	for _, w := range chosen {
		fmt.Fprintf(os.Stderr, "%s ", w.name)
		m, err := b.measure(w)
		fmt.Fprintln(os.Stderr)
		if err != nil {
			fmt.Fprintf(os.Stderr, "compare: %s: %v\n", w.name, err)
			os.Exit(1)
		}
		for _, c := range w.checks {
			if r := c.row(w, m); !r.skipped || r.cells[6] != "" {
				rows = append(rows, r)
			}
		}
	}
	if !printTable(os.Stdout, rows) {
		os.Exit(1)
	}
}

// needed returns the names of the data folders that workloads use, without duplicates.
func needed(list []workload) []string {
	var names []string
	for _, w := range list {
		for _, c := range w.contestants {
			if c.data != "" && !slices.Contains(names, c.data) {
				names = append(names, c.data)
			}
		}
	}
	return names
}

func defaultTmp() string {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err == nil && info.IsDir() {
		return memory
	}
	return os.TempDir()
}

// bench has the folders, and the time to spend.
type bench struct {
	bin, data, other, tmp string
	rounds                int
	budget, timeout       time.Duration
}

// results maps the names of contestants to their runs. A contestant that could not run is missing.
type results map[string][]outcome

// measure runs the contestants of a workload, round by round.
func (b *bench) measure(w workload) (results, error) {
	m := results{}
	type runner struct {
		contestant
		spent time.Duration
	}
	var active []*runner
	for _, c := range w.contestants {
		if _, err := os.Stat(filepath.Join(b.bin, c.program)); err != nil {
			continue
		}
		// The first run fills caches and shows whether the program works at all.
		out, err := b.run(c, true)
		if err != nil {
			if c.name == "weft" {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			fmt.Fprintf(os.Stderr, "(%s: %v) ", c.name, err)
			continue
		}
		m[c.name] = []outcome{out}
		r := &runner{contestant: c, spent: out.wall}
		if r.spent < b.budget/2 {
			m[c.name], r.spent = nil, 0
			active = append(active, r)
		}
	}
	rounds := max(b.rounds, w.rounds)
	for round := range rounds {
		for i := range active {
			r := active[(i+round)%len(active)]
			if r.spent > b.budget && len(m[r.name]) > 0 {
				continue
			}
			out, err := b.run(r.contestant, false)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			m[r.name] = append(m[r.name], out)
			r.spent += out.wall
		}
		fmt.Fprint(os.Stderr, ".")
	}
	return m, nil
}
