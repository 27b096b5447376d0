package chart

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"

	"weft/internal/project/engines/wire"
)

// functions are the functions of templates that are not Helm's own, and what they were called for.
type functions struct {
	all     template.FuncMap
	random  *randomError      // the last call of a function with another result in each run
	lookups map[site][]string // kinds that templates wanted to know from a cluster
	calls   map[string]int    // how many seeded calls there were, by function and place
}

func newFunctions(r *wire.Chart, s *source) *functions {
	f := &functions{all: template.FuncMap{}, lookups: map[site][]string{}, calls: map[string]int{}}
	maps.Copy(f.all, f.at(site{}, r, s))
	for i, at := range s.sites {
		f.all[at.name(i)] = f.at(at, r, s)[at.function]
	}
	maps.Copy(f.all, large)
	return f
}

// at returns the functions that have to know where they are called, for a place.
func (f *functions) at(at site, r *wire.Chart, s *source) template.FuncMap {
	funcs := f.randomAt(at, r, s)
	funcs["lookup"] = func(version, kind, _, _ string) map[string]any {
		kind = strings.TrimPrefix(version+"/"+kind, "/")
		if !slices.Contains(f.lookups[at], kind) {
			f.lookups[at] = append(f.lookups[at], kind)
		}
		return map[string]any{}
	}
	return funcs
}

// maxWarnings is how many calls of lookup are warned about.
const maxWarnings = 10

// warnings returns what users should know about calls, in the order of their places.
func (f *functions) warnings() (list []wire.Error) {
	places := slices.SortedFunc(maps.Keys(f.lookups), func(a, b site) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	for i, at := range places {
		kinds := strings.Join(slices.Sorted(slices.Values(f.lookups[at])), ", ")
		message := "lookup finds nothing (" + kinds + "): charts are rendered without a cluster"
		if rest := len(places) - i - 1; i == maxWarnings-1 && rest > 0 {
			message += fmt.Sprintf("; %d more calls find nothing, either", rest)
		}
		list = append(list, wire.Error{Message: message, Code: wire.CodeLookup, File: at.file, Line: at.line})
		if i == maxWarnings-1 {
			break
		}
	}
	return list
}

// maxText is the number of bytes of a text that the functions below may return.
const maxText = 64 << 20

// large are functions that can ask for any amount of memory at once, with a limit.
var large = template.FuncMap{
	"repeat": func(n int, s string) (string, error) {
		if err := checkSize(n, len(s)); err != nil {
			return "", err
		}
		return strings.Repeat(s, n), nil
	},
	"indent":  indent,
	"nindent": func(n int, s string) (string, error) { s, err := indent(n, s); return "\n" + s, err },
	"replace": func(old, with, s string) (string, error) {
		if err := checkSize(strings.Count(s, old), len(with)); err != nil {
			return "", err
		}
		return strings.ReplaceAll(s, old, with), nil
	},
	"until":     func(n int) ([]int, error) { return numbers(0, n, sign(n)) },
	"untilStep": numbers,
	"seq": func(params ...int) (string, error) {
		if n := len(params); n > 0 && params[n-1] > maxItems || n > 1 && params[0] < -maxItems ||
			n > 1 && params[0] > maxItems || n > 0 && params[n-1] < -maxItems {
			return "", errItems
		}
		return sprigSeq(params...), nil
	},
}

// maxItems is how many numbers the functions below may return.
const maxItems = 10_000_000

var errItems = fmt.Errorf("the list has more than %d items", maxItems)

// sprigSeq is Helm's own function.
var sprigSeq = sprig.TxtFuncMap()["seq"].(func(...int) string)

// numbers returns the numbers from start up to stop, as untilStep does.
func numbers(start, stop, step int) ([]int, error) {
	n := count(start, stop, step)
	if n > maxItems {
		return nil, errItems
	}
	list := make([]int, n)
	for i := range list {
		list[i] = start + i*step
	}
	return list, nil
}

// count returns how many numbers there are from start up to stop. The difference of two may need a bit more
// than they do.
func count(start, stop, step int) uint64 {
	switch {
	case step > 0 && start < stop:
		return (uint64(stop)-uint64(start)-1)/uint64(step) + 1
	case step < 0 && stop < start:
		return (uint64(start)-uint64(stop)-1)/-uint64(step) + 1
	}
	return 0
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func indent(n int, s string) (string, error) {
	if err := checkSize(n, strings.Count(s, "\n")+1); err != nil {
		return "", err
	}
	space := strings.Repeat(" ", n)
	return space + strings.ReplaceAll(s, "\n", "\n"+space), nil
}

// checkSize refuses n parts with this many bytes if they are too large together.
func checkSize(n, size int) error {
	if n > 0 && size > maxText/n {
		return fmt.Errorf("the text is longer than %d MB", maxText>>20)
	}
	return nil
}
