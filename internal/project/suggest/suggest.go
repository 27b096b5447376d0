// Package suggest finds the change of the sources that gives an edited output. The project, an environment
// and the edited documents come in; changes of files come out, each proved by rendering: the environment
// gives the edited documents, and what other environments give is known. Nothing is written.
//
// A value that is handed on from a data value is set where the environment has its data values. A literal of
// an overlay is changed. Everything else becomes a new overlay. Templates and code stay as they are.
//
//	suggest.go   Find: the search, and what it needs
//	target.go    the edited documents
//	live.go      objects as a cluster has them
//	live_defaults.go  what a cluster adds to them
//	live_schemas*.go  the schemas that have their defaults
//	inplace.go   changes where a value comes from: data values and literals
//	part.go      data values that are a part of a computed text
//	several.go   several of them in one text
//	segment.go   lists of data values that are a part of a list, or joined to a text
//	loop.go      lists of data values whose items loops print
//	comprehension.go  the same for expressions
//	derive.go    a new item of such a list
//	documents.go files without code that get new documents
//	flag.go      conditions that data values switch on and off
//	switched.go  what is behind such conditions
//	fill.go      data values that are empty, and lists that a text has
//	probe.go     such a data value with marks, and what they show
//	marks.go     the marks
//	unfilled.go  lists of data values without the defaults of a schema
//	shortcut.go  short cuts of weft.yml
//	shortcut_new.go  new ones, in projects that have some
//	chart.go     values of charts that may give a change
//	chart_values.go  the charts of the environment, and their values files
//	layers.go    the layers of data values, and which of them the environment owns
//	splice.go    YAML text with another value in one place
//	schema_default.go  defaults that an annotation of a schema has
//	reorder.go   lists with comments, in another order
//	graft.go     what stays of the old value there
//	create.go    new overlays and overrides for what is left
//	repeated.go  the same edit of several places, once
//	overlay.go   what turns one value into another, as an overlay
//	list.go      the same for lists
//	position.go  the same for lists whose items only their position identifies
//	inside.go    the same for texts that contain YAML or JSON
//	override.go  the same as an override
//	extend.go    new parts of overlays in documents that there are
//	extend_override.go  the same for overrides
//	match.go     matchers of documents
//	named.go     the same by a list of names
//	place.go     the file of a new overlay, and its entry in weft.yml
//	secrets.go   secret data values stay out of files that do not have them
//	exact.go     texts with comments and layout, byte for byte
//	trial.go     the project with changed files, rendered in memory
//	seen.go      numbers as other readers see them in the output
//	report.go    Report: what was found
//	shown.go     what differs in large values
//	lines.go     the lines of what changes
//	text.go      a report for people
//	write.go     the changed files, written
package suggest

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/schema"
	"weft/internal/engine/shortcut"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
	"weft/internal/origin/diff"
	"weft/internal/project/engines"
	"weft/internal/project/fleet"
)

// The codes of this package's diagnostics.
const (
	CodeNone diag.Code = "suggest/none" // nothing can be suggested
	CodeSet  diag.Code = "suggest/set"  // a change that cannot be read
)

// Form is what a suggestion may change.
type Form uint8

// The forms.
const (
	Auto     Form = iota // whatever fits best
	Values               // data values
	Overlay              // a new overlay
	Override             // a new override
)

// Input is what is edited, and how.
type Input struct {
	FS      fs.FS            // the files; all paths are in it
	Root    string           // the folder whose files may change, or "" for all
	Project string           // the path of weft.yml, or "" if Options has the inputs
	Engines *engines.Engines // see project.Options
	Env     string           // the environment, or "" if there are none
	Options fleet.Options    // flags, as for rendering
	Given   func(flag string) bool

	AllowOutside []string // see project.Options; only URLs count

	Edited []File   // the edited documents; nil if Set or At has the changes
	Exact  bool     // Edited is one text that must be printed byte for byte, as Options.Keep says
	Select []string // the documents that were edited; others stay. Without it, Edited has all documents
	Set    []string // changes: DOCUMENT:PATH=VALUE
	Live   Live     // Edited are objects of a cluster
	At     []SetAt  // changes, for programs that know the places
	As     Form
	Rules  secret.Rules // what is hidden in reports
	All    bool         // find all suggestions, not only the best

	Show func(path string) string // returns a path as people see it; nil shows it as it is
}

// SetAt is a change of one value.
type SetAt struct {
	Document int // its number among the documents that are printed
	Path     path.Path
	Value    string // in YAML
}

// File is a file of edited documents.
type File struct {
	Path string
	Data []byte
}

// Find returns the changes of the sources that give the edited output. The error is a *diag.Failure if the
// project cannot be rendered or the edited documents cannot be read.
func Find(ctx context.Context, in Input) (*Report, error) {
	if in.Show == nil {
		in.Show = func(path string) string { return path }
	}
	var tally shortcut.Tally // of trials, which are not what is rendered
	t, err := newTrial(shortcut.WithTally(ctx, &tally), &in)
	if err != nil {
		return nil, err
	}
	s := newSearch(t)
	if err := s.prepare(); err != nil {
		return nil, err
	}
	r, err := s.run()
	if err != nil {
		return nil, err
	}
	if err := s.unchanged(); err != nil {
		return nil, err
	}
	for _, p := range r.Plans {
		for i := range p.Steps {
			p.Steps[i].File = in.Show(p.Steps[i].File)
		}
		for i := range p.Files {
			p.Files[i].Path = strings.TrimPrefix(p.Files[i].Path, t.in.Root+"/")
		}
	}
	return r, nil
}

// Text returns the documents that can be edited, as YAML: those of Input.Select, or all.
func Text(ctx context.Context, in Input) ([]byte, error) {
	t, err := newTrial(ctx, &in)
	if err != nil {
		return nil, err
	}
	if in.Exact && len(in.Select) == 0 {
		r, err := t.exactly(draft{}, in.Env)
		if err != nil {
			return nil, err
		}
		return textOf(r), nil
	}
	// Numbers are printed as they will be read: an edited document with 2 in place of 2.0 would differ.
	r, err := t.keeping(keep.Literals, draft{}, in.Env)
	if err != nil {
		return nil, err
	}
	s := &search{trial: t, res: &r.Result}
	for _, d := range r.Docs {
		if !d.Value.Empty() {
			s.docs = append(s.docs, d)
		}
	}
	chosen, err := s.chosen()
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for i, d := range s.docs {
		if chosen[i] {
			texts = append(texts, r.YAML(d))
		}
	}
	return keep.Join(texts, t.syntax()), nil
}

// search is a run of Find.
type search struct {
	*trial
	attempt attempt
	begin   beginning
	found   []*Plan            // those of the attempts before this one
	ended   map[string]end     // see finish
	later   map[string]*search // see after
	alone   map[string]bool    // see isHarmless
	res     *engine.Result     // as it is today
	docs    []tree.Doc         // those that are printed
	byName  map[string]int     // their numbers in docs
	blame   *blame.Report
	values  tree.Value // the data values
	own     int        // their number among those of libraries
	looped  *loopedDocuments

	plain     *plainDocuments
	chartList []*chart // see charts
	chartRuns int      // how often charts were rendered to find values

	templates  map[*source.File]bool // see isTemplate
	changeable map[*source.File]bool // see mayChange
	shared     map[string]bool       // see isShared
	touched    map[overlayAt]touched // see touchedBy
	documents  map[int][]spot        // see valueDocuments
	siblings   map[string]siblings   // see siblingsOf
	valuesType *schema.Type          // see schemaOf
	typeKnown  bool
	probes     map[string]*probe // see fill
	tooMuch    map[string]string // why a data value does not give a change, by its key

	guarded []string      // secret data values, and what replaces them
	fresh   []replacement // what replaces them

	edited []tree.Doc                     // as it should be
	edits  map[*tree.Doc]*diff.Difference // from documents, by the first of them, to that; see difference
	files  *source.Set
	rules  secret.Rules
}

func newSearch(t *trial) *search {
	return &search{
		ended: map[string]end{}, later: map[string]*search{}, edits: map[*tree.Doc]*diff.Difference{},
		trial: t, templates: map[*source.File]bool{}, shared: map[string]bool{},
		documents: map[int][]spot{}, siblings: map[string]siblings{}, probes: map[string]*probe{},
		tooMuch: map[string]string{},
	}
}

// prepare renders the environment, and reads the edited documents.
func (s *search) prepare() error {
	if err := s.renderToday(); err != nil {
		return err
	}
	if err := s.target(); err != nil {
		return err
	}
	s.hideSecrets()
	return nil
}

// renderToday renders the environment with the origins of what it gives.
func (s *search) renderToday() (err error) {
	if s.res, err = s.render(draft{}, s.in.Env, true); err != nil {
		return err
	}
	s.docs = s.printed(draft{}, s.in.Env, s.res)
	s.byName = numbersByName(s.docs)
	s.blame = blame.New(blame.Input{
		Docs: s.res.Docs, Files: s.res.Files, Origins: s.res.Origins, Secrets: secret.Rules{Show: true},
	})
	for i, v := range s.res.Origins.DataValues() {
		if v.Library == "" && v.Document == "" {
			s.values, s.own = v.Value, i
			break
		}
	}
	return nil
}

// hideSecrets finds out which texts are secret.
func (s *search) hideSecrets() {
	s.rules = s.in.Rules
	texts := s.res.Secrets
	for _, d := range slices.Concat(s.docs, s.edited) {
		texts = secret.Texts(texts, d.Value)
		texts = s.rules.NamedTexts(texts, d.Value)
	}
	s.findReplacements()
	for _, x := range s.fresh {
		texts = append(texts, x.text)
	}
	s.rules.Hide(secret.Distinct(texts))
	secret.KeeperOf(s.ctx).Add(texts)
}

// run searches: first for changes that no other environment sees, then for others.
func (s *search) run() (*Report, error) {
	r := &Report{Environment: s.in.Env, rules: &s.rules}
	if s.same(s.docs) && s.isPrinted() {
		return r, nil
	}
	d := s.difference(s.docs)
	r.Changes = max(len(d.Changes), 1)
	tries := []attempt{{as: s.in.As}, {as: s.in.As, shared: true}}
	if s.in.As == Auto {
		tries = append(tries, attempt{as: Values, shared: true}, attempt{as: Overlay}, attempt{as: Override})
	}
	tries = append(tries, attempt{as: s.in.As, shared: true, lenient: true})
	best := func(p *Plan) bool { return len(p.Others) == 0 } // no other plan comes before it
	for _, a := range tries {
		if slices.ContainsFunc(s.found, best) && !s.in.All {
			break
		}
		if a.lenient && (s.found != nil || len(s.environments()) == 1) {
			break
		}
		p, err := s.try(d, a)
		switch {
		case s.ctx.Err() != nil:
			return nil, context.Cause(s.ctx)
		case err != nil && (a.shared || len(s.environments()) == 1 || s.in.As != Auto) && r.Problems == nil:
			r.Problems = problemsOf(err)
		case err == nil && !slices.Contains(s.found, p):
			s.found = append(s.found, p)
		}
	}
	if r.Plans = s.found; r.Plans != nil {
		r.Problems = nil
	}
	slices.SortStableFunc(r.Plans, func(a, b *Plan) int { return len(a.Others) - len(b.Others) })
	return r, nil
}

// attempt is one way to search.
type attempt struct {
	as      Form // the forms that are allowed
	shared  bool // other environments may change, too
	lenient bool // documents may be missing: in an environment that extends this one, they may be
}

// try searches for a plan: first changes in place, then overlays or overrides for what is left.
func (s *search) try(d *diff.Difference, a attempt) (*Plan, error) {
	s.attempt = a
	if s.in.isExact() && a.as == Auto {
		if text := s.rewritten(); text != nil {
			p, failed := s.complete(d, *text)
			if failed == nil || s.ctx.Err() != nil {
				return p, failed
			}
			if p, err := s.complete(d, beginning{docs: s.docs}); err == nil {
				return p, nil
			}
			return nil, failed // it has got further
		}
	}
	return s.complete(d, beginning{docs: s.docs})
}

// beginning is what is already changed when a search begins.
type beginning struct {
	steps []Step
	draft draft
	docs  []tree.Doc // those that the draft gives
}

// complete searches for the rest of a plan.
func (s *search) complete(d *diff.Difference, begin beginning) (*Plan, error) {
	s.begin, s.alone = begin, map[string]bool{}
	p := &Plan{Steps: begin.steps}
	list := s.choices(d)
	if begin.steps != nil {
		left := s.leftOf(begin.docs)
		list = slices.DeleteFunc(list, func(c *choice) bool { return !left[c.key] })
	}
	from, done, docs, err := s.fromSources(list)
	if err != nil {
		return nil, err
	}
	switched := false
	if !s.same(docs) && begin.steps == nil && (s.attempt.as == Auto || s.attempt.as == Values) {
		from, docs, switched = s.switchAndGoOn(p, list, done, from, docs)
	}
	if !switched {
		p.add(s, done)
	}
	key := fmt.Sprint(s.attempt.as, s.attempt.lenient, from.key())
	e, known := s.ended[key]
	if !known {
		e.plan, e.err = s.finish(p, from, docs)
		s.ended[key] = e
	}
	return e.plan, e.err
}

// end is what comes of changes in place, which may be those of several attempts.
type end struct {
	plan *Plan
	err  error
}

// finish completes a plan whose changes in place give some documents.
func (s *search) finish(p *Plan, from draft, docs []tree.Doc) (*Plan, error) {
	if !s.same(docs) {
		if s.attempt.as == Values {
			return nil, s.unsolved(s.difference(docs))
		}
		var err error
		if from, err = s.create(p, from, docs); err != nil {
			return nil, err
		}
	}
	if i := slices.IndexFunc(s.found, func(p *Plan) bool { return p.writes(from) }); i >= 0 {
		return s.found[i], nil
	}
	return p, s.prove(p, from)
}

// fromSources makes the changes that work together where their values come from: also in data values that are
// empty.
func (s *search) fromSources(list []*choice) (draft, []edited, []tree.Doc, error) {
	from, done, docs, err := s.inPlace(list)
	if err != nil || s.same(docs) || s.attempt.as != Auto && s.attempt.as != Values {
		return from, done, docs, err
	}
	if open := s.openChoices(list, docs); !s.fillOptions(open) {
		return from, done, docs, nil
	}
	return s.inPlace(list)
}

// problemsOf returns why there is no suggestion.
func problemsOf(err error) (list []Problem) {
	f := diag.FailureOf(err)
	for i, text := range f.Located() {
		list = append(list, Problem{Message: text, Hint: f.List[i].Hint})
	}
	return list
}

// difference compares documents with the edited ones, once. Their order does not count, that of items does.
func (s *search) difference(docs []tree.Doc) *diff.Difference {
	if len(docs) == 0 {
		return s.compared(docs)
	}
	d := s.edits[&docs[0]]
	if d == nil {
		d = s.compared(docs)
		s.edits[&docs[0]] = d
	}
	return d
}

func (s *search) compared(docs []tree.Doc) *diff.Difference {
	side := func(docs []tree.Doc, files *source.Set) diff.Side {
		out := diff.Side{Files: files}
		for _, d := range docs {
			out.Docs = append(out.Docs, diff.SideDocument{Value: d.Value, Pos: d.Pos})
		}
		return out
	}
	d := diff.Compare(side(docs, s.res.Files), side(s.edited, s.files),
		diff.Options{Order: true, Secrets: secret.Rules{Show: true}, YAML: s.in.Options.Syntax()})
	d.Changes = slices.DeleteFunc(d.Changes, func(x diff.Change) bool { return x.Op == diff.Moved && len(x.Path) == 0 })
	return d
}

// same reports whether documents are the edited ones. The order of documents and of keys does not count.
func (s *search) same(docs []tree.Doc) bool { return sameDocuments(docs, s.edited) }

// sameDocuments reports whether two lists have the same documents. Their names are compared first: comparing
// all documents with all others would take too long.
func sameDocuments(a, b []tree.Doc) bool {
	if len(a) != len(b) {
		return false
	}
	byName := map[selector.Object][]tree.Value{}
	for _, d := range b {
		o := selector.ObjectOf(d.Value)
		byName[o] = append(byName[o], d.Value)
	}
	for _, d := range a {
		o := selector.ObjectOf(d.Value)
		list := byName[o]
		i := slices.IndexFunc(list, func(v tree.Value) bool { return sameAsSeen(d.Value, v) })
		if i < 0 {
			return false
		}
		byName[o] = slices.Delete(list, i, i+1)
	}
	return true
}

// maxRounds is how often the environment is rendered to find out which changes in place work.
const maxRounds = 12

// inPlace makes the changes in place that work together: none of them may change anything that was not
// edited. It returns the files, and the documents that they give.
func (s *search) inPlace(list []*choice) (draft, []edited, []tree.Doc, error) {
	wanted := map[string]bool{}
	for _, c := range list {
		wanted[c.key] = true
	}
	for round := 0; ; round++ {
		if round == maxRounds {
			for _, c := range list {
				c.options = nil
			}
		}
		d, done := s.apply(list)
		if len(done) == 0 && !dropWaiting(list) {
			return s.begin.draft, nil, s.begin.docs, nil
		}
		if len(done) == 0 {
			continue
		}
		docs, err := s.gives(d)
		if s.ctx.Err() != nil {
			return draft{}, nil, nil, context.Cause(s.ctx)
		}
		if err != nil {
			s.blameError(list, err)
			continue
		}
		if !s.demote(list, done, s.difference(docs), wanted) {
			return d, done, docs, nil
		}
	}
}

// dropWaiting drops options that wait for others, and reports whether there were any.
func dropWaiting(list []*choice) (found bool) {
	for _, c := range list {
		if len(c.options) > 0 && c.options[0].waits {
			c.options, found = c.options[1:], true
		}
	}
	return found
}

// blameError drops the options that an error points at, or all.
func (s *search) blameError(list []*choice, err error) {
	f := diag.FailureOf(err)
	dropped := false
	for _, c := range list {
		for _, x := range f.List {
			if len(c.options) == 0 || f.Files == nil {
				continue
			}
			if file := f.Files.File(x.At.Pos); file != nil && file.Shown() == c.options[0].at.file {
				c.options, dropped = c.options[1:], true
			}
		}
	}
	for _, c := range list {
		if !dropped && len(c.options) > 0 {
			c.options = c.options[1:]
		}
	}
}

// demote drops options that do not have the effect that is wanted, or other effects. It reports whether
// there were any.
func (s *search) demote(list []*choice, done []edited, left *diff.Difference, wanted map[string]bool) bool {
	bad := map[*choice]bool{}
	var also []*diff.Change // what was not edited
	byKey := map[string]*choice{}
	for _, c := range list {
		byKey[c.key] = c
	}
	for i := range left.Changes {
		x := &left.Changes[i]
		if byKey[keyOf(x)] == nil {
			also = append(also, x)
		}
	}
	for _, f := range s.causes(also, done, byKey) {
		for _, c := range f.by.choices {
			bad[c] = true
			if f.alone {
				c.dropAlike()
			}
			if f.known {
				s.noteTooMuch(c, f.by, f.also)
			}
		}
	}
	for i := range left.Changes { // what is wanted may be missing because of something else
		c := byKey[keyOf(&left.Changes[i])]
		if c != nil && also == nil && len(c.options) > 0 {
			bad[c] = true
		}
	}
	for _, e := range done { // a list is right as a whole, or not at all
		if e.value != nil && e.value.Kind() == tree.ArrayKind &&
			slices.ContainsFunc(e.choices, func(c *choice) bool { return bad[c] }) {
			for _, c := range e.choices {
				bad[c] = true
			}
		}
	}
	for c := range bad {
		c.options = c.options[1:]
	}
	return len(bad) > 0
}

// cause is an edit that may have changed something that was not edited.
type cause struct {
	by    edited
	also  *diff.Change
	known bool // it decides that
	alone bool // and it is the only one that does
}

// maxSuspects is how many edits are tried alone to find out which of them change something else.
const maxSuspects = 8

// causes returns what may have changed things that were not edited, each edit once: what decides them, or else
// everything. What is the only one that decides something is a cause; if there is any, others are none for now, as the
// next round shows. Otherwise it is those that change something alone, if these are not all.
func (s *search) causes(also []*diff.Change, done []edited, wanted map[string]*choice) (list []cause) {
	found := make([]cause, len(done))
	for _, x := range also {
		doc, known := s.today(x)
		read := reads{unknown: true}
		if known {
			read = s.readsOf(doc, x.Path)
		}
		var suspects []int
		for i, e := range done {
			if e.kind == Literal || read.affectedBy(e.leaf) {
				suspects = append(suspects, i)
			}
		}
		for _, i := range suspects {
			if !found[i].known {
				found[i] = cause{by: done[i], also: x, known: true}
			}
			found[i].alone = found[i].alone || len(suspects) == 1 && known && done[i].kind != Literal
		}
		for i := range done {
			if suspects == nil && found[i].also == nil {
				found[i] = cause{by: done[i], also: x}
			}
		}
	}
	isSure := slices.ContainsFunc(found, func(x cause) bool { return x.alone })
	var unsure []int
	for i, x := range found {
		if isSure && !x.alone {
			found[i].also = nil
		} else if x.also != nil && !isSure {
			unsure = append(unsure, i)
		}
	}
	if 1 < len(unsure) && len(unsure) <= maxSuspects {
		harmless := slices.DeleteFunc(slices.Clone(unsure), func(i int) bool { return !s.isHarmless(done[i], wanted) })
		for _, i := range harmless {
			if len(harmless) < len(unsure) {
				found[i].also = nil
			}
		}
	}
	return slices.DeleteFunc(found, func(x cause) bool { return x.also == nil })
}

// isHarmless reports whether an edit alone changes nothing but what is wanted.
func (s *search) isHarmless(e edited, wanted map[string]*choice) bool {
	key := e.at.key()
	if e.value != nil {
		key += "\x00" + block(*e.value)
	}
	ok, known := s.alone[key]
	if !known {
		ok = s.triesAlone(e, wanted)
		s.alone[key] = ok
	}
	return ok
}

func (s *search) triesAlone(e edited, wanted map[string]*choice) bool {
	d, failed := s.draftOf([]edited{e})
	if failed != nil {
		return false
	}
	docs, err := s.gives(d)
	if err != nil {
		return false
	}
	for _, x := range s.difference(docs).Changes {
		if wanted[keyOf(&x)] == nil {
			return false
		}
	}
	return true
}

// noteTooMuch notes that a data value would also change something that was not edited.
func (s *search) noteTooMuch(c *choice, e edited, also *diff.Change) {
	if _, known := s.tooMuch[c.key]; known || e.kind != Value || also.Object.A < 0 {
		return
	}
	place := strings.TrimSpace(also.Object.Name.String() + " " + also.Path.String())
	s.tooMuch[c.key] = fmt.Sprintf("setting %s would also change %s", stepsText(e.leaf), place)
}

// today returns the number of the document that a change is about, among those of today; known is false if
// no document has its name.
func (s *search) today(x *diff.Change) (doc int, known bool) {
	if i, ok := s.byName[x.Object.Was.String()]; ok {
		return i, true
	}
	return min(max(x.Object.A, 0), len(s.docs)-1), x.Object.A >= 0
}

// numbersByName returns the numbers of documents by their names.
func numbersByName(docs []tree.Doc) map[string]int {
	list := make([]selector.Selectable, len(docs))
	for i, d := range docs {
		list[i] = selector.Selectable{Value: d.Value}
	}
	numbers := make(map[string]int, len(docs))
	for i, name := range slices.Backward(selector.Names(list)) {
		numbers[name] = i // the first of a name
	}
	return numbers
}

// syntaxOf returns how a file is read.
func (s *search) syntaxOf(name string) yaml.Options {
	if s.now != nil && name == s.in.Project {
		return projectSyntax
	}
	return s.syntax()
}
