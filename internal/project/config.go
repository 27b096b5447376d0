package project

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"weft/internal/lang/shape"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// WriteConfig writes the settings of an environment as a project file without `extends`: each line
// has a comment with its origin. As JSON, each value is an object with the members value and from.
func (p *Description) WriteConfig(w io.Writer, s *Settings, asJSON bool) error {
	c := p.config(s)
	if asJSON {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(c.json()); err != nil {
			return err
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	var lines []line
	c.lines(&lines, 0, "")
	_, err := io.WriteString(w, align(lines))
	return err
}

// shown is a value of the effective file, and its origin.
type shown struct {
	text    string // a scalar, as YAML
	value   any    // a scalar, for JSON
	items   []shown
	entries []shownEntry
	list    bool
	from    string
}

type shownEntry struct {
	key   string
	value shown
}

// config returns the effective file.
func (p *Description) config(s *Settings) shown {
	var top shown
	add := func(key string, v shown) {
		if v.text != "" || len(v.items) > 0 || len(v.entries) > 0 {
			top.entries = append(top.entries, shownEntry{key, v})
		}
	}
	scalar := func(text string, at source.Span) shown {
		if text == "" {
			return shown{}
		}
		return shown{text: Quote(text), value: text, from: p.where(at)}
	}
	list := func(items []Item) (v shown) {
		v.list = true
		for _, x := range items {
			v.items = append(v.items, scalar(x.Text, x.At))
		}
		return v
	}
	if edition := p.own.root.Get(keyWeft); edition != nil {
		add(keyWeft, p.node(edition))
	}
	add("environment", scalar(s.Name, s.At))
	labels := shown{}
	for _, l := range s.Labels {
		labels.entries = append(labels.entries, shownEntry{l.Name, scalar(l.Text, l.At)})
	}
	add(keyLabels, labels)
	add(keyInputs, list(s.Inputs))
	add(keyExclude, list(s.Exclude))
	add(keyMarks, p.marks(s))
	add(keyOverlays, list(s.Overlays))
	overrides := shown{list: true}
	for _, x := range s.Overrides {
		v := scalar(x.Text, x.At)
		if x.Select != nil {
			v = shown{entries: []shownEntry{{"file", v}, {"select", p.node(x.Select)}}}
		}
		overrides.items = append(overrides.items, v)
	}
	add(keyOverrides, overrides)
	add(keyKubernetes, p.shortcuts(s))
	add(keyCharts, p.chartsOf(s, scalar))
	add(keyKustomizations, p.kustomizationsOf(s, scalar))
	add(keyValueFiles, p.valueFiles(s))
	add(keyValues, p.inline(s))
	add(keyValuesFromEnv, p.prefixes(s, scalar))
	required := shown{list: true}
	for _, r := range s.Require {
		required.items = append(required.items, scalar(r.Text, r.At))
	}
	add(keyRequire, required)
	add(keyValuesSchema, list(s.Schemas))
	add(keyOutput, p.outputOf(s, scalar))
	add(keyFlags, p.flags(s, scalar))
	for _, key := range []string{keyVendor, keyVendorDir, keyLint, keyFmt, keyTest} {
		for _, f := range p.layers {
			if n := f.root.Get(key); n != nil {
				add(key, p.node(n))
			}
		}
	}
	return top
}

// prefixes returns the prefixes of environment variables that set data values.
func (p *Description) prefixes(s *Settings, scalar func(string, source.Span) shown) shown {
	list := shown{list: true}
	for _, x := range s.FromEnv {
		v := scalar(x.Text, x.At)
		if x.YAML {
			v = shown{entries: []shownEntry{{"prefix", v}, {"yaml", shown{text: "true", value: true, from: v.from}}}}
		}
		list.items = append(list.items, v)
	}
	return list
}

// flags returns the flags that the environment sets.
func (p *Description) flags(s *Settings, scalar func(string, source.Span) shown) (flags shown) {
	for _, f := range s.Flags {
		v := shown{list: true}
		for _, x := range f.Values {
			v.items = append(v.items, scalar(x, f.At))
		}
		if !IsList(f.Name) && len(v.items) == 1 {
			v = shown{text: f.Values[0], value: f.Values[0], from: p.where(f.At)}
		}
		flags.entries = append(flags.entries, shownEntry{f.Name, v})
	}
	return flags
}

func (p *Description) outputOf(s *Settings, scalar func(string, source.Span) shown) (v shown) {
	for _, x := range []struct {
		key string
		Item
	}{
		{"dir", s.Output.Dir},
		{"file", s.Output.File},
		{"format", s.Output.Format},
		{"split", s.Output.Split},
	} {
		if x.Text != "" {
			v.entries = append(v.entries, shownEntry{x.key, scalar(x.Text, x.At)})
		}
	}
	if s.Output.Prune {
		v.entries = append(v.entries,
			shownEntry{"prune", shown{text: "true", value: true, from: p.where(s.Output.PruneAt)}})
	}
	if x := s.Output.Kubernetes; x.Text != "" {
		validate := shown{entries: []shownEntry{{"kubernetes", scalar(x.Text, x.At)}}}
		if schemas := s.Output.Schemas; len(schemas) > 0 {
			list := shown{list: true}
			for _, x := range schemas {
				list.items = append(list.items, scalar(x.Text, x.At))
			}
			validate.entries = append(validate.entries, shownEntry{"schemas", list})
		}
		v.entries = append(v.entries, shownEntry{"validate", validate})
	}
	return v
}

func (p *Description) marks(s *Settings) (v shown) {
	for _, m := range s.Marks {
		i := 0
		for i < len(v.entries) && v.entries[i].key != m.Pattern {
			i++
		}
		if i == len(v.entries) {
			v.entries = append(v.entries, shownEntry{key: m.Pattern})
		}
		of := &v.entries[i].value
		one := shown{text: Quote(m.Text), value: m.Text, from: p.where(m.At)}
		if m.Text == "true" {
			one.text, one.value = "true", true
		}
		of.entries = append(of.entries, shownEntry{m.Key, one})
	}
	return v
}

func (p *Description) valueFiles(s *Settings) shown {
	v := shown{list: true}
	for _, l := range s.Layers {
		if l.File != "" {
			file := l.File
			if l.Library != "" {
				file = l.Library + ":" + file
			}
			v.items = append(v.items, shown{text: Quote(file), value: file, from: p.where(l.At)})
		}
	}
	return v
}

// inline returns the data values in project files, merged.
func (p *Description) inline(s *Settings) (v shown) {
	for _, l := range s.Layers {
		if l.Values != nil {
			v = merged(v, p.node(l.Values))
		}
	}
	return v
}

func merged(a, b shown) shown {
	if a.entries == nil || b.entries == nil {
		return b
	}
	out := shown{entries: append([]shownEntry(nil), a.entries...)}
next:
	for _, e := range b.entries {
		for i := range out.entries {
			if out.entries[i].key == e.key {
				out.entries[i].value = merged(out.entries[i].value, e.value)
				continue next
			}
		}
		out.entries = append(out.entries, e)
	}
	return out
}

// node converts a value of a file.
func (p *Description) node(n *Node) (v shown) {
	switch n.Kind {
	case yaml.Mapping:
		for _, e := range n.Entries {
			v.entries = append(v.entries, shownEntry{e.Key, p.node(e.Value)})
		}
		if n.Entries == nil {
			v.text, v.value, v.from = "{}", map[string]any{}, p.where(n.At)
		}
	case yaml.Sequence:
		v.list = true
		for _, x := range n.Items {
			v.items = append(v.items, p.node(x))
		}
		if n.Items == nil {
			v.text, v.value, v.from = "[]", []any{}, p.where(n.At)
		}
	default:
		v.from = p.where(n.At)
		switch n.Scalar.Kind {
		case yaml.Null:
			v.text = "null"
		case yaml.String:
			v.text, v.value = Quote(n.Text), n.Text
		case yaml.Bool:
			v.text, v.value = n.Text, n.Scalar.Bool()
		case yaml.Int:
			v.text, v.value = n.Text, n.Scalar.Int()
		case yaml.Uint:
			v.text, v.value = n.Text, n.Scalar.Uint()
		default:
			v.text, v.value = n.Text, n.Text
		}
	}
	return v
}

// where returns a place as a line of a file.
func (p *Description) where(at source.Span) string {
	f := p.Files.File(at.Pos)
	if f == nil {
		return ""
	}
	return f.WhereLine(at.Offset())
}

// Quote returns text as a YAML 1.2 scalar on one line.
func Quote(s string) string {
	if shape.Matches(`^[\p{L}_./@-][\p{L}\p{N}_./@=:-]*$`, s) && !strings.Contains(s, ": ") &&
		!strings.HasSuffix(s, ":") && !strings.HasPrefix(s, "@") && !isWord(s) &&
		!strings.HasPrefix(s, "-") && !strings.HasPrefix(s, ".") {
		return s
	}
	if !strings.ContainsAny(s, "\\\n\r\t") && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	out, _ := json.Marshal(s) // a JSON string is valid YAML
	return string(out)
}

// isWord reports whether plain text would be read as another kind of scalar.
func isWord(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "~", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}

type line struct{ text, from string }

// lines writes a value as block YAML.
func (v shown) lines(out *[]line, indent int, first string) {
	pad := strings.Repeat("  ", indent)
	switch {
	case v.list && len(v.items) > 0:
		for _, x := range v.items {
			if x.entries != nil || len(x.items) > 0 {
				x.lines(out, indent+1, pad+"- ")
				continue
			}
			*out = append(*out, line{pad + "- " + x.text, x.from})
		}
	default:
		for i, e := range v.entries {
			lead := pad
			if i == 0 && first != "" {
				lead = first
			}
			key := lead + Quote(e.key) + ":"
			if len(e.value.entries) > 0 || len(e.value.items) > 0 {
				*out = append(*out, line{key, ""})
				e.value.lines(out, indent+1, "")
				continue
			}
			*out = append(*out, line{key + " " + e.value.text, e.value.from})
		}
	}
}

// align puts the comments of lines below each other.
func align(lines []line) string {
	width := 0
	const widest = 60
	for _, l := range lines {
		if n := len([]rune(l.text)); l.from != "" && n <= widest {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
		if l.from != "" {
			b.WriteString(strings.Repeat(" ", max(0, width-len([]rune(l.text)))) + "  # " + l.from)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// json returns the value for programs.
func (v shown) json() any {
	switch {
	case len(v.entries) > 0:
		return orderedMap(v.entries)
	case len(v.items) > 0:
		all := []any{}
		for _, x := range v.items {
			all = append(all, x.json())
		}
		return all
	}
	return struct {
		Value any    `json:"value"`
		From  string `json:"from"`
	}{v.value, v.from}
}

// orderedMap is a JSON object whose members have an order.
type orderedMap []shownEntry

// MarshalJSON writes the members in their order.
func (m orderedMap) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(e.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(e.value.json())
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
