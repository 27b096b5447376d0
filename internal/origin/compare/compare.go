// Package compare compares two runs, or plain files: it obtains the documents of two sides, compares them
// with package diff, and finds which change of the inputs caused which change of the documents.
//
// For the causes, it evaluates the first side once more for each input that differs, with only that input
// taken from the second side (causes.go, mixed.go,
// generators.go).
package compare

import (
	"context"
	"slices"

	"weft/internal/engine"
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// Side is one side of a comparison. It says how to obtain the documents.
type Side struct {
	engine.Config
	Name  string // the name shown to people
	Plain bool   // the inputs are data, and nothing is evaluated
	Print func(line string)

	// Open, if not nil, opens the session of the side. It may reuse one from an earlier comparison.
	Open func(context.Context, engine.Config) (*engine.Session, error)

	// Kept, if not nil, holds the files of a plain side from an earlier comparison, and is updated by this
	// one.
	Kept *PlainFiles
}

// Comparison holds two sides and their difference.
type Comparison struct {
	*diff.Difference
	a, b     *loadedSide
	options  diff.Options
	Warnings diag.List   // warnings about the second side
	Files    *source.Set // the files that warnings refer to
}

// loadedSide is a side with its documents.
type loadedSide struct {
	diff.Side
	session *engine.Session // nil if the side is plain
	layers  *engine.Layers
	result  *engine.Result
	plain   []plainFile
}

// Runs obtains the documents of two sides and compares them. If causes is set, it also finds which change
// of the inputs causes which change of the documents; see attribute. The error is a *diag.Failure if the
// input is invalid.
func Runs(ctx context.Context, a, b Side, opt diff.Options, causes bool) (*Comparison, error) {
	c := &Comparison{options: opt}
	shared := sameProject(&a, &b)
	once := !shared && !causes && len(opt.Secrets.Paths) == 0 // see UnmatchedSecrets
	a.Once, b.Once = once && a.Open == nil, once && b.Open == nil
	var err error
	if c.a, err = a.load(ctx, nil); err != nil {
		return nil, namingSides(ctx, err, &a, &b)
	}
	var session *engine.Session
	if shared {
		session = c.a.session
	}
	if c.b, err = b.load(ctx, session); err != nil {
		return nil, namingSides(ctx, err, &a, &b)
	}
	c.alignFiles()
	if c.b.result != nil {
		c.Warnings = c.b.result.Warnings
	}
	c.compare()
	if causes && c.a.session != nil && c.b.session != nil && !c.Empty() {
		c.attribute(ctx)
	}
	if ctx.Err() != nil {
		return nil, b.Fail(ctx, c.Files, nil)
	}
	return c, nil
}

// Results compares the results of two evaluations. One of them may be nil.
func Results(a, b *engine.Result, names [2]string, opt diff.Options) *Comparison {
	side := func(r *engine.Result, name string) *loadedSide {
		s := &loadedSide{result: r, Side: diff.Side{Name: name, Files: &source.Set{}}}
		if r != nil {
			s.Docs, s.Side.Files = sideDocuments(r.Outputs), r.Files
		}
		return s
	}
	c := &Comparison{a: side(a, names[0]), b: side(b, names[1]), options: opt}
	c.compare()
	return c
}

func (c *Comparison) compare() {
	c.Files = c.b.Side.Files
	c.learnSecrets()
	c.Difference = diff.Compare(c.a.Side, c.b.Side, c.options)
}

// Unselected returns an error about a selector that selects nothing on either side, or nil.
func (c *Comparison) Unselected() error {
	for _, s := range c.options.Select {
		if !c.Selects(s) {
			docs := slices.Concat(c.b.Selectable(), c.a.Selectable())
			return selector.Unused("--select", []selector.Selector{s}, docs)
		}
	}
	return nil
}

// Selects reports whether a selector selects a document of either side.
func (c *Comparison) Selects(s selector.Selector) bool {
	return slices.Contains(s.Select(c.a.Selectable()), true) || slices.Contains(s.Select(c.b.Selectable()), true)
}

// Selectable returns the documents of the second side for selectors.
func (c *Comparison) Selectable() []selector.Selectable { return c.b.Selectable() }

// learnSecrets collects the texts that are secret on either side, because they must be hidden on both.
func (c *Comparison) learnSecrets() {
	rules := &c.options.Secrets
	if rules.Show {
		return
	}
	texts := slices.Clone(rules.Texts)
	for _, s := range []*loadedSide{c.a, c.b} {
		if s.result != nil {
			texts = append(texts, s.result.Secrets...)
		}
		for i := range s.Docs {
			texts = secret.Texts(texts, s.Docs[i].Value)
			texts = rules.NamedTexts(texts, s.Docs[i].Value)
		}
	}
	rules.Hide(secret.Distinct(texts))
}

// Secrets returns the rules that hide the secrets of both sides.
func (c *Comparison) Secrets() *secret.Rules { return &c.options.Secrets }

// UnmatchedSecrets returns the indexes of the secret paths that match nothing in the documents and data
// values.
func (c *Comparison) UnmatchedSecrets(ctx context.Context) []int {
	if c.options.Secrets.Show || len(c.options.Secrets.Paths) == 0 {
		return nil
	}
	search := diff.NewSearch(c.options.Secrets.Paths, c.options)
	for _, s := range []*loadedSide{c.a, c.b} {
		search.In(&s.Side)
	}
	for _, s := range []*loadedSide{c.a, c.b} {
		if s.session == nil || len(search.Unmatched()) == 0 {
			continue
		}
		values, err := s.session.Evaluate(ctx, engine.Request{Goal: engine.DataValues, Layers: s.layers})
		if err != nil {
			return nil // unknown
		}
		for _, d := range values.Docs {
			search.In(&diff.Side{Docs: []diff.SideDocument{{Value: d.Value}}})
		}
	}
	return search.Unmatched()
}

// sameProject reports whether two sides differ only in their data values, so that they can share inputs
// and compiled files.
func sameProject(a, b *Side) bool {
	x, y := a.Config, b.Config
	y.Values = x.Values
	return !a.Plain && !b.Plain && x.Key() == y.Key()
}

// load returns a side with its documents. It uses session, if not nil.
func (s *Side) load(ctx context.Context, session *engine.Session) (*loadedSide, error) {
	if s.Plain {
		return s.read(ctx)
	}
	var err error
	if session == nil {
		open := s.Open
		if open == nil {
			open = engine.Open
		}
		if session, err = open(ctx, s.Config); err != nil {
			return nil, err
		}
	}
	out := &loadedSide{session: session}
	if out.result, out.layers, err = session.EvaluateWith(ctx, s.Values, s.Print); err != nil {
		return nil, err
	}
	docs := sideDocuments(out.result.Outputs)
	out.Side = diff.Side{Name: s.Name, Docs: docs, Files: out.result.Files}
	return out, nil
}

// sideDocuments returns the documents and text files of an evaluation.
func sideDocuments(outputs []eval.Output) []diff.SideDocument {
	var list []diff.SideDocument
	for _, out := range outputs {
		file := out.File.Input.Path
		if out.File.Input.Type == load.Text {
			pos := source.Pos{}
			if f := out.File.Input.File; f != nil {
				pos = f.Pos(0)
			}
			list = append(list, diff.SideDocument{
				Value: tree.String(out.Text), Pos: pos, File: file, Text: true,
			})
			continue
		}
		for _, d := range out.Docs {
			if !d.Value.Empty() {
				list = append(list, diff.SideDocument{Value: d.Value, Pos: d.Pos, File: file})
			}
		}
	}
	return list
}

// read reads the inputs of a side as data.
func (s *Side) read(ctx context.Context) (*loadedSide, error) {
	files, set, err := readPlain(ctx, &s.Config, s.Kept)
	if err != nil {
		return nil, err
	}
	out := &loadedSide{Side: diff.Side{Name: s.Name, Files: set}}
	for i := range files {
		out.add(&files[i])
	}
	return out, nil
}

// alignFiles gives two files that were passed as arguments the same name, because they are to be compared
// with each other. Files in directories are compared only if their names are equal.
func (c *Comparison) alignFiles() {
	single := func(s *loadedSide) bool {
		return len(s.plain) == 1 && s.plain[0].named
	}
	if !single(c.a) || !single(c.b) {
		return
	}
	c.b.plain[0].path = c.a.plain[0].path
	for _, s := range []*loadedSide{c.a, c.b} {
		for i := range s.Docs {
			s.Docs[i].File = ""
		}
	}
}

// Patch returns a patch that turns the files of the first side into those of the second.
func (c *Comparison) Patch() ([]byte, error) {
	out, err := diff.Patch(c.a.files(), c.b.files(), &c.options.Secrets, c.options.YAML)
	if err != nil {
		return nil, &diag.Failure{List: diag.Of(err)}
	}
	return out, nil
}

// files returns the files of a side as they were read, or as they would be written.
func (s *loadedSide) files() []diff.File {
	var list []diff.File
	for _, f := range s.plain {
		list = append(list, diff.File{Path: f.path, Data: f.file.Data(), Text: f.text})
	}
	if s.result == nil {
		return list
	}
	for _, out := range s.result.Outputs {
		f := diff.File{Path: out.File.Input.Path}
		if out.File.Input.Type == load.Text {
			f.Data, f.Text = []byte(out.Text), true
		} else if f.Data = emit.Bytes(out.Docs); len(f.Data) == 0 && !out.Kept {
			continue
		}
		list = append(list, f)
	}
	return list
}
