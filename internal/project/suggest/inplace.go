package suggest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
	"weft/internal/origin/diff"
	"weft/internal/project"
)

// option is one way to make a change where its value comes from.
type option struct {
	at    spot
	kind  Kind
	leaf  []tree.Step // the data value, for Value
	value *tree.Value // the new value; nil removes it
	items []int       // if it is a list whose items loops print: which old item each one is, or -1
	was   tree.Value  // the value today, for Literal
	name  string      // the data value, or the document and the path, for people

	ofChart bool // it is a value of a chart, in a values file
	isNew   bool // the chart does not have it yet

	also []option // what has to change with it

	waits bool // nothing is changed: what gives other changes may give this one, too
}

// all returns the option, and what has to change with it.
func (o option) all() []option { return append([]option{o}, o.also...) }

// choice is a change with the ways to make it; the first one is tried.
type choice struct {
	change  diff.Change
	key     string
	options []option
	node    *blame.Node
}

// dropAlike drops the options that give the same data values the same new values as the first one, in other
// files: they have the same effect, or none. One with an anchor has more than it alone.
func (c *choice) dropAlike() {
	first := c.options[0]
	if first.at.anchored {
		return
	}
	c.options = append(c.options[:1:1], slices.DeleteFunc(slices.Clone(c.options[1:]), func(o option) bool {
		return o.kind == Value && slices.EqualFunc(o.all(), first.all(), func(a, b option) bool {
			return slices.Equal(a.leaf, b.leaf) && sameValue(a.value, b.value)
		})
	})...)
}

// first returns what is tried first, or nothing if that waits.
func (c *choice) first() []option {
	if len(c.options) == 0 || c.options[0].waits {
		return nil
	}
	return c.options[0].all()
}

// keyOf identifies a change in all comparisons with the edited documents, by the name that they have.
func keyOf(c *diff.Change) string {
	return c.Object.Name.String() + "\x00" + c.Path.String()
}

// choices returns the changes with the ways to make each where its value comes from.
func (s *search) choices(d *diff.Difference) (list []*choice) {
	for _, x := range s.withRenamed(d.Changes) {
		c := &choice{change: s.ofField(x), key: keyOf(&x)}
		if s.attempt.as == Auto || s.attempt.as == Values {
			c.options = s.options(c)
		}
		list = append(list, c)
	}
	if s.attempt.as == Auto || s.attempt.as == Values {
		s.loopOptions(list)
		s.chartOptions(list)
		s.newDocumentOptions(list)
		s.shortenOptions(list)
		for _, c := range list {
			c.options = distinctOptions(c.options)
		}
	}
	return list
}

// distinctOptions returns options without repeats, because trying an option means rendering.
func distinctOptions(list []option) (out []option) {
	for _, o := range list {
		if !slices.ContainsFunc(out, func(x option) bool {
			return x.waits == o.waits && slices.EqualFunc(x.all(), o.all(), func(a, b option) bool {
				return a.at.key() == b.at.key() && sameValue(a.value, b.value)
			})
		}) {
			out = append(out, o)
		}
	}
	return out
}

// withRenamed returns changes, with a document of which only the name differs as one that has another name: if it is
// short, a comparison sees one that is removed, and one that is added.
func (s *search) withRenamed(list []diff.Change) (out []diff.Change) {
	isWhole := func(x diff.Change, op diff.Op) bool { return x.Op == op && len(x.Path) == 0 }
	removed := map[string][]*diff.Object{} // by kind
	for _, x := range list {
		if isWhole(x, diff.Removed) {
			removed[x.Object.Name.Kind] = append(removed[x.Object.Name.Kind], x.Object)
		}
	}
	renamed := map[int]bool{}
	for _, x := range list {
		if !isWhole(x, diff.Added) {
			out = append(out, x)
			continue
		}
		same := removed[x.Object.Name.Kind]
		at := slices.IndexFunc(same[:min(len(same), maxBefore)], func(was *diff.Object) bool {
			both := asRenamed(x, was)
			field := s.ofField(both)
			return field.Op == diff.Changed && edit.Equal(s.edited[x.Object.B].Value,
				with(s.docs[was.A].Value, field.Path.Steps(), &field.After))
		})
		if at >= 0 {
			x, renamed[same[at].A] = asRenamed(x, same[at]), true
			removed[x.Object.Name.Kind] = slices.Delete(same, at, at+1)
		}
		out = append(out, x)
	}
	return slices.DeleteFunc(out, func(x diff.Change) bool { return isWhole(x, diff.Removed) && renamed[x.Object.A] })
}

// asRenamed returns the change of a document that is added as that of another one, which has its name now.
func asRenamed(x diff.Change, was *diff.Object) diff.Change {
	object := *x.Object
	object.A, object.Was = was.A, was.Was
	x.Op, x.Object = diff.Renamed, &object
	return x
}

// ofField returns a change of the name of a document as one of the field that has it, if only one of them
// differs.
func (s *search) ofField(x diff.Change) diff.Change {
	if x.Op != diff.Renamed {
		return x
	}
	was, now := s.docs[x.Object.A].Value, s.edited[x.Object.B].Value
	found := x
	for _, way := range [][]string{{"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		a, before := tree.At(was, keys(way...))
		b, after := tree.At(now, keys(way...))
		switch {
		case before && after && edit.Equal(a, b), !before && !after:
			continue
		case !before || !after || found.Op != diff.Renamed:
			return x
		}
		found.Op, found.Before, found.After, found.Path = diff.Changed, a, b, nil
		for _, name := range way {
			found.Path = append(found.Path, path.ToKey(tree.String(name)))
		}
	}
	return found
}

// options returns the ways to make a change in place.
func (s *search) options(c *choice) []option {
	x := &c.change
	if x.Object.A >= 0 && x.Object.B < 0 && len(x.Path) == 0 {
		return s.documentOptions(c)
	}
	if x.Object.A < 0 || x.Object.B < 0 || len(x.Path) == 0 {
		return nil
	}
	last := x.Path[len(x.Path)-1]
	isItem := last.Kind == path.Item &&
		!slices.ContainsFunc(x.Path, func(p path.Segment) bool { return p.Kind == path.Inside })
	var list []option
	if !isItem || x.Op != diff.Moved && x.Op != diff.Added {
		list = s.ownOptions(c)
	}
	if isItem && list == nil && x.Op != diff.Changed {
		list = s.listOptions(c, x.Path[:len(x.Path)-1])
	}
	return list
}

// ownOptions returns the ways to make a change where the value that changes comes from.
func (s *search) ownOptions(c *choice) []option {
	x := &c.change
	way, inside := x.Path, slices.IndexFunc(x.Path, func(p path.Segment) bool { return p.Kind == path.Inside })
	after := &x.After
	if x.Op == diff.Removed {
		after = nil
	}
	if inside >= 0 { // the string as a whole changes
		way = way[:inside]
		v, ok := tree.At(s.edited[x.Object.B].Value, way.Steps())
		if !ok {
			return nil
		}
		after = &v
	}
	c.node = s.nodeAt(x.Object.A, way)
	if x.Op == diff.Added && inside < 0 || c.node == nil {
		return s.added(c, way)
	}
	history := s.history(c.node)
	last := history[len(history)-1]
	if info, ok := s.handedOn(last); ok {
		return s.valueOptions(info.Values, info.Path, after)
	}
	if list := s.givenOptions(history, after); list != nil {
		return list
	}
	isWritten := last.How == blame.Written && s.attempt.as == Auto && len(last.Calls) == 0
	if isWritten && inside < 0 {
		return s.literalOptions(c, way, last, after)
	}
	if after == nil {
		return nil
	}
	if list := s.partOptions(c, history, way, *after); list != nil {
		return list
	}
	if isWritten {
		return s.literalOptions(c, way, last, after)
	}
	return nil
}

// listOptions returns the ways to give a list other items, or its items another order, where the list as a
// whole comes from.
func (s *search) listOptions(c *choice, way path.Path) []option {
	parent := s.nodeAt(c.change.Object.A, way)
	list, ok := tree.At(s.edited[c.change.Object.B].Value, way.Steps())
	if parent == nil || !ok {
		return nil
	}
	history := s.history(parent)
	last := history[len(history)-1]
	if last.How == blame.Written && s.attempt.as == Auto && len(last.Calls) == 0 {
		c.node = parent
		replaced := s.replacedBy(c.change.Object.A, way)
		if replaced != nil {
			last = *replaced
		}
		options := s.literalOptions(c, way, last, &list)
		for i := range options {
			if replaced != nil {
				options[i].at = s.listAround(options[i].at, list)
			}
		}
		if len(options) > 0 && !s.isWhole(options[0]) {
			return nil
		}
		return options
	}
	c.node = parent
	info, ok := s.handedOn(last)
	if !ok {
		if options := s.segmentOptions(c, way, list); options != nil {
			return options
		}
		return s.switched(last.Reads)
	}
	return s.valueOptions(info.Values, info.Path, &list)
}

// replacedBy returns what an override did that has replaced the items of a list, and so has the list around them.
func (s *search) replacedBy(doc int, way path.Path) *blame.Event {
	first := s.nodeAt(doc, append(slices.Clip(way), path.ToItem(0, 0)))
	if first == nil {
		return nil
	}
	history := s.history(first)
	if last := history[len(history)-1]; last.By == tree.ByOverride && last.How == blame.Written && last.New {
		return &last
	}
	return nil
}

// isWhole reports whether a file has a value as it is today: nothing else changes it later.
func (s *search) isWhole(o option) bool {
	text, err := s.read(o.at.file)
	if err != nil {
		return false
	}
	_, docs, err := parse(text, o.at.file, s.syntaxOf(o.at.file))
	if err != nil {
		return false
	}
	doc, way, ok := o.at.find(docs)
	if !ok {
		return false
	}
	v, _ := tree.At(docs[doc], way)
	return edit.Equal(v, o.was)
}

// handedOn returns the data value of the project that an event hands on unchanged.
func (s *search) handedOn(e blame.Event) (info tree.LeafInfo, ok bool) {
	if e.How != blame.Copied || len(e.Reads) != 1 {
		return info, false
	}
	info = s.res.Origins.Leaf(e.Reads[0])
	return info, info.Document == "" && s.isOwn(info.Values)
}

// added returns the ways to add a key to a map that is a data value as a whole, or that is written where it
// can be changed.
func (s *search) added(c *choice, way path.Path) []option {
	step := way[len(way)-1]
	parent := s.nodeAt(c.change.Object.A, way[:len(way)-1])
	if parent == nil || step.Kind != path.Key {
		return nil
	}
	c.node = parent
	below := path.Path{step}.Steps()
	history := s.history(parent)
	last := history[len(history)-1]
	if info, ok := s.handedOn(last); ok {
		return s.valueOptions(info.Values, slices.Concat(info.Path, below), &c.change.After)
	}
	if list := s.siblingOptions(c, way); list != nil {
		return list
	}
	if last.How != blame.Written || s.attempt.as != Auto || len(last.Calls) > 0 {
		return nil
	}
	list := s.literalOptions(c, way, last, &c.change.After)
	if list == nil {
		return s.besideOptions(c, way)
	}
	for i := range list {
		list[i].at.path = below
		if len(way) == 1 {
			list[i].at.root, list[i].at.offset = true, s.docs[c.change.Object.A].Value.Start().Offset()
		}
	}
	return list
}

// siblings is what the keys of a map say about a new one. Many keys may be added to one map.
type siblings struct {
	value    *tree.LeafInfo // a data value with the name of its key, handed on
	override *blame.Event   // what set the last key that an override of the environment has written
}

// siblingsOf looks at the keys of the map around a new one.
func (s *search) siblingsOf(doc int, around path.Path) (x siblings) {
	key := fmt.Sprint(doc, " ", around)
	if known, ok := s.siblings[key]; ok {
		return known
	}
	old, _ := before(around)
	m, _ := tree.At(s.docs[doc].Value, old.Steps())
	for _, it := range entriesOf(m) {
		n := s.nodeAt(doc, append(slices.Clip(around), path.ToKey(it.Key)))
		if n == nil {
			continue
		}
		history := s.history(n)
		last := history[len(history)-1]
		if last.By == tree.ByOverride && last.How == blame.Written {
			x.override = &last
		}
		info, ok := s.handedOn(last)
		if at := len(info.Path) - 1; x.value == nil && ok && at > 0 && info.Path[at].Index < 0 &&
			info.Path[at].Key == tree.KeyText(it.Key) {
			x.value = &info
		}
	}
	s.siblings[key] = x
	return x
}

// siblingOptions returns the ways to add a key to a map of data values that another one is handed on from,
// with its key: libraries get data values one by one.
func (s *search) siblingOptions(c *choice, way path.Path) []option {
	info := s.siblingsOf(c.change.Object.A, way[:len(way)-1]).value
	if info == nil {
		return nil
	}
	leaf := slices.Concat(info.Path[:len(info.Path)-1], path.Path{way[len(way)-1]}.Steps())
	return s.valueOptions(info.Values, leaf, &c.change.After)
}

// givenOptions returns the way to give a library a data value that has a default there: beside one that the project
// hands on with its key.
func (s *search) givenOptions(history []blame.Event, after *tree.Value) []option {
	n := len(history) - 2
	if n < 0 || after == nil || history[n+1].By != tree.ByDefault || len(history[n].Reads) != 1 {
		return nil
	}
	info := s.res.Origins.Leaf(history[n].Reads[0])
	for k := len(info.Path) - 1; k >= 0; k-- {
		around, _ := tree.At(s.res.Origins.DataValues()[info.Values].Value, info.Path[:k])
		for i := range entriesOf(around) {
			step := stepTo(around, i)
			own, ok := s.ownLeaf(tree.LeafInfo{Values: info.Values, Path: append(slices.Clip(info.Path[:k]), step)})
			if last := len(own.Path) - 1; ok && last > 0 && step != info.Path[k] && own.Path[last] == step {
				return s.valueOptions(own.Values, slices.Concat(own.Path[:last], info.Path[k:]), after)
			}
		}
	}
	return nil
}

// besideOptions returns the way to add a key next to one that an override of the environment has set. An
// overlay would need an annotation there.
func (s *search) besideOptions(c *choice, way path.Path) []option {
	last := s.siblingsOf(c.change.Object.A, way[:len(way)-1]).override
	if last == nil {
		return nil
	}
	list := s.literalOptions(c, way, *last, &c.change.After)
	for i := range list {
		list[i].at.beside, list[i].at.path = true, path.Path{way[len(way)-1]}.Steps()
	}
	return list
}

// maxLibraries is how many libraries a data value is followed through.
const maxLibraries = 8

// history returns the events of a node. If the last one copies a data value of a library, it is followed by
// that which gave the library the data value, and so on.
func (s *search) history(n *blame.Node) []blame.Event {
	list := s.blame.History(n)
	for range maxLibraries {
		last := list[len(list)-1]
		if last.How != blame.Copied || len(last.Reads) != 1 {
			break
		}
		info := s.res.Origins.Leaf(last.Reads[0])
		layers := s.blame.DataValue(last.Reads[0]).Layers
		if info.Document != "" || s.isOwn(info.Values) || len(layers) == 0 {
			break
		}
		list = append(slices.Clip(list), layers[len(layers)-1])
	}
	return list
}

// ownLeaf returns the data value of the project that one is. One of a library is the one that gave it: of a map or a
// list, which a library merges with its defaults, the one that gave its first item.
func (s *search) ownLeaf(info tree.LeafInfo) (tree.LeafInfo, bool) {
	for range maxLibraries {
		if info.Document != "" || s.isOwn(info.Values) {
			return info, info.Document == ""
		}
		next, ok := s.giver(info)
		if !ok {
			return info, false
		}
		info = next
	}
	return info, false
}

// giver returns the data value from which a library got one.
func (s *search) giver(info tree.LeafInfo) (tree.LeafInfo, bool) {
	layers := s.blame.DataValueAt(info.Values, info.Path).Layers
	if n := len(layers); n > 0 && layers[n-1].How == blame.Copied && len(layers[n-1].Reads) == 1 {
		return s.res.Origins.Leaf(layers[n-1].Reads[0]), true
	}
	v, ok := tree.At(s.res.Origins.DataValues()[info.Values].Value, info.Path)
	if !ok || v.Kind() == tree.ScalarKind || v.Len() == 0 {
		return info, false
	}
	first := stepTo(v, 0)
	below, ok := s.giver(tree.LeafInfo{Values: info.Values, Path: append(slices.Clip(info.Path), first)})
	n := len(below.Path) - 1
	if !ok || n < 0 || below.Path[n] != first {
		return info, false
	}
	below.Path = below.Path[:n]
	return below, true
}

// stepTo returns the step to an item of a map or a list.
func stepTo(v tree.Value, i int) tree.Step {
	if v.Kind() == tree.MapKind {
		return tree.Step{Key: tree.KeyText(v.Entries()[i].Key), Index: -1}
	}
	return tree.Step{Index: i}
}

// isOwn reports whether data values are those of the project, not of a library.
func (s *search) isOwn(values int) bool {
	v := s.res.Origins.DataValues()[values]
	return v.Library == "" && v.Document == ""
}

// nodeAt returns the node at a path of a printed document, as it is today.
func (s *search) nodeAt(doc int, way path.Path) *blame.Node {
	old, ok := before(way)
	if !ok {
		return nil
	}
	return s.blame.NodeAt(doc, old)
}

// before returns a path as it is today, before items of lists have moved; false if there is none.
func before(way path.Path) (path.Path, bool) {
	old := way.Clone()
	for i := range old {
		if old[i].Kind == path.Item {
			if old[i].Index = old[i].Was; old[i].Was < 0 {
				return nil, false
			}
		}
	}
	return old, true
}

// literalOptions returns the way to change a value where it is written: in an overlay, an override or a
// short cut of the project, or in a file without code.
func (s *search) literalOptions(c *choice, way path.Path, e blame.Event, after *tree.Value) []option {
	if e.By == tree.ByShortcut {
		return s.shortcutOptions(c, e, after)
	}
	f := s.res.Files.File(e.At)
	if f == nil || !s.mayChange(f) || s.isShared(f.Shown()) && !s.attempt.shared {
		return nil
	}
	switch e.By {
	case tree.ByOverlay, tree.ByOverride:
	case tree.ByTemplate:
		if s.isTemplate(f) {
			return nil
		}
	default:
		return nil
	}
	if after == nil && !e.New && e.By != tree.ByTemplate {
		return nil // without it, the old value would come back
	}
	place := spot{file: f.Shown(), offset: e.At.Offset(), prune: e.By != tree.ByTemplate}
	return []option{s.literalAt(c, way, place, after)}
}

// documentOptions returns the way to remove a document where it is written: in a file without code that has
// other documents, too.
func (s *search) documentOptions(c *choice) []option {
	doc := c.change.Object.A
	n := s.nodeAt(doc, nil)
	if n == nil {
		return nil
	}
	history := s.history(n)
	last := history[len(history)-1]
	if last.How != blame.Written || last.By != tree.ByTemplate || s.attempt.as != Auto || len(last.Calls) > 0 {
		return nil
	}
	list := s.literalOptions(c, nil, last, nil)
	for i := range list {
		list[i].at.root, list[i].at.offset = true, s.docs[doc].Value.Start().Offset()
	}
	return list
}

// literalAt returns the way to change a value where it is written.
func (s *search) literalAt(c *choice, way path.Path, place spot, after *tree.Value) option {
	var was tree.Value
	if old, ok := before(way); ok {
		was, _ = tree.At(s.docs[c.change.Object.A].Value, old.Steps())
	}
	return option{
		at: place, kind: Literal, value: after, was: was,
		name: c.change.Object.Name.String() + " " + way.String(),
	}
}

// isTemplate reports whether a file of today is a template.
func (s *search) isTemplate(f *source.File) bool {
	is, ok := s.templates[f]
	if !ok {
		is = hasCode(f.Data())
		s.templates[f] = is
	}
	return is
}

// hasCode reports whether a text is a template.
func hasCode(text []byte) bool {
	t, _, err := parse(text, "", yaml.Options{})
	if err != nil {
		return true
	}
	return slices.ContainsFunc(t[0].Comments(), func(c yaml.Comment) bool {
		return bytes.HasPrefix(t[0].CommentText(c), []byte("@"))
	})
}

// isShared reports whether another environment may read a file.
func (s *search) isShared(name string) bool {
	is, ok := s.shared[name]
	if !ok {
		is = s.isBeyond(name) || s.isReadByOther(name)
		s.shared[name] = is
	}
	return is
}

// isReadByOther is isShared for a file of this project.
func (s *search) isReadByOther(name string) bool {
	for _, env := range s.environments() {
		if env == s.in.Env {
			continue
		}
		settings, err := s.now.Environment(env)
		if err != nil {
			return true
		}
		read := slices.Concat(settings.Inputs, settings.Overlays)
		for _, chart := range settings.Charts {
			read = append(read, chart.Values...)
		}
		for _, x := range settings.Overrides {
			read = append(read, x.Item)
		}
		if slices.ContainsFunc(read, func(x project.Item) bool {
			_, p, _ := strings.Cut("="+x.Text, "=")
			return isBelow(name, p) || isBelow(name, x.Text)
		}) || name == s.in.Project {
			return true
		}
	}
	return false
}

// mayChange reports whether a file is one of the project that is as it was read, and not one of a vendored
// source, a chart or a kustomization.
func (s *search) mayChange(f *source.File) bool {
	ok, known := s.changeable[f]
	if !known {
		if s.changeable == nil {
			s.changeable = map[*source.File]bool{}
		}
		ok = s.isUnchanged(f)
		s.changeable[f] = ok
	}
	return ok
}

func (s *search) isUnchanged(f *source.File) bool {
	name := f.Shown()
	if !fs.ValidPath(name) || s.isVendored(name) || !s.isWritable(name) || strings.Contains(name, "_ytt_lib/") ||
		slices.ContainsFunc(s.generators(), func(dir string) bool { return isBelow(name, dir) }) {
		return false
	}
	data, err := s.read(name)
	return err == nil && bytes.Equal(data, f.Data())
}

// isVendored reports whether a file is one of a vendored source.
func (t *trial) isVendored(name string) bool {
	if t.now == nil {
		return false
	}
	dirs := []string{t.now.VendorDir()}
	for _, v := range t.now.Vendored() {
		dirs = append(dirs, v.Dir)
	}
	return slices.ContainsFunc(dirs, func(dir string) bool { return isBelow(name, dir) })
}

// apply makes the changes in place, as far as they are chosen. Two changes that want different things in one
// place lose both options.
func (s *search) apply(list []*choice) (draft, []edited) {
	var leaves []option
	wanted := map[string]*choice{}
	values := map[string]*tree.Value{}
	for _, c := range list {
		for _, o := range c.first() {
			if o.kind != Value {
				continue
			}
			key := stepsText(o.leaf)
			if other := wanted[key]; other != nil && !sameValue(values[key], o.value) {
				dropOne(c, other)
				return s.apply(list)
			}
			wanted[key], values[key] = c, o.value
			leaves = append(leaves, o)
		}
	}
	now := s.withAll(leaves)
	done, seen := []edited(nil), map[string]int{}
	for _, c := range list {
		for _, o := range c.first() {
			e := edited{option: o, choices: []*choice{c}}
			if o.kind == Value {
				e = s.whole(e, now)
			}
			key := e.at.key()
			if i, ok := seen[key]; ok {
				if o.kind == Literal && !sameValue(done[i].value, o.value) {
					c.options, done[i].choices[0].options = nil, nil
					return s.apply(list)
				}
				done[i].choices = append(done[i].choices, c)
				continue
			}
			seen[key] = len(done)
			done = append(done, e)
		}
	}
	d, failed := s.draftOf(done)
	for _, e := range failed {
		for _, c := range e.choices {
			c.options = c.options[1:]
		}
	}
	if failed != nil {
		return s.apply(list)
	}
	return d, done
}

// dropOne drops options of two changes that want different values in one place: the first one of the change
// that has others, or those of both.
func dropOne(a, b *choice) {
	switch {
	case len(a.options) > 1 && len(a.options) >= len(b.options):
		a.options = a.options[1:]
	case len(b.options) > 1:
		b.options = b.options[1:]
	default:
		a.options, b.options = nil, nil
	}
}

// draftOf returns the files with changes, or the changes that cannot be written.
func (s *search) draftOf(done []edited) (d draft, failed []edited) {
	d = s.begin.draft
	order := slices.Clone(done)
	// The last change of a file comes first, and that of an item before that of the list.
	slices.SortStableFunc(order, func(a, b edited) int { return b.at.offset - a.at.offset })
	byFile := map[string][]edited{}
	for _, e := range order {
		byFile[e.at.file] = append(byFile[e.at.file], e)
	}
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		list := byFile[name]
		now, err := s.changed(name, list)
		if err == nil {
			d = d.with(name, now)
			continue
		}
		alone := func(e edited) bool { _, err := s.changed(name, []edited{e}); return err != nil }
		if i := slices.IndexFunc(list, alone); i >= 0 {
			list = list[i : i+1]
		}
		failed = append(failed, list...)
	}
	return d, failed
}

// changed returns the text of a file with changes.
func (s *search) changed(name string, list []edited) ([]byte, error) {
	if _, known := s.begin.draft.texts[name]; known {
		return nil, diag.Failf(CodeNone, "'%s' has other lines already", name)
	}
	old, err := s.read(name)
	if err != nil && !isMissing(err) {
		return nil, err
	}
	text := string(old)
	settings := make([]setting, len(list))
	for i, e := range list {
		if err := s.mayReplace(e, name, text); err != nil {
			return nil, err
		}
		settings[i] = setting{e.at, s.unfilled(e), s.in.isExact()}
	}
	now, err := setAll(old, settings, s.syntaxOf(name))
	if err == nil && s.gains(text, string(now)) {
		err = diag.Failf(diff.CodeSecret, "'%s' would have a secret as text", name)
	}
	return now, err
}

// withAll returns the data values with all changes. A list as a whole comes after changes of its
// items, which it contains, and of several items that are removed the last comes first: others keep
// their position.
func (s *search) withAll(leaves []option) tree.Value {
	slices.SortStableFunc(leaves, compareLeaves)
	values, seen := s.values, map[string]bool{}
	for _, o := range leaves {
		if o.items != nil {
			if seen[stepsText(o.leaf)] {
				continue // the same list, for another change
			}
			seen[stepsText(o.leaf)] = true
			now, _ := tree.At(values, o.leaf)
			v := o.remade(now)
			o.value = &v
		}
		values = with(values, o.leaf, o.value)
	}
	return values
}

// lastIndex returns the position of the item that a path ends with, or -1.
func lastIndex(way []tree.Step) int {
	if len(way) == 0 {
		return -1
	}
	return way[len(way)-1].Index
}

// edited is a place that was changed, for one change or several.
type edited struct {
	option
	choices []*choice
}

// whole replaces an item of a list of data values by the list: layers replace lists, and do not merge them.
func (s *search) whole(e edited, values tree.Value) edited {
	i := slices.IndexFunc(e.leaf, func(x tree.Step) bool { return x.Index >= 0 })
	if i < 0 {
		if e.items != nil {
			v, _ := tree.At(values, e.leaf)
			e.value = &v
		}
		return e
	}
	cut := len(e.leaf) - i
	e.leaf = e.leaf[:i]
	v, _ := tree.At(values, e.leaf)
	e.value = &v
	if e.at.offset < 0 || e.at.root {
		e.at.path = e.at.path[:len(e.at.path)-cut]
	}
	return e
}

func sameValue(a, b *tree.Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	return edit.Equal(*a, *b)
}

// stepsText returns a path as a text that identifies it: keys with dots are in quotes.
func stepsText(way []tree.Step) string {
	out := make(path.Path, len(way))
	for i, step := range way {
		if out[i] = path.ToItem(step.Index, step.Index); step.Index < 0 {
			out[i] = path.ToKey(tree.String(step.Key))
		}
	}
	return out.String()
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
