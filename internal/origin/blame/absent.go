package blame

import (
	"maps"
	"math"
	"slices"
	"strings"

	"weft/internal/lang/lazy"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Absent is something missing from the output, and why.
type Absent struct {
	Kind tree.AbsenceKind
	Name string     // the kind of the document, or the key
	At   source.Pos // where it is written, or what removed it
	Doc  int        // the document it would be in, or -1

	Reads []tree.Leaf // the data values that decided it

	// Set if a condition left it out.
	Condition source.Pos
	Calls     []source.Span
	Count     int

	// Set if it was removed.
	By   tree.Setter
	Path path.Path
	Old  tree.Value
	Was  source.Pos

	indent int
	hidden bool // Old is secret
}

// absent inserts the absences between the lines of the documents, where the missing nodes would be.
func (r *Report) absent() {
	all := r.in.Origins.Absences()
	if len(all) == 0 {
		return
	}
	p := placer{Report: r, behind: make([]map[int][]*Absent, len(r.Parts)), texts: map[string]int{}}
	for i := range r.Parts {
		p.behind[i], p.texts[r.Parts[i].File] = map[int][]*Absent{}, i
	}
	p.once = map[repeated]*Absent{}
	p.measure()
	p.noteOtherBranches(all)
	for i := range all {
		a := &all[i]
		switch a.Kind {
		case tree.NotTaken:
			p.notTaken(a)
		case tree.Removed:
			p.removed(a)
		}
	}
	for _, a := range p.once {
		slices.Sort(a.Reads)
		a.Reads = slices.Compact(a.Reads)
	}
	for i := range r.Parts {
		insert(&r.Parts[i], p.behind[i])
	}
}

// insert adds absences to a part, each after the line that it follows.
func insert(part *Part, behind map[int][]*Absent) {
	if len(behind) == 0 {
		return
	}
	lines := make([]Line, 0, len(part.Lines)+len(behind))
	keys := slices.Sorted(maps.Keys(behind))
	before := func(number int) {
		for len(keys) > 0 && keys[0] < number {
			list := behind[keys[0]]
			slices.SortStableFunc(list, func(a, b *Absent) int { return b.indent - a.indent })
			for _, a := range list { // nodes in a document come before whole documents
				lines = append(lines, Line{Node: -1, Absent: a})
			}
			keys = keys[1:]
		}
	}
	for _, line := range part.Lines {
		before(int(line.Number))
		lines = append(lines, line)
	}
	before(math.MaxInt)
	part.Lines = lines
}

// placer finds where in the output a missing node would be.
type placer struct {
	*Report
	ends    []int                  // the last line of each node, including its children
	first   []int                  // the first node of each document, then the number of nodes
	docs    map[source.Pos]int     // the first document produced at a position
	numbers map[calledAt]int       // like docs, but also by calls and conditions
	of      map[*source.File][]int // the documents produced by a file
	behind  []map[int][]*Absent    // absences, by part and by the line that they follow
	texts   map[string]int         // the parts of files that are not YAML
	taken   map[branch]outcome
	once    map[repeated]*Absent
}

// repeated identifies absences that differ only in the loop iteration: they have the same place in the
// output and the same reason.
type repeated struct {
	at, parent, document source.Pos
	condition            source.Span
	calls                tree.Calls
	offset               int
}

// branch is one execution of a conditional statement.
type branch struct {
	at    source.Span
	outer tree.When
	calls tree.Calls
}

// outcome is the first node that a statement produced, or the first line of text if it produced no node.
type outcome struct {
	node int32 // or -1
	text tree.Origin
}

func (p *placer) measure() {
	p.ends = make([]int, len(p.Nodes))
	p.first = make([]int, len(p.Docs)+1)
	p.first[len(p.Docs)] = len(p.Nodes)
	p.docs, p.of = make(map[source.Pos]int, len(p.Docs)), map[*source.File][]int{}
	p.numbers = make(map[calledAt]int, len(p.Docs))
	for i, d := range p.Docs {
		if _, ok := p.docs[d.At]; !ok && d.At.IsValid() {
			p.docs[d.At] = i
		}
		if s, ok := p.in.Origins.Of(d.value.Origin()); ok {
			at := calledAt{d.At, s.Calls, s.When}
			if _, ok := p.numbers[at]; !ok {
				p.numbers[at] = i
			}
		}
		f := p.in.Files.File(d.At)
		p.of[f] = append(p.of[f], i)
	}
	for i := len(p.Nodes) - 1; i >= 0; i-- {
		n := &p.Nodes[i]
		p.ends[i] = max(p.ends[i], int(n.Last))
		if n.parent >= 0 {
			p.ends[n.parent] = max(p.ends[n.parent], p.ends[i])
		} else {
			p.first[n.Doc] = i
		}
	}
}

// notTaken places what a condition left out after its predecessor in the template. If another branch was
// taken instead, the absence is shown there.
func (p *placer) notTaken(a *tree.Absence) {
	x := &Absent{
		Kind: a.Kind, At: a.What.Pos, Doc: p.documentOf(a), Condition: a.At.Pos,
		Reads: p.in.Origins.Leaves(a.Reads), Calls: p.in.Origins.Calls(a.Calls), Count: a.Count,
	}
	if a.Offset >= 0 {
		x.At, x.Name = p.firstText(a.What)
	}
	if by, ok := p.taken[branch{a.At, a.When, a.Calls}]; ok {
		if a.Offset < 0 {
			x.Name = p.firstLine(a.What)
		}
		p.instead[by] = append(p.instead[by], x)
		return
	}
	again := repeated{a.What.Pos, a.Parent, a.Document, a.At, a.Calls, a.Offset}
	if first := p.once[again]; first != nil {
		first.Count += a.Count
		first.Reads = append(first.Reads, x.Reads...)
		return
	}
	p.once[again] = x
	if part, ok := p.textPart(a); ok {
		x.Doc = -1
		before := p.in.Texts[part-1].Text[:a.Offset]
		line := strings.Count(before, "\n")
		if before != "" && !strings.HasSuffix(before, "\n") {
			line++ // the current line is not complete yet
		}
		p.add(part, line, x)
		return
	}
	if a.Offset >= 0 {
		return // part of another text
	}
	if p.isDocument(a.What) {
		x.Doc = -1
	}
	x.Name = p.leftOut(a.What, x.Doc < 0)
	if x.Doc < 0 {
		p.add(0, p.lastLineBefore(a.What.Pos), x)
		return
	}
	parent := p.find(x.Doc, a.Parent)
	x.Path = append(p.Path(&p.Nodes[parent]), path.ToKey(tree.String(x.Name)))
	line := p.ends[parent]
	if before := p.before(parent, a.What.Pos); before >= 0 {
		line = p.ends[before]
	} else if kids := parent + 1; kids < len(p.Nodes) && int(p.Nodes[kids].parent) == parent &&
		p.Nodes[parent].parent >= 0 {
		line = int(p.Nodes[parent].Line)
	}
	x.indent = p.indentIn(parent)
	p.add(0, line, x)
}

// textPart returns the part of the output that text would be in.
func (p *placer) textPart(a *tree.Absence) (part int, ok bool) {
	f := p.in.Files.File(a.What.Pos)
	if f == nil || a.Offset < 0 {
		return 0, false
	}
	part, ok = p.texts[f.Name()]
	return part, ok && part > 0 && a.Offset <= len(p.in.Texts[part-1].Text)
}

// noteOtherBranches records what was produced by the other branches of conditions that left something out.
func (p *placer) noteOtherBranches(all []tree.Absence) {
	p.taken = map[branch]outcome{}
	asked := make(map[branch]bool, len(all))
	for i := range all {
		asked[branch{all[i].At, all[i].When, all[i].Calls}] = true
	}
	seen := map[execution]bool{}
	last := execution{} // lines next to each other usually come from the same execution
	note := func(o tree.Origin, by outcome) {
		for s := range p.in.Origins.History(o) {
			if now := (execution{s.When, s.Calls}); now != last {
				last = now
				p.noteExecution(now, by, asked, seen)
			}
		}
	}
	for i := range p.Nodes {
		note(p.Nodes[i].origin, outcome{node: int32(i)})
		note(p.Nodes[i].from, outcome{node: int32(i)})
	}
	for _, t := range p.in.Texts {
		for _, o := range t.Lines {
			note(o, outcome{-1, o})
		}
	}
}

// execution is one execution of code: the conditions and calls that led to it.
type execution struct {
	when  tree.When
	calls tree.Calls
}

// noteExecution records that by was produced under the conditions of an execution. Each condition may
// be in any of the called functions.
func (p *placer) noteExecution(now execution, by outcome, asked map[branch]bool, seen map[execution]bool) {
	for calls := now.calls; ; calls = p.in.Origins.Caller(calls) {
		for when := now.when; when != 0 && !seen[execution{when, calls}]; {
			seen[execution{when, calls}] = true
			c, outer, _ := p.in.Origins.Innermost(when)
			if at := (branch{c.At, outer, calls}); c.Kind != tree.For && asked[at] {
				if _, ok := p.taken[at]; !ok {
					p.taken[at] = by
				}
			}
			when = outer
		}
		if calls == 0 {
			return
		}
	}
}

// removed places what an overlay or override removed at the end of its parent.
func (p *placer) removed(a *tree.Absence) {
	x := &Absent{
		Kind: a.Kind, At: a.At.Pos, Doc: p.document(a.Document), By: a.By, Old: a.Old,
		Was: a.Was.Pos, Count: a.Count, Path: steps(a.Path), Reads: p.removedBy(a),
	}
	if len(a.Path) == 0 {
		if x.Name = selector.ObjectOf(a.Old).String(); x.Name == "" {
			x.Name = "document"
		}
		x.Doc = -1
		p.hideOld(x)
		p.add(0, p.lastLineBefore(a.Was.Pos), x)
		return
	}
	x.Name = x.Path[len(x.Path)-1:].String()
	if x.Doc < 0 {
		return // the whole document is missing
	}
	at := p.first[x.Doc]
	for _, s := range x.Path[:len(x.Path)-1] {
		kid := p.child(at, s)
		if kid < 0 {
			return // its parent is missing too, and is already reported
		}
		at = kid
	}
	x.indent = p.indentIn(at)
	p.hideOld(x)
	p.add(0, p.ends[at], x)
}

// removedBy returns the data values that decided a removal: those used to match the node, and those that
// decided whether the removal ran at all.
func (p *placer) removedBy(a *tree.Absence) []tree.Leaf {
	reads := p.in.Origins.Leaves(a.Reads)
	for _, c := range p.in.Origins.When(a.When) {
		reads = append(reads, p.in.Origins.Leaves(c.Reads)...)
	}
	slices.Sort(reads)
	return slices.Compact(reads)
}

// hideOld hides the secret parts of a removed value.
func (p *placer) hideOld(a *Absent) {
	var within path.Path
	if a.Doc >= 0 && secret.IsObject(p.Docs[a.Doc].value) {
		within = a.Path
	}
	old := p.in.Secrets.Mask(a.Old, a.Path, within)
	if within != nil && len(a.Path) == 1 && !p.in.Secrets.Show {
		around := tree.Of(tree.NewMap([]tree.Item{
			{Key: tree.String("kind"), Value: tree.String("Secret")},
			{Key: a.Path[0].Key, Value: a.Old},
		}, source.Pos{}))
		m, _ := p.in.Secrets.Mask(around, nil, nil).Map()
		old = m.Entries()[1].Value
	}
	if old == a.Old {
		return
	}
	a.hidden = true
	find := finder{}
	eachLeaf(a.Old, nil, func(way []tree.Step) {
		if v, ok := find.valueAt(a.Old, steps(way)); ok && v.Kind() == tree.ScalarKind {
			p.Report.removed = append(p.Report.removed, v.Text())
		}
	})
	a.Old = old
}

// add adds an absence after a line of a part.
func (p *placer) add(part, line int, a *Absent) {
	p.behind[part][line] = append(p.behind[part][line], a)
}

// calledAt is a position together with the calls and conditions that led to it.
type calledAt struct {
	at    source.Pos
	calls tree.Calls
	when  tree.When
}

// documentOf returns the document that an absence belongs to. If one position produced several documents,
// it returns the one with the same calls and conditions.
func (p *placer) documentOf(a *tree.Absence) int {
	for calls := a.Calls; ; calls = p.in.Origins.Caller(calls) {
		for when := a.When; ; {
			if doc, ok := p.numbers[calledAt{a.Document, calls, when}]; ok {
				return doc
			}
			if when == 0 {
				break
			}
			_, when, _ = p.in.Origins.Innermost(when)
		}
		if calls == 0 {
			return p.document(a.Document)
		}
	}
}

// document returns the document produced at a position, or -1.
func (p *placer) document(at source.Pos) int {
	if doc, ok := p.docs[at]; ok {
		return doc
	}
	return -1
}

// lastLineBefore returns the last line of the documents that precede a position in its file.
func (p *placer) lastLineBefore(at source.Pos) int {
	line, found := 0, false
	for _, i := range p.of[p.in.Files.File(at)] {
		if p.Docs[i].At.Offset() < at.Offset() {
			line, found = p.ends[p.first[i]], true
		} else if !found {
			return max(0, int(p.Nodes[p.first[i]].Line)-2)
		}
	}
	if !found {
		return math.MaxInt - 1
	}
	return line
}

// find returns the node of a document that was produced at a position, or the document's root node.
func (p *placer) find(doc int, at source.Pos) int {
	for i := p.first[doc]; i < p.first[doc+1]; i++ {
		if p.Nodes[i].At == at && p.Nodes[i].Value.Kind() != tree.ScalarKind {
			return i
		}
	}
	return p.first[doc]
}

// before returns the last child of a node that precedes a position in its file, or -1.
func (p *placer) before(parent int, at source.Pos) int {
	f, last := p.in.Files.File(at), -1
	for i := parent + 1; i < len(p.Nodes) && int(p.Nodes[i].parent) >= parent; i++ {
		n := &p.Nodes[i]
		if int(n.parent) == parent && n.At.Offset() < at.Offset() && p.in.Files.File(n.At) == f {
			last = i
		}
	}
	return last
}

// child returns the child of a node at a path segment, or -1.
func (p *placer) child(parent int, s path.Segment) int {
	for i := parent + 1; i < len(p.Nodes) && int(p.Nodes[i].parent) >= parent; i++ {
		n := &p.Nodes[i]
		if int(n.parent) == parent && sameStep(n.step(), s) {
			return i
		}
	}
	return -1
}

func sameStep(a, b path.Segment) bool {
	if a.Kind != b.Kind {
		return false
	}
	if a.Kind == path.Item {
		return a.Index == b.Index
	}
	return tree.KeyText(a.Key) == tree.KeyText(b.Key)
}

// indentIn returns the indentation of a node's children.
func (p *placer) indentIn(parent int) int {
	if kid := parent + 1; kid < len(p.Nodes) && int(p.Nodes[kid].parent) == parent {
		if at := p.Nodes[kid].Line; at > p.Nodes[parent].Line {
			return p.indentOf(int(at))
		}
	}
	if p.Nodes[parent].parent < 0 {
		return 0
	}
	return p.indentOf(int(p.Nodes[parent].Line)) + 2
}

// indentOf returns the indentation of a line of the output.
func (p *placer) indentOf(number int) int {
	lines := p.Parts[0].Lines
	i, ok := slices.BinarySearchFunc(lines, number, func(l Line, n int) int { return int(l.Number) - n })
	if !ok {
		return 0
	}
	return len(lines[i].Text) - len(strings.TrimLeft(lines[i].Text, " "))
}

// steps converts steps to a path.
func steps(way []tree.Step) path.Path {
	var p path.Path
	for _, s := range way {
		if s.Index >= 0 {
			p = append(p, path.ToItem(s.Index, s.Index))
		} else {
			p = append(p, path.ToKey(tree.String(s.Key)))
		}
	}
	return p
}

var (
	documentStart = lazy.Regexp{Text: `\A(?:[ \t]*(?:#.*)?\r?\n)*---(?:\s|\z)`}

	kindLine = lazy.Regexp{Text: `(?m)^kind:[ \t]*([A-Za-z0-9]+)[ \t]*\r?$`}
	nameLine = lazy.Regexp{Text: `(?m)^  name:[ \t]*([A-Za-z0-9.-]+)[ \t]*\r?$`}
	keyLine  = lazy.Regexp{Text: `^[ \t]*(?:- )*("[^"]*"|'[^']*'|[^\s#:'"-][^#:]*):(?:[ \t]|\r?$)`}
)

// isDocument reports whether a span of a template begins a document.
func (p *placer) isDocument(what source.Span) bool {
	f := p.in.Files.File(what.Pos)
	return f != nil && documentStart.Get().Match(f.Data()[what.Offset():min(what.End(), len(f.Data()))])
}

// firstText returns the first line of text in a span that is not blank, and its position.
func (p *placer) firstText(what source.Span) (source.Pos, string) {
	f := p.in.Files.File(what.Pos)
	if f == nil {
		return what.Pos, "text"
	}
	rest := string(f.Data()[what.Offset():])
	text := strings.TrimLeft(rest, " \t\r\n")
	line, _, _ := strings.Cut(text, "\n")
	return f.Pos(len(f.Data()) - len(text)), cut(strings.TrimSpace(line))
}

// firstLine returns the first line of a span that is not a comment.
func (p *placer) firstLine(what source.Span) string {
	f := p.in.Files.File(what.Pos)
	if f == nil {
		return "text"
	}
	for line := range strings.Lines(string(f.Data()[what.Offset():min(what.End(), len(f.Data()))])) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return cut(line)
		}
	}
	return cut(strings.TrimSpace(string(f.Text(f.Line(what.Offset())))))
}

// leftOut describes the template lines that a condition left out: a document by its kind and name,
// anything else by its key.
func (p *placer) leftOut(what source.Span, document bool) string {
	f := p.in.Files.File(what.Pos)
	if f == nil {
		return "node"
	}
	text := string(f.Data()[what.Offset():min(what.End(), len(f.Data()))])
	if document {
		if kind := kindLine.Get().FindStringSubmatch(text); kind != nil {
			if name := nameLine.Get().FindStringSubmatch(text); name != nil {
				return kind[1] + "/" + name[1]
			}
			return kind[1]
		}
		return "document"
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimLeft(line, " \t")
		if trimmed == "" || trimmed[0] == '#' || strings.HasPrefix(trimmed, "---") {
			continue
		}
		if key := keyLine.Get().FindStringSubmatch(line); key != nil && !strings.HasPrefix(trimmed, "- ") {
			return strings.Trim(key[1], `"'`)
		}
		if strings.HasPrefix(trimmed, "-") {
			return "item"
		}
		return "node"
	}
	return "node"
}
