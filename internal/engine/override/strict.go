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

// missed is a part of an override that has no match in a document.
type missed struct {
	at   source.Span
	path string
	what string
	near string // an existing key that may have been meant
	// what to write for an entry whose key has the same text, but another type
	typed string

	removes bool   // it should be removed
	must    bool   // it is an error
	hint    string // instead of others
}

// hit and miss record whether the parts of an override match something: all parts with Strict, otherwise
// only removals, and keys at the top that may be misspelled. If an override applies to several documents, it
// is enough if it matches in one of them.
func (m *merger) hit(o *patchEntry) {
	if m.found != nil && (m.opt.Strict || o.remove || m.isTop() || len(o.text) > 0 && o.text[0] == '$') {
		m.found[o.pos] = true
	}
}

// isTop reports whether the current path is a key at the top of a document.
func (m *merger) isTop() bool { return len(m.path) == len(m.stage)+1 }

func (m *merger) miss(o *patchEntry, format, key string) {
	if _, ok := m.missed[o.pos]; !ok {
		m.missed[o.pos] = missed{
			at:      ItemSpan(o.item),
			path:    m.path.String(),
			what:    strings.ReplaceAll(format, "%s", key) + " in any document",
			removes: o.removes(),
		}
	}
}

// misses reports whether missing targets are recorded.
func (m *merger) misses(remove bool) bool { return m.missed != nil && (m.opt.Strict || remove) }

// nothingToRemove records that an override removes something inside a value that it adds.
func (m *merger) nothingToRemove(it tree.Item, what, key string) {
	if !directive(it.Value, keyRemove) || !m.misses(true) {
		return
	}
	if _, ok := m.missed[it.Pos]; !ok {
		m.missed[it.Pos] = missed{
			at:      ItemSpan(it),
			path:    m.path.String(),
			what:    "there is no " + what + " `" + key + "` to remove in any document",
			removes: true,
		}
	}
}

// entryKeyAt returns the key that identifies entries of the list at the current path.
func (m *merger) entryKeyAt(r *Rule) string {
	_, key := m.listRule(r)
	return key
}

// entryText returns the value that identifies an entry, for messages.
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
		if left[i].Value == NoValue {
			return ""
		}
		v, _ := at.name(left[i].Value)
		return v.Written()
	})
}

// otherType records that the key of an existing entry has the same text, but another type.
func (m *merger) otherType(o *patchEntry, at *matching, left []tree.Item) {
	x := m.missed[o.pos]
	if x.typed != "" || len(m.missed) > maxNear {
		return
	}
	want := o.id.value
	for _, it := range left {
		if it.Value == NoValue {
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

// quoted returns a scalar as written in YAML, with quotes if it is a string that looks like a
// number.
func quoted(v tree.Value) string {
	if s, ok := v.Starlark().(starlark.String); ok {
		return strconv.Quote(string(s))
	}
	return v.Text()
}

// missKey is miss for a key of a mapping that has other keys.
func (m *merger) missKey(o *patchEntry, left []tree.Item, format string) {
	if !m.misses(o.remove) {
		return
	}
	m.miss(o, format, o.text)
	m.nearMiss(o, o.text, len(left), func(i int) string { return KeyText(left[i].Key) })
}

// maxTop is the maximum number of keys at the top of a document in which similar ones are looked for. A
// document with more is a table, and each comparison costs time.
const maxTop = 100

// maxCompared is the maximum number of documents that are searched for a key that is similar to one of an
// override. The others have mostly the same keys.
const maxCompared = 4

// missTop is miss for a new key at the top of a document, if it looks like a misspelling of one of its keys.
// A key that the override also sets cannot be what was meant.
func (m *merger) missTop(o *patchEntry, left []tree.Item, over []patchEntry) {
	if m.opt.Strict || m.missed == nil || m.opt.Dialect != nil || !m.isTop() ||
		len(left) > maxTop || len(over) > maxTop || m.compared[o.pos] == maxCompared {
		return
	}
	m.compared[o.pos]++
	for _, it := range left {
		name := KeyText(it.Key)
		if !diag.Misspells(o.text, name) ||
			slices.ContainsFunc(over, func(x patchEntry) bool { return x.text == name }) {
			continue
		}
		m.missed[o.pos] = missed{
			at: ItemSpan(o.item), path: m.path.String(), near: name,
			what: "new key `" + o.text + "` is similar to `" + name + "`",
		}
		return
	}
}

// maxNear is the maximum number of misses that get a suggestion. With more, the hints would not be
// read.
const maxNear = 20

// nearMiss records which of n names may have been meant by one that does not exist.
func (m *merger) nearMiss(o *patchEntry, name string, n int, nameOf func(int) string) {
	x := m.missed[o.pos]
	if x.near != "" || len(m.missed) > maxNear {
		return
	}
	names := make([]string, n)
	for i := range names {
		names[i] = nameOf(i)
	}
	x.near = diag.Nearest(name, names)
	m.missed[o.pos] = x
}

// finish returns the remaining errors, and adds the warnings.
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
		for _, flag := range m.opt.Rules.unmatchedFlags(m.met) {
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

// diagnostic returns the error or warning for a part of an override that no document matches.
func (x *missed) diagnostic(strict bool) *diag.Diagnostic {
	d := diag.Errorf(x.at, CodeNoMatch, "%s", x.what)
	switch {
	case x.must:
	case !strict:
		d.Severity = diag.Warning
		d.WithHint("delete it if the entry is already gone")
	case x.removes:
		d.WithHint("--strict only removes what exists; drop --strict if it may already be gone")
	default:
		d.WithHint("--strict only changes what exists; drop --strict to add keys")
	}
	switch {
	case x.hint != "":
		d.WithHint("%s", x.hint)
	case x.typed != "":
		d.WithHint("%s", x.typed)
	case x.near != "":
		d.WithHint("did you mean `%s`?", x.near)
	}
	d.Path = x.path
	return d
}

// take adds to m what another merger found in other documents.
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
	for pos, d := range o.strays {
		if m.strays == nil {
			m.strays = map[source.Pos]*diag.Diagnostic{}
		}
		if m.strays[pos] == nil {
			m.strays[pos] = d
		}
	}
	for i, ok := range o.chosen {
		m.chosen[i] = m.chosen[i] || ok
	}
	for k, ok := range o.picked {
		m.picked[k] = m.picked[k] || ok
	}
	m.renames = m.renames || o.renames
	m.problems = append(m.problems, o.problems...)
	m.refused = append(m.refused, o.refused...)
	m.notes = append(m.notes, o.notes...)
	m.selected += o.selected
}
