package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// WriteText writes steps for people:
//
//	over.yml:3: matched 1 document
//	  base.yml:1 Deployment web
//	    spec.replicas: 1 → 3 (over.yml:5)
//	    metadata.labels.team: added "web" (over.yml:8)
//
// Documents that the overlay added, and nodes that did nothing, follow.
func WriteText(w io.Writer, files *source.Set, steps []Step) error {
	p := stepWriter{files: files}
	for i := range steps {
		if i > 0 {
			p.out.WriteByte('\n')
		}
		p.text(&steps[i])
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

// stepWriter collects the text, so that it is written at once.
type stepWriter struct {
	files *source.Set
	out   bytes.Buffer
}

func (p *stepWriter) text(s *Step) {
	fmt.Fprintf(&p.out, "%s: ", p.place(s.Overlay))
	if s.Shortcut != "" {
		p.out.WriteString(visible(s.Shortcut) + ": ")
	}
	switch n := len(s.Matched); {
	case s.Applied:
		p.out.WriteString("applied by overlay.apply\n")
	case n > 0:
		fmt.Fprintf(&p.out, "matched %s\n", diag.Count(n, "document"))
	case len(s.Skipped) > 0:
		p.out.WriteString("did nothing\n")
	default:
		p.out.WriteString("matched no document\n")
	}
	changes := byTarget(s.Effects, func(c *Effect) int { return c.Target })
	skipped := byTarget(s.Skipped, func(k *Skip) int { return k.Target })
	for i := range s.Matched {
		t := &s.Matched[i]
		fmt.Fprintf(&p.out, "  %s", p.place(t.At))
		if t.Name != "" {
			p.out.WriteString(" " + visible(t.Name))
		}
		p.out.WriteByte('\n')
		p.changes(changes[i], "    ")
		p.skips(skipped[i], "    ")
		if len(changes[i])+len(skipped[i]) == 0 {
			p.out.WriteString("    nothing changes\n")
		}
	}
	p.changes(changes[-1], "  ")
	p.skips(skipped[-1], "  ")
}

// byTarget groups a list by target document.
func byTarget[T any](list []T, target func(*T) int) map[int][]*T {
	groups := make(map[int][]*T, len(list))
	for i := range list {
		n := target(&list[i])
		groups[n] = append(groups[n], &list[i])
	}
	return groups
}

// changes writes the effects on one target.
func (p *stepWriter) changes(list []*Effect, indent string) {
	for _, c := range list {
		p.out.WriteString(indent)
		switch {
		case c.Path != "":
			p.out.WriteString(visible(c.Path) + ": ")
		case c.Target < 0:
			p.out.WriteString("new document: ")
		default:
			p.out.WriteString("the document: ")
		}
		switch c.Kind {
		case Changed:
			fmt.Fprintf(&p.out, "%s → %s", short(c.Old), short(c.New))
		case Added:
			fmt.Fprintf(&p.out, "added %s", short(c.New))
		case Removed:
			fmt.Fprintf(&p.out, "removed %s", short(c.Old))
		case Checked:
			p.out.WriteString("checked")
		case Placed:
			if c.New.IsNull() {
				p.out.WriteString("left out of the output")
			} else {
				fmt.Fprintf(&p.out, "written to %s", visible(c.New.Text()))
			}
		case Found:
			fmt.Fprintf(&p.out, "matched, from %s", p.place(c.Was))
		}
		fmt.Fprintf(&p.out, " (%s)\n", p.place(c.At))
	}
}

// skips writes the nodes that did nothing to one target.
func (p *stepWriter) skips(list []*Skip, indent string) {
	for _, k := range list {
		p.out.WriteString(indent)
		if k.Path != "" {
			p.out.WriteString(visible(k.Path) + ": ")
		}
		if k.When {
			fmt.Fprintf(&p.out, "skipped: when requires %s, but found %d", k.Expects,
				k.Count)
		} else {
			p.out.WriteString("nothing matches, which is allowed")
		}
		fmt.Fprintf(&p.out, " (%s)\n", p.place(k.At))
		for _, r := range k.Near {
			fmt.Fprintf(&p.out, "%s  %s: %s\n", indent, p.place(r.At), visible(r.Message))
		}
		if k.Hint != "" {
			fmt.Fprintf(&p.out, "%s  hint: %s\n", indent, visible(k.Hint))
		}
	}
}

// place returns a position such as base.yml:4.
func (p *stepWriter) place(at source.Span) string {
	if f := p.files.File(at.Pos); f != nil {
		return visible(f.WhereLine(at.Offset()))
	}
	return "?"
}

// short returns a value on one line, truncated if it is long.
func short(v tree.Value) string {
	const maxBytes = 80
	b := appendJSON(nil, v)
	if len(b) <= maxBytes {
		return string(b)
	}
	end := maxBytes
	for end > 0 && !utf8.RuneStart(b[end]) {
		end--
	}
	return string(b[:end]) + "…"
}

// visible returns s with its control characters escaped, which a terminal would obey.
func visible(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7f {
			q := strconv.Quote(s)
			return q[1 : len(q)-1]
		}
	}
	return s
}

// The JSON form of a step. Programs depend on its names, which are stable.
type (
	jsonStep struct {
		Overlay  *jsonPlace   `json:"overlay"`
		Applied  bool         `json:"applied,omitempty"`  // by overlay.apply
		Shortcut string       `json:"shortcut,omitempty"` // its path in weft.yml
		Matched  []jsonTarget `json:"matched"`
		Changes  []jsonChange `json:"changes"`
		Skipped  []jsonSkip   `json:"skipped"`
	}
	jsonTarget struct {
		At   *jsonPlace `json:"at"`
		Name string     `json:"name,omitempty"`
	}
	jsonChange struct {
		Kind     string          `json:"kind"`
		Document int             `json:"document"` // index into matched, -1 for a new document
		Path     string          `json:"path"`
		Old      json.RawMessage `json:"old,omitempty"`
		New      json.RawMessage `json:"new,omitempty"`
		At       *jsonPlace      `json:"at"`
		Was      *jsonPlace      `json:"was,omitempty"`
	}
	jsonSkip struct {
		Document int        `json:"document"` // index into matched, -1 for the overlay itself
		Path     string     `json:"path"`
		At       *jsonPlace `json:"at"`
		When     bool       `json:"when,omitempty"`
		Found    int        `json:"found"`
		Expected string     `json:"expected"`
		Near     []jsonNear `json:"near,omitempty"`
		Hint     string     `json:"hint,omitempty"`
	}
	jsonNear struct {
		At      *jsonPlace `json:"at"`
		Message string     `json:"message"`
	}
	jsonPlace struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	}
)

// WriteJSON writes steps for programs: an array with an object for each overlay document.
func WriteJSON(w io.Writer, files *source.Set, steps []Step) error {
	p := stepWriter{files: files}
	out := make([]jsonStep, len(steps))
	for i := range steps {
		out[i] = p.json(&steps[i])
	}
	return emit.Report(w, out)
}

func (p *stepWriter) json(s *Step) jsonStep {
	out := jsonStep{
		Overlay: p.at(s.Overlay), Applied: s.Applied, Shortcut: s.Shortcut,
		Matched: []jsonTarget{}, Changes: []jsonChange{}, Skipped: []jsonSkip{},
	}
	for _, t := range s.Matched {
		out.Matched = append(out.Matched, jsonTarget{p.at(t.At), t.Name})
	}
	for _, c := range s.Effects {
		j := jsonChange{Kind: c.Kind.String(), Document: c.Target, Path: c.Path, At: p.at(c.At)}
		if c.Kind == Changed || c.Kind == Removed {
			j.Old = appendJSON(nil, c.Old)
		}
		if c.Kind == Changed || c.Kind == Added {
			j.New = appendJSON(nil, c.New)
		}
		if c.Kind != Added {
			j.Was = p.at(c.Was)
		}
		out.Changes = append(out.Changes, j)
	}
	for _, k := range s.Skipped {
		j := jsonSkip{
			Document: k.Target, Path: k.Path, At: p.at(k.At), When: k.When,
			Found: k.Count, Expected: k.Expects, Hint: k.Hint,
		}
		for _, r := range k.Near {
			j.Near = append(j.Near, jsonNear{p.at(r.At), r.Message})
		}
		out.Skipped = append(out.Skipped, j)
	}
	return out
}

// at returns a position, or nil if there is none.
func (p *stepWriter) at(at source.Span) *jsonPlace {
	f := p.files.File(at.Pos)
	if f == nil {
		return nil
	}
	place := f.Place(at.Offset())
	return &jsonPlace{f.Shown(), place.Line, place.Column}
}

// appendJSON appends v as JSON. Values that JSON does not support become strings: infinite numbers,
// NaN and keys that are not strings.
func appendJSON(dst []byte, v tree.Value) []byte {
	switch x := v.Starlark().(type) {
	case *tree.Map:
		dst = append(dst, '{')
		for i, it := range x.Entries() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			var k []byte
			if it.Key.Kind() == tree.ScalarKind {
				k = []byte(it.Key.Text())
			} else {
				k = appendJSON(nil, it.Key)
			}
			dst = append(yaml.AppendJSONString(dst, k), ": "...)
			dst = appendJSON(dst, it.Value)
		}
		return append(dst, '}')
	case *tree.Array:
		dst = append(dst, '[')
		for i, it := range x.Entries() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendJSON(dst, it.Value)
		}
		return append(dst, ']')
	}
	val, text := v.Scalar()
	return yaml.AppendJSONValue(dst, val, text)
}
