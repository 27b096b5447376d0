package suggest

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file writes a new part of an overlay into the document of the file that changes the same documents already,
// and that of an override.

// chunk is an overlay in a new text.
type chunk struct {
	ends, from int // where the one before ends, and this one begins
	text       string
	docs       []int  // the documents that it changes, by their numbers; nil if it does something else with them
	warning    string // what may break
}

// extend writes new overlays into documents of the file that there is, as far as one of them changes exactly the
// documents that they are for, and the others at its end. It returns what that adds; false if all go to the end.
func (s *search) extend(x step, at placing, o *newText) (d draft, added newText, ok bool) {
	old, err := s.text(x.from, at.file)
	if err != nil {
		return d, added, false
	}
	if x.kind == Patched {
		now, err := s.extendedOverride(old, o.text)
		added = *o
		added.within, added.lines = true, bytes.Count(now, []byte("\n"))-bytes.Count(old, []byte("\n"))
		return x.from.with(at.file, now), added, err == nil
	}
	now := old
	rest := *o
	rest.chunks = nil
	touching := s.touchedBy(at.file)
	for _, c := range o.chunks {
		today, _ := s.numbersToday(c.docs, x.docs)
		var best []byte // with the fewest lines
		for n, docs := range touching {
			if today == nil || !slices.Equal(docs, today) {
				continue
			}
			text, fits := extended(now, n, c.text, s.syntaxOf(at.file))
			if fits && (best == nil || bytes.Count(text, []byte("\n")) < bytes.Count(best, []byte("\n"))) {
				best = text
			}
		}
		if best == nil {
			rest.chunks = append(rest.chunks, c)
			continue
		}
		now = best
	}
	if len(rest.chunks) == len(o.chunks) {
		return d, added, false
	}
	added = rest
	added.within = len(rest.chunks) == 0
	if d = x.from.with(at.file, now); !added.within {
		d, err = s.add(d, at, rest.joined())
	}
	last, _ := s.text(d, at.file)
	added.lines = bytes.Count(last, []byte("\n")) - bytes.Count(old, []byte("\n"))
	return d, added, err == nil
}

// placeAmongInputs returns the file with overlays among the inputs of only this environment that new ones go to, if
// weft.yml lists none: the one that changes the same document, or else the last one.
func (s *search) placeAmongInputs(x step, o *newText) (at placing, ok bool) {
	if x.kind != New || s.now != nil && len(s.ownItems("overlays")) > 0 || len(o.chunks) == 0 {
		return at, false
	}
	today, _ := s.numbersToday(o.chunks[0].docs, x.docs)
	for _, name := range slices.Sorted(maps.Keys(s.filesWithOverlays())) {
		f := s.filesWithOverlays()[name]
		if s.isShared(name) || !s.mayChange(f) || !hasOnlyOverlays(f.Data(), s.syntaxOf(name)) {
			continue
		}
		at, ok = placing{kind: New, file: name, old: f.Data(), read: true}, true
		if slices.ContainsFunc(s.touchedBy(name), func(docs []int) bool { return slices.Equal(docs, today) }) {
			break
		}
	}
	return at, ok
}

// fileOfSame returns the file of this environment with an overlay that changes the same documents as the
// first new one, or "".
func (s *search) fileOfSame(x step, o *newText) string {
	if x.kind != New || s.now == nil || len(o.chunks) == 0 {
		return ""
	}
	today, ok := s.numbersToday(o.chunks[0].docs, x.docs)
	if !ok {
		return ""
	}
	own := s.ownFiles("overlays")
	i := slices.IndexFunc(own, func(name string) bool {
		return slices.ContainsFunc(s.touchedBy(name), func(docs []int) bool { return slices.Equal(docs, today) })
	})
	if i < 0 {
		return ""
	}
	return own[i]
}

// hasOnlyOverlays reports whether all documents of a file are overlays.
func hasOnlyOverlays(text []byte, opt yaml.Options) bool {
	trees, _, err := parse(text, "", opt)
	if err != nil {
		return false
	}
	for doc := range trees[0].Documents() {
		if !strings.Contains(annotations(trees[0], doc), "@overlay/match") {
			return false
		}
	}
	return true
}

// numbersToday returns the numbers that documents have today, in their order; false if one of them is new.
func (s *search) numbersToday(list []int, docs []tree.Doc) (today []int, ok bool) {
	if len(docs) != len(s.docs) {
		return nil, false // some were added or removed in place
	}
	for _, i := range list {
		if !docs[i].Pos.IsValid() || docs[i].Pos.Offset() != s.docs[i].Pos.Offset() {
			return nil, false
		}
	}
	return slices.Sorted(slices.Values(list)), len(list) > 0
}

// touchedBy returns for each document of a file with overlays the printed documents that it has changed, in their
// order.
func (s *search) touchedBy(file string) (list [][]int) {
	all := s.overlaysToday()
	text, err := s.read(file)
	if err != nil {
		return nil
	}
	trees, _, err := parse(text, file, s.syntaxOf(file))
	if err != nil {
		return nil
	}
	for doc := range trees[0].Documents() {
		at := overlayAt{file, trees[0].Start(doc).Offset()}
		list = append(list, slices.Sorted(maps.Keys(all[at].docs)))
	}
	return list
}

// overlayAt is where the document of an overlay begins.
type overlayAt struct {
	file   string
	offset int
}

// touched are the printed documents that an overlay has changed, by their numbers.
type touched struct {
	file *source.File
	docs map[int]bool
}

// filesWithOverlays returns the files whose overlays change something today.
func (s *search) filesWithOverlays() map[string]*source.File {
	files := map[string]*source.File{}
	for at, x := range s.overlaysToday() {
		files[at.file] = x.file
	}
	return files
}

// overlaysToday returns what each overlay changes. It is looked for once.
func (s *search) overlaysToday() map[overlayAt]touched {
	if s.touched != nil {
		return s.touched
	}
	all := map[overlayAt]touched{}
	for i := range s.blame.Nodes {
		n := &s.blame.Nodes[i]
		if n.Value.Origin() == 0 {
			continue
		}
		for _, e := range s.blame.History(n) {
			f := s.res.Files.File(e.Of.Pos)
			if e.By != tree.ByOverlay || f == nil {
				continue
			}
			at := overlayAt{f.Shown(), e.Of.Offset()}
			if all[at].docs == nil {
				all[at] = touched{f, map[int]bool{}}
			}
			all[at].docs[int(n.Doc)] = true
		}
	}
	s.touched = all
	return all
}

// extended returns a text of overlays with another overlay in one of its documents, by number. ok is false if it does
// not fit there.
func extended(text []byte, n int, overlay string, opt yaml.Options) (now []byte, ok bool) {
	into, _, err := parse(text, "", opt)
	if err != nil {
		return text, false
	}
	from, _, err := parse([]byte(loadLine+"\n"+overlay), "", opt)
	if err != nil {
		return text, false
	}
	docs := slices.Collect(into[0].Documents())
	news := slices.Collect(from[0].Documents())
	if n < 0 || n >= len(docs) || len(news) == 0 {
		return text, false
	}
	x := extension{into: into[0], from: from[0], lines: linesOf(from[0])}
	if x.runsCode(docs[n]) || !x.maps(into[0].Root(docs[n]), from[0].Root(news[len(news)-1]), 0) {
		return text, false
	}
	return x.text(), true
}

// extension puts the entries of one overlay into another one.
type extension struct {
	into, from *yaml.Tree
	lines      []string // of from
	added      []addition
}

// addition are lines that are added after a line.
type addition struct {
	after, depth int
	lines        []string
}

func linesOf(t *yaml.Tree) []string { return strings.SplitAfter(string(t.Source()), "\n") }

// text returns the new text. What is deeper comes first: it is a part of what ends on the same line.
func (x *extension) text() []byte {
	slices.SortStableFunc(x.added, func(a, b addition) int {
		return cmp.Or(cmp.Compare(a.after, b.after), cmp.Compare(b.depth, a.depth))
	})
	var out bytes.Buffer
	end := "\n"
	if edit.EndsCRLF(x.into.Source()) {
		end = "\r\n"
	}
	for i, line := range linesOf(x.into) {
		out.WriteString(line)
		for len(x.added) > 0 && x.added[0].after == i+1 {
			if !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
				out.WriteString(end)
			}
			for _, text := range x.added[0].lines {
				out.WriteString(strings.TrimSuffix(text, "\n") + end)
			}
			x.added = x.added[1:]
		}
	}
	return out.Bytes()
}

// runsCode reports whether a document has lines with code: conditions, loops, functions.
func (x *extension) runsCode(doc yaml.NodeID) bool {
	from, to := x.into.Start(doc).Offset(), x.into.ContentEnd(doc)
	return slices.ContainsFunc(x.into.Comments(), func(c yaml.Comment) bool {
		at := x.into.CommentSpan(c).Offset()
		return at > from && at < to && !c.Trailing() && bytes.HasPrefix(x.into.CommentText(c), []byte("@ "))
	})
}

// maps puts the entries of a map into another one. It returns false if both have something else for a key.
func (x *extension) maps(into, from yaml.NodeID, depth int) bool {
	if x.into.Kind(into) != yaml.Mapping || x.into.Style(into) == yaml.Flow || x.from.Kind(from) != yaml.Mapping {
		return false
	}
	at := map[string][2]yaml.NodeID{}
	var first, last yaml.NodeID
	for key, value := range x.into.Pairs(into) {
		at[string(x.into.Text(key))] = [2]yaml.NodeID{key, value}
		if last == 0 {
			first = key
		}
		last = value
	}
	if last == 0 || x.into.Merges(into) {
		return false
	}
	for key, value := range x.from.Pairs(from) {
		old, ok := at[string(x.from.Text(key))]
		switch {
		case !ok:
			x.add(last, columnOf(x.into, first), depth, key, value)
		case annotations(x.from, key) != "" || x.isReplaced(old[0]):
			return false
		case x.isSame(old[1], value):
		case x.into.Kind(old[1]) == yaml.Mapping && x.maps(old[1], value, depth+1):
		case x.into.Kind(old[1]) == yaml.Sequence && x.lists(old[1], value, depth+1):
		default:
			return false
		}
	}
	return true
}

// lists puts the items of a list into another one: each into the item with the same match, or else at the end.
func (x *extension) lists(into, from yaml.NodeID, depth int) bool {
	if x.into.Style(into) == yaml.Flow || x.from.Kind(from) != yaml.Sequence {
		return false
	}
	items := slices.Collect(x.into.Items(into))
	if len(items) == 0 {
		return false
	}
	for item := range x.from.Items(from) {
		if i := slices.IndexFunc(items, func(old yaml.NodeID) bool { return x.isMatch(old, item) }); i >= 0 {
			if !x.maps(items[i], item, depth+1) {
				return false
			}
			continue
		}
		x.add(items[len(items)-1], columnOf(x.into, items[0]), depth, item, item)
	}
	return true
}

// isMatch reports whether two items of overlays match the same item of a list, and change it.
func (x *extension) isMatch(old, item yaml.NodeID) bool {
	by := annotations(x.from, item)
	key, isKey := strings.CutPrefix(by, "@overlay/match by=\"")
	key, _, _ = strings.Cut(key, "\"")
	switch {
	case !strings.HasPrefix(by, "@overlay/match") || strings.Contains(by, "\n") || x.isReplaced(old) ||
		!strings.HasPrefix(annotations(x.into, old), by):
		return false
	case !isKey:
		return true
	}
	a, b := valueAt(x.into, old, key), valueAt(x.from, item, key)
	return a != 0 && b != 0 && x.isSame(a, b)
}

// valueAt returns the value of a key of a map, or 0.
func valueAt(t *yaml.Tree, n yaml.NodeID, key string) yaml.NodeID {
	if t.Kind(n) == yaml.Mapping {
		for k, value := range t.Pairs(n) {
			if string(t.Text(k)) == key {
				return value
			}
		}
	}
	return 0
}

// isSame reports whether both are scalars with the same text.
func (x *extension) isSame(old, now yaml.NodeID) bool {
	return x.into.Kind(old) == yaml.Scalar && x.from.Kind(now) == yaml.Scalar &&
		bytes.Equal(x.into.Text(old), x.from.Text(now))
}

// isReplaced reports whether an overlay inserts, replaces or removes an entry as a whole.
func (x *extension) isReplaced(entry yaml.NodeID) bool {
	text := annotations(x.into, entry)
	return slices.ContainsFunc([]string{"insert", "append", "replace", "remove"}, func(name string) bool {
		return strings.Contains(text, "@overlay/"+name)
	})
}

// annotations returns the annotations above an entry, one on a line.
func annotations(t *yaml.Tree, entry yaml.NodeID) string {
	var list []string
	for _, c := range t.Comments() {
		if text := t.CommentText(c); c.Owner() == entry && bytes.HasPrefix(text, []byte("@")) {
			list = append(list, strings.TrimSpace(string(text)))
		}
	}
	return strings.Join(list, "\n")
}

// columnOf returns the column of an entry, from 0.
func columnOf(t *yaml.Tree, entry yaml.NodeID) int {
	at := t.Start(entry).Offset()
	return at - bytes.LastIndexByte(t.Source()[:at], '\n') - 1
}

// add adds an entry with its annotations in a column after a node.
func (x *extension) add(after yaml.NodeID, column, depth int, entry, value yaml.NodeID) {
	begins := x.from.Line(entry)
	for _, c := range x.from.Comments() {
		if c.Owner() == entry {
			begins = min(begins, x.from.File().Line(x.from.CommentSpan(c).Offset()))
		}
	}
	old := columnOf(x.from, entry)
	a := addition{after: x.into.File().Line(x.into.ContentEnd(after)), depth: depth}
	for i := begins; i <= x.from.File().Line(x.from.ContentEnd(value)); i++ {
		line := x.lines[i-1]
		if i == x.from.Line(entry) { // not the dash of an item whose first key this is
			line = strings.Repeat(" ", old) + line[old:]
		}
		if line = strings.TrimRight(line, "\n"); line != "" {
			line = strings.Repeat(" ", column) + line[min(old, len(line)):]
		}
		a.lines = append(a.lines, line)
	}
	x.added = append(x.added, a)
}
