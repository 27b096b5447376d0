//go:build unix

// Command lsp measures weft lsp as an editor sees it: over standard input and output, in a project
// that gen has created.
//
//	go run ./bench/gen -out DATA project-1000
//	go run ./bench/lsp -weft WEFT -project DATA/project-1000
//
// It prints a table for bench/README.md, and exits with code 1 if a budget is exceeded.
//
//	editor.go    a server process, and a client of it
//	process.go   what the server process uses: processor time, memory
//	scenes.go    what a user does in the editor
//	settled.go   what it takes until the server has nothing left to do, and how quickly requests end
//	memory.go    how much memory that takes, and whether it grows
//	table.go     samples → table
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	b := bench{}
	flag.StringVar(&b.weft, "weft", "", "the `program` to measure")
	flag.StringVar(&b.project, "project", "", "the project `folder` that gen created")
	flag.IntVar(&b.edits, "edits", 10_000, "measure memory after this many edits")
	flag.IntVar(&b.rounds, "rounds", 3, "measure times this often")
	flag.BoolVar(&b.resting, "settled", false, "measure only what it takes until nothing is left to do")
	flag.StringVar(&b.scenes, "scenes", "",
		"measure only scenes whose names contain this `text`, and no memory")
	flag.Parse()
	if b.weft == "" || b.project == "" {
		fmt.Fprintln(os.Stderr, "usage: lsp -weft PROGRAM -project FOLDER")
		os.Exit(2)
	}
	rows, err := b.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lsp:", err)
		os.Exit(1)
	}
	if !printTable(os.Stdout, rows) {
		os.Exit(1)
	}
}

// bench is the configuration of a measurement.
type bench struct {
	weft, project string
	edits, rounds int
	scenes        string
	resting       bool
}

// run measures in rounds, each with a new server, and then memory.
func (b *bench) run() ([]row, error) {
	if b.resting {
		return b.settled()
	}
	times := map[string]*samples{}
	for range b.rounds {
		if err := b.round(times); err != nil {
			return nil, err
		}
	}
	rows := make([]row, 0, len(scenes)+4)
	for _, s := range scenes {
		if b.plays(s) {
			rows = append(rows, times[s.name].row(s.name, s.budget))
		}
	}
	if b.scenes != "" {
		return rows, nil
	}
	settled, err := b.settled()
	if err != nil {
		return nil, err
	}
	grown, err := b.memory()
	return slices.Concat(rows, settled, grown), err
}

// plays reports whether a scene is played. The first scenes always are, since they open the files.
func (b *bench) plays(s scene) bool {
	return strings.Contains(s.name, b.scenes) || strings.Contains(s.name, "after the start")
}

// round starts a server and plays all scenes.
func (b *bench) round(times map[string]*samples) error {
	e, err := start(b.weft, b.project)
	if err != nil {
		return err
	}
	defer e.stop()
	for _, s := range scenes {
		if !b.plays(s) {
			continue
		}
		if times[s.name] == nil {
			times[s.name] = &samples{}
		}
		if err := s.play(e, times[s.name].begin()); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
