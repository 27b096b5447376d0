package override

import (
	"strings"

	"weft/internal/tree"
	"weft/internal/yaml"
)

// Selector chooses documents by what is in them. The zero value chooses all.
type Selector struct {
	conditions []condition
}

// condition is one of the things that must hold.
type condition struct {
	path  []string
	value string
}

// ParseSelector reads the value of --select: PATH=VALUE, several of them with commas between. All must hold.
func ParseSelector(s string) (Selector, error) {
	var sel Selector
	if s == "" {
		return sel, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		path, value, ok := strings.Cut(part, "=")
		keys := splitPath(strings.TrimSpace(path))
		if !ok || keys == nil {
			return Selector{}, badFlag("--select", s, "PATH=VALUE, as in kind=Deployment,metadata.name=web")
		}
		sel.conditions = append(sel.conditions, condition{path: keys, value: strings.TrimSpace(value)})
	}
	return sel, nil
}

// IsZero reports whether s chooses everything.
func (s Selector) IsZero() bool { return len(s.conditions) == 0 }

func (s Selector) String() string {
	var b strings.Builder
	for i, c := range s.conditions {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.Join(c.path, ".") + "=" + c.value)
	}
	return b.String()
}

// Matches reports whether s chooses a document with the value v.
func (s Selector) Matches(v tree.Value) bool {
	for _, c := range s.conditions {
		found, ok := v, true
		for _, key := range c.path {
			if found, ok = found.Lookup(key); !ok {
				return false
			}
		}
		if found.Kind() != tree.ScalarKind || scalarText(found) != c.value {
			return false
		}
	}
	return true
}

// scalarText is a scalar as text: what it says, without quotes. A scalar that was read is what was written.
func scalarText(v tree.Value) string {
	if t, n, ok := v.Syntax(); ok {
		return string(t.Text(n))
	}
	val, text := v.Scalar()
	if val.Kind == yaml.String {
		return string(text)
	}
	return string(yaml.AppendValue(nil, val, nil, 0))
}
