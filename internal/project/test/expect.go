package test

import (
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// Check compares documents with the expectations of a test.
func (s *Suite) Check(t *Test, r *Rendered) (list []Failure) {
	for i := range t.Expect {
		c := checker{suite: s, Rendered: r, e: &t.Expect[i]}
		c.check()
		list = append(list, c.list...)
	}
	return list
}

// Where returns a place in the test file for people.
func (s *Suite) Where(at source.Span) string { return s.File.WhereLine(at.Offset()) }

// checker checks documents against one expectation.
type checker struct {
	suite *Suite
	*Rendered
	e    *Expectation
	list []Failure
}

func (c *checker) check() {
	selected := c.selected()
	if n := len(selected); n < c.e.Least || c.e.Most >= 0 && n > c.e.Most {
		c.reportCount(selected)
		return
	}
	for _, doc := range selected {
		for i := range c.e.Equal {
			c.equal(doc, &c.e.Equal[i])
		}
		for i := range c.e.Matches {
			c.matches(doc, &c.e.Matches[i])
		}
		if c.e.Contains != nil {
			c.contains(doc, *c.e.Contains)
		}
		for i := range c.e.Absent {
			c.absent(doc, &c.e.Absent[i])
		}
	}
}

// selected returns the indexes of the documents that the expectation selects.
func (c *checker) selected() (docs []int) {
	for i, chosen := range c.e.Select.Select(c.selectable()) {
		if chosen {
			docs = append(docs, i)
		}
	}
	return docs
}

// reportCount reports that too many or too few documents are selected.
func (c *checker) reportCount(selected []int) {
	expected := diag.Count(c.e.Least, "document")
	switch {
	case c.e.Least == 0:
		expected = "none"
	case c.e.Most < 0:
		expected = "at least " + expected
	}
	what := "documents"
	if !c.e.Select.IsZero() {
		what = c.e.Select.String()
	}
	f := Failure{Message: diag.Visible(what) + ": expected " + expected + ", but found "}
	switch n := len(selected); {
	case n > 0:
		f.Message += strconv.Itoa(n) + ": " + c.names(selected)
		f.Found = c.where(c.Docs[selected[0]].Pos)
	case len(c.Docs) == 0:
		f.Message += "none: the output is empty"
	default:
		f.Message += "none"
		all := make([]int, len(c.Docs))
		for i := range all {
			all[i] = i
		}
		f.Below = []string{"the output has " + c.names(all)}
	}
	c.fail(c.e.At, -1, f)
}

// names lists documents by their names.
func (c *checker) names(docs []int) string {
	const maxNames = 5
	var names []string
	for i, doc := range docs {
		if i == maxNames {
			names = append(names, strconv.Itoa(len(docs)-maxNames)+" more")
			break
		}
		names = append(names, diag.Visible(c.name(doc)))
	}
	return strings.Join(names, ", ")
}

// fail adds a failure about a document, or about none.
func (c *checker) fail(at source.Span, doc int, f Failure) {
	f.At, f.Doc = c.suite.Where(at), doc
	if doc >= 0 {
		f.Object = c.name(doc)
	}
	c.list = append(c.list, f)
}

// found adds a failure about a value.
func (c *checker) found(p *Place, doc int, v path.Found, message string, below []string) {
	c.fail(p.At, doc, Failure{
		Path: v.Path.String(), Message: message, Below: below, Found: c.where(v.At), ValuePath: v.Path,
	})
}

// values returns the values at a place of a document. If there are none, it adds a failure.
func (c *checker) values(doc int, p *Place, expected string) []path.Found {
	list := p.Pattern.Find(c.Docs[doc].Value)
	if list == nil {
		c.fail(p.At, doc, Failure{
			Path: p.Text.Text, Message: "expected " + expected + ", but there is no such path",
			Found: c.where(c.Docs[doc].Pos),
		})
	}
	return list
}

func (c *checker) equal(doc int, e *Equal) {
	for _, v := range c.values(doc, &e.Place, diff.Inline(e.Value)) {
		if same(v.Value, e.Value) {
			continue
		}
		shown := c.shown(doc, v)
		if e.Value.Kind() == v.Value.Kind() && v.Value.Kind() != tree.ScalarKind {
			c.found(&e.Place, doc, v, "differs from what is expected (-expected +found)",
				c.differences(e.Value, shown))
			continue
		}
		c.found(&e.Place, doc, v, "expected "+kinded(e.Value, shown)+", but found "+
			kinded(shown, e.Value), nil)
	}
}

// kinded formats a value on one line, with its type if only that distinguishes it from other.
func kinded(v, other tree.Value) string {
	text := diff.Inline(v)
	if v.Kind() == tree.ScalarKind && other.Kind() == tree.ScalarKind && v.Text() == other.Text() {
		return v.TypeName() + " " + text
	}
	return text
}

// maxFailureLines is the maximum number of lines for one failure, and of changes of a golden file.
const maxFailureLines = 30

// differences returns the lines of what differs between two collections.
func (c *checker) differences(want, got tree.Value) (lines []string) {
	side := func(v tree.Value) diff.Side {
		return diff.Side{Docs: []diff.SideDocument{{Value: v}}, Files: c.Files}
	}
	d := diff.Compare(side(want), side(got), diff.Options{Order: true, Secrets: c.Secrets})
	for i := range d.Changes {
		change := &d.Changes[i]
		line, below := change.Lines()
		mark, rest, _ := strings.Cut(line, "  ")
		lines = append(lines, mark[:1]+" "+rest)
		for _, l := range below {
			lines = append(lines, "  "+l)
		}
	}
	if len(lines) > maxFailureLines {
		more := "… " + diag.Count(len(lines)-maxFailureLines, "line") + " more"
		lines = append(lines[:maxFailureLines:maxFailureLines], more)
	}
	return lines
}

func (c *checker) matches(doc int, m *Match) {
	expected := "text that matches " + strconv.Quote(m.Regexp.String())
	for _, v := range c.values(doc, &m.Place, expected) {
		if v.Value.Kind() != tree.ScalarKind || v.Value.IsNull() ||
			!m.Regexp.MatchString(v.Value.Text()) {
			c.found(&m.Place, doc, v, "expected "+expected+", but found "+
				diff.Inline(c.shown(doc, v)), nil)
		}
	}
}

func (c *checker) contains(doc int, want tree.Value) {
	v := c.Docs[doc].Value
	if contains(v, want) {
		return
	}
	items, wanted, there := missingPart(v, want)
	place := Place{Text: Text{At: want.Span()}}
	at := path.Found{Value: v, At: c.Docs[doc].Pos}
	for i, it := range items {
		place.At = it.Key.Span()
		at.Path = append(at.Path, path.ToKey(it.Key))
		if m, ok := at.Value.Map(); ok && (there != nil || i < len(items)-1) {
			e := m.Entries()[m.Find(it.Key.Starlark())]
			at.Value = e.Value
			if e.Pos.IsValid() {
				at.At = e.Pos
			}
		}
	}
	expected := "expected " + diff.Inline(wanted)
	if wanted.Kind() == tree.ArrayKind {
		expected = "expected a list that contains " + diff.Inline(wanted)
	}
	if there == nil {
		c.found(&place, doc, at, expected+", but there is no such path", nil)
		return
	}
	c.found(&place, doc, at, expected+", but found "+diff.Inline(c.shown(doc, at)), nil)
}

func (c *checker) absent(doc int, p *Place) {
	for _, v := range p.Pattern.Find(c.Docs[doc].Value) {
		c.found(p, doc, v, "expected nothing, but found "+diff.Inline(c.shown(doc, v)), nil)
	}
}
