package selector

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
)

// Near returns a hint about what a selector without a match may have meant, or "".
func (s Selector) Near(docs []Selectable) string {
	if s.conditions == nil {
		if near := diag.Nearest(s.written, Names(docs)); near != "" {
			return "did you mean " + near + "?"
		}
		return ""
	}
	left := docs
	for i := range s.conditions {
		c := &s.conditions[i]
		kept := slices.DeleteFunc(slices.Clone(left), func(d Selectable) bool { return !c.holds(d.Value) })
		if len(kept) > 0 {
			left = kept
			continue
		}
		return c.near(left)
	}
	return ""
}

// near describes the values where a condition is true for none of the documents.
func (c *condition) near(docs []Selectable) string {
	var texts []string
	for _, d := range docs {
		for _, f := range c.place.Find(d.Value) {
			if text := f.Value.Written(); !slices.Contains(texts, text) && !f.Value.IsNull() {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) == 0 {
		return "none of them has `" + c.where + "`"
	}
	if c.wants.re == nil && !c.differ {
		if near := diag.Nearest(c.wants.texts[0], texts); near != "" {
			return "did you mean `" + c.where + ": " + near + "`?"
		}
	}
	const most = 5
	more := ""
	if len(texts) > most {
		texts, more = texts[:most], " and others"
	}
	for i := range texts {
		texts[i] = "`" + diag.Shortened(texts[i]) + "`"
	}
	return "`" + c.where + "` is " + strings.Join(texts, ", ") + more
}
