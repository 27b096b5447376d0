package migrate

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"sync"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/keep"
	"weft/internal/lang/source"
	"weft/internal/lang/unified"
	"weft/internal/origin/compare"
	"weft/internal/origin/diff"
)

// Run is one way to evaluate a project, before and after its files are rewritten.
type Run struct {
	Name          string // the name of the environment; may be empty
	Before, After engine.Config
}

// Migration is the files of a project rewritten for another edition, and what is known about the
// result.
type Migration struct {
	Changed  []Rewritten   // in the order in which they were read
	Warnings *diag.Failure // what the author should know; nil if there is nothing
	Unproven []Unproven    // why the values may differ; empty if they are equal
}

// Rewritten is a file with its new text.
type Rewritten struct {
	Path     string // on disk; "" if it came from elsewhere
	Shown    string
	Old, New []byte
}

// Unproven is a run whose values are not known to be equal: its files cannot be rewritten, the new
// files fail, or their output differs.
type Unproven struct {
	Run        string
	Failure    *diag.Failure       // or this
	Difference *compare.Comparison // from before to after
}

// Files rewrites the files of a project and compares the output before and after. It writes
// nothing. The error is that of a run before the migration.
func Files(ctx context.Context, runs []Run) (*Migration, error) {
	m := &migration{files: map[string]*rewritten{}, set: &source.Set{}}
	var unproven []Unproven
	for _, run := range runs {
		bad, err := m.prove(ctx, run)
		if err != nil {
			return nil, err
		}
		unproven = append(unproven, bad...)
	}
	return m.result(unproven), nil
}

// migration collects the files of all runs.
type migration struct {
	mu    sync.Mutex
	files map[string]*rewritten // by where they come from
	order []*rewritten
	set   *source.Set // the original files, for diagnostics
}

// rewritten is one file of a migration.
type rewritten struct {
	Rewritten
	warnings diag.List
	problems diag.List // why the text was not changed
}

// prove evaluates a run before and after.
func (m *migration) prove(ctx context.Context, run Run) ([]Unproven, error) {
	before, err := evaluateOnce(ctx, run.Before)
	if err != nil {
		return nil, err
	}
	run.After.Load.Rewrite = func(in load.Input, data []byte) []byte {
		if in.Type != load.YAML {
			return data
		}
		return m.rewrite(&run, in, data)
	}
	after, err := evaluateOnce(ctx, run.After)
	if ctx.Err() != nil {
		return nil, err
	}
	if failure, ok := err.(*diag.Failure); ok {
		return []Unproven{{Run: run.Name, Failure: failure}}, nil
	}
	if err != nil {
		return nil, err
	}
	if sameOutputs(before, after) {
		return nil, nil
	}
	opt := diff.Options{Order: true, YAML: run.After.Compile.YAML}
	differs := compare.Results(before, after, [2]string{}, opt)
	return []Unproven{{Run: run.Name, Difference: differs}}, nil
}

func evaluateOnce(ctx context.Context, config engine.Config) (*engine.Result, error) {
	config.Once, config.Debug, config.Timings = true, nil, nil
	s, err := engine.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	return s.Evaluate(ctx, engine.Request{})
}

// rewrite returns the text of a file for the rules after. Each file is rewritten once.
func (m *migration) rewrite(run *Run, in load.Input, data []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := in.Disk() + "\x00" + in.Shown()
	if r := m.files[key]; r != nil {
		return r.New
	}
	r := &rewritten{Rewritten: Rewritten{Path: in.Disk(), Shown: in.Shown(), Old: data, New: data}}
	m.files[key], m.order = r, append(m.order, r)
	f, err := m.set.AddShown(in.Path, in.Shown(), data)
	if err != nil {
		r.problems = diag.Of(err)
		return data
	}
	text, warnings, err := Text(f, textOptions(run, in, f))
	if err != nil {
		r.problems = diag.Of(err)
		return data
	}
	r.New, r.warnings = text, warnings
	return text
}

// textOptions returns how a file was parsed, and how it will be.
func textOptions(run *Run, in load.Input, f *source.File) Options {
	opt := Options{From: run.Before.Compile.YAML, To: run.After.Compile.YAML}
	role := compile.ForOutput
	if in.Template {
		if u, err := compile.Template(f, run.Before.Compile); err == nil {
			opt.Template, role = u.Kind == compile.YAML, u.Role
		} else {
			opt.Template = true
		}
	}
	// In files that are marked as plain, all comments are plain comments.
	opt.Comments = run.Before.Keep&keep.Comments == 0 && run.After.Keep&keep.Comments != 0 &&
		in.Template && role == compile.ForOutput
	return opt
}

// sameOutputs reports whether two results are equal, file by file.
func sameOutputs(a, b *engine.Result) bool {
	if len(a.Outputs) != len(b.Outputs) {
		return false
	}
	for i := range a.Outputs {
		x, y := &a.Outputs[i], &b.Outputs[i]
		if x.File.Input.Path != y.File.Input.Path || x.Text != y.Text || len(x.Docs) != len(y.Docs) {
			return false
		}
		for j := range x.Docs {
			if !edit.Equal(x.Docs[j].Value, y.Docs[j].Value) {
				return false
			}
		}
	}
	return true
}

// result returns the Migration.
func (m *migration) result(unproven []Unproven) *Migration {
	res := &Migration{}
	var problems, warnings diag.List
	for _, r := range m.order {
		problems = append(problems, r.problems...)
		warnings = append(warnings, r.warnings...)
		if !bytes.Equal(r.Old, r.New) {
			res.Changed = append(res.Changed, r.Rewritten)
		}
	}
	if len(problems) > 0 {
		res.Unproven = []Unproven{{Failure: &diag.Failure{Files: m.set, List: problems}}}
	}
	res.Unproven = append(res.Unproven, unproven...)
	if len(warnings) > 0 {
		res.Warnings = &diag.Failure{Files: m.set, List: warnings}
	}
	return res
}

// Add adds a file that is not an input, if it changes.
func (m *Migration) Add(r Rewritten) {
	if !bytes.Equal(r.Old, r.New) {
		m.Changed = append(m.Changed, r)
	}
}

// Diff returns the changes of the files as a unified diff.
func (m *Migration) Diff() []byte {
	var out []byte
	for _, c := range m.Changed {
		name := filepath.ToSlash(c.Shown)
		out = unified.Append(out, name, name, c.Old, c.New)
	}
	return out
}

// codeNoFile is the code of an input that cannot be written back.
const codeNoFile diag.Code = "migrate/no-file"

// Write writes the files, all of them or none, and returns their names. It does not overwrite a
// file that has changed since it was read.
func (m *Migration) Write(ctx context.Context) ([]string, error) {
	var files []outdir.Replacement
	var names, dirs []string
	for _, c := range m.Changed {
		if c.Path == "" {
			return nil, diag.Failf(codeNoFile, "%s has to change, but it is not a file on disk", c.Shown).
				WithHint("write it to a file first")
		}
		real, err := filepath.EvalSymlinks(c.Path)
		if err != nil {
			return nil, err
		}
		files = append(files, outdir.Replacement{Path: real, Old: c.Old, New: c.New})
		names, dirs = append(names, c.Shown), append(dirs, filepath.Dir(real))
	}
	hold, err := outdir.HoldDirs(ctx, slices.Compact(dirs))
	if err != nil {
		return nil, err
	}
	defer hold.Release()
	if err := hold.Replace(ctx, files); err != nil {
		return nil, err
	}
	return names, nil
}
