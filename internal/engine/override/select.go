package override

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Selector selects the documents that any of its parts selects. The zero value selects all.
type Selector struct{ any []selector.Selector }

// ParseSelector reads the values of --select. A document is selected if any of them matches. Empty values
// are ignored.
func ParseSelector(flags []string) (Selector, error) {
	list, err := selector.ParseAll("--select", flags)
	return Selector{list}, err
}

// IsZero reports whether s selects everything.
func (s Selector) IsZero() bool { return len(s.any) == 0 }

// String returns the selector in words.
func (s Selector) String() string {
	var words []string
	for _, x := range s.any {
		words = append(words, x.String())
	}
	return strings.Join(words, " or ")
}

// Matches reports whether any part of s selects a document.
func (s Selector) Matches(d selector.Selectable) bool {
	return s.IsZero() || slices.ContainsFunc(s.any, func(x selector.Selector) bool { return x.Matches(d) })
}

// SelectorOf reads a selection that is written as YAML: a mapping of conditions, a text as --select takes
// it, or a list of these, of which any may match. what is its key, for messages.
func SelectorOf(what string, v tree.Value) (Selector, error) {
	if v.Kind() != tree.ArrayKind {
		s, err := oneSelector(what, v)
		return Selector{[]selector.Selector{s}}, err
	}
	var sel Selector
	for _, it := range v.Entries() {
		s, err := oneSelector(what, it.Value)
		if err != nil {
			return sel, err
		}
		sel.any = append(sel.any, s)
	}
	if sel.any == nil {
		return sel, emptySelect(what, v)
	}
	return sel, nil
}

func oneSelector(what string, v tree.Value) (selector.Selector, error) {
	if v.Kind() != tree.ScalarKind {
		return selector.FromMapping(what, v)
	}
	s, err := selector.Parse(what, v.Written())
	switch {
	case err != nil:
		d := diag.Of(err)[0]
		d.At = ItemSpan(tree.Item{Value: v})
		return s, d
	case s.IsZero() || v.IsNull():
		return s, emptySelect(what, v)
	}
	return s, nil
}

func emptySelect(what string, v tree.Value) *diag.Diagnostic {
	return diag.Errorf(ItemSpan(tree.Item{Value: v, Pos: v.Start()}), CodeDirective,
		"%s says nothing about documents", what).
		WithHint("write what they have, as in %s: {kind: Deployment}, or remove it", what)
}

// ReadSelector reads a selection as a text: that of --select, or YAML in flow style, as SelectorOf reads
// it. The empty text selects everything.
func ReadSelector(what, text string) (Selector, error) {
	if trimmed := strings.TrimSpace(text); !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		s, err := selector.Parse(what, text)
		if err != nil || s.IsZero() {
			return Selector{}, err
		}
		return Selector{[]selector.Selector{s}}, nil
	}
	f, err := (&source.Set{}).Add(what, []byte(text))
	if err != nil {
		return Selector{}, err
	}
	t, err := yaml.Parse(f, yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core})
	if err != nil {
		return Selector{}, diag.Failf(selector.CodeSelector, "%s: '%s' is not valid YAML", what,
			diag.Shortened(text))
	}
	sel, err := SelectorOf(what, DocumentsOf(t)[0].Value)
	if err != nil {
		d := diag.Of(err)[0]
		d.At = source.Span{} // the text is in no file
		return sel, d
	}
	return sel, nil
}

// taken are the documents that each alternative of a selector selects, by file and index.
type taken [][][]bool

// over returns what the selector selects of the documents of files.
func (s Selector) over(left [][]tree.Doc, files []string) taken {
	if s.IsZero() {
		return nil
	}
	docs, _ := selectables(left, files)
	all := make(taken, len(s.any))
	for k := range s.any {
		chosen := s.any[k].Select(docs)
		for i := range left {
			all[k] = append(all[k], chosen[:len(left[i])])
			chosen = chosen[len(left[i]):]
		}
	}
	return all
}

// selectable returns a document with the name of its file, if that is known.
func selectable(at Place, v tree.Value, files []string) selector.Selectable {
	d := selector.Selectable{Value: v, N: at.Doc + 1}
	if at.File < len(files) {
		d.File = files[at.File]
	}
	return d
}

// selects reports whether a document is selected, and counts it.
func (m *merger) selects(at docPlace) bool {
	return m.counted(func(k int) bool { return m.taken[k][at.file][at.doc] })
}

// counted reports whether an alternative of the selector takes a document, and counts it.
func (m *merger) counted(takes func(k int) bool) bool {
	chosen := m.opt.Select.IsZero()
	for k := range m.opt.Select.any {
		if takes(k) {
			chosen, m.chosen[k] = true, true
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
		d := diag.Errorf(source.Span{}, CodeNoMatch, "--select %s matches no document", a)
		if !m.opt.Strict {
			d.Severity = diag.Warning
			if m.selected == 0 {
				d.Message += ", so nothing is changed"
			}
		}
		m.problems = append(m.problems, d)
	}
}

// picks reports whether override k is for a document that --select selects: by its own selection, that of
// the project, or its kind and name.
func (m *merger) picks(k int, o *patch, at docPlace, d selector.Selectable) bool {
	switch {
	case !o.selects():
		if m.opt.Select.IsZero() && o.identity != nil {
			m.stray(d.Value, o)
		}
		return true
	case o.identity != nil && !o.identity.is(d.Value), !m.takes(k, o.sel, at, d), !m.takes(k, o.only, at, d):
		return false
	}
	m.picked[k] = true
	return true
}

// takes reports whether a selection of override k takes a document. One with a number, such as Job/run#2,
// counts the documents as they were before all overrides; others see what earlier overrides changed.
func (m *merger) takes(k int, s Selector, at docPlace, d selector.Selectable) bool {
	if !s.numbered() {
		return s.Matches(d)
	}
	all, ok := m.numbered[numberedKey{k, s.String()}]
	if !ok {
		return s.Matches(d)
	}
	return all[at]
}

// numberedKey identifies a selection of an override.
type numberedKey struct {
	override int
	text     string
}

func (s Selector) numbered() bool { return slices.ContainsFunc(s.any, selector.Selector.Numbered) }

// numberedOver returns what the selections with numbers select.
func numberedOver(
	overrides []*patch, left [][]tree.Doc, files []string,
) map[numberedKey]map[docPlace]bool {
	all := map[numberedKey]map[docPlace]bool{}
	var index *selector.Index
	var places []docPlace
	for k, o := range overrides {
		for _, s := range []Selector{o.sel, o.only} {
			if !s.numbered() {
				continue
			}
			if index == nil {
				var docs []selector.Selectable
				docs, places = selectables(left, files)
				index = selector.NewIndex(docs)
			}
			chosen := map[docPlace]bool{}
			for _, one := range s.any {
				for _, i := range index.Select(one) {
					chosen[places[i]] = true
				}
			}
			all[numberedKey{k, s.String()}] = chosen
		}
	}
	return all
}

// selectables returns the documents of files, and where they are.
func selectables(left [][]tree.Doc, files []string) (docs []selector.Selectable, places []docPlace) {
	for i := range left {
		for j := range left[i] {
			docs = append(docs, selectable(Place{File: i, Doc: j}, left[i][j].Value, files))
			places = append(places, docPlace{i, j})
		}
	}
	return docs, places
}

// selects reports whether an override says which documents it is for.
func (p *patch) selects() bool {
	return !p.sel.IsZero() || !p.only.IsZero() || p.identity != nil && p.byName
}

// unpicked returns an error for each override that says which documents it is for, and is for none.
func (m *merger) unpicked(overrides []*patch, left [][]tree.Doc) (list diag.List) {
	for k, o := range overrides {
		if !o.selects() || m.picked[k] {
			continue
		}
		x := diag.Errorf(o.at(), CodeNoMatch,
			"no document matches %s, so this override changes nothing", o.wanted())
		if hint := o.near(m.documents(left)); hint != "" {
			x.WithHint("%s", hint)
		}
		list = append(list, x)
	}
	return list
}

// documents returns all documents with their names.
func (m *merger) documents(left [][]tree.Doc) (list []selector.Selectable) {
	for i, docs := range left {
		for j, d := range docs {
			if !d.Value.IsNull() {
				list = append(list, selectable(Place{File: i, Doc: j}, d.Value, m.opt.Files))
			}
		}
	}
	return list
}

// wanted returns which documents an override is for, in words.
func (p *patch) wanted() string {
	var words []string
	if p.identity != nil && p.byName {
		words = append(words, p.identity.String())
	}
	for _, s := range []Selector{p.sel, p.only} {
		if !s.IsZero() {
			words = append(words, s.String())
		}
	}
	return strings.Join(words, " and ")
}

// near says what an override that is for no document may have meant.
func (p *patch) near(docs []selector.Selectable) string {
	if p.identity != nil && p.byName {
		return p.identity.near(docs)
	}
	for _, s := range slices.Concat(p.only.any, p.sel.any) {
		kept := slices.ContainsFunc(docs, s.Matches)
		if hint := s.Near(docs); !kept && hint != "" {
			return hint
		}
	}
	return ""
}
