package overlay

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// plan is one node of an overlay (the right), compiled: a document, a map item or an array item,
// with all that its annotations say.
//
// A plan is made once its file has run and is frozen, since a dict that a matcher holds may change
// until then. It never changes afterwards, so that goroutines share it. Only what lies below a
// constant value, where there are no annotations, is made when it is first needed, which it rarely
// is. What is wrong with a node's annotations is kept in it and told only if the node is reached:
// below a value that is added as it is, annotations mean nothing.
type plan struct {
	kind tree.NodeKind
	key  key         // of a map item
	at   source.Span // the node
	op   op

	by       *test      // nil: a map item is matched by its key, an array item by nothing
	hasMatch bool       // it is annotated with overlay/match
	note     source.Pos // where it is, then
	keepKey  bool       // its key is a placeholder
	expect   expect     // how many matches there may be

	via           starlark.Callable
	orAdd         bool
	before, after bool

	right tree.Value // its value, as it was written
	item  tree.Item  // what is added: without annotations of overlays
	inner tree.Kind  // what the value is

	below  settings // the defaults for the match of what is below it
	once   sync.Once
	nested []plan // see children

	notes     *tree.Annotations
	annotated bool     // it is annotated with a match or an action
	deep      bool     // something below it is
	want      *pattern // of an assert without via

	reads tree.Slice // the data values that its annotations were made of, in a traced run

	bad *diag.Diagnostic // what is wrong with it, without a place

	quiet bool // it replaces what may be missing, and says nothing if it is
}

// addsMissing reports whether p adds what it does not find, if it need not find anything.
func (p *plan) addsMissing() bool {
	return p.orAdd || p.op == opMerge && p.kind != tree.DocumentNode
}

type op uint8

const (
	opMerge op = iota
	opRemove
	opReplace
	opInsert
	opAppend
	opAssert
)

// The annotations.
const (
	prefix            = "overlay/"
	noteMatch         = prefix + "match"
	noteChildDefaults = prefix + "match-child-defaults"
)

// opNames are the annotations that name an action.
var opNames = [...]string{
	opMerge: prefix + "merge", opRemove: prefix + "remove", opReplace: prefix + "replace",
	opInsert: prefix + "insert", opAppend: prefix + "append", opAssert: prefix + "assert",
}

func (o op) String() string { return opNames[o] }

// keywords returns those that an annotation takes.
func keywords(note string) []string {
	m, _ := tree.MeaningOf(note)
	return m.KeywordNames()
}

// planner makes plans.
type planner struct {
	reader
	opt     *Options
	explain Explainer
	remarks Remarks
	implied bool // a document without a match matches every document
	freeze  bool // what annotations hold is not to change any more
}

// reader reads the items of values.
type reader struct {
	tree.Reader
	cleaned map[starlark.Value]tree.Value // large collections that clean has seen
}

// document makes the plan of an overlay's document. Where it is asked who set a value, items that
// code has made have the place of the node that they are in.
func (c *planner) document(d tree.Document) *plan {
	if c.opt.Origins != nil {
		d = d.Placed()
	}
	p := &plan{kind: tree.DocumentNode, at: c.opt.documentSpan(d.Pos)}
	c.node(p, tree.Item{Value: d.Value, Pos: d.Pos, Annotations: d.Annotations}, settings{})
	return p
}

// goesInside reports whether p is applied to the parts of what it matches.
func (p *plan) goesInside() bool {
	return p.inner != tree.ScalarKind && (p.op == opMerge || p.op == opAssert)
}

// children returns the items of a map or an array that is merged or asserted.
func (p *plan) children() []plan {
	if _, _, constant := p.right.Syntax(); constant {
		p.once.Do(func() {
			c := planner{opt: &Options{}}
			p.nested = c.items(p.right, p.below)
		})
	}
	return p.nested
}

// items makes the plans of the items of v, as those of a node with the given defaults.
func (c *planner) items(v tree.Value, defaults settings) []plan {
	items := c.Items(nil, v)
	plans := make([]plan, len(items))
	kind := tree.MapItem
	if v.Kind() == tree.ArrayKind {
		kind = tree.ArrayItem
	}
	for i := range items {
		p := &plans[i]
		p.kind = kind
		if kind == tree.MapItem {
			p.key = keyOf(items[i].Key)
		}
		p.at = c.opt.itemSpan(items[i])
		c.node(p, items[i], defaults)
	}
	return plans
}

// node reads the annotations of a node. defaults are those that the nodes above it set for its
// match.
func (c *planner) node(p *plan, it tree.Item, defaults settings) {
	notes := it.Annotations
	p.right, p.inner, p.notes = it.Value, it.Value.Kind(), notes
	p.item = it
	p.item.Annotations = notes.Without(prefix)
	c.action(p, notes)
	p.annotated = p.annotated || p.hasMatch
	p.below = defaults
	if notes.Has(prefix) {
		p.reads = c.opt.readsOf(notes)
		if c.freeze {
			if limit, ok := errors.AsType[*tree.LimitError](freezeNotes(notes)); ok {
				p.problem(
					diag.Errorf(source.Span{}, CodeLimit, "%s", limit.Message).
						WithHint("%s", limit.Hint),
				)
			}
		}
		p.below = c.childDefaults(p, notes, defaults)
	}
	if p.bad == nil {
		c.match(p, notes, defaults)
	}
	if p.bad == nil && c.remarks != nil && notes.Has(prefix) {
		c.remarks.Planned(p)
	}
	if p.op == opAssert && p.via == nil {
		want := c.newPattern(p.right)
		p.want = &want
	}
	if _, _, constant := p.right.Syntax(); constant || !p.goesInside() {
		p.item.Value = c.clean(it.Value)
		p.deep = p.item.Value != it.Value
		return
	}
	p.nested = c.items(p.right, p.below)
	for i := range p.nested {
		x := &p.nested[i]
		p.deep = p.deep || x.annotated || x.deep
	}
	p.item.Value = cleanOf(it.Value, func(i int, _ tree.Item) (tree.Value, *tree.Annotations) {
		// They are clean already: a tree is not walked once for each of its levels.
		return p.nested[i].item.Value, p.nested[i].item.Annotations
	})
}

// freezeNotes makes what annotations hold immutable. The globals of a file are so once it has run,
// but a function may also hold what its own function once had.
func freezeNotes(notes *tree.Annotations) error {
	for _, a := range notes.All() {
		if err := tree.Freeze(a.Args); err != nil {
			return err
		}
		for _, kv := range a.Kwargs {
			if err := tree.Freeze(kv[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// problem keeps what is wrong with a node, if nothing is known yet.
func (p *plan) problem(d *diag.Diagnostic) {
	if p.bad == nil {
		p.bad = d
	}
}

// action reads which action a node is annotated with.
func (c *planner) action(p *plan, notes *tree.Annotations) {
	p.hasMatch = notes.Get(noteMatch) != nil
	var found []string
	for i, name := range opNames {
		if notes.Get(name) != nil {
			p.op = op(i)
			found = append(found, name)
		}
	}
	p.annotated = len(found) > 0
	if len(found) > 1 {
		p.problem(
			wrong(
				"expected only one action, but found @%s",
				strings.Join(found, " and @"),
			).WithHint("remove all but one of them"),
		)
		return
	}
	if p.kind == tree.MapItem && (p.op == opInsert || p.op == opAppend) {
		p.problem(
			wrong(
				"found @%s on a map item, but only array items and documents can be annotated with it",
				p.op,
			).
				WithHint("to add a key that may be missing, write `#@overlay/match missing_ok=True`"),
		)
		return
	}
	if p.kind == tree.ArrayItem && !p.hasMatch {
		return // no action but merge and append has an effect on it: see lint
	}
	if note := notes.Get(p.op.String()); note != nil {
		c.arguments(p, note)
	}
}

// arguments reads the keyword arguments of an action.
func (c *planner) arguments(p *plan, note *tree.Annotation) {
	takes, _ := tree.MeaningOf(note.Name)
	for _, kv := range note.Kwargs {
		name := string(kv[0].(starlark.String))
		if takes.Keywords == nil {
			continue // merge, remove and append ignore theirs
		}
		if !takes.Takes(name) {
			p.problem(unknownKeyword(note, name))
			return
		}
		if name == "via" {
			fn, ok := kv[1].(starlark.Callable)
			if !ok {
				p.problem(
					wrong(
						"expected keyword argument via of @%s to be a function, but was %s",
						note.Name,
						describe(kv[1]),
					).
						WithHint("write `via=lambda left, right: ...`"),
				)
				return
			}
			p.via = fn
			continue
		}
		b, ok := kv[1].(starlark.Bool)
		if !ok {
			p.problem(
				wrong(
					"expected keyword argument %s of @%s to be True or False, but was %s",
					name,
					note.Name,
					describe(kv[1]),
				),
			)
			return
		}
		switch name {
		case "or_add":
			p.orAdd = bool(b)
		case "before":
			p.before = bool(b)
		case "after":
			p.after = bool(b)
		}
	}
	if p.op == opInsert && len(note.Kwargs) == 0 {
		p.problem(
			wrong(
				"expected @overlay/insert to have at least one keyword argument (before=..., after=...)",
			).
				WithHint("write `#@overlay/insert before=True` or `#@overlay/insert after=True`"),
		)
	}
}

// match reads what a node is matched with, and how many matches it expects.
func (c *planner) match(p *plan, notes *tree.Annotations, defaults settings) {
	if p.op == opAppend {
		return // it is matched with nothing, whatever its match says
	}
	note := notes.Get(noteMatch)
	own := settings{}
	var by starlark.Value
	if note != nil {
		p.note = note.Pos
		takes, _ := tree.MeaningOf(noteMatch)
		for _, kv := range note.Kwargs {
			name := string(kv[0].(starlark.String))
			if !takes.Takes(name) {
				p.problem(unknownKeyword(note, name))
				return
			}
			if name == "by" {
				by = kv[1]
			} else {
				own.set(name, kv[1])
			}
		}
	}
	if by == nil {
		if p.kind == tree.DocumentNode && c.implied {
			p.by = &test{kind: matchAll}
		} else if p.kind == tree.DocumentNode || p.kind == tree.ArrayItem && note != nil {
			p.problem(c.explain.NeedsBy(p))
			return
		}
	} else if d := c.by(p, by); d != nil {
		p.problem(d)
		return
	}
	if p.kind == tree.ArrayItem && note == nil {
		return
	}
	if !own.any() {
		own = defaults
	}
	p.expect = newExpect(own)
	p.quiet = own.missingOK == starlark.True && note != nil && p.kind != tree.DocumentNode &&
		p.op == opReplace && p.via == nil && !p.orAdd
}

// by reads the keyword argument of that name.
func (c *planner) by(p *plan, by starlark.Value) *diag.Diagnostic {
	switch by := by.(type) {
	case starlark.String:
		p.by = byKey(string(by), p.right)
	case starlark.Callable:
		t, err := c.newTest(by, p.right)
		if err != nil {
			return wrong("%s", err)
		}
		p.by = t
	case *starlark.List, starlark.Tuple:
		return wrong("expected keyword argument by of @overlay/match to be a string (the key to "+
			"compare) or a function, but was %s", diag.Article(by.Type())).
			WithHint("to match any of several matchers, write `by=overlay.or_op(..., ...)`; to " +
				"match all of them, `by=overlay.and_op(..., ...)`")
	case starlark.Bool:
		return wrong("expected keyword argument by of @overlay/match to be a string (the key to "+
			"compare) or a function, but was %s", describe(by)).
			WithHint("a comparison must be in a function: `by=lambda %s, left, right: ...`; to "+
				"negate a matcher, write `by=overlay.not_op(...)`", indexWord(p.kind))
	default:
		return wrong("expected keyword argument by of @overlay/match to be a string (the key to "+
			"compare) or a function, but was %s", describe(by)).
			WithHint("write `by=\"name\"`, `by=overlay.subset({...})` or `by=lambda %s, left, "+
				"right: ...`", indexWord(p.kind))
	}
	// The documents that define overlays call `_` arbitrary and ignored where the matcher looks at
	// what an item holds and never at its key.
	p.keepKey = p.kind == tree.MapItem && p.key.isString && p.key.text == "_" &&
		(p.by.kind == matchAll || p.by.kind == matchMapKey)
	return nil
}

func indexWord(k tree.NodeKind) string {
	if k == tree.MapItem {
		return "key"
	}
	return "index"
}

// childDefaults returns the defaults that hold below a node.
func (c *planner) childDefaults(p *plan, notes *tree.Annotations, defaults settings) settings {
	note := notes.Get(noteChildDefaults)
	if note == nil {
		return defaults
	}
	own := settings{}
	takes, _ := tree.MeaningOf(noteChildDefaults)
	for _, kv := range note.Kwargs {
		name := string(kv[0].(starlark.String))
		if !takes.Takes(name) {
			p.problem(unknownKeyword(note, name))
			return defaults
		}
		own.set(name, kv[1])
	}
	if own.any() {
		return own
	}
	return defaults
}

// unknownKeyword says that an annotation does not take a keyword argument.
func unknownKeyword(note *tree.Annotation, name string) *diag.Diagnostic {
	takes := keywords(note.Name)
	d := wrong("unknown keyword argument %q of @%s", name, note.Name)
	if near := diag.Nearest(name, takes); near != "" {
		return d.WithHint("did you mean %q?", near).WithFixOn(note.Pos, name, near)
	}
	d.Word = diag.Word{Line: note.Pos, Text: name}
	return d.WithHint("it takes %s", strings.Join(takes, ", "))
}

// wrong returns something wrong with an annotation, without a place.
func wrong(format string, args ...any) *diag.Diagnostic {
	return diag.Errorf(source.Span{}, CodeAnnotation, format, args...)
}

// clean returns v without the annotations of overlays, which have been used or never will be. What
// has none is shared.
func (c *reader) clean(v tree.Value) tree.Value {
	if _, _, ok := v.Syntax(); ok || v.Kind() == tree.ScalarKind {
		return v // annotations are only on what was evaluated
	}
	// A collection may hold another many times, and that one yet another: what is large is looked
	// at once.
	const minNodes = 256
	nodes, _ := v.Weight()
	if nodes < minNodes {
		return c.cleanItems(v)
	}
	x := v.Starlark()
	if done, ok := c.cleaned[x]; ok {
		return done
	}
	done := c.cleanItems(v)
	if c.cleaned == nil {
		c.cleaned = map[starlark.Value]tree.Value{}
	}
	c.cleaned[x] = done
	return done
}

func (c *reader) cleanItems(v tree.Value) tree.Value {
	return cleanOf(v, func(_ int, it tree.Item) (tree.Value, *tree.Annotations) {
		return c.clean(it.Value), it.Annotations.Without(prefix)
	})
}

// cleanOf returns v with each of its items as item gives it: v itself if all are as they were.
func cleanOf(
	v tree.Value, item func(i int, it tree.Item) (tree.Value, *tree.Annotations),
) tree.Value {
	change := func(items []tree.Item) []tree.Item {
		var out []tree.Item
		for i := range items {
			v, notes := item(i, items[i])
			if out == nil {
				if v == items[i].Value && notes == items[i].Annotations {
					continue
				}
				out = slices.Clone(items)
			}
			out[i].Value, out[i].Annotations = v, notes
		}
		return out
	}
	switch x := v.Starlark().(type) {
	case *tree.Map:
		if items := change(x.Entries()); items != nil {
			return tree.Of(tree.NewMap(items, x.Pos)).WithOrigin(v.Origin())
		}
	case *tree.Array:
		if items := change(x.Entries()); items != nil {
			return tree.Of(tree.NewArray(items, x.Pos)).WithOrigin(v.Origin())
		}
	}
	return v
}
