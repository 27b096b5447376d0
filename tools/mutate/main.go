// Command mutate measures which mistakes the tests notice. It flips conditions, one at a time, and
// counts for how many of them a test fails: a test of the same package, of a package in a folder above it
// (internal/serve/lsp tests what is below it), or of the root, whose tests use weft as a whole.
//
//	go run ./tools/mutate -seed 1 -n 60            flip 60 conditions of the packages that matter most
//	go run ./tools/mutate -n 10 internal/lang/keep  of this folder
//
// All mutants are built into one program, where an environment variable selects the condition to flip:
// building a program for each would take longer than all tests. A first run of the root's tests records
// which of them reach which condition, and only those are run for it.
//
// Mutants that no test notices are printed. known.txt explains why some of them cannot be noticed, or
// need not be.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// groups are the folders and files whose mistakes users would see. A sample has about the same number
// from each.
var groups = []string{
	"internal/check/lint",
	"internal/check/jsonschema",
	"internal/check/kubernetes",
	"internal/engine/overlay",
	"internal/engine/schema",
	"internal/engine/values",
	"internal/lang/edit",
	"internal/lang/keep",
	"internal/origin/blame",
	"internal/origin/diff",
	"internal/project",
	"internal/project/test",
	"internal/project/fleet internal/engine/fleet*.go fleet*.go",
	"internal/rewrite/format",
	"internal/rewrite/migrate",
	"internal/serve/krm",
	"internal/serve/lsp internal/serve/lsp/*",
}

//go:embed known.txt
var known string

func main() {
	seed := flag.Uint64("seed", 1, "choose other conditions")
	n := flag.Int("n", 60, "flip this many conditions")
	want := flag.Int("want", 0, "fail if fewer than this many of a hundred are noticed")
	flag.Parse()
	if flag.NArg() > 0 {
		groups = flag.Args()
	}
	caught, total, err := run(*seed, *n)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	if caught*100 < *want*total {
		fmt.Fprintf(os.Stderr, "mutate: fewer than %d %% are noticed\n", *want)
		os.Exit(1)
	}
}

func run(seed uint64, n int) (caught, total int, err error) {
	dir, err := os.MkdirTemp("", "weft-mutate-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	var found [][]*mutant
	for _, patterns := range groups {
		list, err := conditions(patterns)
		if err != nil {
			return 0, 0, err
		}
		found = append(found, list)
	}
	chosen := sample(found, seed, n)
	s := suite{dir: dir}
	if err := s.build(chosen); err != nil {
		return 0, 0, err
	}
	if err := s.trace(); err != nil {
		return 0, 0, err
	}
	for _, m := range chosen {
		m.caught = s.catches(m)
		fmt.Printf("%3d  %-60s  %s\n", m.number, m, m.verdict())
	}
	return report(chosen), len(chosen), nil
}

// verdict describes which test noticed a mutant.
func (m *mutant) verdict() string {
	if m.caught == "" {
		return "SURVIVES"
	}
	return m.caught
}

// report prints the mutants that no test noticed, and returns the number of the others.
func report(list []*mutant) (caught int) {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, m := range list {
		if m.caught != "" {
			caught++
			continue
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", m, m.function, m.text, reason(m))
	}
	fmt.Printf("\nflipped and not noticed:\n")
	out.Flush() // to standard output
	fmt.Printf("%d of %d noticed: %d %%\n", caught, len(list), caught*100/len(list))
	return caught
}

// reason returns why a mutant survives. Lines move, so known.txt has the file, the function and the
// condition.
func reason(m *mutant) string {
	for line := range strings.SplitSeq(known, "\n") {
		if at, why, ok := strings.Cut(line, " # "); ok && at == m.file+" "+m.function+" "+m.text {
			return why
		}
	}
	return "no reason is known"
}

// suite holds the compiled tests.
type suite struct {
	dir   string
	units []unit
}

// unit is a test of the root and the numbers of the mutants that it reaches.
type unit struct {
	name    string
	reaches map[int]bool
	took    time.Duration
}

// binary returns the path of the test binary of a package.
func (s *suite) binary(pkg string) string {
	return filepath.Join(s.dir, strings.NewReplacer("/", "-", ".", "-").Replace(pkg)+".test")
}

// testers returns the packages whose tests are about a package: itself, and those in folders above it.
func testers(pkg string) (list []string) {
	for dir := pkg; dir != "."; dir = path.Dir(dir) {
		if tests, _ := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go")); len(tests) > 0 {
			list = append(list, dir)
		}
	}
	return list
}

// build builds the tests of the root and of all packages that test a mutant. Each binary contains all
// mutants.
func (s *suite) build(list []*mutant) error {
	overlay, err := writeOverlay(s.dir, list)
	if err != nil {
		return err
	}
	targets := map[string]bool{".": true}
	for _, m := range list {
		for _, pkg := range testers(m.pkg) {
			targets[pkg] = true
		}
	}
	for pkg := range targets {
		cmd := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", s.binary(pkg), "./"+pkg)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building the tests of %s: %w\n%s", pkg, err, out)
		}
	}
	return nil
}

// trace runs each test of the root by itself, and records which mutants it reaches. Each script counts
// as a test.
func (s *suite) trace() error {
	out, err := exec.Command(s.binary("."), "-test.list", "^Test").Output()
	if err != nil {
		return fmt.Errorf("listing the tests: %w", err)
	}
	var names []string
	for name := range strings.FieldsSeq(string(out)) {
		if name != "TestScript" {
			names = append(names, "^"+name+"$")
		}
	}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		return err
	}
	for _, script := range scripts {
		names = append(names, "^TestScript$/^"+strings.TrimSuffix(filepath.Base(script), ".txtar")+"$")
	}
	for i, name := range names {
		reached := filepath.Join(s.dir, "reached-"+strconv.Itoa(i))
		if err := os.Mkdir(reached, 0o755); err != nil {
			return err
		}
		began := time.Now()
		if !s.passes(".", name, "WEFT_MUTANTS_REACHED="+reached) {
			fmt.Printf("     %s fails without a mutant, and is left out\n", name)
			continue
		}
		u := unit{name: name, reaches: map[int]bool{}, took: time.Since(began)}
		entries, err := os.ReadDir(reached)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if n, err := strconv.Atoi(e.Name()); err == nil {
				u.reaches[n] = true
			}
		}
		if len(u.reaches) > 0 {
			s.units = append(s.units, u)
		}
	}
	slices.SortStableFunc(s.units, func(a, b unit) int { return int(a.took - b.took) })
	return nil
}

// catches returns the name of a test that fails with a mutant, or "".
func (s *suite) catches(m *mutant) string {
	flip := "WEFT_MUTANT=" + strconv.Itoa(m.number)
	for _, pkg := range testers(m.pkg) {
		if !s.passes(pkg, ".", flip) {
			return pkg
		}
	}
	for _, u := range s.units {
		if u.reaches[m.number] && !s.passes(".", u.name, flip) {
			return u.name
		}
	}
	return ""
}

// passes reports whether tests of a package pass with a mutant. A timeout counts as a failure, since a
// mutant can cause an endless loop.
func (s *suite) passes(pkg, tests, env string) bool {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, s.binary(pkg), "-test.short", "-test.failfast", "-test.run", tests,
		"-test.timeout", "9m")
	cmd.Dir, cmd.Env = filepath.FromSlash(pkg), append(os.Environ(), env)
	cmd.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd.Run() == nil
}
