// Command recall measures how complete and how correct the reports of weft blame and weft impact are.
//
//	go run ./bench/recall -seed 1 -n 300
//
// It generates random projects, renders each of them many times with one data value changed or one file
// left out, and compares what changes with what blame says about the lines. It does not depend on how
// blame works: a data value affects a line if another value changes, adds or removes that line. It tries
// several values for each: the other bool; larger and smaller numbers, zero, and numbers on both sides
// of those that code compares with; the empty string, another string, those of other data values, and
// those that code and matchers compare with; shorter, longer and reversed lists; maps with one key added
// or removed.
//
// It prints, for each kind of construct, how many pairs of a data value and a line there are, how many
// of them blame names (recall), and how much of what blame says is right (precision). A claim is right
// if a change of the data value changes the line, either with the other data values as they are
// ("alone") or after some of them were changed as well, since one value can hide another: see
// precision.go.
//
// The last row is about impact: how many of the pairs it lists, and how many of the nodes on the listed
// lines really change with the data value.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
)

func main() {
	seed := flag.Uint64("seed", 1, "the `number` of the first project")
	n := flag.Int("n", 300, "how `many` projects")
	misses := flag.Int("misses", 0, "how `many` of the missed pairs to print")
	wrong := flag.Int("wrong", 0, "how `many` of the wrong claims to print")
	show := flag.Bool("show", false, "print the files of the project -seed")
	flag.Parse()
	if *show {
		p, _ := drawn(*seed)
		fmt.Print(p.String())
		return
	}
	t, err := measure(*seed, *n)
	if err != nil {
		fmt.Fprintln(os.Stderr, "recall:", err)
		os.Exit(1)
	}
	fmt.Print(t)
	for _, m := range t.missed[:min(*misses, len(t.missed))] {
		fmt.Println("missed:", m)
	}
	for _, m := range t.unlisted[:min(*misses, len(t.unlisted))] {
		fmt.Println("not in impact:", m)
	}
	for _, m := range t.wrong[:min(*wrong, len(t.wrong))] {
		fmt.Println("wrong:", m)
	}
}

// measure judges n projects, starting at a seed.
func measure(seed uint64, n int) (*tally, error) {
	t := &tally{kinds: map[string]*score{}}
	for i := range uint64(n) {
		p, tries := drawn(seed + i)
		t.redraw += tries
		if err := t.judge(seed+i, p); err != nil {
			return nil, fmt.Errorf("seed %d: %w", seed+i, err)
		}
	}
	return t, nil
}

// drawn returns the first project of a seed that renders, and how many before it did not.
func drawn(seed uint64) (*project, int) {
	for try := 0; try < 50; try++ {
		p := draw(seed*1000 + uint64(try))
		if _, err := render(p.options(p.values.root, "")); err == nil {
			return p, try
		}
	}
	panic("no project renders")
}

// String returns the table.
func (t *tally) String() string {
	out := fmt.Sprintf("%-12s %7s %7s %8s %8s %8s %10s %8s\n", "construct", "pairs", "missed", "recall",
		"+around", "claims", "precision", "alone")
	var all score
	row := func(name string, s *score) {
		out += fmt.Sprintf("%-12s %7d %7d %7.2f%% %7.2f%% %8d %9.1f%% %7.1f%%\n", name, s.pairs,
			s.pairs-s.found, percent(s.found, s.pairs), percent(s.found+s.near, s.pairs), s.claims,
			percent(s.right, s.claims), percent(s.alone, s.claims))
	}
	for _, k := range slices.Sorted(maps.Keys(t.kinds)) {
		s := t.kinds[k]
		row(k, s)
		all.pairs += s.pairs
		all.found += s.found
		all.near += s.near
		all.claims += s.claims
		all.right += s.right
		all.alone += s.alone
	}
	row("all", &all)
	row("impact", &t.impact)
	return out + fmt.Sprintf("%d changes, of which %d do not render; %d projects drawn again\n",
		t.changes, t.failed, t.redraw)
}

func percent(a, b int) float64 {
	if b == 0 {
		return 100
	}
	return 100 * float64(a) / float64(b)
}

// String returns the files.
func (p *project) String() string {
	all := p.values.files(p.values.root)
	maps.Copy(all, p.files)
	out := ""
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out += fmt.Sprintf("-- %s --\n%s", name, all[name])
	}
	for _, o := range p.overrides {
		out += "-- override --\n" + o
	}
	return out
}
