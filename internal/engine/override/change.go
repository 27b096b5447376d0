package override

import (
	"strings"
	"unicode/utf8"

	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// ValueChange is one thing that an override did to a document.
type ValueChange struct {
	File, Document int // the document: its file, and its index in the file
	Path           string
	Old, New       tree.Value   // see Added and Removed for missing values
	Override       int          // index of the override
	At             source.Pos   // the position in the override
	By             []source.Pos // later overrides that replaced this, or parts of it
	Shadowed       bool         // nothing of this change is left
	Filled         bool         // not an override: the value is filled in
}

// Added reports whether there was no value at the path before.
func (c ValueChange) Added() bool { return c.Old == NoValue }

// Removed reports whether there is no value at the path afterwards.
func (c ValueChange) Removed() bool { return c.New == NoValue }

// log collects changes. A tree holds the last change of each path, so that a later change finds the
// ones it shadows: at its path, below it, and above it if it changes part of what an earlier one
// set.
type log struct {
	changes  []ValueChange
	file     int
	document int
	root     *trace
}

type trace struct {
	change   int // index into changes; -1 for none
	children map[string]*trace
}

func (l *log) begin(file, document int) {
	l.file, l.document, l.root = file, document, newTrace()
}

func newTrace() *trace { return &trace{change: -1} }

func (l *log) add(path Path, override int, old, new tree.Value, at source.Pos) {
	n := l.root
	for _, s := range path {
		if n.change >= 0 {
			l.shadow(n.change, override, at, false)
		}
		key := s.String()
		if s.entry {
			key = "[" + key
		}
		if n.children == nil {
			n.children = map[string]*trace{}
		}
		next := n.children[key]
		if next == nil {
			next = newTrace()
			n.children[key] = next
		}
		n = next
	}
	l.shadowAll(n, override, at)
	n.change, n.children = len(l.changes), nil
	l.changes = append(
		l.changes,
		ValueChange{
			File:     l.file,
			Document: l.document,
			Path:     path.String(),
			Old:      old,
			New:      new,
			Override: override,
			At:       at,
		},
	)
}

func (l *log) shadowAll(n *trace, override int, at source.Pos) {
	if n.change >= 0 {
		l.shadow(n.change, override, at, true)
	}
	for _, c := range n.children {
		l.shadowAll(c, override, at)
	}
}

func (l *log) shadow(i, override int, at source.Pos, all bool) {
	if c := &l.changes[i]; c.Override != override && !c.Shadowed {
		c.By, c.Shadowed = append(c.By, at), all
	}
}

// Text describes the change on one line: the path, the old and the new value, and the override.
func (c ValueChange) Text(files *source.Set) string {
	var b strings.Builder
	if c.Path != "" {
		b.WriteString(c.Path + ": ")
	}
	width := briefWidth
	if c.Filled && c.New.Kind() == tree.ScalarKind {
		width = 8 * briefWidth // an absolute path is useless without its end
	}
	switch {
	case c.Added():
		b.WriteString("(none) → " + Brief(c.New, width))
	case c.Removed():
		b.WriteString(Brief(c.Old, width) + " → (removed)")
	default:
		b.WriteString(Brief(c.Old, width) + " → " + Brief(c.New, width))
	}
	if c.Filled {
		return b.String() + "  filled in"
	}
	b.WriteString("  by " + place(files, c.At))
	for i, at := range c.By {
		switch {
		case i > 0:
			b.WriteString(", ")
		case c.Shadowed && len(c.By) == 1:
			b.WriteString("; shadowed by ")
		default:
			b.WriteString("; shadowed in part by ")
		}
		if c.Shadowed && i == len(c.By)-1 && i > 0 {
			b.WriteString("and then wholly by ")
		}
		b.WriteString(place(files, at))
	}
	return b.String()
}

// briefWidth is the width at which Text cuts off a value.
const briefWidth = 60

// place formats a position for people.
func place(files *source.Set, pos source.Pos) string {
	f := files.File(pos)
	if f == nil {
		return "?"
	}
	return f.Where(pos.Offset())
}

// Brief returns a value on one line of at most about width characters.
func Brief(v tree.Value, width int) string {
	s := string(appendBrief(nil, v, 4*width))
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	r := []rune(s)
	return string(r[:width-3]) + "..."
}

// appendBrief appends v in flow style until dst has about limit bytes.
func appendBrief(dst []byte, v tree.Value, limit int) []byte {
	if v.Kind() == tree.ScalarKind {
		return edit.AppendScalar(dst, v)
	}
	isMap := v.Kind() == tree.MapKind
	open, closing := byte('['), byte(']')
	if isMap {
		open, closing = '{', '}'
	}
	dst = append(dst, open)
	var r tree.Reader
	for i, it := range r.Items(nil, v) {
		if len(dst) > limit {
			break
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if isMap {
			dst = append(appendBrief(dst, it.Key, limit), ": "...)
		}
		dst = appendBrief(dst, it.Value, limit)
	}
	return append(dst, closing)
}
