package overlay_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"weft/internal/testing/cases"
)

// This file holds a second, simple implementation of overlays, on plain slices and without any
// index, and compares the two on random documents and overlays.

// A value of the model is a string, a *mapping or a *sequence.
type (
	mapping  struct{ items []pair }
	sequence struct{ items []any }
	pair     struct {
		key   string
		value any
	}
)

// node is a node of an overlay: a map item if it has a key, else an array item.
type node struct {
	key     string
	value   any // a string, or []node with one kind of node
	by      string
	index   int
	expects string
	op      string
}

// generator makes random values and overlays.
type generator struct{ r *rand.Rand }

func (g *generator) scalar() string { return fmt.Sprintf("s%d", g.r.IntN(4)) }

func (g *generator) value(depth int) any {
	switch n := g.r.IntN(6); {
	case depth <= 0 || n < 2:
		return g.scalar()
	case n < 4:
		return g.mapping(depth)
	default:
		return g.sequence(depth)
	}
}

// size is that of a collection: mostly small, now and then large enough for an index.
func (g *generator) size() int {
	if g.r.IntN(5) == 0 {
		return 14 + g.r.IntN(12)
	}
	return g.r.IntN(5)
}

func (g *generator) mapping(depth int) *mapping {
	m := &mapping{}
	for _, k := range g.r.Perm(26)[:g.size()] {
		m.items = append(m.items, pair{fmt.Sprintf("k%02d", k), g.value(depth - 1)})
	}
	return m
}

func (g *generator) sequence(depth int) *sequence {
	s := &sequence{}
	named := g.r.IntN(3) > 0
	for range g.size() {
		if !named {
			s.items = append(s.items, g.value(depth-1))
			continue
		}
		m := g.mapping(depth - 1)
		m.items = append(m.items, pair{"name", fmt.Sprintf("n%d", g.r.IntN(20))})
		s.items = append(s.items, m)
	}
	return s
}

// overlay makes an overlay that fits left more often than not.
func (g *generator) overlay(left any, depth int) any {
	switch left := left.(type) {
	case *mapping:
		if g.r.IntN(12) == 0 {
			break
		}
		var nodes []node
		seen := map[string]bool{}
		for range g.r.IntN(4) {
			n := node{key: fmt.Sprintf("k%02d", g.r.IntN(26))}
			var below any = g.scalar()
			if len(left.items) > 0 && g.r.IntN(5) > 0 {
				p := left.items[g.r.IntN(len(left.items))]
				n.key, below = p.key, p.value
			}
			if seen[n.key] {
				continue
			}
			seen[n.key] = true
			n.value = g.overlay(below, depth-1)
			n.expects = pick(g.r, "", "", "missing_ok=True", `expects="0+"`, "when=1")
			n.op = pick(g.r, "", "", "", "remove", "replace", "replace or_add=True")
			nodes = append(nodes, n)
		}
		if nodes != nil {
			return nodes
		}
	case *sequence:
		var nodes []node
		n := g.r.IntN(4)
		if len(left.items) > 10 {
			n = 4 + g.r.IntN(8) // so that an index lives to see changes
		}
		for range n {
			nodes = append(nodes, g.arrayNode(left, depth))
		}
		if nodes != nil {
			return nodes
		}
	}
	return g.scalar()
}

func (g *generator) arrayNode(left *sequence, depth int) node {
	n := node{
		by: pick(g.r, "", "all", "index", "index", "name", "name", "name", "name"),
		op: pick(
			g.r,
			"",
			"",
			"remove",
			"replace",
			"insert before=True",
			"insert after=True",
			"append",
		),
	}
	n.expects = pick(g.r, "", `expects="0+"`, `expects="0+"`, "missing_ok=True", "when=\"1+\"")
	var below any = g.scalar()
	n.index = g.r.IntN(6)
	if len(left.items) > 0 {
		n.index = g.r.IntN(len(left.items) + 1)
		below = left.items[min(n.index, len(left.items)-1)]
	}
	if n.by == "all" || n.by == "" {
		n.op = pick(g.r, n.op, "append") // what is done to all of them leaves little to see
	}
	switch {
	case n.by == "name":
		name := fmt.Sprintf("n%d", g.r.IntN(20))
		if m, ok := below.(*mapping); ok {
			if v, ok := m.get("name"); ok {
				name, _ = v.(string)
			}
		}
		items := []node{{key: "name", value: name}}
		if more, ok := g.overlay(below, depth-1).([]node); ok && more[0].key != "" &&
			!slices.ContainsFunc(more, func(n node) bool { return n.key == "name" }) {
			items = append(items, more...)
		}
		n.value = items
	case n.by == "index" && n.op == "" && g.r.IntN(2) == 0:
		n.value = []node{{key: "name", value: fmt.Sprintf("n%d", g.r.IntN(20))}}
	case n.by == "" || n.op == "append":
		n.value = g.overlay(g.value(1), 0)
	default:
		n.value = g.overlay(below, depth-1)
	}
	return n
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

// write writes a value or an overlay as YAML, in the style of blocks.
func write(b *strings.Builder, v any, indent int) {
	pad := strings.Repeat("  ", indent)
	switch v := v.(type) {
	case string:
		b.WriteString(" " + v + "\n")
	case *mapping:
		if len(v.items) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteString("\n")
		for _, p := range v.items {
			b.WriteString(pad + p.key + ":")
			write(b, p.value, indent+1)
		}
	case *sequence:
		if len(v.items) == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteString("\n")
		for _, x := range v.items {
			b.WriteString(pad + "-")
			write(b, x, indent+1)
		}
	case []node:
		b.WriteString("\n")
		for _, n := range v {
			n.writeNotes(b, pad)
			if n.key != "" {
				b.WriteString(pad + n.key + ":")
			} else {
				b.WriteString(pad + "-")
			}
			write(b, n.value, indent+1)
		}
	}
}

func (n *node) writeNotes(b *strings.Builder, pad string) {
	var args []string
	switch n.by {
	case "all":
		args = append(args, "by=overlay.all")
	case "index":
		args = append(args, fmt.Sprintf("by=overlay.index(%d)", n.index))
	case "name":
		args = append(args, `by="name"`)
	}
	if n.expects != "" && (n.by != "" || n.key != "") {
		args = append(args, n.expects)
	}
	if len(args) > 0 {
		b.WriteString(pad + "#@overlay/match " + strings.Join(args, ", ") + "\n")
	}
	if n.op != "" {
		b.WriteString(pad + "#@overlay/" + n.op + "\n")
	}
}

func (m *mapping) get(key string) (any, bool) {
	for _, p := range m.items {
		if p.key == key {
			return p.value, true
		}
	}
	return nil, false
}

// merged is left with right merged into it, as new values all through.
func merged(left, right any) (any, bool) {
	nodes, ok := right.([]node)
	if !ok {
		return right, true
	}
	if nodes[0].key != "" {
		m, ok := left.(*mapping)
		if !ok {
			return nil, false
		}
		out := &mapping{slices.Clone(m.items)}
		for i := range nodes {
			if !out.apply(&nodes[i]) {
				return nil, false
			}
		}
		return out, true
	}
	s, ok := left.(*sequence)
	if !ok {
		return nil, false
	}
	out := &sequence{slices.Clone(s.items)}
	for i := range nodes {
		if !out.apply(&nodes[i]) {
			return nil, false
		}
	}
	return out, true
}

// plain is an overlay's value as it is added.
func plain(v any) any {
	nodes, ok := v.([]node)
	if !ok {
		return v
	}
	if nodes[0].key != "" {
		m := &mapping{}
		for _, n := range nodes {
			m.items = append(m.items, pair{n.key, plain(n.value)})
		}
		return m
	}
	s := &sequence{}
	for _, n := range nodes {
		s.items = append(s.items, plain(n.value))
	}
	return s
}

// allowed says whether there may be n matches; if not, skip says that nothing is done.
func (n *node) allowed(found int) (ok, skip bool) {
	switch n.expects {
	case "missing_ok=True":
		return found <= 1, false
	case `expects="0+"`:
		return true, false
	case "when=1":
		return found == 1, true
	case `when="1+"`:
		return found >= 1, true
	}
	return found == 1, false
}

func (m *mapping) apply(n *node) bool {
	at := slices.IndexFunc(m.items, func(p pair) bool { return p.key == n.key })
	found := 1
	if at < 0 {
		found = 0
	}
	if ok, skip := n.allowed(found); !ok {
		return skip
	}
	switch {
	case found == 0 && (n.op == "" || n.op == "replace or_add=True"):
		m.items = append(m.items, pair{n.key, plain(n.value)})
	case found == 0:
	case n.op == "remove":
		m.items = slices.Delete(slices.Clone(m.items), at, at+1)
	case strings.HasPrefix(n.op, "replace"):
		m.items[at].value = plain(n.value)
	default:
		v, ok := merged(m.items[at].value, n.value)
		if !ok {
			return false
		}
		m.items[at].value = v
	}
	return true
}

func (s *sequence) apply(n *node) bool {
	if n.op == "append" || n.by == "" && n.op == "" {
		s.items = append(s.items, plain(n.value))
		return true
	}
	if n.by == "" {
		return true
	}
	var found []int
	for i, x := range s.items {
		switch n.by {
		case "all":
			found = append(found, i)
		case "index":
			if i == n.index {
				found = append(found, i)
			}
		case "name":
			m, ok := x.(*mapping)
			if !ok {
				return false
			}
			name, ok := m.get("name")
			if !ok {
				return false
			}
			if name == n.value.([]node)[0].value {
				found = append(found, i)
			}
		}
	}
	if ok, skip := n.allowed(len(found)); !ok {
		return skip
	}
	if len(found) == 0 && n.op == "" {
		s.items = append(s.items, plain(n.value))
		return true
	}
	var out []any
	for i, x := range s.items {
		if !slices.Contains(found, i) {
			out = append(out, x)
			continue
		}
		switch n.op {
		case "remove":
		case "replace":
			out = append(out, plain(n.value))
		case "insert before=True":
			out = append(out, plain(n.value), x)
		case "insert after=True":
			out = append(out, x, plain(n.value))
		default:
			v, ok := merged(x, n.value)
			if !ok {
				return false
			}
			out = append(out, v)
		}
	}
	s.items = out
	return true
}

func TestAgreesWithModel(t *testing.T) {
	fine, failed := 0, 0
	n := cases.Number(300, 2000)
	for seed := range n {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		left := g.mapping(3)
		left.items = append(left.items, pair{"top", g.sequence(3)})
		if againstModel(
			t,
			seed,
			left,
			g.r.IntN(3)+1,
			func(now any) any { return g.overlay(now, 3) },
		) {
			fine++
		} else {
			failed++
		}
	}
	if fine < int(n)/7 || failed < int(n)/14 {
		t.Errorf(
			"%d succeeded and %d failed: the overlays fit too rarely, or too often, to say much",
			fine,
			failed,
		)
	}
}

// TestIndexesFollowChanges does much to one large map and one large array, so that what was looked
// up before has moved, gone or changed.
func TestIndexesFollowChanges(t *testing.T) {
	for seed := range uint64(100) {
		g := generator{rand.New(rand.NewPCG(seed, 2))}
		m, s := &mapping{}, &sequence{}
		for i := range 20 {
			m.items = append(m.items, pair{fmt.Sprintf("k%02d", i), "s0"})
			s.items = append(
				s.items,
				&mapping{[]pair{{"name", fmt.Sprintf("n%d", i%15)}, {"value", "s0"}}},
			)
		}
		left := &mapping{[]pair{{"map", m}, {"array", s}}}
		fine := againstModel(t, seed, left, 3, func(any) any {
			var items, elems []node
			for _, k := range g.r.Perm(24)[:6] {
				items = append(
					items,
					node{
						key:     fmt.Sprintf("k%02d", k),
						value:   g.scalar(),
						expects: `expects="0+"`,
						op:      pick(g.r, "", "remove", "replace", "replace or_add=True"),
					},
				)
			}
			for range 12 {
				name := node{key: "name", value: fmt.Sprintf("n%d", g.r.IntN(15))}
				n := node{
					expects: `expects="0+"`,
					value: []node{
						name,
						{key: "value", value: g.scalar(), expects: "missing_ok=True"},
					},
				}
				n.by, n.index = pick(g.r, "name", "name", "index"), g.r.IntN(20)
				n.op = pick(
					g.r,
					"",
					"",
					"remove",
					"replace",
					"insert before=True",
					"insert after=True",
					"append",
				)
				if n.by == "index" && n.op == "" {
					n.expects = "when=1"
				}
				elems = append(elems, n)
			}
			return []node{{key: "map", value: items}, {key: "array", value: elems}}
		})
		if !fine {
			t.Fatalf("seed %d: nothing in it can fail", seed)
		}
	}
}

// againstModel applies n overlays, which next makes for the value that there is by then, and
// compares the result with the model's. It reports whether they succeed.
func againstModel(t *testing.T, seed uint64, left any, n int, next func(now any) any) bool {
	t.Helper()
	text := func(v any) string {
		var b strings.Builder
		write(&b, v, 0)
		return strings.TrimPrefix(b.String(), "\n")
	}
	files := []file{{"left.yml", text(left)}}
	now, ok := left, true
	for i := range n {
		right := next(now)
		files = append(
			files,
			file{
				fmt.Sprintf("over%d.yml", i),
				header + "#@overlay/match by=overlay.all\n---\n" + text(right),
			},
		)
		if now, ok = merged(now, right); !ok {
			break
		}
	}
	in := evaluate(t, files...)
	got, err := in.apply()
	if ok != (err == nil) {
		t.Fatalf("seed %d: the model succeeds: %t, but the error is: %v\n%v", seed, ok, err, files)
	}
	if ok {
		model := evaluate(t, file{"want.yml", text(now)})
		if want := model.yaml(model.left); got != want {
			t.Fatalf("seed %d:\ngot:\n%s\nwant:\n%s\nof: %v", seed, got, want, files)
		}
	}
	return ok
}
