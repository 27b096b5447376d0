package override

import (
	"strings"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
)

// missed is something in an override that is not in a document.
type missed struct {
	at   source.Span
	path string
	what string
	near string // a key that is there and may have been meant

	removes bool // it was to be removed
}

// hit and miss note, with Strict, whether the parts of an override meet something. An override for several documents must meet something in one of them.
func (m *merger) hit(o *patchEntry) {
	if m.found != nil {
		m.found[o.pos] = true
	}
}

func (m *merger) miss(o *patchEntry, format, key string) {
	if m.missed == nil {
		return
	}
	if _, ok := m.missed[o.pos]; !ok {
		m.missed[o.pos] = missed{at: itemSpan(o.item), path: pathText(m.path), what: strings.ReplaceAll(format, "%s", key), removes: o.removes()}
	}
}

// missEntry is miss for an entry of a list.
func (m *merger) missEntry(o *patchEntry, format string) {
	if m.missed != nil {
		m.miss(o, format, scalarText(o.id.value))
	}
}

// missKey is miss for a key of a mapping that has others.
func (m *merger) missKey(o *patchEntry, left []tree.Item, format string) {
	if m.missed == nil {
		return
	}
	m.miss(o, format, o.text)
	if x := m.missed[o.pos]; x.near == "" {
		keys := make([]string, len(left))
		for i := range left {
			keys[i] = keyText(left[i].Key)
		}
		x.near = diag.Nearest(o.text, keys)
		m.missed[o.pos] = x
	}
}

// finish gives what there is to say in the end.
func (m *merger) finish() diag.List {
	list := m.problems
	for pos, x := range m.missed {
		if m.found[pos] {
			continue
		}
		d := diag.Errorf(x.at, CodeNoMatch, "%s in any document", x.what).WithHint("with --strict an override changes what is there; leave --strict out to add something")
		if x.removes {
			d.WithHint("with --strict an override removes what is there; leave --strict out if it may be gone already")
		}
		if x.near != "" {
			d.WithHint("did you mean `%s`?", x.near)
		}
		d.Path = x.path
		list = append(list, d)
	}
	if m.opt.Strict {
		for _, flag := range m.opt.Rules.unmet(m.met) {
			list = append(list, diag.Errorf(source.Span{}, CodeNoMatch, "%s meets no list of the overrides", flag))
		}
	}
	list.Sort()
	return list
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
	m.problems = append(m.problems, o.problems...)
	m.refused = append(m.refused, o.refused...)
	m.selected += o.selected
}
