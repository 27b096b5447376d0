// Package diff compares two lists of documents by meaning: it pairs documents by identity, maps by their
// keys and lists by the keys of their items, and compares strings by line or by the YAML or JSON in them.
//
// It takes evaluated documents and returns a Difference, which it also prints. It does not read or write
// files. The source files, in the order of a comparison:
//
//	diff.go                 options and result
//	name.go, pair.go        pairing the documents of the two sides
//	similar.go              finding similar things without comparing all pairs
//	compare.go, list.go     two values
//	text.go, number.go      two strings, two large numbers
//	hash.go                 hashes for equality and similarity
//	ignore.go, unmatched.go ignored values, and patterns that match nothing
//	cause.go                which change of the inputs caused which change of the documents
//	summary.go              how many documents changed
//	print*.go               text, Markdown, JSON and patches
//	environments.go         several environments, by cause
package diff

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// SideDocument is one document of a side.
type SideDocument struct {
	Value tree.Value
	Pos   source.Pos
	File  string // the file it belongs to; "" if there is only one
	Text  bool   // the file is not YAML: Value is its whole text
}

// Side is one of the two lists.
type Side struct {
	Name  string // the name shown to people, such as prod; may be empty
	Docs  []SideDocument
	Files *source.Set // the files that positions refer to; nil if unknown

	names []Name // of the documents
}

// Options configure a comparison. The zero value fits any YAML.
type Options struct {
	// Order reports documents and keyed list items that have moved. By default their order is ignored.
	Order bool
	// Ignore lists the paths to ignore.
	Ignore []path.Pattern
	// Select are the documents to compare; if there are none, all are compared.
	Select []selector.Selector
	// KeyOf returns the key that identifies the items of the list at a path. If it is nil, the key is
	// "name".
	KeyOf func(path.Path) string
	// Secrets are the rules for hiding secrets.
	Secrets secret.Rules
	// YAML configures how YAML in strings is parsed.
	YAML yaml.Options
}

// choose names the documents, and leaves those that any of the selectors selects, or all if there is none.
func (s *Side) choose(any []selector.Selector) {
	list := s.Selectable()
	if s.names = namesOf(list); len(any) == 0 {
		return
	}
	docs, names := s.Docs, s.names
	s.Docs, s.names = nil, nil
	for i, ok := range selector.Any(any, list) {
		if ok {
			s.Docs, s.names = append(s.Docs, docs[i]), append(s.names, names[i])
		}
	}
}

// Selectable returns the documents as selectors see them.
func (s *Side) Selectable() []selector.Selectable {
	list := make([]selector.Selectable, len(s.Docs))
	for i, d := range s.Docs {
		list[i] = selector.Selectable{Value: d.Value, File: d.File, Whole: d.Text}
		if f := s.Files.File(d.Pos); f != nil {
			list[i].Also = f.Shown()
		}
	}
	selector.Number(list)
	return list
}

// Op is the kind of a change.
type Op uint8

const (
	Changed Op = iota
	Added
	Removed
	Moved   // a list item or document with another position
	Renamed // a document with another name
)

func (op Op) String() string {
	return [...]string{"change", "add", "remove", "move", "rename"}[op]
}

// Change is one difference.
type Change struct {
	Op            Op
	Object        *Object
	Path          path.Path // empty for the document itself
	Before, After tree.Value
	Was, At       source.Pos // where they are written, if known
	Secret        bool       // the values are masked
	Cause         int        // index into Difference.Causes, or -1
}

// Object is a pair of documents, one of each side. One of them may be missing.
type Object struct {
	A, B      int  // its index on each side, or -1 if it is missing
	Name, Was Name // its name on the second side and on the first; the same if it is on one side only
	renamed   bool
	moved     bool
}

// Difference is the result of comparing two sides.
type Difference struct {
	A, B    *Side
	Changes []Change
	Same    int // the number of documents that are equal on both sides
	Causes  []Cause
}

// Empty reports whether there is no difference.
func (d *Difference) Empty() bool { return len(d.Changes) == 0 }

// Compare compares two sides. The result depends only on its arguments, and the cost is not quadratic in
// the size of the sides.
func Compare(a, b Side, opt Options) *Difference {
	a.choose(opt.Select)
	b.choose(opt.Select)
	c := newComparer(&a, &b, &opt)
	d := &Difference{A: &a, B: &b}
	pairs := c.pair()
	for _, o := range pairs {
		from := len(c.changes)
		c.document(o)
		if len(c.changes) == from {
			d.Same++
		}
	}
	d.Changes = c.changes
	return d
}

// document compares the two documents of an object.
func (c *comparer) document(o *Object) {
	c.object, c.path, c.secretAt, c.secrets = o, c.path[:0], -1, -1
	switch {
	case o.A < 0:
		doc := &c.b.Docs[o.B]
		c.report(Change{Op: Added, After: doc.Value, At: doc.Pos})
		return
	case o.B < 0:
		doc := &c.a.Docs[o.A]
		c.report(Change{Op: Removed, Before: doc.Value, Was: doc.Pos})
		return
	}
	x, y := &c.a.Docs[o.A], &c.b.Docs[o.B]
	c.was, c.at = x.Pos, y.Pos
	if o.renamed {
		c.report(Change{
			Op: Renamed, Before: tree.String(o.Was.String()), After: tree.String(o.Name.String()),
			Was: x.Pos, At: y.Pos,
		})
	}
	if o.moved {
		c.report(Change{Op: Moved, Before: number(o.A), After: number(o.B), Was: x.Pos, At: y.Pos})
	}
	c.values(x.Value, y.Value)
}

// number returns an index as a value.
func number(i int) tree.Value { return tree.Of(starlark.MakeInt(i)) }

// report adds a change, with its secrets hidden.
func (c *comparer) report(ch Change) {
	ch.Object, ch.Cause = c.object, -1
	ch.Path = c.path.Clone()
	if !c.prune(&ch) {
		return
	}
	c.hide(&ch)
	c.changes = append(c.changes, ch)
}

// hide hides the secrets in a change: in its values and in the keys of its path.
func (c *comparer) hide(ch *Change) {
	if c.opt.Secrets.Show {
		return
	}
	if ch.Op != Moved && ch.Op != Renamed {
		c.hideValues(ch)
	}
	for i := range ch.Path {
		s := &ch.Path[i]
		s.Key, s.ID = c.opt.Secrets.MaskKey(s.Key), c.opt.Secrets.MaskKey(s.ID)
	}
}

func (c *comparer) hideValues(ch *Change) {
	rules := &c.opt.Secrets
	if c.hidden() || ch.Op == Changed && (c.secretText(ch) || c.secretData(ch)) {
		ch.Secret = true
		ch.Before, ch.After = tree.String(secret.Hidden), tree.String(secret.Hidden)
		if ch.Op == Changed {
			ch.After = tree.String(secret.Changed)
		}
		return
	}
	mask := func(v tree.Value) tree.Value { return rules.Mask(v, ch.Path, c.within()) }
	switch {
	case c.inSecrets(1):
		mask = func(v tree.Value) tree.Value { return rules.MaskItems(v, ch.Path) }
	case c.inSecrets(2):
		mask = func(v tree.Value) tree.Value { return rules.MaskObject(v, ch.Path) }
	}
	ch.Before, ch.After = mask(ch.Before), mask(ch.After)
}

// secretData reports whether both values are the whole data of a Secret.
func (c *comparer) secretData(ch *Change) bool {
	rules, at := &c.opt.Secrets, c.within()
	return rules.HidesData(ch.Before, at) && rules.HidesData(ch.After, at)
}

// secretText reports whether two scalars differ only in secret texts, or one of them is nothing but
// a secret: the other may be what it was before the schema marked it.
func (c *comparer) secretText(ch *Change) bool {
	rules := &c.opt.Secrets
	x, y := ch.Before, ch.After
	if x.Kind() != tree.ScalarKind || y.Kind() != tree.ScalarKind ||
		!rules.HidesText(x) && !rules.HidesText(y) {
		return false
	}
	a, b := rules.MaskText(x.Text()), rules.MaskText(y.Text())
	return a == b || a == secret.Hidden || b == secret.Hidden
}

// hidden reports whether the value at the current path is secret.
func (c *comparer) hidden() bool { return c.opt.Secrets.Hides(c.path, c.within()) }

// within returns the part of the current path below the innermost Kubernetes Secret.
func (c *comparer) within() path.Path {
	if c.secretAt < 0 {
		return nil
	}
	return c.path[c.secretAt:]
}

// Objects returns the documents that changed, in order.
func (d *Difference) Objects() []*Object {
	var list []*Object
	for i := range d.Changes {
		if o := d.Changes[i].Object; len(list) == 0 || list[len(list)-1] != o {
			list = append(list, o)
		}
	}
	return slices.Clip(list)
}
