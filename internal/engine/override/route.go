package override

import (
	"slices"

	"weft/internal/lang/selector"
)

// routes finds the overrides that may be for a document, so that thousands of overrides, each for one of
// thousands of documents, do not all look at all of them.
type routes struct {
	any   []int              // overrides that may be for any document
	filed map[string][]int   // others by a key of the documents that they are for
	at    map[docPlace][]int // others by the documents that they select with a number
}

// routesOf returns the routes of overrides. numbered is what selections with numbers select.
func routesOf(overrides []*patch, numbered map[numberedKey]map[docPlace]bool) *routes {
	r := &routes{filed: map[string][]int{}, at: map[docPlace][]int{}}
	for k, o := range overrides {
		if chosen := numberedPlaces(k, o, numbered); chosen != nil {
			for at := range chosen {
				r.at[at] = append(r.at[at], k)
			}
			continue
		}
		keys, ok := o.keys()
		if !ok {
			r.any = append(r.any, k)
		}
		for _, key := range keys {
			r.filed[key] = append(r.filed[key], k)
		}
	}
	return r
}

// numberedPlaces returns the only documents that an override with a number may be for, or nil.
func numberedPlaces(k int, o *patch, numbered map[numberedKey]map[docPlace]bool) map[docPlace]bool {
	for _, s := range []Selector{o.sel, o.only} {
		if s.numbered() {
			return numbered[numberedKey{k, s.String()}]
		}
	}
	return nil
}

// keys returns texts of which a document must have one as a key, if the override is for it. It returns false
// if that may be any document.
func (p *patch) keys() ([]string, bool) {
	if !p.selects() {
		return nil, false
	}
	if p.identity != nil {
		return []string{p.identity.name}, true
	}
	for _, s := range []Selector{p.sel, p.only} {
		if keys, ok := s.keys(); ok {
			return keys, true
		}
	}
	return nil, false
}

// keys is selector.Selector.Keys for any of several.
func (s Selector) keys() (all []string, ok bool) {
	for _, one := range s.any {
		keys, ok := one.Keys()
		if !ok {
			return nil, false
		}
		all = append(all, keys...)
	}
	return all, len(all) > 0
}

// isOpen reports whether all overrides may be for any document.
func (r *routes) isOpen() bool { return len(r.filed)+len(r.at) == 0 }

// of returns the numbers of the overrides that may be for a document with these keys, in order.
func (r *routes) of(at docPlace, keys []string) []int {
	if r.isOpen() {
		return r.any
	}
	list := slices.Concat(r.any, r.at[at])
	for _, key := range keys {
		list = append(list, r.filed[key]...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// keysOf returns the keys of a document, if routes need them.
func (r *routes) keysOf(d selector.Selectable) []string {
	if len(r.filed) == 0 {
		return nil
	}
	return d.Keys()
}
