package diff

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file holds what the text and Markdown printers share: a change that is the same in several
// documents is reported once, under its cause.

// section holds the changes of one cause.
type section struct {
	cause   *Cause // nil if it is unknown
	entries []*entry
	objects int
}

// entry is one change of one or more documents.
type entry struct {
	*Change
	path    string
	objects []*Object
}

// sections groups the changes by cause.
func (d *Difference) sections() []section {
	list := make([]section, len(d.Causes)+1)
	for i := range d.Causes {
		list[i].cause = &d.Causes[i]
	}
	h := newComparer(d.A, d.B, &Options{}).hash
	type key struct {
		effect
		cause  int
		prefix string
	}
	known := map[key]*entry{}
	last := make([]*Object, len(list))
	for i := range d.Changes {
		c := &d.Changes[i]
		at := c.Cause
		if at < 0 {
			at = len(d.Causes)
		}
		s := &list[at]
		if last[at] != c.Object {
			last[at] = c.Object
			s.objects++
		}
		e := h.effect(c)
		e.object = ""
		k := key{e, at, c.Object.Name.Prefix()}
		if old := known[k]; old != nil && len(c.Path) > 0 && k.prefix != "" {
			old.objects = append(old.objects, c.Object)
			continue
		}
		x := &entry{Change: c, path: c.Path.String(), objects: []*Object{c.Object}}
		known[k] = x
		s.entries = append(s.entries, x)
	}
	var used []section
	for _, s := range list {
		if len(s.entries) > 0 {
			used = append(used, s)
		}
	}
	return used
}

// maxNames is the maximum number of names listed for documents that change in the same way.
const maxNames = 8

// name returns the names of an entry's documents, as in Deployment/{web,api}.
func (e *entry) name() string {
	first := e.objects[0].Name
	if len(e.objects) == 1 {
		return first.String()
	}
	var names []string
	for _, o := range e.objects[:min(len(e.objects), maxNames)] {
		names = append(names, o.Name.Short())
	}
	if more := len(e.objects) - len(names); more > 0 {
		names = append(names, "… "+strconv.Itoa(more)+" more")
	}
	return first.Prefix() + "{" + strings.Join(names, ",") + "}"
}

// heading describes a cause on one line.
func (c *Cause) heading() string {
	s := diag.Visible(c.Title)
	switch {
	case c.Secret:
		s += " " + hiddenChange
	case c.Before != nil && c.After != nil:
		s += " " + c.values()
	case c.After != nil:
		s += ": " + inlineOr(*c.After, "added")
	case c.Before != nil:
		s += " removed"
	}
	if c.Note != "" {
		s += " (" + c.Note + ")"
	}
	if c.Place != "" {
		s += "  (" + diag.Visible(c.Place) + ")"
	}
	return s
}

// values describes how a data value changed, or returns "" if that does not fit on one line.
func (c *Cause) values() string {
	if c.Before == nil || c.After == nil || c.Secret {
		return ""
	}
	x, y := inline(*c.Before), inline(*c.After)
	if x == "" || y == "" {
		return "changed"
	}
	return x + " → " + y
}

// widest is the maximum width of a value shown on the line of its path.
const widest = 72

// inline returns a value on one line, or "" if it is too long.
func inline(v tree.Value) string {
	b, ok := appendInline(nil, v)
	if !ok {
		return ""
	}
	return string(b)
}

func inlineOr(v tree.Value, other string) string {
	if s := inline(v); s != "" {
		return s
	}
	return other
}

// appendInline appends v as YAML on one line. It returns false if that is too long.
func appendInline(dst []byte, v tree.Value) ([]byte, bool) {
	if v.Kind() == tree.ScalarKind {
		dst = appendScalar(dst, v)
		return dst, len(dst) <= widest
	}
	open, closing := byte('['), byte(']')
	if v.Kind() == tree.MapKind {
		open, closing = '{', '}'
	}
	dst = append(dst, open)
	var r tree.Reader
	ok := true
	for i, it := range r.Items(nil, v) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if open == '{' {
			if dst, ok = appendInline(dst, it.Key); !ok {
				return dst, false
			}
			dst = append(dst, ": "...)
		}
		if dst, ok = appendInline(dst, it.Value); !ok {
			return dst, false
		}
	}
	return append(dst, closing), len(dst) < widest
}

// appendScalar appends a scalar so that its type is visible.
func appendScalar(dst []byte, v tree.Value) []byte {
	val, text := v.Scalar()
	switch val.Kind {
	case yaml.String:
		if bytes.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cf, r) }) {
			return append(dst, printable(string(yaml.AppendDouble(nil, text)))...)
		}
		switch yaml.QuotingOf(text) {
		case yaml.AsBinary:
			return appendBinary(dst, text)
		case yaml.AsLiteral:
			return yaml.AppendDouble(dst, text)
		}
		return yaml.AppendString(dst, text, 0)
	case yaml.Float:
		if text, ok := edit.LongNumber(v); ok {
			return append(dst, text...)
		}
		from := len(dst)
		dst = yaml.AppendFloat(dst, val.Float())
		if len(bytes.Trim(dst[from:], "-0123456789")) == 0 {
			dst = append(dst, ".0"...) // otherwise it would look like an integer
		}
		return dst
	}
	return yaml.AppendValue(dst, val, text, 0)
}

// appendBinary appends a string that is not UTF-8 as YAML writes it.
func appendBinary(dst, text []byte) []byte {
	return base64.StdEncoding.AppendEncode(append(dst, "!!binary "...), text)
}

// block returns a value on several lines.
func block(v tree.Value) []string {
	if isText(v) {
		text := strings.TrimSuffix(v.Text(), "\n")
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = printable(lines[i])
		}
		return lines
	}
	var w yaml.YAMLWriter
	var p tree.Printer
	p.Write(&w, v)
	lines := strings.Split(strings.TrimSuffix(string(w.Bytes()), "\n"), "\n")
	for i := range lines {
		lines[i] = printable(lines[i])
	}
	return lines
}

// printable returns a line without terminal control characters and characters that change the reading
// order. Bytes that are not valid UTF-8 are shown in hexadecimal.
func printable(line string) string {
	disturbs := func(r rune) bool { return r != '\t' && diag.AffectsDisplay(r) }
	if !strings.ContainsFunc(line, disturbs) && utf8.ValidString(line) {
		return line
	}
	var b strings.Builder
	for i, r := range line {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(line[i:], string(r)):
			b.WriteString(`\x` + hex.EncodeToString([]byte{line[i]})) // an invalid byte
		case !disturbs(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('\u2400' + r) // as a control picture
		case unicode.IsControl(r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}
