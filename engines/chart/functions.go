package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"weft/internal/project/engines/wire"
)

// functions are the functions of templates that are not Helm's own, and what they were called for.
type functions struct {
	all     template.FuncMap
	random  *randomError    // the last call of a function with another result in each run
	lookups map[string]bool // kinds that templates wanted to know from a cluster
}

func newFunctions(r *wire.Chart, digest string) *functions {
	f := &functions{all: template.FuncMap{}, lookups: map[string]bool{}}
	f.addRandom(r, digest)
	f.all["lookup"] = func(version, kind, _, _ string) map[string]any {
		f.lookups[strings.TrimPrefix(version+"/"+kind, "/")] = true
		return map[string]any{}
	}
	maps.Copy(f.all, large)
	return f
}

// warnings returns what users should know about calls.
func (f *functions) warnings() []wire.Error {
	if len(f.lookups) == 0 {
		return nil
	}
	kinds := strings.Join(slices.Sorted(maps.Keys(f.lookups)), ", ")
	return []wire.Error{{
		Message: "lookup finds nothing (" + kinds + "): charts are rendered without a cluster",
		Code:    wire.CodeLookup,
	}}
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
