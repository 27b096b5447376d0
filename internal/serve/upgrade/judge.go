package upgrade

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// fate is what becomes of an overlay, the best first.
type fate uint8

const (
	isFit       fate = iota
	isPartly         // a line of it changes nothing any more
	isUnneeded       // it changes nothing any more
	isUntold         // the environment does not render with the new files
	isDependent      // it needs a broken one
	isBroken
)

// finding is what becomes of an overlay in one environment.
type finding struct {
	Overlay
	env  string
	fate fate
}

// add notes what becomes of an overlay document in the environment.
func (s *stage) add(document string, is fate, o Overlay) {
	o.Document = document
	s.found = append(s.found, finding{o, s.label(s.env), is})
}

// conclude notes what becomes of the overlays that do not fail. If the environment does not render with the
// new files, that is unknown.
func (s *stage) conclude(renders bool) {
	for at, u := range s.uses {
		lost := u.matched[runBefore] && !u.matched[runAfter]
		is, was := u.effects[runAfter], u.effects[runBefore]
		switch {
		case slices.Contains(s.without[s.env], at):
		case !renders:
			s.add(at, isUntold, Overlay{Place: at, Message: "the environment does not render"})
		case len(u.effects[runToday]) > 0 && len(was) == 0 && len(is) == 0:
			s.add(at, isDependent, Overlay{Place: at, Message: "changes nothing without an overlay that is broken"})
		case lost || len(was) > 0 && len(is) == 0:
			o := Overlay{Place: at, Message: "changes nothing any more: upstream has these values itself"}
			if lines := slices.SortedFunc(maps.Keys(was), byPlace); len(lines) > 0 {
				o.Place = lines[0]
			}
			if lost {
				o.Message = "matches nothing any more"
			}
			s.add(at, isUnneeded, o)
		default:
			s.add(at, isFit, Overlay{Place: at})
			for line := range was {
				if is[line] == 0 {
					s.add(at, isPartly, Overlay{Place: line, Message: "changes nothing any more"})
				}
			}
		}
	}
}

// judge brings together what was found in all environments: what is the same in several is listed once, with
// their names.
func judge(found []finding) (o Overlays) {
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(byPlace(a.Document, b.Document), cmp.Compare(a.fate, b.fate), byPlace(a.Place, b.Place),
			strings.Compare(a.Message, b.Message))
	})
	lists := map[fate]*[]Overlay{
		isPartly: &o.Partly, isUnneeded: &o.Unneeded, isUntold: &o.Untold, isDependent: &o.Dependent,
		isBroken: &o.Broken,
	}
	for i := 0; i < len(found); {
		var fits []string // the environments in which the document fits
		document, worst := found[i].Document, isFit
		for ; i < len(found) && found[i].Document == document; i++ {
			f := found[i]
			worst = max(worst, f.fate)
			list := lists[f.fate]
			if list == nil {
				fits = append(fits, f.env)
				continue
			}
			n := len(*list) - 1
			if n < 0 || !(*list)[n].isSame(&f.Overlay) {
				if f.Overlay.Fits = fits; f.fate == isPartly {
					f.Overlay.Fits = nil
				}
				*list = append(*list, f.Overlay)
				n++
			}
			if f.env != "" {
				(*list)[n].Environments = append((*list)[n].Environments, f.env)
			}
		}
		if worst <= isPartly {
			o.Fit++
		}
	}
	return o
}

// isSame reports whether two overlays are the same document with the same fate.
func (o *Overlay) isSame(other *Overlay) bool {
	return o.Document == other.Document && o.Place == other.Place && o.Message == other.Message
}

// byPlace orders places by file, and then by line.
func byPlace(a, b string) int {
	fileA, lineA := splitPlace(a)
	fileB, lineB := splitPlace(b)
	return cmp.Or(strings.Compare(fileA, fileB), cmp.Compare(len(lineA), len(lineB)),
		strings.Compare(lineA, lineB))
}

func splitPlace(at string) (file, line string) {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return at, ""
	}
	return at[:i], at[i+1:]
}
