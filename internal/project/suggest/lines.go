package suggest

import (
	"cmp"
	"slices"
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
)

// rewrite is a file with its old and its new lines.
type rewrite struct {
	starts []int        // the offsets of the old lines
	docs   []tree.Value // the old documents; none if it is not YAML
	found  places       // what begins in them where something changes
	a, b   []string
	edits  []unified.Edit
}

// findLines finds the lines of the changes in the new files. What is removed was before the line.
func (p *Plan) findLines(s *search) {
	for _, f := range p.Files {
		var steps []*Step
		offsets := map[int]bool{}
		for i := range p.Steps {
			if step := &p.Steps[i]; !step.isNew() && step.File == f.Path {
				steps = append(steps, step)
				offsets[step.at.offset] = true
			}
		}
		if steps == nil {
			continue
		}
		r := &rewrite{a: strings.SplitAfter(string(f.Old), "\n"), b: strings.Split(string(f.New), "\n")}
		at := 0
		for i, line := range r.a {
			r.starts = append(r.starts, at)
			at += len(line)
			r.a[i] = strings.TrimSuffix(line, "\n")
		}
		r.edits = unified.CompareLines(r.a, r.b)
		_, r.docs, _ = parse(f.Old, f.Path, s.syntaxOf(f.Path))
		r.found = locate(r.docs, offsets)
		for _, step := range steps {
			step.Line = r.line(step)
		}
	}
}

// line returns the line of a step.
func (r *rewrite) line(step *Step) int {
	if len(r.edits) == 0 {
		return 1
	}
	name := lastKey(step.Name)
	has := func(line string) bool { return name != "" && strings.Contains(line, name) }
	at, found := r.before(step.at)
	// What begins on a line changes there, or in the lines that follow.
	first, _ := slices.BinarySearchFunc(r.edits, at, func(e unified.Edit, at int) int {
		return cmp.Compare(max(e.A1, e.A0+1), at+1)
	})
	first = min(first, len(r.edits)-1)
	e := r.edits[first]
	if !found { // it is new somewhere below
		for _, x := range r.edits[first:] {
			if slices.ContainsFunc(r.b[x.B0:x.B1], has) {
				e = x
				break
			}
		}
	}
	line := e.B0
	if i := slices.IndexFunc(r.b[e.B0:e.B1], has); found && e.A1-e.A0 == e.B1-e.B0 && e.A0 < at && at < e.A1 {
		line += at - e.A0
	} else if i >= 0 {
		line += i
	}
	return max(min(line+1, len(r.b)-1), 1)
}

// lastKey returns the last key of a path that may be in quotes, as it is in a file.
func lastKey(name string) string {
	if text, ok := strings.CutSuffix(name, `"`); ok {
		return text[strings.LastIndexByte(text, '"')+1:]
	}
	return name[strings.LastIndexAny(name, ".] ")+1:]
}

// before returns the number of the old line, from 0, with what is at a spot, or with the innermost map or list that
// it is in; found reports which.
func (r *rewrite) before(place spot) (line int, found bool) {
	lineOf := func(offset int) int {
		i, _ := slices.BinarySearch(r.starts, offset+1)
		return max(i-1, 0)
	}
	switch {
	case place.file == "" || len(r.docs) == 0:
		return 0, false
	case place.offset >= 0 && len(place.path) == 0:
		return lineOf(place.offset), true
	}
	doc, way, ok := place.in(r.found)
	if !ok {
		return 0, false
	}
	v, offset := r.docs[doc], r.docs[doc].Start().Offset()
	found = true
	for _, step := range way {
		it, ok := entryAt(v, step)
		if !ok {
			found = false
			break
		}
		v, offset = it.Value, it.Pos.Offset()
	}
	return lineOf(offset), found
}

// entryAt returns the item of a map or a list that a step leads to.
func entryAt(v tree.Value, step tree.Step) (tree.Item, bool) {
	if v.Kind() == tree.ScalarKind {
		return tree.Item{}, false
	}
	for i, it := range v.Entries() {
		if step.Index < 0 && v.Kind() == tree.MapKind && tree.KeyText(it.Key) == step.Key ||
			step.Index == i && v.Kind() == tree.ArrayKind {
			return it, true
		}
	}
	return tree.Item{}, false
}
