// Command gen makes the data of the benchmarks: configuration such as people have, with the same
// work written for weft and for its peers.
//
// It takes the names of workloads, which say their sizes (w1-1000, w2-10000-50), and makes a folder
// for each that is not there yet. The same name always gives the same bytes.
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

// workloads make a folder of data each. Sizes are the numbers after the workload's name.
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

// generate makes a workload, unless it is there. It is made under another name first, so that one
// that was interrupted is not taken for whole.
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

// folder is where a workload is made, and what chance it is made with. Its first error is kept, and
// ends the work.
type folder struct {
	*rand.Rand
	path string
	err  error
}

// write makes a file of several pieces of text.
func (f *folder) write(path string, text ...string) {
	if f.err != nil {
		return
	}
	p := filepath.Join(f.path, filepath.FromSlash(path))
	if f.err = os.MkdirAll(filepath.Dir(p), 0o755); f.err == nil {
		f.err = os.WriteFile(p, []byte(strings.Join(text, "")), 0o644)
	}
}

// move gives what was made another path, and takes away what else lies beside it.
func (f *folder) move(from, to string) {
	if f.err = os.Rename(filepath.Join(f.path, from), filepath.Join(f.path, to)); f.err == nil {
		f.err = os.RemoveAll(filepath.Join(f.path, filepath.Dir(from)))
	}
}

// word returns a word of the trade.
func (f *folder) word() string { return pick(f, words) }

// name returns a name that no other number has.
func (f *folder) name(i int) string { return fmt.Sprintf("%s-%s-%05d", f.word(), f.word(), i) }

// between returns a number from low up to and without high.
func (f *folder) between(low, high int) int { return low + f.IntN(high-low) }

func pick[T any](f *folder, list []T) T { return list[f.IntN(len(list))] }

var words = strings.Fields(
	`api auth billing cache cart catalog checkout config cron data edge email events feed gateway graph ingest inventory jobs ledger
	logs mail metrics notify orders payments profile proxy queue ratings router search session shipping stock stream tax users web`,
)

// fill returns text with each <<key>> replaced by its value: pairs are keys and values in turn.
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

// times joins what f makes of 0 to n-1.
func times(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}
