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

// proofPatience is how many times longer than for other answers a rename waits for its proof. What
// the files show was looked at before.
const proofPatience = 2

// proofPart is how many templates are compiled and evaluated before it is asked again whether there
// is time for more.
const proofPart = 32

// SameOutput renders the environments that are looked at with other texts of some files, and tells
// how what they make differs. It always looks at data values, modules and some files, the one at
// hand among them. As long as there is time, it goes on with the other files that have another
// text, and renders everything at the end. An environment that cannot be rendered as it is proves
// nothing.
func (p *Configuration) SameOutput(
	ctx context.Context, s *Snapshot, texts map[string][]byte, hand string,
) error {
	ctx, stop := limited(ctx)
	defer stop()
	patient, cancel := context.WithTimeout(ctx, proofPatience*p.folder.session.opt.Patience)
	defer cancel()
	var proofs []*proof
	for _, v := range p.Views() {
		made, err := p.begin(ctx, s, v, texts, hand)
		if made != nil && err == nil {
			proofs = append(proofs, made)
			err = made.part(ctx)
		}
		if err != nil {
			return p.differing(ctx, v, err)
		}
	}
	for _, made := range proofs {
		if err := made.rest(patient); err != nil && patient.Err() == nil {
			return p.differing(ctx, made.view, err)
		}
	}
	return ctx.Err()
}

// differing is how an environment differs, unless no one wants to know.
func (p *Configuration) differing(ctx context.Context, v *View, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case v.Env != "":
		return fmt.Errorf("environment '%s': %w", v.Env, err)
	}
	return err
}

// proof is a view as it is, and with other texts of some files. Files are compiled a part at a
// time: nothing interrupts that.
type proof struct {
	view          *View
	before, after *engine.Session
	files         *Files            // of after, without the texts that follow
	texts         map[string][]byte // all other texts
	todo          []load.Input      // templates with another text that after does not have yet
	shown         *engine.Result    // what the view makes as it is, if that is known
}

// begin begins a proof. It is nil if the view proves nothing. Data values, modules and libraries
// have their other texts from the beginning.
func (p *Configuration) begin(
	ctx context.Context, s *Snapshot, v *View, texts map[string][]byte, hand string,
) (*proof, error) {
	before, err := v.Session(ctx, s)
	if err != nil {
		return nil, nil //nolint:nilerr // diagnostics report it
	}
	files, _ := s.evaluable()
	made := &proof{view: v, before: before, files: files, texts: texts, shown: v.resultOf(s)}
	if slices.ContainsFunc(slices.Collect(maps.Keys(texts)),
		func(name string) bool { return p.sources[name] }) {
		made.files = files.also(texts)
		made.after, err = p.reopened(ctx, v, made.files)
		return made, err
	}
	inputs := inputsOf(before)
	first := map[string][]byte{}
	for name, text := range texts {
		if in, ok := inputs[name]; ok && isLeaf(in) {
			made.todo = append(made.todo, in)
			continue
		}
		first[name] = text
	}
	slices.SortFunc(made.todo, func(a, b load.Input) int {
		if atHand := a.Origin() == hand; atHand != (b.Origin() == hand) {
			if atHand {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Origin(), b.Origin())
	})
	made.files = files.also(first)
	made.after, err = before.Reload(ctx, engine.FileChanges{
		FS: made.files, Paths: slices.Collect(maps.Keys(first)),
	})
	return made, err
}

// isLeaf reports whether a file is a template that nothing else depends on.
func isLeaf(in load.Input) bool {
	return in.Template && !in.Library && in.Type != load.Starlark &&
		!strings.Contains("/"+in.Path, "/"+index.PrivateDir+"/") && !compile.Declares(in.File)
}

// rest compares what is left.
func (f *proof) rest(ctx context.Context) error {
	for len(f.todo) > 0 && ctx.Err() == nil {
		if err := f.part(ctx); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return f.compare(ctx, f.shown, engine.Request{})
}

// part compares what the next templates make, before overlays. If there are none, it sees to it
// that data values can be read.
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

// resultOf returns what a snapshot was evaluated to, if it was, and nothing was wrong.
func (v *View) resultOf(s *Snapshot) *engine.Result {
	if out := v.Latest(); out != nil && out.Snapshot == s && !out.Failed {
		return out.Result
	}
	return nil
}

// reopened returns a view whose project file has another text.
func (p *Configuration) reopened(ctx context.Context, v *View, files *Files) (*engine.Session, error) {
	made, err := openFile(ctx, p.file, files)
	if err != nil {
		return nil, err
	}
	session := p.folder.session
	opts, err := fleet.Environment(made, v.Env, session.options(session.currentSettings(), files), nil)
	if err != nil {
		return nil, err
	}
	config := p.configOf(session.withoutRefusedEnv(opts))
	config.Load.FS = files
	config.Load.Fetch = func(string) ([]byte, error) { return nil, errOffline }
	return engine.Open(ctx, config)
}

// firstOf is the first error of an evaluation, with its place.
func firstOf(err error) error {
	var list diag.List
	where := func(d *diag.Diagnostic) string { return "" }
	if f, ok := errors.AsType[*diag.Failure](err); ok {
		list = f.List
		where = func(d *diag.Diagnostic) string {
			if file := f.Files.File(d.At.Pos); file != nil {
				return file.Where(d.At.Offset()) + ": "
			}
			return ""
		}
	}
	if len(list) == 0 {
		return err
	}
	return fmt.Errorf("%s%s", where(list[0]), list[0].Message)
}

// compareOutputs tells how what files make differs.
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
