package suggest

import (
	"bytes"
	"io/fs"
	pathpkg "path"
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// valueOptions returns the places where a data value can be set, the best first: where it is set, if only
// this environment reads that; the environment's own file or mapping of data values; and where it is set now,
// even if other environments read that.
func (s *search) valueOptions(values int, leaf []tree.Step, v *tree.Value) (list []option) {
	leaf = slices.Clone(leaf)
	whole := leaf
	if i := slices.IndexFunc(leaf, func(x tree.Step) bool { return x.Index >= 0 }); i >= 0 {
		whole = leaf[:i]
	}
	name := stepsText(leaf)
	add := func(at spot) {
		list = append(list, option{at: at, kind: Value, leaf: leaf, value: v, name: name})
	}
	set, isOwn, byDefault := s.setter(values, whole)
	own := s.ownLayers()
	if isOwn {
		at := set
		if at.offset < 0 {
			at.path = s.layerPath(own, at.file, leaf)
			if way, ok := s.anchored(at); ok && v != nil {
				add(spot{file: at.file, path: way, offset: -1, anchored: true})
			}
		}
		add(at)
	}
	_, isSet := tree.At(s.res.Origins.DataValues()[values].Value, leaf)
	single := len(s.environments()) == 1
	inPlace := set.file != "" && !isOwn && (single && !s.isBeyond(set.file) || s.attempt.shared)
	if v == nil && len(whole) == len(leaf) { // it can be removed only where it is
		if inPlace {
			add(set)
		}
		return list
	}
	for _, l := range slices.Backward(own) {
		add(spot{file: l.file, path: slices.Concat(l.prefix, leaf), offset: -1})
	}
	if byDefault || !isSet {
		for _, d := range slices.Backward(s.valueDocuments(values)) {
			add(spot{file: d.file, path: leaf, offset: d.offset, root: true})
		}
	}
	if single && inPlace {
		add(set)
	}
	if s.now != nil {
		for _, name := range slices.Backward(s.listedFiles()) {
			add(spot{file: name, path: leaf, offset: -1})
		}
		if entry, why := s.entryOf("values"); why == nil {
			add(spot{file: s.in.Project, path: slices.Concat(entry, leaf), offset: -1})
		}
	}
	if !single && inPlace {
		add(set)
	}
	return list
}

// anchored returns the path of the scalar with an anchor around it that one at a spot is by an alias or a
// merge key, or that these repeat.
func (s *search) anchored(at spot) (way []tree.Step, ok bool) {
	text, err := s.read(at.file)
	if err != nil || !bytes.Contains(text, []byte("*")) {
		return nil, false
	}
	_, docs, err := parse(text, at.file, s.syntaxOf(at.file))
	if err != nil || len(docs) == 0 {
		return nil, false
	}
	v, offset := docs[0], -1
	for _, step := range at.path {
		it, found := entryAt(v, step)
		if !found {
			return nil, false
		}
		v, offset = it.Value, it.Pos.Offset()
	}
	_, way, ok = spot{offset: offset}.find(docs)
	return way, ok && (!slices.Equal(way, at.path) || isRepeated(docs[0], offset))
}

// isRepeated reports whether several items of a value are at one offset, because of aliases or merge keys.
func isRepeated(in tree.Value, offset int) bool {
	count := 0
	var visit func(v tree.Value)
	visit = func(v tree.Value) {
		if v.Kind() == tree.ScalarKind {
			return
		}
		for _, it := range v.Entries() {
			if it.Pos.Offset() == offset {
				count++
			}
			if count < 2 {
				visit(it.Value)
			}
		}
	}
	visit(in)
	return count > 1
}

// layer is a mapping of data values that can be changed.
type layer struct {
	file   string
	prefix []tree.Step // the path of the mapping in weft.yml
}

// ownLayers returns the layers that only this environment reads, the weakest first.
func (s *search) ownLayers() (own []layer) {
	if s.now == nil {
		for _, name := range s.in.Options.Values.Files {
			if info, err := fs.Stat(s.in.FS, name); (isMissing(err) ||
				err == nil && info.Mode().IsRegular()) && s.isWritable(name) {
				own = append(own, layer{file: name})
			}
		}
		return own
	}
	count, places := s.readers()
	settings, err := s.now.Environment(s.in.Env)
	if err != nil {
		return nil
	}
	for _, l := range settings.Layers {
		switch {
		case l.Library != "":
		case l.File != "" && count[l.File] == 1 && !s.isBeyond(l.File) && s.isWritable(l.File):
			own = append(own, layer{file: l.File})
		case l.File == "" && places[l.At] == 1 && l.Source.Path == s.in.Project:
			if entry, why := s.entryOf("values"); why == nil {
				own = append(own, layer{file: s.in.Project, prefix: entry})
			}
		}
	}
	return own
}

// readers returns how many environments read each file of data values, and what is at each place of a project file.
func (s *search) readers() (files map[string]int, places map[source.Span]int) {
	files, places = map[string]int{}, map[source.Span]int{}
	for _, env := range s.environments() {
		settings, err := s.now.Environment(env)
		if err != nil {
			continue
		}
		for _, l := range settings.Layers {
			files[l.File]++
			places[l.At]++
		}
	}
	return files, places
}

// listedFiles returns the files of data values that the entry of this environment lists, and others read only because
// they extend it: they get its values, too.
func (s *search) listedFiles() (list []string) {
	entry, why := s.entryOf("valueFiles")
	text, err := s.read(s.in.Project)
	settings, fault := s.now.Environment(s.in.Env)
	if why != nil || err != nil || fault != nil {
		return nil
	}
	_, docs, err := parse(text, s.in.Project, projectSyntax)
	if err != nil || len(docs) != 1 {
		return nil
	}
	names, _ := tree.At(docs[0], entry)
	count, places := s.readers()
	for _, l := range settings.Layers {
		if l.File != "" && l.Library == "" && count[l.File] > 1 && count[l.File] == places[l.At] && !s.isBeyond(l.File) &&
			slices.ContainsFunc(elements(names), func(v tree.Value) bool {
				return pathpkg.Join(pathpkg.Dir(s.in.Project), v.Text()) == l.File
			}) {
			list = append(list, l.File)
		}
	}
	return list
}

// layerPath returns the path of a data value in a layer.
func (s *search) layerPath(own []layer, file string, leaf []tree.Step) []tree.Step {
	for _, l := range own {
		if l.file == file {
			return slices.Concat(l.prefix, leaf)
		}
	}
	return leaf
}

// setter returns the place that sets a data value now, whether it is in a layer that only this
// environment reads, and whether it is a default of a schema. The file is "" if it is not in a file
// that can be changed.
func (s *search) setter(values int, way []tree.Step) (at spot, isOwn, byDefault bool) {
	d := s.blame.DataValueAt(values, way)
	if len(d.Layers) == 0 {
		return spot{}, false, false
	}
	last := d.Layers[len(d.Layers)-1]
	byDefault = last.By == tree.ByDefault
	f := s.res.Files.File(last.At)
	switch last.By {
	case tree.ByDefault, tree.ByDocument, tree.ByProject, tree.ByFile:
	default:
		return spot{}, false, byDefault
	}
	if f == nil || !s.mayChange(f) {
		return spot{}, false, byDefault
	}
	for _, l := range s.ownLayers() {
		if l.file == f.Shown() && s.isWithin(l, f, last.At.Offset()) {
			return spot{file: l.file, offset: -1}, true, false
		}
	}
	at = s.listAround(spot{file: f.Shown(), offset: last.At.Offset()}, last.Value)
	return at, last.By == tree.ByDocument && len(s.environments()) > 1 && !s.isShared(at.file), byDefault
}

// listAround returns the spot of a data value that was set at a spot: a list begins where its first item does.
func (s *search) listAround(at spot, v tree.Value) spot {
	text, err := s.read(at.file)
	if v.Kind() != tree.ArrayKind || err != nil {
		return at
	}
	if _, docs, err := parse(text, at.file, s.syntaxOf(at.file)); err == nil {
		_, way, ok := at.find(docs)
		at.beside = ok && lastIndex(way) >= 0
	}
	return at
}

// maxValues limits how many data values are looked at to find the files that set them.
const maxValues = 1000

// valueDocuments returns the documents of data values among the inputs of only this environment that can be changed,
// the weakest first.
func (s *search) valueDocuments(values int) []spot {
	list, ok := s.documents[values]
	if !ok {
		list = s.findValueDocuments(values)
		s.documents[values] = list
	}
	return list
}

func (s *search) findValueDocuments(values int) (list []spot) {
	left := maxValues
	var visit func(v tree.Value, way []tree.Step)
	visit = func(v tree.Value, way []tree.Step) {
		for _, it := range entriesOf(v) {
			if left--; left < 0 {
				return
			}
			next := append(slices.Clip(way), tree.Step{Key: tree.KeyText(it.Key), Index: -1})
			for _, e := range s.blame.DataValueAt(values, next).Layers {
				f := s.res.Files.File(e.At)
				if e.By != tree.ByDocument || f == nil || !s.mayChange(f) || s.isShared(f.Shown()) {
					continue
				}
				if at, ok := documentAt(f, e.At.Offset(), s.syntaxOf(f.Shown())); ok && !slices.ContainsFunc(list,
					func(x spot) bool { return x.file == at.file && x.offset == at.offset }) {
					list = append(list, at)
				}
			}
			visit(it.Value, next)
		}
	}
	visit(s.res.Origins.DataValues()[values].Value, nil)
	return list
}

// documentAt returns the document of a file with an item at an offset.
func documentAt(f *source.File, offset int, opt yaml.Options) (spot, bool) {
	_, docs, err := parse(f.Data(), f.Shown(), opt)
	if err != nil {
		return spot{}, false
	}
	doc, _, ok := spot{offset: offset}.find(docs)
	if !ok {
		return spot{}, false
	}
	return spot{file: f.Shown(), offset: docs[doc].Start().Offset(), root: true}, true
}

// isWithin reports whether an item of a file is in the mapping of a layer.
func (s *search) isWithin(l layer, f *source.File, offset int) bool {
	if l.prefix == nil {
		return true
	}
	_, docs, err := parse(f.Data(), f.Shown(), s.syntaxOf(l.file))
	if err != nil {
		return false
	}
	_, way, ok := spot{offset: offset}.find(docs)
	return ok && len(way) > len(l.prefix) && slices.Equal(way[:len(l.prefix)], l.prefix)
}

// affects reports whether a data value is read for a node, wherever in its history.
func (s *search) affects(doc int, way path.Path, leaf []tree.Step) bool {
	return s.readsOf(doc, way).affectedBy(leaf)
}

// reads are the paths of the data values that are read for something; unknown if any may be.
type reads struct {
	paths   [][]tree.Step
	unknown bool
}

// affectedBy reports whether a data value, or a part of it, is among the reads.
func (r reads) affectedBy(leaf []tree.Step) bool {
	return r.unknown || slices.ContainsFunc(r.paths, func(read []tree.Step) bool {
		k := min(len(read), len(leaf))
		return slices.Equal(read[:k], leaf[:k])
	})
}

// readsOf returns what is read for a node, wherever in its history, or for the nearest one around it.
func (s *search) readsOf(doc int, way path.Path) reads {
	n := s.nodeAt(doc, way)
	for n == nil && len(way) > 0 {
		way = way[:len(way)-1]
		n = s.nodeAt(doc, way)
	}
	if n == nil {
		return reads{unknown: true}
	}
	var list reads
	note := func(leaves []tree.Leaf) {
		for _, l := range leaves {
			list.paths = append(list.paths, s.res.Origins.Leaf(l).Path)
		}
	}
	for _, e := range s.blame.History(n) {
		note(e.Reads)
		note(e.Matched)
		for _, w := range e.When {
			note(s.res.Origins.Leaves(w.Reads))
		}
	}
	return list
}
