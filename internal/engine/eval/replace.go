package eval

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/hints"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// template.replace replaces the node that began last. Usually it is called in the value of that
// node, which is created when its value is known; the replacement waits until then. If it is called
// by a statement, directly or through a function, the node already exists: a document, a map item
// or an array item, possibly deep inside constant YAML.

// lastNode is the kind of node that began last in a context.
type lastNode uint8

const (
	noNode       lastNode = iota // no node, or a collection without items
	constantNode                 // the last node inside the stretch added last
	computedNode                 // the node added last
	replacedNode                 // a node that was replaced
)

// nothingToReplace returns the error for a template.replace without a node to replace.
func nothingToReplace(why string) error {
	return diag.Hintf(errors.New("nothing to replace: "+why),
		"write it as the value of the node to replace, as in `_: #@ template.replace(...)`")
}

func errNothingBegun() error {
	return nothingToReplace("no document, map item or array item begins before this code")
}

func errNothingInside() error {
	return nothingToReplace("the collection that begins before this code has no items yet")
}

func errReplacedAlready() error {
	return nothingToReplace("the node before this code has already been replaced")
}

// replace implements template.replace.
func (p *proc) replace(t *starlark.Thread, r modules.Replacement) error {
	c := p.build.top()
	if !c.inValue(t) {
		return p.build.replaceLast(r)
	}
	if c.replacement != nil {
		return errReplacedAlready()
	}
	c.replacement = &r
	return nil
}

// set adds a node with a computed value. It does not add the result of a template.replace that
// replaced another node, and it warns about text that contains formatted YAML, which is probably a
// mistake.
func (p *proc) set(n *compile.Node, x starlark.Value) error {
	if _, ok := x.(modules.Replacement); ok && p.build.top().replacement == nil {
		p.note(
			diag.List{
				diag.Warningf(n.Pos.To(0), CodeReplaced,
					"this is null: its template.replace has replaced another node, the one that "+
						"began last when it was called").
					WithHint("to replace this node, call template.replace in its value"),
			},
		)
		x = starlark.None
	}
	if text, ok := x.(starlark.String); ok {
		p.warnOfFragment(n, text)
	}
	return p.build.set(n, x)
}

// inValue reports whether the code of the context is computing the value of a node.
func (c *context) inValue(t *starlark.Thread) bool {
	above := t.CallStackDepth() - c.depth
	if c.unit == nil || above < 0 {
		return false
	}
	at := script.Span(c.unit.File, t.CallFrame(above).Pos)
	return at.IsValid() && c.unit.InValue(at.Offset())
}

// replaceThis replaces node n, whose code returned x, with the pending replacement.
func (b *builder) replaceThis(f *frame, n *compile.Node, x starlark.Value) error {
	c := b.top()
	r := *c.replacement
	c.replacement = nil
	if _, ok := x.(modules.Replacement); !ok {
		// A function replaced the node and returned something else. That value is dropped with the
		// node, but it must be valid for the node.
		if _, err := b.value(n, x); err != nil {
			return err
		}
	}
	notes := b.notes(n)
	c.hasKey, c.last = false, replacedNode
	defer b.splicing(b.code)()
	if err := b.splice(f, n.Pos, notes, r); err != nil {
		if _, dup := errors.AsType[*hints.DuplicateKey](err); dup {
			return err
		}
		return fmt.Errorf("template.replace: %w", err)
	}
	return nil
}

// replaceLast replaces the node that began last in the context, which already exists.
func (b *builder) replaceLast(r modules.Replacement) error {
	c := b.top()
	defer b.splicing(source.Span{})()
	f := &c.frames[len(c.frames)-1]
	switch {
	case c.last == replacedNode:
		return errReplacedAlready()
	case c.last != noNode:
	case f.kind != unknown:
		return errNothingInside()
	case len(b.contexts) == 1 && c.unit != nil && c.unit.Kind == compile.YAML &&
		!beginsWithMarker(c.unit.File.Data()):
		// As in ytt, there is an empty document before the first `---`, unless nothing precedes it.
		f.kind = documents
		c.last = replacedNode
		return b.splice(f, source.Pos{}, nil, r)
	default:
		return errNothingBegun()
	}
	inside := c.last == constantNode
	c.last = replacedNode
	if f.kind == documents {
		d := &f.docs[len(f.docs)-1]
		if inside {
			if done, err := b.replaceInside(f, &d.Value, r); done {
				return err
			}
		}
		replaced := *d
		f.docs = f.docs[:len(f.docs)-1]
		return b.splice(f, replaced.Pos, replaced.Annotations, r)
	}
	f.unshare()
	it := &f.items[len(f.items)-1]
	if inside {
		if done, err := b.replaceInside(f, &it.Value, r); done {
			return err
		}
	}
	replaced := *it
	f.removeLast()
	return b.splice(f, replaced.Pos, replaced.Annotations, r)
}

// replaceInside replaces the last node inside constant YAML. It does nothing and returns false if
// there is none, because v is a scalar.
func (b *builder) replaceInside(
	f *frame, v *tree.Value, r modules.Replacement,
) (done bool, err error) {
	var in frame
	switch x := v.Starlark().(type) {
	case *tree.Map:
		in = frame{kind: mapping, items: slices.Clone(x.Entries()), pos: x.Pos}
	case *tree.Array:
		in = frame{kind: array, items: slices.Clone(x.Entries()), pos: x.Pos}
	default:
		return false, nil
	}
	if len(in.items) == 0 {
		return true, errNothingInside()
	}
	last := &in.items[len(in.items)-1]
	if done, err := b.replaceInside(&in, &last.Value, r); err != nil {
		return true, err
	} else if !done {
		replaced := *last
		in.removeLast()
		if in.kind == mapping && len(in.items) > 0 {
			in.note(len(in.items) - 1) // adds an index if there are many keys
		}
		if err := b.splice(&in, replaced.Pos, replaced.Annotations, r); err != nil {
			return true, err
		}
	}
	f.nodes += in.nodes
	if in.kind == array {
		*v = tree.Of(tree.NewArray(in.takeItems(), in.pos))
	} else {
		*v = tree.Of(tree.NewMap(in.takeItems(), in.pos))
	}
	return true, nil
}

// splice adds the items of a replacement to a frame, in place of a node at pos with these
// annotations.
func (b *builder) splice(
	f *frame, pos source.Pos, notes *tree.Annotations, r modules.Replacement,
) error {
	switch f.kind {
	case documents:
		docs, err := r.Documents(b.convert)
		if err != nil {
			return err
		}
		for i, d := range docs {
			it := tree.Item{Value: d.Value, Pos: d.Pos, Annotations: d.Annotations}
			if err := b.put(f, b.replacing(it, i, pos)); err != nil {
				return err
			}
		}
		return nil
	case array:
		items, err := r.ArrayItems(b.convert)
		if err != nil {
			return err
		}
		for i, it := range tree.Place(items, pos) {
			if err := b.put(f, b.replacing(it, i, pos)); err != nil {
				return err
			}
		}
		return nil
	}
	items, overrides, err := r.MapItems(b.convert)
	if err != nil {
		return err
	}
	before := b.override
	b.override = before || overrides || notes.Get(mapKeyOverride) != nil
	defer func() { b.override = before }()
	for i, it := range tree.Place(items, pos) {
		if err := b.put(f, b.replacing(it, i, pos)); err != nil {
			return elsewhere(err)
		}
	}
	return nil
}

// convert converts the argument of template.replace to a value. Data values in it keep their
// spelling, and in a traced run each part records what it was computed from.
func (b *builder) convert(x starlark.Value) (tree.Value, error) {
	if b.trace == nil {
		return b.literals.FromStarlarkWithin(x, tree.MaxNodes)
	}
	b.trace.Literals = b.literals
	s, _ := b.trace.Of(b.spliced)
	return b.trace.FromCode(x, tree.MaxNodes, s)
}

// replacing returns item i of those that replace a node at pos. If comments are kept, it is marked:
// the comments of the node belong to the first item.
func (b *builder) replacing(it tree.Item, i int, pos source.Pos) tree.Item {
	if b.replaced && pos.IsValid() && (i == 0 || it.Pos == pos) {
		it.Annotations = it.Annotations.With(tree.Annotation{Name: tree.Replaced(i == 0), Pos: pos})
	}
	return it
}

// beginsWithMarker reports whether only white space precedes the first `---` of a file.
func beginsWithMarker(text []byte) bool {
	const white = " \t\r\n\v\f"
	rest, ok := bytes.CutPrefix(
		bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), white),
		[]byte("---"),
	)
	return ok && len(rest) > 0 && bytes.IndexByte([]byte(white), rest[0]) >= 0
}
