package edit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"weft/internal/engine/override"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/testing/cases"
	"weft/internal/testing/yamltest"
)

// wild writes files as people, editors and programs leave them, odd ones too: comments everywhere,
// each with a text of its own, all styles of scalars and brackets, tabs, blanks at the end of
// lines, keys that stand twice, anchors, several documents.
type wild struct {
	*rand.Rand
	b        strings.Builder
	comments int
	quiet    bool // no comments
	refs     bool // anchors and aliases
	twice    bool // keys may be twice
	anchors  []string
	step     int
	dash     int
}

// wValue is a value that was written, as far as overrides need to know it: a wMap, a wList, or
// nothing.
type (
	wMap   []wEntry
	wList  []any
	wEntry struct {
		key string
		val any
	}
)

var (
	wKeys = []string{
		"a",
		"b",
		"c",
		"d",
		"name",
		"value",
		"ä ö",
		`"q: r"`,
		"'s'",
		"1",
		"true",
		"long-key",
		"x.y",
	}
	wNames   = []string{"foo", "bar", `"baz"`, "3", "ключ"}
	wScalars = []string{
		"1", "1.10", "0x1F", "true", "no", "null", "~", "text", "two words", `"quoted"`, `'single'`, "''", `""`, "a#b", "2001-01-01", `"two\nlines"`, `"trailing "`, "017", "1e3",
		"!!str 5", "üñí çødé", "\U0001F600", `"\u00e9\t\x07"`, "! tagged", `"#"`, "-1", "'it''s'", "a:b", "|x"[1:], "{}", "[]", "http://x/y?z=1", ".inf",
	}
	wTexts = []string{
		"one\n", "one\ntwo\n", "one\ntwo", "a\n\n", "a\n\n\nb\n", "\n", "\n\na\n", " lead\n", "  two\n one\n", "tab\there\n", "\ttab\n", "trailing \n x\n", "# no comment\n", "a\n# no comment\n", "---\n", "...\n---\n",
		"a\r\nb\r\n", "nel\u0085x\n", "ls\u2028x\ny\n", "long " + strings.Repeat("words and ", 30) + "\nend\n", "key: value\n- item\n", "x", "", " ", "a: b", "'", "\"", "\\", "a\\nb\n", "%x\n", "*x", "&x", "!x", "@", "`", "yes", "0", "=", "<<",
		"ends with colon:", "- dash", "? q", "{x}", "[x]", "a, b", "a #b", "\ufeffbom\n", "é\nü\n", "\u00a0x\n", "a\n \n", "a\n\t\n", "a\n  \n\n", "\n \n",
	}
)

func wPick[T any](w *wild, list []T) T { return list[w.IntN(len(list))] }

func (w *wild) one(n int) bool { return w.IntN(n) == 0 }

func (w *wild) comment() string {
	w.comments++
	return fmt.Sprintf(
		"# c%d%s",
		w.comments,
		wPick(w, []string{".", " text.", ": x.", " \"q.", " [.", "  . ", ".\t"}),
	)
}

// trail is what follows something on its line.
func (w *wild) trail() string {
	if !w.quiet && w.one(4) {
		return wPick(w, []string{" ", "  ", "\t", " \t"}) + w.comment()
	}
	return wPick(w, []string{"", "", "", "", "", "", " ", "\t", "   "})
}

// between are lines between others.
func (w *wild) between(col int) {
	for w.one(5) {
		switch w.IntN(6) {
		case 0:
			w.b.WriteString("\n")
		case 1:
			w.b.WriteString(wPick(w, []string{"  \n", "      \n", "\n\n"}))
		case 2:
			if !w.quiet {
				w.b.WriteString(strings.Repeat(" ", w.IntN(8)) + w.comment() + "\n")
			}
		default:
			if !w.quiet {
				w.b.WriteString(strings.Repeat(" ", col) + w.comment() + "\n")
			}
		}
	}
}

// alias is an alias of what is complete.
func (w *wild) alias() string {
	if !w.refs || len(w.anchors) == 0 || !w.one(5) {
		return ""
	}
	return wPick(w, w.anchors)
}

// node writes what follows `:` or `-` in column col, and its line break.
func (w *wild) node(col, depth int, item bool) any {
	if a := w.alias(); a != "" {
		w.b.WriteString(" *" + a + w.trail() + "\n")
		return nil
	}
	at := len(w.anchors)
	name := ""
	if w.refs && w.one(6) {
		name = fmt.Sprintf("n%d_%d", at, w.b.Len())
		w.b.WriteString(" &" + name)
		defer func() { w.anchors = append(w.anchors, name) }()
	}
	switch n := w.IntN(12); {
	case depth <= 0 || n < 5:
		w.scalar(col)
		return nil
	case n < 7:
		return w.flowNode(col, depth-1)
	case n < 10:
		below := col + w.step
		if item {
			below = col + 2
		}
		return w.mapping(below, depth-1, item && name == "" && !w.one(4))
	}
	below := col + w.dash
	if item {
		below = col + 2
	}
	return w.list(below, depth-1, item && name == "" && !w.one(4))
}

func (w *wild) entryKey(have map[string]bool) string {
	for {
		k := wPick(w, wKeys)
		if !have[k] || w.twice && w.one(3) {
			have[k] = true
			return k
		}
	}
}

func (w *wild) mapping(col, depth int, compact bool) wMap {
	m := wMap{}
	pad := strings.Repeat(" ", col)
	w.head(compact)
	have := map[string]bool{}
	for i := range 1 + w.IntN(5) {
		if i > 0 || !compact {
			w.between(col)
			w.b.WriteString(pad)
		}
		k := w.entryKey(have)
		if w.one(40) {
			w.b.WriteString("? " + k + w.trail() + "\n" + pad + ":")
		} else {
			w.b.WriteString(k + ":")
		}
		m = append(m, wEntry{k, w.node(col, depth, false)})
	}
	if !w.quiet && w.one(6) {
		w.b.WriteString(pad + w.comment() + "\n")
	}
	return m
}

func (w *wild) head(compact bool) {
	if compact {
		w.b.WriteString(wPick(w, []string{" ", " ", " "}))
	} else {
		w.b.WriteString(w.trail() + "\n")
	}
}

func (w *wild) list(col, depth int, compact bool) wList {
	l := wList{}
	pad := strings.Repeat(" ", col)
	named := w.one(2)
	w.head(compact)
	for i := range 1 + w.IntN(4) {
		if i > 0 || !compact {
			w.between(col)
			w.b.WriteString(pad)
		}
		w.b.WriteString("-")
		if !named {
			l = append(l, w.node(col, depth, true))
			continue
		}
		name := wPick(w, wNames)
		if w.one(5) {
			l = append(l, wMap{{"name", name}, {"value", nil}})
			w.b.WriteString(" {name: " + name + ", value: x}" + w.trail() + "\n")
			continue
		}
		w.b.WriteString(" name: " + name + w.trail() + "\n")
		m := wMap{{"name", name}}
		have := map[string]bool{"name": true}
		for range w.IntN(3) {
			k := w.entryKey(have)
			if k == "name" {
				continue
			}
			w.between(col + 2)
			w.b.WriteString(pad + "  " + k + ":")
			m = append(m, wEntry{k, w.node(col+2, depth, false)})
		}
		l = append(l, m)
	}
	return l
}

func (w *wild) scalar(col int) {
	pad := strings.Repeat(" ", col+1+w.IntN(3))
	switch w.IntN(14) {
	case 0, 1: // a block
		head := wPick(w, []string{"|", "|-", "|+", ">", ">-", ">+"})
		w.b.WriteString(" " + head + w.trail() + "\n")
		for i := range w.IntN(4) {
			w.b.WriteString(pad)
			if i > 0 {
				w.b.WriteString(wPick(w, []string{"", " ", "  "}))
			}
			w.b.WriteString(
				wPick(
					w,
					[]string{"block", "# text", "two words", "key: x", "- x"},
				) + "\n" + wPick(
					w,
					[]string{"", "", "\n", pad + "\n", "\n\n"},
				),
			)
		}
		return
	case 2:
		w.b.WriteString(w.trail() + "\n")
		w.between(col + 1)
		w.b.WriteString(pad + wPick(w, wScalars) + w.trail() + "\n")
		return
	case 3:
		w.b.WriteString(
			" \"over" + wPick(
				w,
				[]string{"", " ", "\\"},
			) + "\n" + wPick(
				w,
				[]string{"", "\n"},
			) + pad + "# lines\"" + w.trail() + "\n",
		)
		return
	case 4:
		w.b.WriteString(" plain over\n" + pad + "lines" + w.trail() + "\n")
		return
	case 5:
		w.b.WriteString(" 'over\n" + pad + "\n" + pad + "it''s'" + w.trail() + "\n")
		return
	case 6:
		w.b.WriteString(w.trail() + "\n")
		return
	}
	w.b.WriteString(strings.Repeat(" ", 1+w.IntN(2)) + wPick(w, wScalars) + w.trail() + "\n")
}

// flowNode writes a collection in brackets, and the line break after it.
func (w *wild) flowNode(col, depth int) any {
	w.b.WriteString(" ")
	lines := w.one(2)
	v := w.flow(col+1, depth, lines)
	w.b.WriteString(w.trail() + "\n")
	return v
}

// gap is what is between the signs inside brackets.
func (w *wild) gap(col int, lines bool) {
	if !lines || w.one(4) {
		w.b.WriteString(wPick(w, []string{"", " "}))
		return
	}
	w.b.WriteString(w.trail() + "\n")
	for !w.quiet && w.one(6) {
		w.b.WriteString(strings.Repeat(" ", col) + w.comment() + "\n")
	}
	w.b.WriteString(strings.Repeat(" ", col))
}

func (w *wild) flow(col, depth int, lines bool) any {
	n := w.IntN(4)
	if w.one(2) {
		l := wList{}
		w.b.WriteString("[")
		w.gap(col+1, lines)
		for i := range n {
			l = append(l, w.flowValue(col+1, depth, lines))
			if i+1 < n || w.one(4) {
				w.b.WriteString(wPick(w, []string{",", ",", " ,"}))
				if !lines || w.one(4) {
					w.b.WriteString(" ")
				}
			}
			w.gap(col+1, lines)
		}
		w.b.WriteString("]")
		return l
	}
	m := wMap{}
	w.b.WriteString("{")
	w.gap(col+1, lines)
	have := map[string]bool{}
	for i := range n {
		k := w.entryKey(have)
		w.b.WriteString(k + ":")
		if w.one(12) {
			m = append(m, wEntry{k, nil})
		} else {
			w.b.WriteString(" ")
			m = append(m, wEntry{k, w.flowValue(col+1, depth, lines)})
		}
		if i+1 < n || w.one(4) {
			w.b.WriteString(wPick(w, []string{", ", ",", " ,"}))
		}
		w.gap(col+1, lines)
	}
	w.b.WriteString("}")
	return m
}

func (w *wild) flowValue(col, depth int, lines bool) any {
	if depth > 0 && w.one(3) {
		return w.flow(col, depth-1, lines && w.one(2))
	}
	if lines && w.one(8) {
		w.b.WriteString("\"over\n" + strings.Repeat(" ", col) + "lines\"")
		return nil
	}
	w.b.WriteString(
		wPick(
			w,
			[]string{
				"1",
				"1.10",
				"x",
				"two words",
				`"q"`,
				"'s'",
				"null",
				"~",
				"true",
				"ü",
				`"a\nb"`,
				"-1",
			},
		),
	)
	return nil
}

// file writes a file, and gives the values of its documents.
func (w *wild) file() (string, []wMap) {
	var docs []wMap
	if w.one(20) {
		w.b.WriteString("\ufeff")
	}
	n := 1
	if w.one(3) {
		n += w.IntN(3)
	}
	for i := range n {
		w.anchors = nil
		if w.one(30) && i == 0 {
			w.b.WriteString("%YAML 1.1\n---")
			w.b.WriteString(w.trail() + "\n")
		} else if i > 0 || w.one(5) {
			w.b.WriteString("---" + w.trail() + "\n")
		}
		w.between(0)
		if w.one(12) {
			m, _ := w.flow(0, 2, w.one(2)).(wMap)
			if m == nil {
				m = wMap{}
			}
			docs = append(docs, m)
			w.b.WriteString(w.trail() + "\n")
		} else {
			col := 0
			if w.one(15) {
				col = 2
			}
			before := w.b.Len()
			m := w.mapping(col, 3, true)
			text := w.b.String()
			w.b.Reset()
			// without the blank after a dash
			w.b.WriteString(text[:before] + strings.Repeat(" ", col) + text[before+1:])
			docs = append(docs, m)
		}
		if !w.quiet && w.one(4) {
			w.b.WriteString(strings.Repeat(" ", w.IntN(6)) + w.comment() + "\n")
		}
		if w.one(6) {
			w.b.WriteString(wPick(w, []string{"\n", "\n\n", "  \n", " \n\n"}))
		}
		if w.one(15) {
			w.b.WriteString("...\n")
		}
	}
	text := w.b.String()
	switch w.IntN(10) {
	case 0, 1:
		text = strings.TrimRight(text, "\n")
	case 2:
		text = strings.TrimRight(
			text,
			"\n",
		) + wPick(
			w,
			[]string{"\n\t", "\t", " ", "\n  ", "\n # end. no break", "\n#c", "\n\t\n", "\n\n\n"},
		)
	}
	switch w.IntN(12) {
	case 0:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		if w.one(3) {
			text = strings.ReplaceAll(text, "\n", "\r")
		}
	}
	return text, docs
}

// fresh is a new value of an override, in JSON or so.
func (w *wild) fresh(depth int) string {
	switch n := w.IntN(10); {
	case depth > 0 && n == 0:
		var parts []string
		have := map[string]bool{}
		for range w.IntN(4) {
			k := wPick(w, wKeys)
			if !have[k] {
				have[k] = true
				parts = append(parts, k+": "+w.fresh(depth-1))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case depth > 0 && n == 1:
		var parts []string
		for range w.IntN(4) {
			parts = append(parts, w.fresh(depth-1))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case depth > 0 && n == 2:
		return "[{name: " + wPick(w, wNames) + ", v: " + w.fresh(depth-1) + "}]"
	case n < 7:
		return string(yaml.AppendJSONString(nil, []byte(wPick(w, wTexts))))
	}
	return wPick(
		w,
		[]string{
			"1",
			"1.10",
			"true",
			"text",
			"two words",
			"'single'",
			"~",
			"null",
			"0x1F",
			"{}",
			"[]",
			"ü",
		},
	)
}

// over is an override of a value.
func (w *wild) over(v any, depth int) string {
	if depth < 3 && w.one(8) {
		return w.fresh(2)
	}
	switch v := v.(type) {
	case string: // the name of an entry
	case wMap:
		var parts []string
		have := map[string]bool{}
		put := func(k, text string) {
			if !have[k] {
				have[k] = true
				parts = append(parts, k+": "+text)
			}
		}
		for _, e := range v {
			switch w.IntN(7) {
			case 0, 1, 2:
				put(e.key, w.over(e.val, depth-1))
			case 3:
				put(e.key, wPick(w, []string{"~", "{$remove: true}"}))
			}
		}
		for w.one(3) {
			put(wPick(w, wKeys), w.fresh(2))
		}
		if depth < 3 && w.one(15) {
			parts = append(parts, "$replace: true")
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case wList:
		var parts []string
		for _, x := range v {
			m, ok := x.(wMap)
			named := false
			if ok && len(m) > 0 {
				_, named = m[0].val.(string)
			}
			switch {
			case named && w.one(2):
				text := w.over(append(wMap{}, m[1:]...), depth-1)
				if inner, found := strings.CutPrefix(text, "{"); found {
					if inner != "}" {
						inner = ", " + inner
					}
					if w.one(4) {
						inner = ", $remove: true" + inner
					}
					parts = append(parts, "{name: "+m[0].val.(string)+inner)
				}
			case !ok && w.one(3):
				parts = append(parts, w.fresh(1))
			}
		}
		if w.one(3) {
			parts = append(parts, "{name: "+wPick(w, wNames)+", value: "+w.fresh(1)+"}")
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return w.fresh(2)
}

func newWild(seed uint64) *wild {
	r := rand.New(rand.NewPCG(seed, 7))
	w := &wild{
		Rand:  r,
		step:  []int{1, 2, 2, 2, 4}[r.IntN(5)],
		quiet: r.IntN(5) == 0,
		refs:  r.IntN(5) == 0,
		twice: r.IntN(8) == 0,
	}
	if r.IntN(2) == 0 {
		w.dash = w.step
	}
	return w
}

// checkText holds the text of an override against its values, and looks for comments that are lost.
func checkText(base string, overs ...string) string {
	s, err := yamltest.TryRead(base)
	if err != nil {
		return ""
	}
	list, err := overrides(s, overs...)
	if err != nil {
		return ""
	}
	drafts := make([]tree.Value, len(s.Docs))
	out, err := override.Apply(context.Background(), [][]tree.Doc{s.Docs}, list, override.Options{
		Written: true, Draft: func(_, doc int, v tree.Value) { drafts[doc] = v },
	})
	if err != nil {
		return ""
	}
	docs := out[0]
	for _, d := range docs {
		if yamltest.RepeatsCollection(d.Value) {
			return ""
		}
	}
	values := make([]tree.Value, len(docs))
	for i := range docs {
		values[i] = docs[i].Value
	}
	texts, err := edit.TextFrom([]*yaml.Tree{s.Tree}, drafts, values, yaml.Options{})
	text := string(bytes.Join(texts, nil))
	if r, ok := errors.AsType[*edit.Refusal](err); ok && r.Repeated {
		return ""
	}
	if err != nil {
		return fmt.Sprintf("it cannot be written: %v", err)
	}
	inputs := []override.Input{{Trees: []*yaml.Tree{s.Tree}, Docs: s.Docs}}
	one, err := override.Rewrite(
		context.Background(),
		inputs,
		list,
		override.Options{Written: true},
		yaml.Options{},
	)
	if err != nil || string(one[0][0]) != text {
		return fmt.Sprintf("in one go it is something else (%v):\n%s\nthan\n%s", err, one, text)
	}
	again, err := yamltest.ReadBack(text, len(docs))
	if err != nil {
		return err.Error()
	}
	for i := range docs {
		if got, want := yamltest.Said(again.Docs[i].Value), yamltest.Said(docs[i].Value); got != want {
			return fmt.Sprintf(
				"document %d is printed wrongly:\n got %s\nwant %s\n%s",
				i,
				got,
				want,
				text,
			)
		}
	}
	lost := edit.LostComments(s.Tree, docs, text)
	if len(lost) > 0 {
		return fmt.Sprintf("comments are lost: %q\n%s", lost, text)
	}
	return ""
}

// TestWild holds files of all kinds to the law: the text of an override, read again, has its
// values, and comments that are not part of what is changed stay.
func TestWild(t *testing.T) {
	n := cases.Number(600, 5000)
	unread := 0
	for seed := range n {
		base, overs := wildCase(seed)
		if _, err := yamltest.TryRead(base); err != nil {
			unread++
			continue
		}
		if wrong := checkText(base, overs...); wrong != "" {
			t.Fatalf(
				"seed %d: %s\n--- base\n%s\n%q\n--- overrides\n%q",
				seed,
				wrong,
				base,
				base,
				overs,
			)
		}
	}
	if unread > int(n/10) {
		t.Errorf("%d of %d files cannot be read: the generator is no good", unread, n)
	}
}

// FuzzWild is TestWild for any seed. The first of these were wrong once.
func FuzzWild(f *testing.F) {
	for _, seed := range []uint64{693, 1265, 3729, 3811, 4241, 6463, 6527, 7262, 9809, 10173, 20165, 45202, 47451, 1000626, 1018063, 2001701, 2008260, 2027030, 3008804, 3051737, 4041963, 4044443} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		base, overs := wildCase(seed)
		if wrong := checkText(base, overs...); wrong != "" {
			t.Fatalf("%s\n--- base\n%s\n%q\n--- overrides\n%q", wrong, base, base, overs)
		}
	})
}

func wildCase(seed uint64) (string, []string) {
	w := newWild(seed)
	base, docs := w.file()
	var overs []string
	for range 1 + w.IntN(2) {
		overs = append(overs, w.over(docs[0], 3))
	}
	return base, overs
}
