package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/project/fleet"
	"weft/internal/serve/lsp/index"
)

// proofWaits is how many times Options.MaxWait a rename may take to prove that it changes nothing.
const proofWaits = 2

// proofPart is how many templates are compiled and evaluated between two checks of the time.
const proofPart = 32

// SameOutput renders the views of the project with other texts of some files, and returns an error
// that says how the output changes. It always renders data values, modules and some of the files that
// change, beginning with the named one. If there is time, it continues with the others, and finally
// renders everything. An environment that has errors before the change is left out.
func (p *Configuration) SameOutput(
	ctx context.Context, s *Snapshot, texts map[string][]byte, first string,
) error {
	ctx, stop := limited(ctx)
	defer stop()
	waiting, cancel := context.WithTimeout(ctx, proofWaits*p.folder.session.opt.MaxWait)
	defer cancel()
	var proofs []*proof
	for _, v := range p.Views() {
		f, err := p.begin(ctx, s, v, texts, first)
		if f != nil && err == nil {
			proofs = append(proofs, f)
			err = f.part(ctx)
		}
		if err != nil {
			return p.differing(ctx, v, err)
		}
	}
	for _, f := range proofs {
		if err := f.rest(waiting); err != nil && waiting.Err() == nil {
			return p.differing(ctx, f.view, err)
		}
	}
	return ctx.Err()
}

// differing returns the error of an environment, or that of ctx.
func (p *Configuration) differing(ctx context.Context, v *View, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case v.Env != "":
		return fmt.Errorf("environment '%s': %w", v.Env, err)
	}
	return err
}

// proof is a view before and after other texts are set. The texts are set in parts, because compiling
// cannot be interrupted.
type proof struct {
	view          *View
	before, after *engine.Session
	files         *Files            // the files of after
	texts         map[string][]byte // all other texts
	todo          []load.Input      // templates with another text that after does not contain yet
	result        *engine.Result    // the result of before, or nil if unknown
}

// begin begins a proof with the other texts of data values, modules and libraries. It returns nil if
// the view cannot be loaded.
func (p *Configuration) begin(
	ctx context.Context, s *Snapshot, v *View, texts map[string][]byte, first string,
) (*proof, error) {
	before, err := v.Session(ctx, s)
	if err != nil {
		return nil, nil //nolint:nilerr // diagnostics report it
	}
	files, _ := s.evaluable()
	f := &proof{view: v, before: before, files: files, texts: texts, result: v.resultOf(s)}
	if slices.ContainsFunc(slices.Collect(maps.Keys(texts)),
		func(name string) bool { return p.sources[name] }) {
		f.files = files.also(texts)
		f.after, err = p.reopened(ctx, v, f.files)
		return f, err
	}
	inputs := inputsOf(before)
	shared := map[string][]byte{}
	for name, text := range texts {
		if in, ok := inputs[name]; ok && isLeaf(in) {
			f.todo = append(f.todo, in)
			continue
		}
		shared[name] = text
	}
	slices.SortFunc(f.todo, func(a, b load.Input) int {
		switch {
		case a.Origin() == first:
			return -1
		case b.Origin() == first:
			return 1
		}
		return strings.Compare(a.Origin(), b.Origin())
	})
	f.files = files.also(shared)
	f.after, err = before.Reload(ctx, engine.FileChanges{
		FS: f.files, Paths: slices.Collect(maps.Keys(shared)),
	})
	return f, err
}

// isLeaf reports whether a file is a template that nothing else depends on.
func isLeaf(in load.Input) bool {
	return in.Template && !in.Library && in.Type != load.Starlark &&
		!strings.Contains("/"+in.Path, "/"+index.PrivateDir+"/") && !compile.Declares(in.File)
}

// rest compares the other templates, and then everything.
func (f *proof) rest(ctx context.Context) error {
	for len(f.todo) > 0 && ctx.Err() == nil {
		if err := f.part(ctx); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return f.compare(ctx, f.result, engine.Request{})
}

// part compares the output of the next templates, before overlays. If there are none, it checks that
// data values can be computed.
func (f *proof) part(ctx context.Context) error {
	n := min(len(f.todo), proofPart)
	only, paths := []string{""}, []string(nil)
	texts := map[string][]byte{}
	for _, in := range f.todo[:n] {
		only, paths = append(only, in.Path), append(paths, in.Origin())
		texts[in.Origin()] = f.texts[in.Origin()]
	}
	f.todo, f.files = f.todo[n:], f.files.also(texts)
	var err error
	f.after, err = f.after.Reload(ctx, engine.FileChanges{FS: f.files, Paths: paths})
	if err != nil {
		return firstOf(err)
	}
	return f.compare(ctx, nil, engine.Request{Only: only})
}

func (f *proof) compare(ctx context.Context, before *engine.Result, req engine.Request) error {
	if before == nil {
		var err error
		if before, err = f.before.Evaluate(ctx, req); err != nil {
			return nil //nolint:nilerr // diagnostics report it
		}
	}
	after, err := f.after.Evaluate(ctx, req)
	if err != nil {
		return firstOf(err)
	}
	return compareOutputs(before.Outputs, after.Outputs)
}

// resultOf returns the result of a snapshot if it was evaluated without errors, or nil.
func (v *View) resultOf(s *Snapshot) *engine.Result {
	if out := v.Latest(); out != nil && out.Snapshot == s && !out.Failed {
		return out.Result
	}
	return nil
}

// reopened loads a view with another text of the project file.
func (p *Configuration) reopened(ctx context.Context, v *View, files *Files) (*engine.Session, error) {
	opened, err := p.folder.session.openFile(ctx, p.file, files)
	if err != nil {
		return nil, err
	}
	session := p.folder.session
	opts, err := fleet.Environment(opened, v.Env, session.options(session.currentSettings(), files), nil)
	if err != nil {
		return nil, err
	}
	return engine.Open(ctx, loading(p.configOf(session.withoutRefusedEnv(opts)), files))
}

// firstOf returns the first error of an evaluation, with its place.
func firstOf(err error) error {
	f, ok := errors.AsType[*diag.Failure](err)
	if !ok || len(f.List) == 0 {
		return err
	}
	d := f.List[0]
	if file := f.Files.File(d.At.Pos); file != nil {
		return fmt.Errorf("%s: %s", file.Where(d.At.Offset()), d.Message)
	}
	return errors.New(d.Message)
}

// compareOutputs returns an error that says how outputs differ.
func compareOutputs(before, after []eval.Output) error {
	if len(before) != len(after) {
		return errors.New("other files would be written")
	}
	for i := range before {
		a, b := &before[i], &after[i]
		same := a.Text == b.Text && slices.EqualFunc(a.Docs, b.Docs,
			func(x, y tree.Doc) bool { return edit.Identical(x.Value, y.Value) })
		if !same {
			return fmt.Errorf("what %s makes changes", a.File.Input.Path)
		}
	}
	return nil
}
