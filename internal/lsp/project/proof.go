package project

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"weft"
	"weft/internal/diag"
	"weft/internal/edit"
	"weft/internal/eval"
	"weft/internal/pipeline"
	"weft/internal/tree"
)

// proofPatience is how many times longer than for other answers a rename waits for its proof. What
// the files show was looked at before.
const proofPatience = 4

// SameOutput renders the environments that are looked at with other texts of some files, and tells
// how what they make differs. An environment that cannot be rendered as it is proves nothing, nor
// does one for which there is no time.
func (p *Project) SameOutput(ctx context.Context, s *Snapshot, texts map[string][]byte) error {
	limited, cancel := context.WithTimeout(ctx, proofPatience*p.folder.session.opt.Patience)
	defer cancel()
	open := maps.Clone(s.Files().open)
	if open == nil {
		open = map[string][]byte{}
	}
	maps.Copy(open, texts)
	files := s.Files().with(open)
	for _, v := range p.Views() {
		if err := p.sameOutput(limited, s, v, files, slices.Collect(maps.Keys(texts))); err != nil {
			if limited.Err() != nil {
				return ctx.Err()
			}
			if v.Env != "" {
				return fmt.Errorf("environment '%s': %w", v.Env, err)
			}
			return err
		}
	}
	return ctx.Err()
}

func (p *Project) sameOutput(
	ctx context.Context, s *Snapshot, v *View, files *Files, changed []string,
) error {
	session, err := v.Session(ctx, s)
	if err != nil {
		return nil //nolint:nilerr // diagnostics tell of it
	}
	before := v.resultOf(s)
	if before == nil {
		if before, err = session.Evaluate(ctx, pipeline.Request{}); err != nil {
			return nil //nolint:nilerr // diagnostics tell of it
		}
	}
	if slices.ContainsFunc(changed, func(name string) bool { return p.sources[name] }) {
		session, err = p.reopened(ctx, v, files)
	} else {
		session, err = session.Reload(ctx, pipeline.Change{FS: files, Paths: changed})
	}
	var after *pipeline.Result
	if err == nil {
		after, err = session.Evaluate(ctx, pipeline.Request{})
	}
	if err != nil {
		return firstOf(err)
	}
	return compareOutputs(before.Outputs, after.Outputs)
}

// resultOf is what a snapshot was evaluated to, if it was, and nothing was wrong.
func (v *View) resultOf(s *Snapshot) *pipeline.Result {
	if out := v.Latest(); out != nil && out.Snapshot == s && !out.Failed {
		return out.Result
	}
	return nil
}

// reopened is a view whose project file has another text.
func (p *Project) reopened(ctx context.Context, v *View, files *Files) (*pipeline.Session, error) {
	made, err := weft.OpenProject(ctx, weft.ProjectOptions{Path: p.file, FS: files})
	if err != nil {
		return nil, err
	}
	settings := p.folder.session.currentSettings()
	opts, err := made.Options(v.Env, weft.Options{
		FS: files, Env: os.Environ(), Marks: settings.FileMarks, MaxSteps: MaxSteps,
		DataValues: settings.dataValues(),
	})
	if err != nil {
		return nil, err
	}
	config := p.configOf(opts)
	config.Load.FS = files
	config.Load.Fetch = func(string) ([]byte, error) { return nil, errOffline }
	return pipeline.Open(ctx, config)
}

// firstOf is the first error of an evaluation, with its place.
func firstOf(err error) error {
	var list diag.List
	where := func(d *diag.Diagnostic) string { return "" }
	if f, ok := errors.AsType[*pipeline.Failure](err); ok {
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
			func(x, y tree.Document) bool { return edit.Identical(x.Value, y.Value) })
		if !same {
			return fmt.Errorf("what %s makes changes", a.File.Input.Path)
		}
	}
	return nil
}
