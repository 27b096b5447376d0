package override

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Selector chooses documents by what is in them. The zero value chooses all.
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

// ParseSelector reads the values of --select, any of which may hold. Each is PATH=VALUE, or several
// of them with commas between, all of which must hold. Empty ones say nothing.
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

// IsZero reports whether s chooses everything.
func (s Selector) IsZero() bool { return len(s.any) == 0 }

// matches reports whether a document with the value v is what the alternative describes.
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

// lookupAlike returns the value of a key that a flag names. There a word is always a text, whatever
// YAML takes it for: `on` is the key `on:`.
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

// chooses reports whether a document with the value v is to be overridden, and counts it.
func (m *merger) chooses(v tree.Value) bool {
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

// unselected notes the flags that have chosen nothing.
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
