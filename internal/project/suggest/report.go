package suggest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
	"weft/internal/origin/compare"
	"weft/internal/origin/diff"
)

// Report is what was found. The names in JSON are stable: programs depend on them.
type Report struct {
	Environment string    `json:"environment,omitempty"`
	Changes     int       `json:"changes"` // how many things were edited
	Plans       []*Plan   `json:"suggestions"`
	Problems    []Problem `json:"problems,omitempty"` // why there is none

	rules *secret.Rules
}

// Plan is a change of the sources that gives the edited documents. It is proved.
type Plan struct {
	Steps    []Step      `json:"steps"`
	Files    []Rewritten `json:"files"`
	Others   []Other     `json:"others,omitempty"`   // environments that change, too
	Same     []string    `json:"same,omitempty"`     // those that do not
	Failing  []string    `json:"failing,omitempty"`  // those that do not render, before and after
	Warnings []string    `json:"warnings,omitempty"` // what may break
	// Arguments are what the command line must have in addition, if there is no project.
	Arguments []string `json:"arguments,omitempty"`
}

// Kind is the kind of a step.
type Kind string

// The kinds of step.
const (
	Value   Kind = "value"    // a data value is set, or a value of a chart in its values file
	Literal Kind = "literal"  // a literal is changed
	New     Kind = "overlay"  // an overlay is added
	Patched Kind = "override" // an override is added
	Listed  Kind = "project"  // weft.yml names the overlay or override
)

// Step is one change of a file.
type Step struct {
	Kind      Kind     `json:"kind"`
	File      string   `json:"file"`
	Line      int      `json:"line,omitempty"`
	Name      string   `json:"name,omitempty"` // the data value, or the document and the path
	Change    string   `json:"change"`         // what changes, on one line
	Details   []string `json:"details,omitempty"`
	Lines     int      `json:"lines,omitempty"` // how many lines a new overlay has
	Expects   int      `json:"expects,omitempty"`
	Documents int      `json:"documents"` // how many documents it changes
	at        spot     // what it changes, if that is known
	within    bool     // it is written into overlays that there are
}

// Rewritten is a file before and after. Old is nil if it is new.
type Rewritten struct {
	Path string `json:"path"`
	Old  []byte `json:"-"`
	New  []byte `json:"-"`
}

// Other is another environment whose output changes.
type Other struct {
	Name       string           `json:"name"`
	Changed    int              `json:"changed"`          // how many documents
	Layout     bool             `json:"layout,omitempty"` // only comments or layout change
	Difference *diff.Difference `json:"-"`
}

// Problem is why something cannot be suggested.
type Problem struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// writes reports whether a plan writes the files of a draft.
func (p *Plan) writes(d draft) bool {
	return len(p.Files) == len(d.texts) && !slices.ContainsFunc(p.Files, func(f Rewritten) bool {
		text, ok := d.texts[f.Path]
		return !ok || !bytes.Equal(text, f.New)
	})
}

// Best returns the suggestion to follow, or nil.
func (r *Report) Best() *Plan {
	if len(r.Plans) == 0 {
		return nil
	}
	return r.Plans[0]
}

// Patch returns the best plan as a unified diff for git apply. It cannot hide secrets, so it is an error if
// it would show one.
func (r *Report) Patch() (out []byte, err error) {
	p := r.Best()
	if p == nil {
		return nil, nil
	}
	for _, f := range p.Files {
		from := "a/" + f.Path
		if f.Old == nil {
			from = "/dev/null"
		}
		out = unified.Append(out, from, "b/"+f.Path, f.Old, f.New)
	}
	if !r.rules.Show && r.rules.MaskWritten(string(out)) != string(out) {
		return nil, diag.Failf(diff.CodeSecret, "the patch would show a secret").
			WithHint("add --show-secrets, or write the change with --write")
	}
	return out, nil
}

// add adds the steps of changes in place.
func (p *Plan) add(s *search, done []edited) {
	for _, e := range done {
		step := Step{Kind: e.kind, File: e.at.file, Name: e.name, Line: 1, at: e.at}
		switch c := e.choices[0].change; {
		case e.ofChart:
			step.Kind = Value
		case e.kind == Value:
			step.Name = stepsText(e.leaf)
		case e.isAdded():
			step.Name = strings.TrimSpace(c.Object.Name.String() + " " + c.Path.String())
		}
		below, change := s.shown(e)
		if step.Change = change; step.Name != "" {
			step.Name += below
		}
		objects := map[*diff.Object]bool{}
		for _, c := range e.choices {
			objects[c.change.Object] = true
		}
		step.Documents = len(objects)
		p.Steps = append(p.Steps, step)
	}
}

// isAdded reports whether one entry is added to what a file has.
func (e edited) isAdded() bool {
	return e.kind == Literal && !e.ofChart && len(e.choices) == 1 && e.choices[0].change.Op == diff.Added
}

// shown returns the old and the new value of a change in place, and the path below its place if only a part
// of a large value differs.
func (s *search) shown(e edited) (below, change string) {
	was, ok := e.was, !e.isNew
	if e.kind == Value {
		was, ok = tree.At(s.values, e.leaf)
	}
	hidden := slices.ContainsFunc(e.choices, func(c *choice) bool { return s.isSecret(&c.change) })
	text := func(v tree.Value) string {
		if hidden || s.rules.HidesText(v) {
			return secret.Hidden
		}
		text := diff.Inline(v)
		if v.Kind() == tree.ArrayKind && utf8.RuneCountInString(text) > maxList {
			return "a list of " + diag.Count(v.Len(), "item")
		}
		return s.rules.MaskText(text)
	}
	switch {
	case e.value == nil:
		return "", "removed, was " + text(was)
	case e.isAdded():
		return "", "+ " + text(e.choices[0].change.After)
	case !ok:
		return "", "+ " + text(*e.value)
	}
	if !hidden {
		if below, change = s.parted(was, *e.value); change != "" {
			return below, change
		}
	}
	return "", text(was) + " → " + text(*e.value)
}

// isSecret reports whether a change is one of the data of a Secret.
func (s *search) isSecret(c *diff.Change) bool {
	for _, v := range []tree.Value{s.valueOf(s.docs, c.Object.A), s.valueOf(s.edited, c.Object.B)} {
		var within path.Path
		if secret.IsObject(v) {
			within = c.Path
		}
		if s.rules.Hides(c.Path, within) {
			return true
		}
	}
	return s.rules.HidesText(c.Before) || s.rules.HidesText(c.After)
}

func (s *search) valueOf(docs []tree.Doc, i int) tree.Value {
	if i < 0 || i >= len(docs) {
		return tree.Value{}
	}
	return docs[i].Value
}

// maxList is the length of a list that a report shows.
const maxList = 60

// maxDetails is how many changes of an overlay a report lists.
const maxDetails = 12

// addNew adds the steps of a new overlay or override.
func (p *Plan) addNew(s *search, at placing, o newText) {
	step := Step{
		Kind: at.kind, File: at.file, Line: 1, Lines: strings.Count(o.text, "\n"), Expects: o.expects,
		Documents: o.objects, Change: diag.Count(len(o.changes), "change"),
	}
	if at.old != nil {
		step.Line = bytes.Count(at.old, []byte("\n")) + 1
	}
	if o.lines > 0 {
		step.Lines, step.within = o.lines, o.within
	}
	for i := range o.changes {
		if i == maxDetails {
			step.Details = append(step.Details, fmt.Sprintf("and %d more", len(o.changes)-i))
			break
		}
		step.Details = append(step.Details, s.detail(&o.changes[i])...)
		if why := s.tooMuch[keyOf(&o.changes[i])]; why != "" {
			if line := "  " + s.rules.MaskText(why); !slices.Contains(step.Details, line) {
				step.Details = append(step.Details, line)
			}
		}
	}
	p.Steps = append(p.Steps, step)
	if at.name != "" {
		change := at.key() + ": + " + at.name
		p.Steps = append(p.Steps, Step{Kind: Listed, File: s.in.Project, Line: 1, Change: change})
	}
	switch {
	case s.now != nil || at.read:
	case at.kind == Patched:
		p.Arguments = append(p.Arguments, "--overrides-file", s.in.Show(at.file))
	default:
		p.Arguments = append(p.Arguments, "-f", s.in.Show(at.file))
	}
	for _, c := range o.chunks {
		if c.warning != "" && !slices.Contains(p.Warnings, c.warning) {
			p.Warnings = append(p.Warnings, c.warning)
		}
	}
	p.Warnings = append(p.Warnings, o.warnings...)
}

// maxBelow is how many lines of a text are shown, and maxDetail how long a line of a change may be.
const (
	maxBelow  = 6
	maxDetail = 140
)

// detail returns the lines of a change: what changes, where the line that it changes comes from, and what
// differs in a text that is too long for a line.
func (s *search) detail(c *diff.Change) []string {
	x := *c
	if s.isSecret(c) {
		x.Before, x.After, x.Secret = tree.String(secret.Hidden), tree.String(secret.Hidden), true
	}
	line, below := x.Lines()
	list := []string{s.rules.MaskText(strings.TrimSpace(line))}
	if from := s.sourceOf(c); from != "" {
		from = "  (" + s.rules.MaskText(from) + ")"
		if len(list[0])+len(from) <= maxDetail {
			list[0] += from
		} else {
			if len(from) > maxDetail {
				from = strings.Replace(from, " ← ", "\n     ← ", 1)
			}
			list = append(list, strings.Split(from, "\n")...)
		}
	}
	if x.Secret || c.Op != diff.Changed || c.Before.Kind() != tree.ScalarKind || c.After.Kind() != tree.ScalarKind {
		return list
	}
	for i, text := range below {
		if i == maxBelow {
			return append(list, fmt.Sprintf("    and %s", diag.Count(len(below)-i, "more line")))
		}
		list = append(list, "    "+s.rules.MaskText(text))
	}
	return list
}

// sourceOf returns where what a change replaces or removes comes from, or "".
func (s *search) sourceOf(c *diff.Change) string {
	doc, known := s.today(c)
	way, ok := before(c.Path)
	if !known || !ok || doc < 0 {
		return ""
	}
	return s.blame.Source(doc, way)
}

// prove renders all other environments with and without a plan, and completes it.
func (s *search) prove(p *Plan, d draft) error {
	if err := s.proveText(d); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(d.texts)) {
		old, err := s.read(name)
		if err != nil && !isMissing(err) {
			return err
		}
		p.Files = append(p.Files, Rewritten{Path: name, Old: old, New: d.texts[name]})
		if s.isBeyond(name) {
			p.Warnings = append(p.Warnings, fmt.Sprintf(
				"'%s' is outside of the directory of weft.yml, and other projects may read it", s.in.Show(name)))
		}
	}
	for _, f := range p.Files {
		if s.gains(string(f.Old), string(f.New)) {
			return diag.Failf(diff.CodeSecret, "'%s' would have a secret as text", f.Path).
				WithHint("change the template, or a data value that it reads")
		}
	}
	p.findLines(s)
	for _, env := range s.environments() {
		if env == s.in.Env {
			continue
		}
		if err := s.proveOther(p, d, env); err != nil {
			return err
		}
	}
	return nil
}

// proveOther renders another environment with and without a plan, and adds what becomes of it.
func (s *search) proveOther(p *Plan, d draft, env string) error {
	before, err := s.render(draft{}, env, false)
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if err == nil {
		if err := p.keepsSecrets(env, before.Secrets); err != nil {
			return err
		}
	}
	after, now := s.render(d, env, false)
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	switch {
	case err != nil && now != nil:
		p.Failing = append(p.Failing, env)
		return nil
	case now != nil:
		return diag.Failf(CodeNone, "environment '%s' would not render any more: %s", env,
			strings.Join(diag.FailureOf(now).Located(), "; "))
	case err != nil || !s.sameResult(d, env, before, after):
		c := compare.Results(before, after, [2]string{"before", "after"}, diff.Options{})
		sum := c.Summary()
		changed := sum.Added + sum.Removed + sum.Changed
		p.Others = append(p.Others, Other{Name: env, Changed: changed, Difference: c.Difference})
		return nil
	}
	same, err := s.sameText(d, env)
	switch {
	case err != nil:
		return err
	case same:
		p.Same = append(p.Same, env)
	default:
		p.Others = append(p.Others, Other{Name: env, Layout: true})
	}
	return nil
}

// sameResult reports whether an environment has the same documents and texts before and after a draft.
func (s *search) sameResult(d draft, env string, before, after *engine.Result) bool {
	x := s.printed(draft{}, env, before)
	y := s.printed(d, env, after)
	return sameDocuments(x, y) && slices.Equal(texts(before), texts(after))
}

// unsolved returns why changes cannot be made with data values alone.
func (s *search) unsolved(d *diff.Difference) error {
	var list diag.List
	for i := range d.Changes {
		c := &d.Changes[i]
		text := c.Object.Name.String()
		if len(c.Path) > 0 {
			text += " " + c.Path.String()
		}
		if from := s.sourceOf(c); from != "" {
			text += " comes from " + from
		}
		list = append(list, diag.Failf(CodeNone, "%s: no data value alone gives it", s.rules.MaskText(text)).
			WithHint("allow an overlay: --as auto"))
	}
	return list
}
