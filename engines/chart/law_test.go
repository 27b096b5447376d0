package chart_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"weft/internal/project/engines/wire"
	"weft/internal/testing/cases"
	"weft/internal/testing/charttest"
)

// TestPerturb changes one line of a template at a time and renders the chart without origins. No line names a
// wrong one: lines that come from a line of text change with it, and lines that change come from it, or from
// an action, which can make anything of it.
func TestPerturb(t *testing.T) {
	checked := 0
	cases.Each(t, "testdata/*.txtar", func(t *testing.T, path string) {
		c := charttest.Read(t, path)
		before := ask(t, &wire.Request{Chart: c.Chart(), Origins: true}, c.Reader())
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			if !strings.Contains(name, "/templates/") {
				continue
			}
			for n := 1; n <= strings.Count(c.Files[name], "\n"); n++ {
				text, pure, ok := perturb(c.Files[name], n)
				if !ok || strings.HasPrefix(strings.Split(c.Files[name], "\n")[n-1], "kind:") { // other orders
					continue
				}
				files := maps.Clone(c.Files)
				files[name] = text
				changed := *c
				changed.Files = files
				after := ask(t, &wire.Request{Chart: c.Chart()}, changed.Reader())
				if sameShape(before, after) {
					checked += compare(t, c, before, after, wire.Place{File: name, Line: n}, pure)
				}
			}
		}
	})
	if checked < 150 {
		t.Errorf("only %d lines were checked", checked)
	}
}

// perturb changes the last letter of a line that is not in an action. Pure reports that the line has no
// action.
func perturb(text string, line int) (changed string, pure, ok bool) {
	b := []byte(text)
	at, n, pure := -1, 1, true
	for i := 0; i < len(b); i++ {
		if strings.HasPrefix(text[i:], "{{") {
			end := strings.Index(text[i:], "}}")
			if end < 0 {
				return "", false, false
			}
			first := n
			n += strings.Count(text[i:i+end], "\n")
			pure = pure && (line < first || line > n)
			i += end + 1
			continue
		}
		if n == line && 'a' <= b[i] && b[i] <= 'z' {
			at = i
		}
		if b[i] == '\n' {
			n++
		}
	}
	if at < 0 {
		return "", false, false
	}
	b[at] = 'a' + (b[at]-'a'+7)%26
	return string(b), pure, true
}

// sameShape reports whether two answers have the same documents, but for what is in their lines.
func sameShape(a, b *wire.Answer) bool {
	return a.Error == nil && b.Error == nil && slices.EqualFunc(a.Docs, b.Docs, func(a, b wire.Doc) bool {
		return a.Source == b.Source && wire.Lines(a.Text) == wire.Lines(b.Text)
	})
}

// compare compares the documents before and after a place was changed, and returns the number of lines that
// come from there.
func compare(t *testing.T, c *charttest.Case, before, after *wire.Answer, at wire.Place, pure bool) int {
	checked := 0
	for i := range before.Docs {
		d := &before.Docs[i]
		old, now := strings.Split(d.Text, "\n"), strings.Split(after.Docs[i].Text, "\n")
		for n := range wire.Lines(d.Text) {
			lines := slices.Clone(before.Origin(d, n))
			lines = slices.DeleteFunc(lines, func(p wire.Place) bool { return p.Values != nil })
			isSame := func(p wire.Place) bool { return p.File == at.File && p.Line == at.Line }
			switch {
			case len(lines) == 0:
			case isSame(lines[0]) && pure:
				checked++
				if old[n] == now[n] {
					t.Errorf("%q comes from %s:%d, but does not change with it", old[n], at.File, at.Line)
				}
			case old[n] != now[n] && !slices.ContainsFunc(lines, isSame):
				source := strings.Split(c.Files[lines[0].File], "\n")[lines[0].Line-1]
				if !strings.Contains(source, "{{") {
					t.Errorf("%q changes with %s:%d, but comes from %v", old[n], at.File, at.Line, lines)
				}
			}
		}
	}
	return checked
}

// FuzzMarks fails if marks change what a template renders: then lines have no origins. What must come out is
// what Helm renders without them.
func FuzzMarks(f *testing.F) {
	for _, path := range cases.Paths(f, "testdata/*.txtar") {
		c := charttest.Read(f, path)
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			if strings.HasPrefix(name, "chart/templates/") {
				f.Add(c.Files[name])
			}
		}
	}
	f.Fuzz(func(t *testing.T, template string) {
		if len(template) > 5000 || takesLong(template) {
			t.Skip("may take long")
		}
		c := fuzzedChart(template)
		a := ask(t, &wire.Request{Chart: c.Chart(), Origins: true}, c.Reader())
		for i := range a.Docs {
			d := &a.Docs[i]
			for n, line := range strings.Split(strings.TrimSuffix(d.Text, "\n"), "\n") {
				if strings.Trim(line, " \t\r\v\f") != "" && a.Origin(d, n) == nil {
					t.Errorf("%q has no origin", line)
				}
			}
		}
	})
}
