package explain

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file compares a candidate with what was wanted, part by part, to report the differences.

// comparison is the result of comparing a candidate with what was wanted.
type comparison struct {
	same   []string // parts that match: `kind: "Deployment"`
	differ []difference
	close  float64
}

// difference is one part that does not match.
type difference struct {
	path string
	want string
	got  string // "" if it is missing
	at   source.Span
	near string // the likely intended value
	text string // shown instead of want and got
}

// rank returns a number that is higher for nearer candidates.
func (c *comparison) rank() float64 {
	return float64(len(c.same)) + c.close
}

// onlyMisspelled drops likely misspellings unless there are no other differences: a candidate of
// another kind is a different thing whose name happens to be similar.
func (c *comparison) onlyMisspelled() {
	if slices.ContainsFunc(c.differ, func(d difference) bool { return d.near == "" }) {
		for i := range c.differ {
			c.differ[i].near = ""
		}
	}
}

// spellingHint returns the hint for the difference that looks like a misspelling.
func (c *comparison) spellingHint() string {
	for _, d := range c.differ {
		if d.near != "" {
			return fmt.Sprintf("did you mean %q?", d.near)
		}
	}
	return ""
}

func (e *explainer) compare(want *overlay.Pattern, c overlay.Cell, at source.Span) comparison {
	var out comparison
	e.comparePattern(want, c, at, "", &out)
	return out
}

func (e *explainer) compareTest(
	t *overlay.Test, at overlay.Place, c overlay.Cell, span source.Span, out *comparison,
) {
	switch t.Kind {
	case overlay.MatchSubset:
		e.comparePattern(&t.Want, c, span, "", out)
	case overlay.MatchAnd:
		for _, x := range t.Of {
			e.compareTest(x, at, c, span, out)
		}
	case overlay.MatchOr:
		for _, x := range t.Of {
			var one comparison
			e.compareTest(x, at, c, span, &one)
			one.onlyMisspelled() // every one of them is a valid match
			out.same = append(out.same, one.same...)
			out.differ = append(out.differ, one.differ...)
			out.close += one.close
		}
	case overlay.MatchAll:
		out.same = append(out.same, "overlay.all")
	default:
		// Run every test: and_op and or_op stop early, but the message lists all of them.
		ok, err := t.Run(e.ask, at, c)
		switch {
		case err != nil:
			out.differ = append(out.differ, difference{text: testSubject(t) + " cannot be evaluated"})
		case ok:
			out.same = append(out.same, testSubject(t))
		case t.Kind == overlay.MatchNot:
			const text = "the matcher in overlay.not_op matches"
			out.differ = append(out.differ, difference{text: text})
		default:
			out.differ = append(out.differ, difference{text: testSubject(t) + " does not match"})
		}
	}
}

func (e *explainer) comparePattern(
	want *overlay.Pattern, c overlay.Cell, at source.Span, path string, out *comparison,
) {
	if want.Kind != c.Kind() {
		out.differ = append(out.differ, difference{
			path: path, at: at, want: diag.Article(typeName(want)), got: diag.Article(c.TypeName()),
		})
		return
	}
	switch want.Kind {
	case tree.MapKind:
		for i := range want.Of {
			below := joinPath(path, pathKey(want.Keys[i].Value))
			x, span, ok := c.LookupItem(e.opt, want.Keys[i])
			if ok {
				e.comparePattern(&want.Of[i], x, span, below, out)
				continue
			}
			d := difference{path: below, text: "there is no key " + below, at: at}
			if n := overlay.Nearest(want.Keys[i].Text, c.Keys()); n != "" {
				d.near = n
				out.close += 0.25
			}
			out.differ = append(out.differ, d)
		}
	case tree.ArrayKind:
		n := 0
		for x := range c.Elements() {
			if n == len(want.Of) {
				break
			}
			e.comparePattern(&want.Of[n], x, at, fmt.Sprintf("%s[%d]", path, n), out)
			n++
		}
		if n < len(want.Of) {
			items := diag.Count(n, "item")
			out.differ = append(out.differ, difference{
				path: path, at: at,
				text: fmt.Sprintf("%s has only %s of %d", orValue(path), items, len(want.Of)),
			})
		}
	default:
		if tree.SameScalar(want.Scalar, c.Value()) {
			out.same = append(out.same, strings.TrimPrefix(path+": "+show(want.Scalar), ": "))
			return
		}
		d := difference{path: path, want: show(want.Scalar), got: show(c.Value()), at: at}
		w, isString := want.Scalar.Starlark().(starlark.String)
		g, wasString := c.Value().Starlark().(starlark.String)
		switch {
		case isString && wildcard(string(w)) && wasString && !wildcard(string(g)):
			// A pattern is not a misspelling.
		case isString && wasString && overlay.Nearest(string(w), []string{string(g)}) != "":
			d.near = string(g)
			out.close += 0.5
		case want.Scalar.TypeName() != c.Value().TypeName() && want.Scalar.Text() == c.Value().Text():
			d.got += " (" + diag.Article(c.Value().TypeName()) + ")"
			d.want += " (" + diag.Article(want.Scalar.TypeName()) + ")"
			out.close += 0.5
		}
		out.differ = append(out.differ, d)
	}
}

func orValue(path string) string {
	if path == "" {
		return "the array"
	}
	return path
}

func typeName(p *overlay.Pattern) string {
	switch p.Kind {
	case tree.MapKind:
		return "map"
	case tree.ArrayKind:
		return "array"
	}
	return p.Scalar.TypeName()
}

// comparisonText returns a comparison for a message: `kind: "Deployment" matched, metadata.name:
// "web" ≠ "wep" at base.yml:4`.
func (e *explainer) comparisonText(c *comparison) string {
	diff := e.differences(*c, maxDifferences)
	if len(c.same) == 0 {
		return diff
	}
	same := c.same
	more := ""
	if len(same) > maxDifferences {
		more = fmt.Sprintf(" and %d more", len(same)-maxDifferences)
		same = same[:maxDifferences]
	}
	return strings.Join(same, ", ") + more + " matched, " + diff
}

// differences returns the first n differences as text.
func (e *explainer) differences(c comparison, n int) string {
	var words []string
	for i, d := range c.differ {
		if i == n {
			words = append(words, fmt.Sprintf("and %d more", len(c.differ)-n))
			break
		}
		s := d.text
		if s == "" {
			s = strings.TrimPrefix(fmt.Sprintf("%s: %s ≠ %s", d.path, d.got, d.want), ": ")
			if w := where(e.opt, d.at.Pos); w != "" {
				s += " at " + w
			}
		}
		if d.near != "" {
			s += fmt.Sprintf(", did you mean %q?", d.near)
		}
		words = append(words, s)
	}
	return strings.Join(words, ", ")
}
