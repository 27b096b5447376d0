package weft

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

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
)

// LintFixed is what can be fixed, and what is left.
type LintFixed struct {
	Left   *Linted  // what is found after the fixes
	Fixed  int      // how many findings the fixes resolve
	Undone []string // rules whose fixes would change the output, and were not made

	// Endless are rules whose fixes make each other necessary again. What they find is left.
	Endless []string

	texts map[string][]byte // the new texts of files, by their names
	old   map[string][]byte
}

// LintFix finds what Lint finds and fixes what can be fixed without a change of meaning; with
// unsafe, also what might change it. Each fix is checked: all environments are rendered before and
// after, and fixes that change the output are not made. A fix may make another one possible, so that
// it goes on until none is left: who fixes again changes nothing. Nothing is written: see
// LintFixed.Write. The error is that of Lint.
func LintFix(
	ctx context.Context, envs []Options, what LintOptions, unsafe bool,
) (*LintFixed, error) {
	f := &fixer{
		ctx: ctx, envs: envs, what: what, unsafe: unsafe, texts: map[string][]byte{},
		endless: map[diag.Code]bool{},
	}
	f.what.All = true // suggestions are fixed, too, if they can be
	before, err := f.render(nil)
	if err != nil {
		return nil, err
	}
	f.before, f.out = before, &LintFixed{old: map[string][]byte{}}
	if err := f.fix(); err != nil {
		return nil, err
	}
	f.what.All = what.All
	f.out.texts = f.texts
	f.out.Left, err = f.lint()
	if f.out.Left == nil {
		return nil, err
	}
	return f.out, err
}

// fix makes the fixes of one rule after another, until there are none that can be made.
func (f *fixer) fix() error {
	seen := map[string]bool{state(f.texts): true}
	for {
		made, err := f.lint()
		if made == nil {
			return err
		}
		was := f.texts
		code, err := f.fixOne(made)
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

// fixOne makes the fixes of the first rule whose fixes leave the output as it is: the places of other
// findings move by that. It gives the rule, or "" if there is none.
func (f *fixer) fixOne(made *Linted) (diag.Code, error) {
	f.out.Undone = nil // another fix may have changed what they would do
	for _, code := range fixable(made, f.unsafe, f.endless) {
		n, texts, err := f.apply(made, code, f.out.old)
		if err != nil {
			return "", err
		}
		if n == 0 {
			continue
		}
		after, err := f.render(texts)
		if err != nil {
			return "", err
		}
		if slices.EqualFunc(f.before, after, bytes.Equal) {
			f.texts = texts
			f.out.Fixed += n
			return code, nil
		}
		f.out.Undone = append(f.out.Undone, string(code))
	}
	slices.Sort(f.out.Undone)
	return "", nil
}

// state tells the texts of one round from those of others.
func state(texts map[string][]byte) string {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&all, "%q %q\n", name, texts[name])
	}
	return all.String()
}

// fixable are the rules whose findings can be fixed, in the order in which they are found.
func fixable(made *Linted, unsafe bool, not map[diag.Code]bool) []diag.Code {
	var codes []diag.Code
	for _, f := range made.found {
		if f.Fix != nil && (f.safe || unsafe) && !not[f.Code] && !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

// fixer tries fixes.
type fixer struct {
	ctx    context.Context
	envs   []Options
	what   LintOptions
	unsafe bool
	texts  map[string][]byte // of files as they are by now, by their names

	before  [][]byte // what the environments gave before the first fix
	endless map[diag.Code]bool
	out     *LintFixed
}

// options are the environments with other texts of their files.
func rewritten(opts Options, texts map[string][]byte) Options {
	opts.rewrite = func(in load.Input, text []byte) []byte {
		if now, ok := texts[in.Shown()]; ok {
			return now
		}
		return text
	}
	return opts
}

func (f *fixer) lint() (*Linted, error) {
	envs := make([]Options, len(f.envs))
	for i := range envs {
		envs[i] = rewritten(f.envs[i], f.texts)
	}
	return Lint(f.ctx, envs, f.what)
}

// render is what the environments give: documents and files, or what is wrong with them.
func (f *fixer) render(texts map[string][]byte) ([][]byte, error) {
	var all [][]byte
	for _, opts := range f.envs {
		if texts != nil {
			opts = rewritten(opts, texts)
		}
		opts.Print, opts.Timings, opts.Keep = nil, nil, 0
		opts.Format, opts.Warnings = YAML, WarningsOff
		r, err := evaluate(f.ctx, opts, engine.Request{})
		if f.ctx.Err() != nil {
			return nil, f.ctx.Err()
		}
		if err != nil {
			all = append(all, []byte(errorCodes(err)))
			continue
		}
		var out bytes.Buffer
		if _, err := r.WriteTo(&out); err != nil {
			return nil, err
		}
		for _, file := range r.Files() {
			fmt.Fprintf(&out, "\x00%s\x00%s", file.Path, file.Data)
		}
		all = append(all, out.Bytes())
	}
	return all, nil
}

// errorCodes are the codes of the errors of a run: their places may move.
func errorCodes(err error) string {
	var codes []string
	for _, d := range ErrorOf(err).Diagnostics() {
		codes = append(codes, d.Code)
	}
	return strings.Join(codes, " ")
}

// apply makes the fixes of one rule. It gives their number, and the texts with them.
func (f *fixer) apply(
	made *Linted, code diag.Code, old map[string][]byte,
) (int, map[string][]byte, error) {
	texts := map[string][]byte{}
	for name, text := range f.texts {
		texts[name] = text
	}
	edits := map[string][]edit.Splice{}
	n := 0
	for _, x := range made.found {
		if x.Code != code || x.Fix == nil {
			continue
		}
		located := x.Located(x.files)
		file := x.files.File(x.At.Pos)
		if located == nil || file == nil || file.Argument() {
			continue
		}
		name := file.Shown()
		if _, ok := old[name]; !ok {
			text, err := os.ReadFile(name)
			if err != nil {
				continue // not a file of ours: standard input, or a URL
			}
			old[name] = text
		}
		var own []edit.Splice
		for _, e := range located.Edits {
			own = append(own, edit.Splice{From: e.At.Offset(), To: e.At.End(), Text: e.Text})
		}
		if edit.Apart(edits[name], own) {
			edits[name] = append(edits[name], own...)
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
func (l *LintFixed) Changed() []string {
	var names []string
	for name, text := range l.texts {
		if !bytes.Equal(text, l.old[name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Write writes the changed files. Each is at any moment entirely old or entirely new; a file that
// was changed after it was read is an error.
func (l *LintFixed) Write(ctx context.Context) error {
	var files []outdir.Replacement
	for _, name := range l.Changed() {
		real, err := filepath.EvalSymlinks(name)
		if err != nil {
			return errors.Unwrap(err)
		}
		files = append(files, outdir.Replacement{Path: real, Old: l.old[name], New: l.texts[name]})
	}
	return public((&outdir.Hold{}).Replace(ctx, files))
}
