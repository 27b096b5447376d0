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

// Plan is one node of an overlay (the right), compiled: a document, a map item or an array item,
// with all that its annotations say.
//
// A plan is made once its file has run and is frozen, since a dict that a matcher holds may change
// until then. It never changes afterwards, so that goroutines share it. Only what lies below a
// constant value, where there are no annotations, is made when it is first needed, which it rarely
// is. What is wrong with a node's annotations is kept in it and told only if the node is reached:
// below a value that is added as it is, annotations mean nothing.
type Plan struct {
	Kind tree.NodeKind
	Key  Key         // of a map item
	At   source.Span // the node
	Op   Op

	By       *Test      // nil: a map item is matched by its key, an array item by nothing
	HasMatch bool       // it is annotated with overlay/match
	note     source.Pos // where it is, then
	KeepKey  bool       // its key is a placeholder
	Expect   Expect     // how many matches there may be

	Via           starlark.Callable
	OrAdd         bool
	Before, After bool

	Right tree.Value // its value, as it was written
	Item  tree.Item  // what is added: without annotations of overlays
	Inner tree.Kind  // what the value is

	Below  Settings // the defaults for the match of what is below it
	once   sync.Once
	nested []Plan // see children

	Notes     *tree.Annotations
	Annotated bool     // it is annotated with a match or an action
	Deep      bool     // something below it is
	Want      *Pattern // of an assert without via

	reads tree.Slice // the data values that its annotations were made of, in a traced run

	Bad *diag.Diagnostic // what is wrong with it, without a place

	Quiet bool // it replaces what may be missing, and says nothing if it is
}

// addsMissing reports whether p adds what it does not find, if it need not find anything.
func (p *Plan) addsMissing() bool {
	return p.OrAdd || p.Op == OpMerge && p.Kind != tree.DocumentNode
}

type Op uint8

const (
	OpMerge Op = iota
	OpRemove
	OpReplace
	OpInsert
	OpAppend
	OpAssert
)

// The annotations.
const (
	NotePrefix        = "overlay/"
	NoteMatch         = NotePrefix + "match"
	NoteChildDefaults = NotePrefix + "match-child-defaults"
)

// opNames are the annotations that name an action.
var opNames = [...]string{
	OpMerge: NotePrefix + "merge", OpRemove: NotePrefix + "remove", OpReplace: NotePrefix + "replace",
	OpInsert: NotePrefix + "insert", OpAppend: NotePrefix + "append", OpAssert: NotePrefix + "assert",
}

func (o Op) String() string { return opNames[o] }

// planner makes plans.
type planner struct {
	Reader
	opt     *Options
	explain Explainer
	remarks Remarks
	implied bool // a document without a match matches every document
	freeze  bool // what annotations hold is not to change any more
}

// Reader reads the items of values.
type Reader struct {
	tree.Reader
	cleaned map[starlark.Value]tree.Value // large collections that clean has seen
}

// document makes the plan of an overlay's document. Where it is asked who set a value, items that
// code has made have the place of the node that they are in.
func (c *planner) document(d tree.Doc) *Plan {
	if c.opt.Origins != nil {
		d = d.Placed()
	}
	p := &Plan{Kind: tree.DocumentNode, At: c.opt.DocumentSpan(d.Pos)}
	c.node(p, tree.Item{Value: d.Value, Pos: d.Pos, Annotations: d.Annotations}, Settings{})
	return p
}

// GoesInside reports whether p is applied to the parts of what it matches.
func (p *Plan) GoesInside() bool {
	return p.Inner != tree.ScalarKind && (p.Op == OpMerge || p.Op == OpAssert)
}

// Children returns the items of a map or an array that is merged or asserted.
func (p *Plan) Children() []Plan {
	if _, _, constant := p.Right.Syntax(); constant {
		p.once.Do(func() {
			c := planner{opt: &Options{}}
			p.nested = c.items(p.Right, p.Below)
		})
	}
	return p.nested
}

// items makes the plans of the items of v, as those of a node with the given defaults.
func (c *planner) items(v tree.Value, defaults Settings) []Plan {
	items := c.Items(nil, v)
	plans := make([]Plan, len(items))
	kind := tree.MapItem
	if v.Kind() == tree.ArrayKind {
		kind = tree.ArrayItem
	}
	for i := range items {
		p := &plans[i]
		p.Kind = kind
		if kind == tree.MapItem {
			p.Key = KeyOf(items[i].Key)
		}
		p.At = c.opt.ItemSpan(items[i])
		c.node(p, items[i], defaults)
	}
	return plans
}

// node reads the annotations of a node. defaults are those that the nodes above it set for its
// match.
func (c *planner) node(p *Plan, it tree.Item, defaults Settings) {
	notes := it.Annotations
	p.Right, p.Inner, p.Notes = it.Value, it.Value.Kind(), notes
	p.Item = it
	p.Item.Annotations = notes.Without(NotePrefix)
	c.action(p, notes)
	p.Annotated = p.Annotated || p.HasMatch
	p.Below = defaults
	if notes.Has(NotePrefix) {
		p.reads = c.opt.readsOf(notes)
		if c.freeze {
			if limit, ok := errors.AsType[*tree.LimitError](freezeNotes(notes)); ok {
				p.problem(
					diag.Errorf(source.Span{}, CodeLimit, "%s", limit.Message).
						WithHint("%s", limit.Hint),
				)
			}
		}
		p.Below = c.childDefaults(p, notes, defaults)
	}
	if p.Bad == nil {
		c.match(p, notes, defaults)
	}
	if p.Bad == nil && c.remarks != nil && notes.Has(NotePrefix) {
		c.remarks.Planned(p)
	}
	if p.Op == OpAssert && p.Via == nil {
		want := c.newPattern(p.Right)
		p.Want = &want
	}
	if _, _, constant := p.Right.Syntax(); constant || !p.GoesInside() {
		p.Item.Value = c.Clean(it.Value)
		p.Deep = p.Item.Value != it.Value
		return
	}
	p.nested = c.items(p.Right, p.Below)
	for i := range p.nested {
		x := &p.nested[i]
		p.Deep = p.Deep || x.Annotated || x.Deep
	}
	p.Item.Value = cleanOf(it.Value, func(i int, _ tree.Item) (tree.Value, *tree.Annotations) {
		// They are clean already: a tree is not walked once for each of its levels.
		return p.nested[i].Item.Value, p.nested[i].Item.Annotations
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
func (p *Plan) problem(d *diag.Diagnostic) {
	if p.Bad == nil {
		p.Bad = d
	}
}

// action reads which action a node is annotated with.
func (c *planner) action(p *Plan, notes *tree.Annotations) {
	p.HasMatch = notes.Get(NoteMatch) != nil
	var found []string
	for i, name := range opNames {
		if notes.Get(name) != nil {
			p.Op = Op(i)
			found = append(found, name)
		}
	}
	p.Annotated = len(found) > 0
	if len(found) > 1 {
		p.problem(
			wrong(
				"expected only one action, but found @%s",
				strings.Join(found, " and @"),
			).WithHint("remove all but one of them"),
		)
		return
	}
	if p.Kind == tree.MapItem && (p.Op == OpInsert || p.Op == OpAppend) {
		p.problem(
			wrong(
				"found @%s on a map item, but only array items and documents can be annotated with it",
				p.Op,
			).
				WithHint("to add a key that may be missing, write `#@overlay/match missing_ok=True`"),
		)
		return
	}
	if p.Kind == tree.ArrayItem && !p.HasMatch {
		return // no action but merge and append has an effect on it: see lint
	}
	if note := notes.Get(p.Op.String()); note != nil {
		c.arguments(p, note)
	}
}

// arguments reads the keyword arguments of an action.
func (c *planner) arguments(p *Plan, note *tree.Annotation) {
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
			p.Via = fn
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
			p.OrAdd = bool(b)
		case "before":
			p.Before = bool(b)
		case "after":
			p.After = bool(b)
		}
	}
	if p.Op == OpInsert && len(note.Kwargs) == 0 {
		p.problem(
			wrong(
				"expected @overlay/insert to have at least one keyword argument (before=..., after=...)",
			).
				WithHint("write `#@overlay/insert before=True` or `#@overlay/insert after=True`"),
		)
	}
}

// match reads what a node is matched with, and how many matches it expects.
func (c *planner) match(p *Plan, notes *tree.Annotations, defaults Settings) {
	if p.Op == OpAppend {
		return // it is matched with nothing, whatever its match says
	}
	note := notes.Get(NoteMatch)
	own := Settings{}
	var by starlark.Value
	if note != nil {
		p.note = note.Pos
		takes, _ := tree.MeaningOf(NoteMatch)
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
		if p.Kind == tree.DocumentNode && c.implied {
			p.By = &Test{Kind: MatchAll}
		} else if p.Kind == tree.DocumentNode || p.Kind == tree.ArrayItem && note != nil {
			p.problem(c.explain.NeedsBy(p))
			return
		}
	} else if d := c.by(p, by); d != nil {
		p.problem(d)
		return
	}
	if p.Kind == tree.ArrayItem && note == nil {
		return
	}
	if !own.Any() {
		own = defaults
	}
	p.Expect = newExpect(own)
	p.Quiet = own.MissingOK == starlark.True && note != nil && p.Kind != tree.DocumentNode &&
		p.Op == OpReplace && p.Via == nil && !p.OrAdd
}

// by reads the keyword argument of that name.
func (c *planner) by(p *Plan, by starlark.Value) *diag.Diagnostic {
	switch by := by.(type) {
	case starlark.String:
		p.By = byKey(string(by), p.Right)
	case starlark.Callable:
		t, err := c.newTest(by, p.Right)
		if err != nil {
			return wrong("%s", err)
		}
		p.By = t
	case *starlark.List, starlark.Tuple:
		return wrong("expected keyword argument by of @overlay/match to be a string (the key to "+
			"compare) or a function, but was %s", diag.Article(by.Type())).
			WithHint("to match any of several matchers, write `by=overlay.or_op(..., ...)`; to " +
				"match all of them, `by=overlay.and_op(..., ...)`")
	case starlark.Bool:
		return wrong("expected keyword argument by of @overlay/match to be a string (the key to "+
			"compare) or a function, but was %s", describe(by)).
			WithHint("a comparison must be in a function: `by=lambda %s, left, right: ...`; to "+
				"negate a matcher, write `by=overlay.not_op(...)`", IndexWord(p.Kind))
	default:
		return wrong("expected keyword argument by of @overlay/match to be a string (the key to "+
			"compare) or a function, but was %s", describe(by)).
			WithHint("write `by=\"name\"`, `by=overlay.subset({...})` or `by=lambda %s, left, "+
				"right: ...`", IndexWord(p.Kind))
	}
	// The documents that define overlays call `_` arbitrary and ignored where the matcher looks at
	// what an item holds and never at its key.
	p.KeepKey = p.Kind == tree.MapItem && p.Key.IsString && p.Key.Text == "_" &&
		(p.By.Kind == MatchAll || p.By.Kind == MatchMapKey)
	return nil
}

func IndexWord(k tree.NodeKind) string {
	if k == tree.MapItem {
		return "key"
	}
	return "index"
}

// childDefaults returns the defaults that hold below a node.
func (c *planner) childDefaults(p *Plan, notes *tree.Annotations, defaults Settings) Settings {
	note := notes.Get(NoteChildDefaults)
	if note == nil {
		return defaults
	}
	own := Settings{}
	takes, _ := tree.MeaningOf(NoteChildDefaults)
	for _, kv := range note.Kwargs {
		name := string(kv[0].(starlark.String))
		if !takes.Takes(name) {
			p.problem(unknownKeyword(note, name))
			return defaults
		}
		own.set(name, kv[1])
	}
	if own.Any() {
		return own
	}
	return defaults
}

// unknownKeyword says that an annotation does not take a keyword argument.
func unknownKeyword(note *tree.Annotation, name string) *diag.Diagnostic {
	meaning, _ := tree.MeaningOf(note.Name)
	takes := meaning.KeywordNames()
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

// Clean returns v without the annotations of overlays, which have been used or never will be. What
// has none is shared.
func (c *Reader) Clean(v tree.Value) tree.Value {
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

func (c *Reader) cleanItems(v tree.Value) tree.Value {
	return cleanOf(v, func(_ int, it tree.Item) (tree.Value, *tree.Annotations) {
		return c.Clean(it.Value), it.Annotations.Without(NotePrefix)
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
