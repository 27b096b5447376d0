package lint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/unified"
)

// Fixed is the result of Fix: what was fixed, and what is left.
type Fixed struct {
	Left   *Report  // findings after the fixes
	Count  int      // the number of findings that were fixed
	Undone []string // rules whose fixes would change the output and were not applied

	// Endless are rules whose fixes undo each other. Their findings are left.
	Endless []string

	texts map[string][]byte // the new texts of files, by name
	old   map[string][]byte
}

// Trial is the environments in which fixes are tried. Both functions take replacement texts of
// files, by the names that messages show.
type Trial struct {
	Lint   func(texts map[string][]byte, all bool) (*Report, error)
	Render func(texts map[string][]byte) ([][]byte, error) // the output of each environment, or the error
}

// Fix fixes what can be fixed without a change of meaning or, with unsafe, also what might change
// it. Each fix is checked: all environments are rendered before and after, and fixes that change
// the output are dropped. A fix may enable another one, so Fix continues until none is left; fixing
// again changes nothing. It writes no files: see Fixed.Write. With all, Left includes suggestions.
// The error is why something could not be checked; if Fixed is nil, nothing could be.
func Fix(trial Trial, all, unsafe bool) (*Fixed, error) {
	f := &fixer{
		Trial: trial, unsafe: unsafe, texts: map[string][]byte{},
		endless: map[diag.Code]bool{}, out: &Fixed{old: map[string][]byte{}},
	}
	var err error
	if f.before, err = f.Render(nil); err != nil {
		return nil, err
	}
	if err := f.fix(); err != nil {
		return nil, err
	}
	f.out.texts = f.texts
	f.out.Left, err = f.Lint(f.texts, all)
	if f.out.Left == nil {
		return nil, err
	}
	return f.out, err
}

// fix applies the fixes of one rule after another, until none are left.
func (f *fixer) fix() error {
	seen := map[string]bool{state(f.texts): true}
	for {
		report, err := f.Lint(f.texts, true) // suggestions are fixed too, if possible
		if report == nil {
			return err
		}
		was := f.texts
		code, err := f.fixOne(report)
		if err != nil || code == "" {
			return err
		}
		if now := state(f.texts); seen[now] {
			f.texts, f.endless[code] = was, true
			f.out.Endless = append(f.out.Endless, string(code))
		} else {
			seen[now] = true
		}
	}
}

// fixOne applies the fixes of the first rule whose fixes do not change the output. Only one rule at
// a time, because the places of other findings move. It returns the rule, or "" if there is none.
func (f *fixer) fixOne(report *Report) (diag.Code, error) {
	f.out.Undone = nil // another fix may have changed what these fixes would do
	for _, code := range fixable(report, f.unsafe, f.endless) {
		n, texts, err := f.apply(report, code, f.out.old)
		if err != nil {
			return "", err
		}
		if n == 0 {
			continue
		}
		after, err := f.Render(texts)
		if err != nil {
			return "", err
		}
		if slices.EqualFunc(f.before, after, bytes.Equal) {
			f.texts = texts
			f.out.Count += n
			return code, nil
		}
		f.out.Undone = append(f.out.Undone, string(code))
	}
	slices.Sort(f.out.Undone)
	return "", nil
}

// state identifies the texts of a round.
func state(texts map[string][]byte) string {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&all, "%q %q\n", name, texts[name])
	}
	return all.String()
}

// fixable returns the rules with fixable findings, in the order in which they are found.
func fixable(report *Report, unsafe bool, not map[diag.Code]bool) []diag.Code {
	var codes []diag.Code
	for _, f := range report.Found {
		if f.Fix != nil && (f.Safe || unsafe) && !not[f.Code] && !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

// fixer tries fixes.
type fixer struct {
	Trial
	unsafe bool
	texts  map[string][]byte // the current texts of files, by name

	before  [][]byte // the output of the environments before the first fix
	endless map[diag.Code]bool
	out     *Fixed
}

// apply applies the fixes of one rule. It returns their number and the new texts.
func (f *fixer) apply(
	report *Report, code diag.Code, old map[string][]byte,
) (int, map[string][]byte, error) {
	texts := maps.Clone(f.texts)
	edits := map[string][]edit.Splice{}
	n := 0
	for _, x := range report.Found {
		if x.Code != code || x.Fix == nil {
			continue
		}
		located := x.Located(x.Files)
		file := x.Files.File(x.At.Pos)
		if located == nil || file == nil || file.Argument() {
			continue
		}
		name := file.Shown()
		if _, ok := old[name]; !ok {
			text, err := os.ReadFile(name)
			if err != nil {
				continue // standard input, or a URL
			}
			old[name] = text
		}
		var splices []edit.Splice
		for _, e := range located.Edits {
			splices = append(splices, edit.Splice{From: e.At.Offset(), To: e.At.End(), Text: e.Text})
		}
		if edit.Disjoint(edits[name], splices) {
			edits[name] = append(edits[name], splices...)
			texts[name] = file.Data()
			n++
		}
	}
	for name, list := range edits {
		texts[name] = edit.Spliced(texts[name], list)
	}
	return n, texts, nil
}

// Changed returns the names of the files that the fixes change.
func (f *Fixed) Changed() []string {
	var names []string
	for name, text := range f.texts {
		if !bytes.Equal(text, f.old[name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Diff returns the changes as a unified diff.
func (f *Fixed) Diff() (out []byte) {
	for _, name := range f.Changed() {
		shown := diag.Visible(filepath.ToSlash(name))
		out = unified.Append(out, shown, shown, f.old[name], f.texts[name])
	}
	return out
}

// Write writes the changed files, each atomically. A file that has changed since it was read is an
// error.
func (f *Fixed) Write(ctx context.Context) error {
	var files []outdir.Replacement
	for _, name := range f.Changed() {
		real, err := filepath.EvalSymlinks(name)
		if err != nil {
			return errors.Unwrap(err)
		}
		files = append(files, outdir.Replacement{Path: real, Old: f.old[name], New: f.texts[name]})
	}
	return (&outdir.Hold{}).Replace(ctx, files)
}
