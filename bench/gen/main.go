// Command gen creates the data of the benchmarks: realistic configuration, written for weft and for
// similar tools.
//
// It takes names of workloads, which include their sizes (w1-1000, w2-10000-50), and creates a folder
// for each one that does not exist yet. The same name always gives the same bytes.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	out := flag.String("out", "", "the `folder` to make the workloads in")
	flag.Parse()
	if *out == "" || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: gen -out FOLDER w1-1000 w2-1000-10 ...")
		os.Exit(2)
	}
	for _, name := range flag.Args() {
		if err := generate(filepath.Join(*out, name), name); err != nil {
			fmt.Fprintf(os.Stderr, "gen: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// workloads are functions that fill a folder. sizes are the numbers after the workload's name.
var workloads = map[string]func(dir *folder, sizes []int){
	"w1":       templates,
	"w2":       overlays,
	"w3":       schema,
	"w4":       libraries,
	"w5":       compute,
	"w6":       plain,
	"w7":       tiny,
	"w8":       texts,
	"w9":       flatTemplate,
	"w10":      flatOverlay,
	"fleet":    fleet,
	"override": override,
	"project":  project,
}

// generate creates a workload, unless it exists. It writes to a temporary name first, so that an
// interrupted run leaves no incomplete workload.
func generate(dir, name string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	parts := strings.Split(name, "-")
	make := workloads[parts[0]]
	if make == nil {
		return fmt.Errorf("there is no such workload")
	}
	sizes := []int{0, 0}
	for i, p := range parts[1:] {
		n, err := strconv.Atoi(p)
		if err != nil || i >= len(sizes) {
			return fmt.Errorf("expected at most two numbers behind %s", parts[0])
		}
		sizes[i] = n
	}
	if err := os.RemoveAll(dir + ".part"); err != nil {
		return err
	}
	f := &folder{path: dir + ".part", Rand: rand.New(rand.NewPCG(1, 1))}
	make(f, sizes)
	if f.err != nil {
		return f.err
	}
	return os.Rename(f.path, dir)
}

// folder is the folder of a workload and its random numbers. It keeps the first error, after which it
// writes nothing.
type folder struct {
	*rand.Rand
	path string
	err  error
}

// write writes a file with the concatenation of texts.
func (f *folder) write(path string, text ...string) {
	if f.err != nil {
		return
	}
	p := filepath.Join(f.path, filepath.FromSlash(path))
	if f.err = os.MkdirAll(filepath.Dir(p), 0o755); f.err == nil {
		f.err = os.WriteFile(p, []byte(strings.Join(text, "")), 0o644)
	}
}

// move renames a file or folder to a new path, and removes what is left next to the old one.
func (f *folder) move(from, to string) {
	if f.err = os.Rename(filepath.Join(f.path, from), filepath.Join(f.path, to)); f.err == nil {
		f.err = os.RemoveAll(filepath.Join(f.path, filepath.Dir(from)))
	}
}

// word returns a random word.
func (f *folder) word() string { return pick(f, words) }

// name returns a name that is unique for i.
func (f *folder) name(i int) string { return fmt.Sprintf("%s-%s-%05d", f.word(), f.word(), i) }

// between returns a number in [low, high).
func (f *folder) between(low, high int) int { return low + f.IntN(high-low) }

func pick[T any](f *folder, list []T) T { return list[f.IntN(len(list))] }

var words = strings.Fields(
	`api auth billing cache cart catalog checkout config cron data edge email events feed gateway graph ingest inventory jobs ledger
	logs mail metrics notify orders payments profile proxy queue ratings router search session shipping stock stream tax users web`,
)

// fill replaces each <<key>> in text. pairs alternates keys and values.
func fill(text string, pairs ...any) string {
	list := make([]string, len(pairs))
	for i, p := range pairs {
		list[i] = fmt.Sprint(p)
		if i%2 == 0 {
			list[i] = "<<" + list[i] + ">>"
		}
	}
	return strings.NewReplacer(list...).Replace(text)
}

// times concatenates the results of f for 0 to n-1.
func times(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}
