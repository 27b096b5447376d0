package overlay

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
)

// This file implements overlay.documents, with which functions of overlays read other documents.
//
// They see the documents as they were before their overlay. Overlays edit documents in place, so that is
// known only if somebody remembers it, and most overlays have no use for it. So the first attempt
// remembers nothing. If a function asks, its results are discarded, as those of a parallel attempt that
// fails, and everything is done again, in order, with a snapshot before each overlay that has functions. It
// is one snapshot that is brought up to date, so its index lasts while documents keep their names.

// documentsKey is the thread-local key of the *documents that functions may read.
const documentsKey = "overlay.documents"

// documents are the documents that the functions of one overlay may read.
type documents struct {
	opt   *Options
	asked *atomic.Bool // set if a function asks, but there is no snapshot
	all   []tree.Doc   // the snapshot

	// The following are set when they are first needed.
	index *selector.Index
	known map[query]*starlark.List
	held  int // the number of values that were found

	indexes int // how often an index was made, for tests

	missed *noValue // the last call that found nothing
	depth  int      // how many matchers of `by` are running that called it themselves
}

// maxHeld is the number of values in results that are kept: code may ask for many things.
const maxHeld = 1_000_000

// maxDepth is how deeply calls may be nested. Without a limit, a matcher that calls itself in this way would
// go on until memory runs out, and its error would take longer still.
const maxDepth = 10

// noValue is a call of overlay.documents that found nothing.
type noValue struct {
	query
	chosen []int // the documents in which it looked for the path
}

// query is a call of overlay.documents whose result can be used again.
type query struct {
	by, path string
	below    bool // there is a path, which may be empty
}

// snapshot remembers the documents of d for the functions of p, if it has any. They share everything that
// later overlays do not change.
func (e *editor) snapshot(d *draft, p *Plan) {
	if !p.calls {
		return
	}
	if e.last == nil {
		e.last = &documents{opt: e.opt}
	}
	e.docs = e.last
	e.docs.update(d)
}

// update makes s the snapshot of the documents of d.
func (s *documents) update(d *draft) {
	s.missed = nil
	changed := len(s.all) != d.n
	if changed {
		s.all, s.index = make([]tree.Doc, d.n), nil
	}
	n := 0
	for i := d.head; i != None; i = d.entries[i].next {
		x := &d.entries[i]
		was, is := &s.all[n], tree.Doc{Value: x.cell().Value(), Pos: x.Pos}
		if was.Value != is.Value || was.Pos != is.Pos {
			changed = true
			if s.index != nil && (was.Pos != is.Pos || !s.index.Set(n, is.Value)) {
				s.index = nil
			}
			*was = is
		}
		n++
	}
	if changed {
		s.known, s.held = nil, 0
	}
}

// Documents implements overlay.documents(by=, path=).
func Documents(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	const name = "overlay.documents"
	var by starlark.Value
	var where starlark.Value
	if err := starlark.UnpackArgs(name, args, kwargs, "by?", &by, "path?", &where); err != nil {
		return nil, err
	}
	docs, _ := thread.Local(documentsKey).(*documents)
	if docs == nil || docs.asked != nil {
		if docs != nil {
			docs.asked.Store(true)
		}
		return nil, errors.New("overlay.documents has no documents yet: " +
			"call it in a function of by=, via= or expects=")
	}
	list, err := docs.find(thread, by, where)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// find returns the documents that `by` chooses, or what is at the end of a path in them.
func (s *documents) find(thread *starlark.Thread, by, where starlark.Value) (starlark.Value, error) {
	pattern, err := patternOf(where)
	if err != nil {
		return nil, err
	}
	var q query
	if text, ok := by.(starlark.String); ok {
		q.by = string(text)
	}
	if text, ok := where.(starlark.String); ok {
		q.path, q.below = string(text), true
	}
	cacheable := by == nil || q.by != ""
	if list := s.known[q]; cacheable && list != nil && list.Len() > 0 {
		if s.opt.Trace != nil {
			s.opt.Trace.Maybe(list)
		}
		return list, nil
	}
	chosen, err := s.choose(thread, by)
	if err != nil {
		return nil, err
	}
	list := s.values(thread, chosen, pattern)
	if list.Len() == 0 {
		s.missed = &noValue{q, chosen}
	}
	list.Freeze() // all functions of the overlay share it
	thread.Steps += uint64(list.Len())
	if s.held += list.Len(); cacheable && s.held <= maxHeld {
		if s.known == nil {
			s.known = map[query]*starlark.List{}
		}
		s.known[q] = list
	}
	return list, nil
}

// patternOf reads the argument `path`. The result is nil if there is none.
func patternOf(where starlark.Value) (path.Pattern, error) {
	if where == nil || where == starlark.None {
		return nil, nil
	}
	text, ok := where.(starlark.String)
	if !ok {
		return nil, diag.Hintf(fmt.Errorf("expected path to be a string, but was %s", describe(where)),
			"write path=\"spec.ports[0].port\"")
	}
	p, err := path.Parse("path", string(text))
	if err != nil {
		d := diag.Of(err)[0]
		return nil, diag.Hintf(errors.New(d.Message), "%s", d.Hint)
	}
	return p, nil
}

// choose returns the numbers of the documents that `by` chooses.
func (s *documents) choose(thread *starlark.Thread, by starlark.Value) ([]int, error) {
	switch by := by.(type) {
	case nil, starlark.NoneType:
		return s.matching(thread, All)
	case starlark.String:
		return s.selected(string(by))
	case starlark.Callable:
		return s.matching(thread, by)
	case *starlark.Dict:
		return nil, diag.Hintf(errors.New("expected by to be a selector or a matcher, but was a dict"),
			"write by=overlay.subset({...})")
	}
	return nil, diag.Hintf(fmt.Errorf("expected by to be a selector or a matcher, but was %s", describe(by)),
		"write by=\"Service/web\" or by=overlay.subset({...})")
}

// selected returns the documents that a selector chooses.
func (s *documents) selected(text string) ([]int, error) {
	chosen, err := selector.Parse("by", text)
	if err != nil {
		d := diag.Of(err)[0]
		return nil, diag.Hintf(errors.New(d.Message), "%s", d.Hint)
	}
	if chosen.IsZero() {
		return nil, diag.Hintf(errors.New("expected by to name documents, but it is empty"),
			"write by=\"Service/web\", or leave it out for all documents")
	}
	found := s.indexed().Select(chosen)
	if trace := s.opt.Trace; trace != nil {
		for _, i := range found {
			trace.Read(trace.Derived(identity(trace, s.all[i].Value)))
		}
	}
	return found, nil
}

// identity returns what the parts of a document were computed from that selectors look at.
func identity(trace *tree.Trace, v tree.Value) (s tree.Slice) {
	meta, _ := v.Lookup("metadata")
	for _, key := range []string{"name", "namespace"} {
		if x, ok := meta.Lookup(key); ok {
			s = trace.Union(s, trace.Deep(x))
		}
	}
	if kind, ok := v.Lookup("kind"); ok {
		s = trace.Union(s, trace.Deep(kind))
	}
	return s
}

func (s *documents) indexed() *selector.Index {
	if s.index == nil {
		s.index = selector.NewIndex(selector.Of(s.all, s.opt.Files))
		s.indexes++
	}
	return s.index
}

// matching returns the documents for which a matcher is true.
func (s *documents) matching(thread *starlark.Thread, by starlark.Callable) ([]int, error) {
	if m, ok := by.(*Matcher); ok && m.kind == MatchPath {
		return nil, diag.Hintf(errors.New("overlay.path matches nodes in documents, but by chooses documents"),
			"write path=%q instead", m.texts[0])
	}
	opt := &Options{}
	test, err := (&planner{opt: opt}).newTest(by, tree.Null)
	if err != nil {
		return nil, err
	}
	if test.comparesRight() {
		return nil, diag.Hintf(errors.New("overlay.map_key compares with a node of the overlay, and here is none"),
			"write by=overlay.subset({...})")
	}
	if s.depth == maxDepth {
		return nil, errors.New("a matcher of overlay.documents calls overlay.documents, and so on without end")
	}
	s.depth++
	defer func() { s.depth-- }()
	c := Caller{opt: opt, thread: thread, Borrowed: true}
	var found []int
	for i := range s.all {
		ok, err := test.Run(&c, Place{Index: int64(i)}, CellOf(s.all[i].Value))
		if err != nil {
			return nil, err
		}
		if trace := s.opt.Trace; trace != nil {
			trace.Read(trace.Derived(test.compared(trace, CellOf(s.all[i].Value))))
		}
		if ok {
			found = append(found, i)
		}
	}
	thread.Steps += uint64(len(s.all)) // even if no function is called
	return found, nil
}

// comparesRight reports whether a test needs the overlay's node.
func (t *Test) comparesRight() bool {
	for _, x := range t.Of {
		if x.comparesRight() {
			return true
		}
	}
	return t.Kind == MatchMapKey
}

// values returns the chosen documents, or what the pattern matches in them.
func (s *documents) values(thread *starlark.Thread, chosen []int, pattern path.Pattern) *starlark.List {
	thread.Steps += uint64(len(chosen))
	if s.opt.Trace != nil {
		return s.tracedValues(chosen, pattern)
	}
	var list []starlark.Value
	for _, i := range chosen {
		v := s.all[i].Value
		if pattern == nil {
			list = append(list, v.ForCode())
			continue
		}
		for _, f := range pattern.Find(v) {
			list = append(list, f.Value.ForCode())
		}
	}
	return starlark.NewList(list)
}

// tracedValues is values in a traced run: each has its document and path as its origin.
func (s *documents) tracedValues(chosen []int, pattern path.Pattern) *starlark.List {
	names := s.indexed().Names()
	var list []starlark.Value
	var parts []tree.Part
	for _, i := range chosen {
		doc := s.opt.Trace.Source(names[i], s.all[i].Value)
		found := []path.Found{{Value: doc.Value}}
		if pattern != nil {
			found = pattern.Find(doc.Value)
		}
		for _, f := range found {
			list = append(list, f.Value.ForCode())
			parts = append(parts, doc.At(f.Path.Steps(), f.Value))
		}
	}
	out := starlark.NewList(list)
	s.opt.Trace.Hold(out, parts)
	return out
}

// Missed returns a hint about the last call of overlay.documents that found nothing, or "".
func (c *Caller) Missed() string {
	if c.docs == nil || c.docs.missed == nil {
		return ""
	}
	s, m := c.docs, c.docs.missed
	if len(m.chosen) > 0 {
		return s.missedPath(m)
	}
	if m.by == "" {
		return "overlay.documents found no document that `by` matches"
	}
	hint := fmt.Sprintf("overlay.documents found no document %q", m.by)
	if chosen, err := selector.Parse("by", m.by); err == nil {
		if near := chosen.Near(s.indexed().Docs()); near != "" {
			hint += ": " + near
		}
	}
	return hint
}

// missedPath returns a hint about a path that leads nowhere.
func (s *documents) missedPath(m *noValue) string {
	hint := fmt.Sprintf("overlay.documents found nothing at %s", m.path)
	pattern, err := path.Parse("path", m.path)
	if err != nil {
		return hint
	}
	var best path.Near
	for k, i := range m.chosen {
		if near := pattern.Near(s.all[i].Value); k == 0 || near.Better(&best) {
			best = near
		}
	}
	if best.Nearest == "" {
		return hint
	}
	step := strings.Replace(best.Next.String(), best.Next.Sought(), best.Nearest, 1)
	return fmt.Sprintf("%s: did you mean %s?", hint, strings.Replace(m.path, best.Next.String(), step, 1))
}
