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
// with everything its annotations specify.
//
// A plan is built after its file has run and is frozen, because a dict that a matcher holds may
// change until then. It never changes afterwards, so goroutines can share it. Only plans below a
// constant value, which has no annotations, are built when first needed; they rarely are. Errors in
// a node's annotations are kept in its plan and reported only if the node is reached: below a value
// that is added unchanged, annotations mean nothing.
type Plan struct {
	Kind tree.NodeKind
	Key  Key         // for a map item
	At   source.Span // the node
	Op   Op

	By       *Test      // nil: a map item is matched by key, an array item is not matched
	HasMatch bool       // the node has overlay/match
	note     source.Pos // the position of overlay/match
	KeepKey  bool       // the key is a placeholder
	Expect   Expect     // the allowed number of matches

	Inside     *Inside // for @overlay/inside
	IsEmbedded bool    // it is for the documents in a string: see Inside

	Via           starlark.Callable
	OrAdd         bool
	Before, After bool

	Right tree.Value // the value as written
	Item  tree.Item  // the item to add, without overlay annotations
	Inner tree.Kind  // the kind of the value

	Below  Settings // match defaults for the nodes below
	once   sync.Once
	nested []Plan // see Children

	Notes     *tree.Annotations
	Annotated bool     // the node has a match or an action
	Deep      bool     // a node below has a match or an action
	Want      *Pattern // for an assert without via

	reads tree.Slice // the data values that the annotations were computed from, in a traced run

	Bad *diag.Diagnostic // an error in the annotations, without a position

	Quiet bool // a replace that may match nothing

	Uncounted bool    // it has overlay.path with `**`, and no count
	paths     []*Plan // of an overlay: its nodes with overlay.path
	calls     bool    // of an overlay: it has functions
}

// addsMissing reports whether p is added if it may match nothing and does.
func (p *Plan) addsMissing() bool {
	return p.OrAdd || p.Op == OpMerge && p.Kind != tree.DocumentNode && !p.reaches() && p.Inside == nil
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

const (
	NotePrefix        = "overlay/"
	NoteMatch         = NotePrefix + "match"
	NoteChildDefaults = NotePrefix + "match-child-defaults"
)

// opNames are the annotations for actions.
var opNames = [...]string{
	OpMerge: NotePrefix + "merge", OpRemove: NotePrefix + "remove", OpReplace: NotePrefix + "replace",
	OpInsert: NotePrefix + "insert", OpAppend: NotePrefix + "append", OpAssert: NotePrefix + "assert",
}

func (o Op) String() string { return opNames[o] }

type planner struct {
	Reader
	opt     *Options
	explain Explainer
	remarks Remarks
	implied bool // a document without a match matches every document
	freeze  bool // freeze the values in annotations

	paths []*Plan // nodes with overlay.path
	calls bool    // there are functions
}

// Reader reads the items of values.
type Reader struct {
	tree.Reader
	cleaned map[starlark.Value]tree.Value // large collections that Clean has processed
}

// document returns the plan of an overlay's document. If origins are recorded, items created by
// code get the position of their parent.
func (c *planner) document(d tree.Doc) *Plan {
	if c.opt.Origins != nil {
		d = d.Placed()
	}
	p := &Plan{Kind: tree.DocumentNode, At: c.opt.DocumentSpan(d.Pos)}
	c.paths, c.calls = nil, false
	c.node(p, tree.Item{Value: d.Value, Pos: d.Pos, Annotations: d.Annotations}, Settings{})
	p.paths, p.calls = c.paths, c.calls
	return p
}

// Descends reports whether p is applied to the items of what it matches.
func (p *Plan) Descends() bool {
	return p.Inner != tree.ScalarKind && p.Inside == nil && (p.Op == OpMerge || p.Op == OpAssert)
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

// items returns the plans of the items of v, below a node with the given defaults.
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

// node reads the annotations of a node. defaults are the match defaults set by the nodes above it.
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
	if note := notes.Get(NoteInside); note != nil {
		c.inside(p, it, note)
	}
	if p.Bad == nil && c.remarks != nil && notes.Has(NotePrefix) {
		c.remarks.Planned(p)
	}
	if p.Op == OpAssert && p.Via == nil {
		want := c.newPattern(p.Right)
		p.Want = &want
	}
	if _, _, constant := p.Right.Syntax(); constant || !p.Descends() {
		p.Item.Value = c.Clean(it.Value)
		p.Deep = p.Item.Value != it.Value && p.Inside == nil
		return
	}
	p.nested = c.items(p.Right, p.Below)
	for i := range p.nested {
		x := &p.nested[i]
		p.Deep = p.Deep || x.Annotated || x.Deep
	}
	p.Item.Value = cleanOf(it.Value, func(i int, _ tree.Item) (tree.Value, *tree.Annotations) {
		// Their items are clean already. Reusing them means that a tree is not walked once for each
		// of its levels.
		return p.nested[i].Item.Value, p.nested[i].Item.Annotations
	})
}

// freezeNotes freezes the values in annotations. A file's globals are frozen once it has run, but a
// function may also hold variables of the function around it.
func freezeNotes(notes *tree.Annotations) error {
	for _, a := range notes.All() {
		for _, x := range a.Args {
			if err := tree.Freeze(x); err != nil {
				return err
			}
		}
		for _, kv := range a.Kwargs {
			if err := tree.Freeze(kv[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// problem records an error in a node's annotations, unless there is one already.
func (p *Plan) problem(d *diag.Diagnostic) {
	if p.Bad == nil {
		p.Bad = d
	}
}

// action reads the action of a node.
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
		return // other actions have no effect on it; package explain warns
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
			continue // merge, remove and append ignore their arguments
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
			c.calls = true
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

// match reads what a node matches and how many matches it expects.
func (c *planner) match(p *Plan, notes *tree.Annotations, defaults Settings) {
	note := notes.Get(NoteMatch)
	if p.Op == OpAppend {
		if reachesByNote(note) {
			p.problem(cannotReach(p))
		}
		return // it matches nothing, whatever its match annotation says
	}
	var by starlark.Value
	var settings Settings
	if note != nil {
		p.note = note.Pos
		var ok bool
		if by, settings, ok = p.keywords(note, NoteMatch); !ok {
			return
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
	if !settings.Any() {
		settings = defaults
	}
	p.Expect = newExpect(settings)
	c.calls = c.calls || p.Expect.calls()
	if p.reaches() {
		p.Uncounted = p.By.Paths.AnyDepth() && !settings.Any()
		c.paths = append(c.paths, p)
	}
	p.Quiet = settings.MissingOK == starlark.True && note != nil && p.Kind != tree.DocumentNode &&
		p.Op == OpReplace && p.Via == nil && !p.OrAdd
}

// keywords reads the keyword arguments of an annotation that matches nodes. It reports whether all of them
// are known.
func (p *Plan) keywords(note *tree.Annotation, kind string) (by starlark.Value, s Settings, ok bool) {
	takes, _ := tree.MeaningOf(kind)
	for _, kv := range note.Kwargs {
		switch name := string(kv[0].(starlark.String)); {
		case !takes.Takes(name):
			p.problem(unknownKeyword(note, name))
			return nil, s, false
		case name == "by":
			by = kv[1]
		default:
			s.set(name, kv[1])
		}
	}
	return by, s, true
}

// by reads the keyword argument `by`.
func (c *planner) by(p *Plan, by starlark.Value) *diag.Diagnostic {
	switch by := by.(type) {
	case starlark.String:
		p.By = byKey(string(by), p.Right)
	case starlark.Callable:
		t, err := c.newTest(by, p.Right)
		if err != nil {
			if d, ok := err.(*diag.Diagnostic); ok {
				return d
			}
			return wrong("%s", err)
		}
		p.By = t
		if p.reaches() {
			p.KeepKey = true
			return p.checkReaches()
		}
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
	// The overlay documentation calls `_` arbitrary and ignored if the matcher looks at an item's
	// value and never at its key.
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

// childDefaults returns the match defaults for the nodes below a node.
func (c *planner) childDefaults(p *Plan, notes *tree.Annotations, defaults Settings) Settings {
	note := notes.Get(NoteChildDefaults)
	if note == nil {
		return defaults
	}
	settings := Settings{}
	takes, _ := tree.MeaningOf(NoteChildDefaults)
	for _, kv := range note.Kwargs {
		name := string(kv[0].(starlark.String))
		if !takes.Takes(name) {
			p.problem(unknownKeyword(note, name))
			return defaults
		}
		settings.set(name, kv[1])
	}
	if settings.Any() {
		e := newExpect(settings)
		c.calls = c.calls || e.calls()
		return settings
	}
	return defaults
}

// unknownKeyword reports that an annotation does not take a keyword argument.
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

// wrong returns an error in an annotation, without a position.
func wrong(format string, args ...any) *diag.Diagnostic {
	return diag.Errorf(source.Span{}, CodeAnnotation, format, args...)
}

// Clean returns v without the annotations of overlays, which are no longer needed. It shares the
// parts that have none.
func (c *Reader) Clean(v tree.Value) tree.Value {
	if _, _, ok := v.Syntax(); ok || v.Kind() == tree.ScalarKind {
		return v // only evaluated nodes have annotations
	}
	// A collection may be shared many times, at many levels, so large ones are processed only once.
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

// cleanOf returns v with each item replaced by the result of item, or v itself if no item changes.
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
