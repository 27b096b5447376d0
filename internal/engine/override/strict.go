package override

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// missed is something in an override that is not in a document.
type missed struct {
	at   source.Span
	path string
	what string
	near string // a key that is there and may have been meant
	// what to write for an entry whose key has the same text, but is of another type
	typed string

	removes bool // it was to be removed
}

// hit and miss note whether the parts of an override meet something: with Strict all of them, else
// those that are to be removed. An override for several documents must meet something in one of
// them.
func (m *merger) hit(o *patchEntry) {
	if m.found != nil && (m.opt.Strict || o.remove || len(o.text) > 0 && o.text[0] == '$') {
		m.found[o.pos] = true
	}
}

func (m *merger) miss(o *patchEntry, format, key string) {
	if !m.misses(o.remove) {
		return
	}
	if _, ok := m.missed[o.pos]; !ok {
		m.missed[o.pos] = missed{
			at:      ItemSpan(o.item),
			path:    m.path.String(),
			what:    strings.ReplaceAll(format, "%s", key),
			removes: o.removes(),
		}
	}
}

// misses reports whether missing targets are recorded.
func (m *merger) misses(remove bool) bool { return m.missed != nil && (m.opt.Strict || remove) }

// nothingToRemove notes that an override removes something inside what it adds whole.
func (m *merger) nothingToRemove(it tree.Item, what, key string) {
	if !directive(it.Value, keyRemove) || !m.misses(true) {
		return
	}
	if _, ok := m.missed[it.Pos]; !ok {
		m.missed[it.Pos] = missed{
			at:      ItemSpan(it),
			path:    m.path.String(),
			what:    "there is no " + what + " `" + key + "` to remove",
			removes: true,
		}
	}
}

// entryKeyAt returns the key that identifies entries of the list at the current path.
func (m *merger) entryKeyAt(r *Rule) string {
	_, key := m.listRule(r)
	return key
}

// entryText returns what an entry has under the key by which it is known, for messages.
func entryText(v tree.Value, key string) string {
	if k, ok := v.Lookup(key); ok && k.Kind() == tree.ScalarKind {
		return k.Written()
	}
	return Brief(v, 40)
}

// missEntry is miss for an entry of a list.
func (m *merger) missEntry(o *patchEntry, at *matching, left []tree.Item, format string) {
	if !m.misses(o.remove) {
		return
	}
	m.miss(o, format, o.id.value.Written())
	m.otherType(o, at, left)
	m.nearMiss(o, o.id.value.Written(), len(left), func(i int) string {
		if left[i].Value == Gone {
			return ""
		}
		v, _ := at.name(left[i].Value)
		return v.Written()
	})
}

// otherType notes that an entry has the same text for its key, but as another type.
func (m *merger) otherType(o *patchEntry, at *matching, left []tree.Item) {
	x := m.missed[o.pos]
	if x.typed != "" || len(m.missed) > mostNear {
		return
	}
	want := o.id.value
	for _, it := range left {
		if it.Value == Gone {
			continue
		}
		v, ok := at.name(it.Value)
		if ok && v.Kind() == tree.ScalarKind && v.Text() == want.Text() &&
			v.TypeName() != want.TypeName() {
			x.typed = fmt.Sprintf("this is %s, and there the %s is %s: write `%s: %s`",
				diag.Article(want.TypeName()), at.key, diag.Article(v.TypeName()), at.key,
				quoted(v))
			m.missed[o.pos] = x
			return
		}
	}
}

// quoted returns a scalar as it is written in YAML, where text that looks like a number has quotes.
func quoted(v tree.Value) string {
	if s, ok := v.Starlark().(starlark.String); ok {
		return strconv.Quote(string(s))
	}
	return v.Text()
}

// missKey is miss for a key of a mapping that has others.
func (m *merger) missKey(o *patchEntry, left []tree.Item, format string) {
	if !m.misses(o.remove) {
		return
	}
	m.miss(o, format, o.text)
	m.nearMiss(o, o.text, len(left), func(i int) string { return KeyText(left[i].Key) })
}

// mostNear is of how many that miss something it is looked for what was meant. Of more, nothing reads
// the hints.
const mostNear = 20

// nearMiss notes which of n names may have been meant by one that is not there.
func (m *merger) nearMiss(o *patchEntry, name string, n int, nameOf func(int) string) {
	x := m.missed[o.pos]
	if x.near != "" || len(m.missed) > mostNear {
		return
	}
	names := make([]string, n)
	for i := range names {
		names[i] = nameOf(i)
	}
	x.near = diag.Nearest(name, names)
	m.missed[o.pos] = x
}

// finish returns the errors at the end, and adds the warnings.
func (m *merger) finish() diag.List {
	list := m.problems
	for pos, x := range m.missed {
		if !m.found[pos] && m.doubts[pos] == nil {
			list = append(list, x.diagnostic(m.opt.Strict))
		}
	}
	for _, d := range m.doubts {
		list = append(list, d)
	}
	if m.opt.Strict {
		for _, flag := range m.opt.Rules.unmet(m.met) {
			list = append(list, diag.Errorf(source.Span{}, CodeNoMatch,
				"%s matches no list in the overrides", flag))
		}
	}
	list.Sort()
	return slices.DeleteFunc(list, func(d *diag.Diagnostic) bool {
		if d.Severity == diag.Warning {
			m.warn(d)
		}
		return d.Severity == diag.Warning
	})
}

// diagnostic returns what there is to say of something that no document has.
func (x *missed) diagnostic(strict bool) *diag.Diagnostic {
	d := diag.Errorf(x.at, CodeNoMatch, "%s in any document", x.what)
	switch {
	case !strict:
		d.Severity = diag.Warning
		d.WithHint("delete it if the entry is already gone")
	case x.removes:
		d.WithHint("--strict only removes what exists; drop --strict if it may already be gone")
	default:
		d.WithHint("--strict only changes what exists; drop --strict to add keys")
	}
	switch {
	case x.typed != "":
		d.WithHint("%s", x.typed)
	case x.near != "":
		d.WithHint("did you mean `%s`?", x.near)
	}
	d.Path = x.path
	return d
}

// take adds to m what another merger has found out about other documents.
func (m *merger) take(o *merger) {
	for flag := range o.met {
		m.met[flag] = true
	}
	for pos := range o.found {
		m.found[pos] = true
	}
	for pos, x := range o.missed {
		if _, ok := m.missed[pos]; !ok {
			m.missed[pos] = x
		}
	}
	for pos, d := range o.doubts {
		if m.doubts[pos] == nil {
			m.doubts[pos] = d
		}
	}
	for i, ok := range o.chosen {
		m.chosen[i] = m.chosen[i] || ok
	}
	m.problems = append(m.problems, o.problems...)
	m.refused = append(m.refused, o.refused...)
	m.notes = append(m.notes, o.notes...)
	m.selected += o.selected
}
