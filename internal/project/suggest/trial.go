package suggest

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/project"
	"weft/internal/project/fleet"
	"weft/internal/project/staged"
)

// trial renders the project as it would be with changed files. Nothing is written.
type trial struct {
	ctx   context.Context
	in    *Input
	stdin *load.Stdin
	now   *project.Description // as it is today; nil without a project

	// base has read and compiled the files of today, for all trials. It is not evaluated.
	base *engine.Session

	// texts are those of the files that were looked at, as they were then: nil for a file that did not exist. A
	// plan is for these, and is not written if they have changed since.
	texts map[string][]byte

	given map[string][]tree.Doc // see gives

	writable map[string]bool // see isWritable

	under draft // what is changed already, below all drafts; see onTop
}

func newTrial(ctx context.Context, in *Input) (*trial, error) {
	t := &trial{
		ctx: ctx, in: in, stdin: load.Share(in.Options.Stdin), texts: map[string][]byte{},
		writable: map[string]bool{}, given: map[string][]tree.Doc{},
	}
	if in.Project == "" {
		return t, nil
	}
	_, _ = t.read(in.Project) // opening it reports the error
	var err error
	t.now, err = t.open(draft{})
	return t, err
}

// onTop returns the trial of the project as it would be with a draft.
func (t *trial) onTop(d draft) (*trial, error) {
	next := *t
	next.under = d.over(t.under)
	if t.now == nil {
		return &next, nil
	}
	var err error
	next.now, err = next.open(draft{})
	return &next, err
}

// draft is what would change: the texts of files by path, and what the command line would name in addition
// if there is no project.
type draft struct {
	texts     map[string][]byte
	inputs    []string
	overrides []string
}

// with returns the draft with another text of a file.
func (d draft) with(name string, text []byte) draft {
	d.texts = maps.Clone(d.texts)
	if d.texts == nil {
		d.texts = map[string][]byte{}
	}
	d.texts[name] = text
	return d
}

// key returns a text that other drafts do not have.
func (d draft) key() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(d.texts)) {
		fmt.Fprintf(&b, "%q %d\n%s", name, len(d.texts[name]), d.texts[name])
	}
	fmt.Fprintf(&b, "%q %q", d.inputs, d.overrides)
	return b.String()
}

// over returns what a draft and another one below it change.
func (d draft) over(under draft) draft {
	if under.texts == nil {
		return d
	}
	d.inputs, d.overrides = slices.Concat(under.inputs, d.inputs), slices.Concat(under.overrides, d.overrides)
	texts := maps.Clone(under.texts)
	maps.Copy(texts, d.texts)
	d.texts = texts
	return d
}

// text returns the text of a file in a draft.
func (t *trial) text(d draft, name string) ([]byte, error) {
	if text, ok := d.texts[name]; ok {
		return text, nil
	}
	return t.read(name)
}

// read returns the text of a file as it was when the search first looked at it.
func (t *trial) read(name string) ([]byte, error) {
	if text, ok := t.under.texts[name]; ok {
		return text, nil
	}
	if text, ok := t.texts[name]; ok {
		if text == nil {
			return nil, fs.ErrNotExist
		}
		return text, nil
	}
	text, err := fs.ReadFile(t.in.FS, name)
	switch {
	case err == nil:
		t.texts[name] = append([]byte{}, text...) // not nil, even if it is empty
	case isMissing(err):
		t.texts[name] = nil
	}
	return text, err
}

// unchanged returns an error if another program has changed a file since the search began: some trials then
// saw the old text and others the new one, and a plan could set back what was changed.
func (s *search) unchanged() error {
	for _, f := range s.res.Files.All() {
		name := f.Shown()
		if f.IsRendered() || !fs.ValidPath(name) {
			continue // it is not a file of the project
		}
		now, err := fs.ReadFile(s.in.FS, name)
		if err == nil && !bytes.Equal(now, f.Data()) {
			return diag.Failf(outdir.CodeChanged, "'%s' was changed by another program while weft searched",
				s.in.Show(name)).WithHint("nothing was written; run weft again")
		}
	}
	return nil
}

func (t *trial) files(d draft) fs.FS {
	f := staged.New(t.in.FS)
	d = d.over(t.under)
	for _, name := range slices.Sorted(maps.Keys(d.texts)) {
		f.Write(name, d.texts[name])
	}
	return f
}

func (t *trial) open(d draft) (*project.Description, error) {
	return project.Open(project.Options{
		Path: t.in.Project, FS: t.files(d), AllowOutside: t.in.AllowOutside, Engines: t.in.Engines,
	})
}

// environments returns the environments of the project; without any, there is one without a name.
func (t *trial) environments() []string {
	if t.now == nil || len(t.now.Names()) == 0 {
		return []string{""}
	}
	return t.now.Names()
}

// options returns how an environment is rendered with the files of a draft.
func (t *trial) options(d draft, env string) (fleet.Options, error) {
	o := t.in.Options
	o.Stdin, o.Print, o.Timings, o.Debug, o.Cache = t.stdin.Reader(), nil, nil, nil, nil
	if t.now == nil {
		o.FS = t.files(d)
		d = d.over(t.under)
		o.Inputs = slices.Concat(o.Inputs, d.inputs)
		for _, name := range d.overrides {
			o.Overrides = append(slices.Clip(o.Overrides), overrideFile(name))
		}
	} else {
		p := t.now
		if len(d.texts) > 0 {
			var err error
			if p, err = t.open(d); err != nil {
				return o, err
			}
		}
		var err error
		if o, err = fleet.Environment(p, env, o, t.in.Given); err != nil {
			return o, err
		}
	}
	o.Warnings = engine.WarningsOff
	return o, nil
}

// render renders an environment with the files of a draft, with the origins of its values if they are
// needed.
func (t *trial) render(d draft, env string, origins bool) (*engine.Result, error) {
	o, err := t.options(d, env)
	if err != nil {
		return nil, err
	}
	config := o.Config()
	config.Origins, config.Keep = origins, 0
	s, err := t.session(d, config)
	if err != nil {
		return nil, err
	}
	res, err := s.Evaluate(t.ctx, engine.Request{})
	if t.ctx.Err() != nil {
		return nil, context.Cause(t.ctx)
	}
	return res, err
}

// maxGiven is how many documents a draft may give for them to be kept.
const maxGiven = 1000

// gives returns the printed documents of the environment to edit with the files of a draft. They are kept:
// most ways to make a change begin alike.
func (t *trial) gives(d draft) ([]tree.Doc, error) {
	key := d.over(t.under).key()
	if docs, ok := t.given[key]; ok {
		return docs, nil
	}
	res, err := t.render(d, t.in.Env, false)
	if err != nil {
		return nil, err
	}
	docs := t.printed(d, t.in.Env, res)
	if len(docs) <= maxGiven {
		t.given[key] = docs
	}
	return docs, nil
}

// session opens the project with the files of a draft. What the draft does not change is read and compiled
// once.
func (t *trial) session(d draft, config engine.Config) (*engine.Session, error) {
	d = d.over(t.under)
	if t.base == nil && len(d.texts) == 0 {
		first := config
		first.Origins = false
		t.base, _ = engine.Open(t.ctx, first)
	}
	if t.base == nil {
		return engine.Open(t.ctx, config)
	}
	return t.base.Variant(t.ctx, config, slices.Collect(maps.Keys(d.texts))...)
}

// syntax returns how the files of the project are read.
func (t *trial) syntax() yaml.Options {
	o, err := t.options(draft{}, t.in.Env)
	if err != nil {
		return t.in.Options.Syntax()
	}
	return o.Syntax()
}
