package suggest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// givenOutside returns an error if what is left is a data value from the command line or the environment: an overlay
// would win over what is given there next time.
func (s *search) givenOutside(docs []tree.Doc) error {
	left := s.difference(docs)
	for i := range left.Changes {
		c := &left.Changes[i]
		doc, known := s.today(c)
		if !known || c.Op != diff.Changed {
			continue
		}
		n := s.nodeAt(doc, c.Path)
		if n == nil {
			continue
		}
		history := s.history(n)
		info, ok := s.handedOn(history[len(history)-1])
		if !ok {
			continue
		}
		layers := s.blame.DataValueAt(info.Values, info.Path).Layers
		if len(layers) == 0 {
			continue
		}
		if by := layers[len(layers)-1].By; by == tree.ByFlag || by == tree.ByVariable {
			return diag.Failf(CodeNone, "%s is not in a file", s.whereFrom(c)).
				WithHint("render with another value there; --as overlay replaces it, whatever it is")
		}
	}
	return nil
}

// create adds a new overlay for what is left after the changes in place. Ways that are less and less
// precise are tried: with lists item by item, with whole lists, with whole documents if no override does.
// What short cuts and overrides of weft.yml change after overlays needs an override, and an environment
// that has overrides and no overlays gets one.
func (s *search) create(p *Plan, from draft, docs []tree.Doc) (draft, error) {
	if s.in.As == Auto {
		if err := s.givenOutside(docs); err != nil {
			return from, err
		}
	}
	var failed error
	if s.attempt.as == Auto && s.hasOnlyOverrides() {
		d, _, err := s.addNew(p, step{from: from, docs: docs, kind: Patched, how: precise})
		if err == nil || s.ctx.Err() != nil {
			return d, err
		}
	}
	if s.attempt.as != Override {
		for _, how := range []level{once, precise, apart, coarse, documents} {
			if how == once && (s.now == nil || s.attempt.lenient) {
				continue // ytt can read overlays for inputs without a project
			}
			if how == documents && s.attempt.as == Auto { // all that the documents have would be repeated
				d, _, err := s.addNew(p, step{from: from, docs: docs, kind: Patched, how: precise})
				if err == nil || s.ctx.Err() != nil {
					return d, err
				}
			}
			d, _, err := s.addNew(p, step{from: from, docs: docs, kind: New, how: how})
			if err == nil || s.ctx.Err() != nil {
				return d, err
			}
			failed = keepSecret(failed, err)
		}
		if s.attempt.as == Overlay {
			return from, failed
		}
	}
	for _, how := range []level{precise, coarse} {
		d, _, err := s.addNew(p, step{from: from, docs: docs, kind: Patched, how: how})
		if err == nil || s.ctx.Err() != nil {
			return d, err
		}
		if failed == nil || s.attempt.as == Override {
			failed = keepSecret(failed, err)
		}
	}
	if s.attempt.as == Override {
		return from, failed
	}
	both := &Plan{}
	d, now, err := s.addNew(both, step{from: from, docs: docs, kind: New, how: existence, partly: true})
	if err != nil {
		return from, failed
	}
	if d, _, err = s.addNew(both, step{from: d, docs: now, kind: Patched, how: coarse}); err != nil {
		return from, failed
	}
	p.Steps = append(p.Steps, both.Steps...)
	p.Warnings = append(p.Warnings, both.Warnings...)
	p.Arguments = append(p.Arguments, both.Arguments...)
	return d, nil
}

// hasOnlyOverrides reports whether the environment changes documents with overrides, and not with overlays. If it
// has neither, others show how the project does it.
func (s *search) hasOnlyOverrides() bool {
	if s.now == nil {
		return false
	}
	var overrides, overlays int
	count := func(env string) {
		if settings, err := s.now.Environment(env); err == nil {
			overrides, overlays = overrides+len(settings.Overrides), overlays+len(settings.Overlays)
		}
	}
	count(s.in.Env)
	if overrides+overlays == 0 {
		for _, env := range s.environments() {
			count(env)
		}
	}
	return overrides > 0 && overlays == 0
}

// step is an attempt to add a new overlay or override.
type step struct {
	from   draft
	docs   []tree.Doc // those that the draft gives
	kind   Kind
	how    level
	partly bool // it need not give all edited documents
}

// addNew adds a new overlay or override, and proves it. It returns the documents that it gives.
func (s *search) addNew(p *Plan, x step) (draft, []tree.Doc, error) {
	at, noPlace := s.placeFor(x.kind)
	var o newText
	var err error
	if x.kind == New {
		if o = s.overlayFor(x.docs, x.how, string(at.old)); x.how == once && !o.repeats || x.how == apart && o.objects < 2 {
			return x.from, nil, diag.Failf(CodeNone, "no edit is made twice")
		}
	} else if o, err = s.overrideFor(x.docs, x.how); err != nil {
		return x.from, nil, err
	}
	if same := s.fileOfSame(x, &o); same != "" && same != at.file && noPlace == nil {
		if better, err := at.at(s.trial, same); err == nil {
			if at = better; x.kind == New {
				o = s.overlayFor(x.docs, x.how, string(at.old))
			}
		}
	}
	if at, ok := s.placeAmongInputs(x, &o); ok {
		if d, docs, err := s.addAt(p, x, at, s.overlayFor(x.docs, x.how, string(at.old))); err == nil || s.ctx.Err() != nil {
			return d, docs, err
		}
	}
	if noPlace != nil {
		return x.from, nil, noPlace
	}
	return s.addAt(p, x, at, o)
}

// addAt is addNew for a text and a place.
func (s *search) addAt(p *Plan, x step, at placing, o newText) (draft, []tree.Doc, error) {
	for i := range o.changes {
		if len(replaces(s.guarded, &o.changes[i])) > 0 {
			return x.from, nil, s.refuse(&o.changes[i], at.file)
		}
	}
	if s.gainsFirst(string(at.old), o.text) {
		return x.from, nil, s.refuseSecret(x.docs, at.file)
	}
	if at.old != nil {
		if d, rest, ok := s.extend(x, at, &o); ok {
			if docs, err := s.proveNew(x, at, d); err == nil {
				p.addNew(s, at, rest)
				return d, docs, nil
			}
		}
	}
	d, err := s.add(x.from, at, o.text)
	if err != nil {
		return x.from, nil, err
	}
	docs, err := s.proveNew(x, at, d)
	if err != nil {
		return x.from, nil, err
	}
	p.addNew(s, at, o)
	return d, docs, nil
}

// proveNew renders the environment with a new overlay or override, and returns the documents that it gives.
func (s *search) proveNew(x step, at placing, d draft) ([]tree.Doc, error) {
	docs, err := s.gives(d)
	if err != nil {
		return nil, err
	}
	if !x.partly && !s.same(docs) {
		if err := s.otherType(docs); err != nil {
			return nil, err
		}
		return nil, diag.Failf(CodeNone, "a new %s in '%s' does not give the edited documents", x.kind, at.file)
	}
	return docs, nil
}

// level is how much of a document an overlay replaces.
type level uint8

const (
	once      level = iota // only what was edited, and the same edit of several places once
	precise                // only what was edited
	apart                  // the same, each document by itself: short cuts give what several have in common
	coarse                 // lists as a whole
	documents              // documents as a whole
	existence              // nothing: documents are only added and removed
)

// loadLine makes overlays possible in a file.
const loadLine = `#@ load("@ytt:overlay", "overlay")`

// newText is a new overlay or override, and what it does.
type newText struct {
	text     string
	chunks   []chunk // its parts
	changes  []diff.Change
	objects  int      // the documents that it changes
	expects  int      // the most documents or nodes that one of its parts changes
	warnings []string // what may break
	lenient  bool     // documents may be missing
	repeats  bool     // the same edit of several places is written once
	within   bool     // it is written into overlays that there are
	lines    int      // how many it adds then

	old       string // the text that it is added to
	variables int    // how many variables it has
}

// part is the body of an overlay and the documents that it is for.
type part struct {
	body     string // nothing removes them
	replaces bool   // the body is a whole document
	docs     []int
}

// overlayFor returns the overlay that turns documents into the edited ones, for a file with an old text.
func (s *search) overlayFor(docs []tree.Doc, how level, old string) newText {
	d := s.difference(docs)
	values := make([]tree.Value, len(docs))
	for i, doc := range docs {
		values[i] = doc.Value
	}
	o := newText{changes: d.Changes, expects: 1, lenient: s.attempt.lenient, old: old}
	parts := partList{byBody: map[string]*part{}}
	var removed []int
	var added []tree.Value
	seen, partner, names := map[*diff.Object]bool{}, map[int]int{}, map[int]string{}
	for i := range d.Changes {
		x := d.Changes[i].Object
		if seen[x] {
			continue
		}
		seen[x] = true
		switch {
		case x.B < 0:
			removed = append(removed, x.A)
		case x.A < 0:
			added = append(added, s.edited[x.B].Value)
		case how != existence && !edit.Equal(values[x.A], s.edited[x.B].Value):
			partner[x.A], names[x.A] = x.B, x.Name.String()
		}
	}
	o.objects = len(seen)
	slices.Sort(removed)
	var b strings.Builder
	b.WriteString(loadLine + "\n")
	if how == once {
		values = s.repeated(&o, &b, values, partner)
	}
	for a := range values {
		if c, ok := partner[a]; ok && !edit.Equal(values[a], s.edited[c].Value) {
			one, byIndex := s.bodyOf(values[a], s.edited[c].Value, how)
			if how == apart {
				parts.add(one, a)
			} else {
				parts.join(one, a)
			}
			for _, place := range byIndex {
				o.warn("%s %s: items are found by their position, which others may change", names[a], place)
			}
		}
	}
	all := s.overlayCensus(values)
	for _, p := range parts.list {
		o.write(&b, all, *p)
		for _, i := range p.docs { // the next part sees what this one has changed
			all.replace(i, s.edited[partner[i]].Value)
		}
	}
	if len(removed) > 0 {
		o.write(&b, all, part{docs: removed})
	}
	for _, v := range added {
		o.begin(&b, part{}, nil)
		if how > apart { // after all other overlays, which do not see it
			b.WriteString("#@overlay/match by=overlay.all, expects=\"0+\"\n#@overlay/append\n")
		}
		b.WriteString("---\n" + block(v))
	}
	o.text = b.String()
	for i, c := range o.chunks {
		to := len(o.text)
		if i+1 < len(o.chunks) {
			to = o.chunks[i+1].ends
		}
		o.chunks[i].text = o.text[c.from:to]
	}
	return o
}

// begin begins a part of the text.
func (o *newText) begin(b *strings.Builder, p part, docs []int) {
	c := chunk{ends: b.Len()}
	separate(b)
	if c.from = b.Len(); p.body != "" && !p.replaces {
		c.docs = docs
	}
	o.chunks = append(o.chunks, c)
}

// joined returns the text of all parts.
func (o *newText) joined() string {
	var b strings.Builder
	b.WriteString(loadLine + "\n")
	for _, c := range o.chunks {
		separate(&b)
		b.WriteString(c.text)
	}
	return b.String()
}

func (o *newText) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(o.warnings, text) {
		o.warnings = append(o.warnings, text)
	}
}

// bodyOf returns what turns one document into another, and the lists whose items are found by position.
func (s *search) bodyOf(before, after tree.Value, how level) (part, []string) {
	if how == documents || before.Kind() != tree.MapKind || after.Kind() != tree.MapKind {
		return part{body: block(after), replaces: true}, nil
	}
	w := writer{coarse: how == coarse}
	if opt := s.syntax(); s.now != nil && how < coarse { // ytt does not know @overlay/inside
		w.inside = &opt
	}
	w.maps(0, before, after)
	return part{body: strings.Join(w.lines, "\n") + "\n"}, w.byIndex
}

// partList are the parts of an overlay.
type partList struct {
	list   []*part
	byBody map[string]*part // those for several documents
}

// add adds a part for one document.
func (p *partList) add(x part, doc int) *part {
	x.docs = []int{doc}
	p.list = append(p.list, &x)
	return &x
}

// join adds a document to the part with the same body, or a new part.
func (p *partList) join(x part, doc int) {
	key := x.body
	if x.replaces {
		key = "=" + key
	}
	if same := p.byBody[key]; same != nil {
		same.docs = append(same.docs, doc)
		return
	}
	p.byBody[key] = p.add(x, doc)
}

// write writes a part: once if one matcher selects exactly its documents, otherwise with lists of their names, and for
// each of those that have none.
func (o *newText) write(b *strings.Builder, docs *census, p part) {
	if m, ok := docs.matcherOf(p.docs); ok {
		o.writeOne(b, selection{m, p.docs}, p)
		return
	}
	list, rest := docs.byNames(p.docs)
	if p.body == "" { // what is removed moves what follows
		slices.Reverse(rest)
	}
	for _, i := range rest {
		m, _ := docs.matcherOf([]int{i})
		o.writeOne(b, selection{m, []int{i}}, p)
		if p.body == "" {
			docs.remove(i)
		}
	}
	for _, x := range list {
		o.writeOne(b, x, p)
	}
}

// writeOne writes a part for documents that a matcher selects.
func (o *newText) writeOne(b *strings.Builder, x selection, p part) {
	o.begin(b, p, x.docs)
	if x.index >= 0 {
		o.chunks[len(o.chunks)-1].warning = fmt.Sprintf(
			"document %d is found by its position, which others may change", x.index+1)
	}
	by := x.String()
	if x.names != nil {
		variable := o.variable()
		b.WriteString(listOf(variable, x.names))
		by = x.byName(variable)
	}
	b.WriteString("#@overlay/match by=" + by)
	switch n := len(x.docs); {
	case o.lenient:
		b.WriteString(", expects=\"0+\"")
	case n > 1:
		fmt.Fprintf(b, ", expects=%d", n)
		o.expects = max(o.expects, n)
	}
	switch {
	case p.body == "":
		b.WriteString("\n#@overlay/remove")
	case p.replaces:
		b.WriteString("\n#@overlay/replace")
		o.warn("a document is replaced as a whole: later changes of its source have no effect")
	}
	b.WriteString("\n---\n" + p.body)
}

// variable returns a name that the file of the overlay does not have yet.
func (o *newText) variable() string {
	for {
		o.variables++
		name := "names"
		if o.variables > 1 {
			name += strconv.Itoa(o.variables)
		}
		if !strings.Contains(o.old, name+" = ") {
			return name
		}
	}
}

// separate writes a blank line, unless there is one: at the end of a text that keeps its line breaks, a
// second one would be part of it.
func separate(b *strings.Builder) {
	if !strings.HasSuffix(b.String(), "\n\n") {
		b.WriteString("\n")
	}
}
