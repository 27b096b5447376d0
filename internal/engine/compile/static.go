package compile

import (
	"bytes"
	"slices"
	"strconv"

	"go.starlark.net/starlark"

	"weft/internal/lang/script"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// An annotation whose arguments are literals has the same value in every evaluation. If a node and
// everything below it have only such annotations, the node is created here and added like one
// without annotations. So schemas, and most overlays, need no program.

// readStatic reads the static annotations and counts the others.
func (c *yamlCompiler) readStatic() {
	c.work.moving = slices.Grow(c.work.moving[:0], len(c.metas)+1)
	c.moving = c.work.moving[:len(c.metas)+1]
	c.moving[0] = 0
	var r literals
	count := 0
	for i := range c.metas {
		if m := &c.metas[i]; m.kind == annotationMeta {
			count++
		} else {
			r.shadowed = r.shadowed || mentionsConstant(m.code.Text)
		}
	}
	notes := make([]tree.Annotation, 0, count)
	for i := range c.metas {
		m := &c.metas[i]
		c.moving[i+1] = c.moving[i]
		if m.kind != annotationMeta || m.code.Lines != nil {
			c.moving[i+1]++
			continue
		}
		args, kwargs, ok := r.read(m.code.Text)
		if !ok || m.name == textTemplated { // strings below it may be code
			c.moving[i+1]++
		}
		if !ok {
			continue
		}
		c.lintKeywords(m, staticKeywords(kwargs))
		c.coverNote(m, kwargs, nil)
		m.static = len(notes)
		notes = append(notes, tree.Annotation{
			Name:   m.name,
			Args:   args,
			Kwargs: kwargs,
			Pos:    c.unit.File.Pos(m.at.Offset()),
		})
	}
	c.notes = notes
}

// isStatic reports whether a node with these metas and this value can be created now with everything
// below it. Its metas must be those that take returned last.
func (c *yamlCompiler) isStatic(n *Node, metas []meta, value yaml.NodeID) bool {
	end, _ := slices.BinarySearchFunc(
		c.metas[c.next:],
		n.End,
		func(m meta, end yaml.NodeID) int { return int(m.owner) - int(end) },
	)
	if c.moving[c.next+end] > c.moving[c.next-len(metas)] {
		return false
	}
	return !between(c.dups, value, n.End) &&
		!between(c.merges, n.Start, n.End) // merges are checked when they are created
}

// between reports whether one of nodes, which are sorted, is in the range from up to to.
func between(nodes []yaml.NodeID, from, to yaml.NodeID) bool {
	i, _ := slices.BinarySearch(nodes, from)
	return i < len(nodes) && nodes[i] < to
}

// static creates a node for which isStatic is true, and adds it to the stretch of its siblings.
func (c *yamlCompiler) static(n Node, metas []meta, value yaml.NodeID) {
	for i := range metas {
		c.role(&metas[i], &n)
	}
	c.constant(n, value)
	it := &c.stretch.Items[len(c.stretch.Items)-1]
	it.Value, it.Annotations = c.staticValue(value), c.annotations(metas)
}

// annotations returns the annotations among metas, all of which are static.
func (c *yamlCompiler) annotations(metas []meta) *tree.Annotations {
	first, count := 0, 0
	for i := range metas {
		if metas[i].kind != annotationMeta {
			continue
		}
		if count == 0 {
			first = metas[i].static
		}
		count++
	}
	return tree.NewAnnotations(c.notes[first : first+count : first+count])
}

// staticValue creates a value that contains static annotations. Parts without any stay references
// to the syntax tree.
func (c *yamlCompiler) staticValue(value yaml.NodeID) tree.Value {
	t := c.tree
	end := t.Next(value)
	if c.next == len(c.metas) || c.metas[c.next].owner >= end {
		return tree.FromSyntax(t, value)
	}
	items := make([]tree.Item, 0, c.tree.Count(value))
	if t.Kind(value) == yaml.Sequence {
		for child := value + 1; child < end; child = t.Next(child) {
			items = append(
				items,
				c.staticItem(Node{Kind: tree.ArrayItem, Start: child, Pos: t.Start(child)}, child),
			)
		}
		return tree.Of(tree.NewArray(items, t.Start(value)))
	}
	for key := value + 1; key < end; {
		of := t.Next(key)
		items = append(
			items,
			c.staticItem(
				Node{
					Kind:  tree.MapItem,
					Start: key,
					Pos:   t.Start(key),
					Key:   c.key(key),
				},
				of,
			),
		)
		key = t.Next(of)
	}
	return tree.Of(tree.NewMap(items, t.Start(value)))
}

// staticItem creates a map item or an array item with the given value.
func (c *yamlCompiler) staticItem(n Node, value yaml.NodeID) tree.Item {
	metas := c.take(n.Start)
	for i := range metas {
		if metas[i].role() != ForOutput { // such annotations are not allowed here
			c.role(&metas[i], &n)
		}
	}
	return tree.Item{
		Key:         n.Key,
		Value:       c.staticValue(value),
		Pos:         n.Pos,
		Annotations: c.annotations(metas),
	}
}

// mentionsConstant reports whether code contains True, False or None, which it might redefine.
func mentionsConstant(code []byte) bool {
	return bytes.Contains(code, []byte("True")) || bytes.Contains(code, []byte("False")) ||
		bytes.Contains(code, []byte("None"))
}

// literals reads the arguments of annotations if they are simple literals: strings without escapes,
// short integers, True, False, None, and tuples of them. It leaves everything else to the real
// parser.
type literals struct {
	shadowed bool // True, False and None may be redefined

	text []byte
	i    int

	names map[string]starlark.Value // the names of keyword arguments, which repeat themselves
	room  []starlark.Value          // memory for the next keyword argument
}

func (r *literals) read(text []byte) (args starlark.Tuple, kwargs []starlark.Tuple, ok bool) {
	r.text, r.i = text, 0
	if r.end() {
		return nil, nil, true
	}
	for {
		name := r.name()
		v := r.value()
		switch {
		case v == nil,
			name == nil && kwargs != nil,
			slices.ContainsFunc(kwargs, func(kw starlark.Tuple) bool { return kw[0] == name }):
			return nil, nil, false
		case name == nil:
			args = append(args, v)
		default:
			kwargs = r.keyword(kwargs, name, v)
		}
		if r.end() {
			return args, kwargs, true
		}
		if !r.next(',') {
			return nil, nil, false
		}
	}
}

// keywords is memory for two keyword arguments. Few annotations have more.
type keywords struct {
	list   [2]starlark.Tuple
	values [4]starlark.Value
}

// keyword adds a keyword argument.
func (r *literals) keyword(kwargs []starlark.Tuple, name, v starlark.Value) []starlark.Tuple {
	switch {
	case kwargs == nil:
		k := &keywords{}
		kwargs, r.room = k.list[:0], k.values[:]
	case len(r.room) == 0:
		r.room = make([]starlark.Value, 2)
	}
	pair := starlark.Tuple(r.room[:2:2])
	r.room = r.room[2:]
	pair[0], pair[1] = name, v
	return append(kwargs, pair)
}

// end reports whether the input is at its end.
func (r *literals) end() bool {
	for r.i < len(r.text) && r.text[r.i] == ' ' {
		r.i++
	}
	return r.i == len(r.text)
}

// next reports whether b follows, and skips it.
func (r *literals) next(b byte) bool {
	if r.end() || r.text[r.i] != b {
		return false
	}
	r.i++
	return true
}

// word reads letters and digits.
func (r *literals) word() []byte {
	r.end()
	start := r.i
	for r.i < len(r.text) && isWordByte(r.text[r.i]) {
		r.i++
	}
	return r.text[start:r.i]
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// name reads the name of a keyword argument and its `=`, or returns nil if there is none.
func (r *literals) name() starlark.Value {
	start := r.i
	word := r.word()
	if len(word) > 0 && word[0] > '9' && r.next('=') && !r.next('=') {
		if name := r.names[string(word)]; name != nil {
			return name
		}
		if script.IsName(string(word)) {
			name := starlark.String(word)
			if r.names == nil {
				r.names = map[string]starlark.Value{}
			}
			r.names[string(name)] = name
			return name
		}
	}
	r.i = start
	return nil
}

// value reads a literal, or returns nil.
func (r *literals) value() starlark.Value {
	if r.end() {
		return nil
	}
	switch b := r.text[r.i]; {
	case b == '"' || b == '\'':
		return r.str(b)
	case b == '(':
		return r.tuple()
	case b == '-' || b >= '0' && b <= '9':
		return r.integer()
	}
	if r.shadowed {
		return nil
	}
	switch string(r.word()) {
	case "True":
		return starlark.True
	case "False":
		return starlark.False
	case "None":
		return starlark.None
	}
	return nil
}

// str reads a string on one line without escapes.
func (r *literals) str(quote byte) starlark.Value {
	start := r.i + 1
	for r.i = start; r.i < len(r.text) && r.text[r.i] != quote; r.i++ {
		if b := r.text[r.i]; b == '\\' || b < ' ' || b >= 0x7f {
			return nil
		}
	}
	if r.i == len(r.text) {
		return nil
	}
	r.i++
	if r.i < len(r.text) && (r.text[r.i] == quote || isWordByte(r.text[r.i])) {
		return nil // three quotes, or two strings side by side
	}
	return starlark.String(r.text[start : r.i-1])
}

// integer reads a decimal integer.
func (r *literals) integer() starlark.Value {
	minus := r.next('-')
	const maxDigits = 15
	digits := r.word()
	if len(digits) > maxDigits || len(digits) > 1 && digits[0] == '0' ||
		r.i < len(r.text) && r.text[r.i] == '.' {
		return nil
	}
	n, err := strconv.ParseUint(string(digits), 10, 63) // accepts no sign and no underscore
	if err != nil {
		return nil
	}
	if minus {
		return starlark.MakeInt64(-int64(n))
	}
	return starlark.MakeInt64(int64(n))
}

// tuple reads literals in parentheses, separated by commas. A single literal without a comma is not
// a tuple.
func (r *literals) tuple() starlark.Value {
	r.next('(')
	var t starlark.Tuple
	for {
		v := r.value()
		if _, nested := v.(starlark.Tuple); v == nil || nested {
			return nil
		}
		t = append(t, v)
		if r.next(')') {
			break
		}
		if !r.next(',') {
			return nil
		}
	}
	if len(t) < 2 {
		return nil
	}
	return t
}
