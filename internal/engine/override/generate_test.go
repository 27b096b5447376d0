package override

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes YAML of all styles, and overrides that fit it.
type generator struct {
	*rand.Rand
	step, dash int
	aliases    bool
	anchors    []string
	comments   bool
}

func newGenerator(seed uint64) *generator {
	r := rand.New(rand.NewPCG(seed, 1))
	g := &generator{
		Rand:     r,
		step:     []int{1, 2, 2, 2, 4}[r.IntN(5)],
		comments: r.IntN(3) > 0,
		aliases:  r.IntN(4) == 0,
	}
	if r.IntN(2) == 0 {
		g.dash = g.step
	}
	return g
}

// gValue is a value to write: a string is a scalar as it is written.
type (
	gMap   []gEntry
	gList  []any
	gEntry struct {
		key string
		val any
	}
)

var (
	gKeys    = []string{"a", "b", "c", "name", "value", "x y", "1", "true", `"q: r"`, "long_key"}
	gNames   = []string{"foo", "bar", "baz", "3", "~", "'quoted'"}
	gScalars = []string{
		"1", "1.10", "0x1F", "true", "no", "null", "~", "text", "two words", `"quoted"`, `'single'`, "''", "a#b", "a: b", "x,y", "[x", "-", "- y",
		"2001-01-01", "@", `"two\nlines"`, `"trailing "`, "017", ".inf", "$remove", "{}", "[]", "!!str 5", "!!binary aGk=", "1e3", `"# no comment"`,
	}
)

func (g *generator) scalar() string {
	for {
		s := pick(g, gScalars)
		switch s {
		case "a: b", "[x", "- y", "@": // not plain
			return "'" + s + "'"
		case "-":
			continue
		}
		return s
	}
}

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) value(depth int) any {
	switch n := g.IntN(10); {
	case depth <= 0 || n < 4:
		return g.scalar()
	case n < 7:
		return g.mapping(depth - 1)
	case n < 8:
		l := gList{}
		for range g.IntN(4) {
			l = append(l, g.value(depth-1))
		}
		return l
	}
	l := gList{}
	for range 1 + g.IntN(3) {
		m := g.mapping(depth - 1)
		l = append(l, append(gMap{{"name", pick(g, gNames)}}, drop(m, "name")...))
	}
	return l
}

func drop(m gMap, key string) gMap {
	var out gMap
	for _, e := range m {
		if e.key != key {
			out = append(out, e)
		}
	}
	return out
}

func (g *generator) mapping(depth int) gMap {
	m := gMap{}
	seen := map[string]bool{}
	for range g.IntN(5) {
		k := pick(g, gKeys)
		if !seen[k] {
			seen[k] = true
			m = append(m, gEntry{k, g.value(depth)})
		}
	}
	return m
}

// override is what might be said about a value.
func (g *generator) override(v any, depth int) any {
	if g.IntN(8) == 0 {
		return g.value(2)
	}
	switch v := v.(type) {
	case gMap:
		out := gMap{}
		for _, e := range v {
			switch g.IntN(6) {
			case 0, 1:
				out = append(out, gEntry{e.key, g.override(e.val, depth-1)})
			case 2:
				out = append(out, gEntry{e.key, "~"})
			case 3:
				if g.IntN(4) == 0 {
					out = append(out, gEntry{e.key, gMap{{"$remove", "true"}}})
				}
			}
		}
		if g.IntN(3) == 0 {
			for _, e := range g.mapping(1) {
				out = append(drop(out, e.key), e)
			}
		}
		if depth < 3 && g.IntN(12) == 0 {
			out = append(out, gEntry{"$replace", "true"})
		}
		return out
	case gList:
		out := gList{}
		for _, x := range v {
			switch g.IntN(4) {
			case 0:
				out = append(out, x)
			case 1, 2:
				m, ok := g.override(x, depth-1).(gMap)
				old, isMap := x.(gMap)
				if ok && isMap && len(old) > 0 {
					m = append(gMap{old[0]}, drop(m, old[0].key)...)
					if g.IntN(4) == 0 {
						m = append(m, gEntry{"$remove", "true"})
					}
					out = append(out, m)
				}
			}
		}
		if g.IntN(3) == 0 {
			out = append(out, gMap{{"name", pick(g, gNames)}, {"value", g.scalar()}})
		}
		return out
	}
	return g.value(1)
}

// block writes a value in block style: what follows `:` or `-`, with its line break.
func (g *generator) block(b *strings.Builder, v any, col int, item bool) {
	if g.aliases && len(g.anchors) > 0 && g.IntN(6) == 0 {
		b.WriteString(" *" + pick(g, g.anchors) + g.trailing() + "\n")
		return
	}
	anchor := ""
	if g.aliases && g.IntN(4) == 0 {
		name := fmt.Sprintf("n%d", len(g.anchors))
		anchor = " &" + name
		defer func() { g.anchors = append(g.anchors, name) }()
	}
	b.WriteString(anchor)
	switch v := v.(type) {
	case string:
		g.writeScalar(b, v, col)
		return
	case gMap:
		if len(v) == 0 || g.IntN(5) == 0 {
			b.WriteString(" " + g.flow(v) + g.trailing() + "\n")
			return
		}
		at := col + g.step
		if item {
			at = col + 2
		}
		g.entries(b, len(v), at, item && anchor == "" && g.IntN(4) > 0, func(i int) {
			e := v[i]
			if g.IntN(30) == 0 {
				b.WriteString("? " + e.key + "\n" + strings.Repeat(" ", at) + ":")
			} else {
				b.WriteString(e.key + ":")
			}
			g.block(b, e.val, at, false)
		})
	case gList:
		if len(v) == 0 || g.IntN(5) == 0 {
			b.WriteString(" " + g.flow(v) + g.trailing() + "\n")
			return
		}
		at := col + g.dash
		if item {
			at = col + 2
		}
		g.entries(b, len(v), at, item && anchor == "" && g.IntN(4) > 0, func(i int) {
			b.WriteString("-")
			g.block(b, v[i], at, true)
		})
	}
}

func (g *generator) entries(b *strings.Builder, n, at int, compact bool, write func(int)) {
	pad := strings.Repeat(" ", max(at, 0))
	if compact {
		b.WriteString(" ")
	} else if at >= 0 {
		b.WriteString(g.trailing() + "\n")
	}
	for i := range n {
		if i > 0 || !compact {
			if g.comments && g.IntN(6) == 0 {
				b.WriteString(pad + "# about what follows\n")
			}
			if g.comments && g.IntN(12) == 0 {
				b.WriteString("\n")
			}
			if g.comments && g.IntN(20) == 0 {
				b.WriteString(pad + "   # deeper\n")
			}
			b.WriteString(pad)
		}
		write(i)
	}
}

func (g *generator) trailing() string {
	if g.comments && g.IntN(6) == 0 {
		return " # trailing"
	}
	return ""
}

func (g *generator) writeScalar(b *strings.Builder, s string, col int) {
	pad := strings.Repeat(" ", max(col, 0)+2)
	switch g.IntN(14) {
	case 0:
		b.WriteString(
			" " + pick(
				g,
				[]string{"|", "|-", "|+", ">", ">-", "|2"},
			) + g.trailing() + "\n" + pad + "block\n" + pick(
				g,
				[]string{"", "\n", pad + " more\n", pad + "# text\n\n\n"},
			),
		)
		return
	case 1:
		b.WriteString("\n" + pad + s + g.trailing() + "\n")
		return
	case 2:
		b.WriteString(" \"over\n" + pad + "lines\"" + g.trailing() + "\n")
		return
	case 3:
		b.WriteString(" plain over\n" + pad + "lines" + g.trailing() + "\n")
		return
	case 4:
		b.WriteString(g.trailing() + "\n")
		return
	}
	b.WriteString(strings.Repeat(" ", 1+g.IntN(2)) + s + g.trailing() + "\n")
}

// flow writes a value in flow style.
func (g *generator) flow(v any) string {
	var parts []string
	comma := pick(g, []string{", ", ",", " , "})
	switch v := v.(type) {
	case string:
		if v == "x,y" || v == "a: b" {
			return "'" + v + "'"
		}
		return v
	case gList:
		for _, x := range v {
			parts = append(parts, g.flow(x))
		}
		return pick(g, []string{"[", "[ "}) + strings.Join(parts, comma) + "]"
	case gMap:
		for _, e := range v {
			parts = append(parts, e.key+": "+g.flow(e.val))
		}
		if len(parts) > 0 && g.IntN(4) == 0 {
			return "{" + strings.Join(parts, comma) + " , }"
		}
		return pick(g, []string{"{", "{ "}) + strings.Join(parts, comma) + " }"
	}
	return ""
}

// file writes a file of one or more documents.
func (g *generator) file(docs []gMap) string {
	var b strings.Builder
	if g.IntN(20) == 0 {
		b.WriteString("\ufeff")
	}
	if g.comments && g.IntN(3) == 0 {
		b.WriteString("# about the file\n")
	}
	for i, d := range docs {
		g.anchors = nil
		if i > 0 || g.IntN(4) == 0 {
			b.WriteString("---" + g.trailing() + "\n")
		}
		if len(d) == 0 || g.IntN(12) == 0 {
			b.WriteString(g.flow(d) + g.trailing() + "\n")
			continue
		}
		g.entries(&b, len(d), 0, false, func(i int) {
			b.WriteString(d[i].key + ":")
			g.block(&b, d[i].val, 0, false)
		})
	}
	text := b.String()
	if g.IntN(8) == 0 {
		text = strings.TrimRight(text, "\n")
	}
	if g.IntN(8) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}
