package override

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Selector selects documents by their content. The zero value selects all.
type Selector struct {
	any []alternative
}

// alternative is one value of --select: conditions, all of which must hold.
type alternative struct {
	flag       string // as it was written, for messages
	conditions []condition
}

type condition struct {
	path  []string
	value string
}

// ParseSelector reads the values of --select. A document is selected if any of them matches. Each
// is PATH=VALUE, or several separated by commas, all of which must match. Empty values are ignored.
func ParseSelector(flags []string) (Selector, error) {
	var sel Selector
	for _, s := range flags {
		if s == "" {
			continue
		}
		a := alternative{flag: s}
		for part := range strings.SplitSeq(s, ",") {
			path, value, ok := strings.Cut(part, "=")
			keys := splitPath(strings.TrimSpace(path))
			if !ok || keys == nil {
				return Selector{}, badFlag(
					"--select",
					s,
					"PATH=VALUE, as in kind=Deployment,metadata.name=web",
				)
			}
			a.conditions = append(
				a.conditions,
				condition{path: keys, value: strings.TrimSpace(value)},
			)
		}
		sel.any = append(sel.any, a)
	}
	return sel, nil
}

// IsZero reports whether s selects everything.
func (s Selector) IsZero() bool { return len(s.any) == 0 }

// matches reports whether a document with the value v satisfies all conditions.
func (a *alternative) matches(v tree.Value) bool {
	for _, c := range a.conditions {
		found, ok := v, true
		for _, key := range c.path {
			if found, ok = lookupAlike(found, key); !ok {
				return false
			}
		}
		if found.Kind() != tree.ScalarKind || found.Written() != c.value {
			return false
		}
	}
	return true
}

// lookupAlike returns the value of a key named in a flag. A word in a flag is always a string,
// whatever YAML takes it for: `on` is the key `on:`.
func lookupAlike(v tree.Value, key string) (tree.Value, bool) {
	found, ok := v.Lookup(key)
	if ok || v.Kind() != tree.MapKind || !changesUnquoted(key) {
		return found, ok
	}
	var r tree.Reader
	items := r.Items(nil, v)
	if i := (&keyIndex{}).word(items, key); i >= 0 {
		return items[i].Value, true
	}
	return found, false
}

// selects reports whether a document with the value v is selected, and counts it.
func (m *merger) selects(v tree.Value) bool {
	chosen := m.opt.Select.IsZero()
	for i := range m.opt.Select.any {
		if m.opt.Select.any[i].matches(v) {
			chosen, m.chosen[i] = true, true
		}
	}
	if chosen {
		m.selected++
	}
	return chosen
}

// unselected records the flags that selected nothing.
func (m *merger) unselected() {
	for i, a := range m.opt.Select.any {
		if m.chosen[i] {
			continue
		}
		d := diag.Errorf(source.Span{}, CodeNoMatch, "--select %s matches no document", a.flag)
		if !m.opt.Strict {
			d.Severity = diag.Warning
			if m.selected == 0 {
				d.Message += ", so nothing is changed"
			}
		}
		m.problems = append(m.problems, d)
	}
}
