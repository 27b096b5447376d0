package lint

import (
	"fmt"
	"slices"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// CodeRule is the code of errors about the names and levels of rules.
const CodeRule diag.Code = "lint/rule"

// seen combines the findings of several environments.
type seen struct {
	ignores *ignores

	envs  []map[string]bool // the files of each environment
	whole map[string]bool   // files that are inputs together with the templates of their folder
	found map[string]*entry
	order []string
}

// entry is a finding, and the number of environments with it.
type entry struct {
	d     *diag.Diagnostic
	file  string
	times int
}

// add adds the findings of an environment.
func (s *seen) add(x *added, groups []diag.Failure) {
	if s.found == nil {
		s.found, s.whole = map[string]*entry{}, map[string]bool{}
	}
	s.addWhole(x.rest.folders, x.inputs)
	names := map[string]bool{}
	for _, f := range x.files.All() {
		names[f.Shown()] = true
	}
	s.envs = append(s.envs, names)
	present := map[string]bool{}
	for _, g := range groups {
		s.addAll(g.Files, g.List, present)
	}
}

// addAll adds findings of an environment, except those that are present.
func (s *seen) addAll(files *source.Set, found diag.List, present map[string]bool) {
	for _, d := range found {
		file, at := "", ""
		if f := files.File(d.At.Pos); f != nil {
			file, at = f.Shown(), fmt.Sprint(d.At.Offset())
		}
		key := fmt.Sprintf("%s\x00%s\x00%s\x00%s", file, at, d.Code, d.Message)
		if present[key] {
			continue
		}
		present[key] = true
		if e := s.found[key]; e != nil {
			e.times++
			continue
		}
		s.found[key] = &entry{d, file, 1}
		s.order = append(s.order, key)
	}
}

// instead adds a finding about all environments in the place of those about single ones.
func (s *seen) instead(files *source.Set, d *diag.Diagnostic) {
	f := files.File(d.At.Pos)
	if f == nil || s.found == nil { // no environment was checked
		return
	}
	s.order = slices.DeleteFunc(s.order, func(key string) bool {
		e := s.found[key]
		return e.d.Code == d.Code && e.file == f.Shown() && e.d.At.Offset() == d.At.Offset()
	})
	s.found[d.Message] = &entry{d, f.Shown(), len(s.envs)}
	s.order = append(s.order, d.Message)
}

// addWhole records the files whose folder is an input that has templates, and files in memory.
func (s *seen) addWhole(hasTemplates map[string]bool, inputs []load.Input) {
	for _, in := range inputs {
		if !in.IsFile() || in.Listed() && hasTemplates[inputFolder(in.Shown(), in.Path)] {
			s.whole[in.Shown()] = true
		}
	}
}

// all returns the findings, sorted by file and place. For rules about what never happens, it returns
// only findings that are true in every environment that has the file.
func (s *seen) all() diag.List {
	var list []*entry
	for _, key := range s.order {
		e := s.found[key]
		if r, ok := Find(string(e.d.Code)); ok && r.Needs == Environments {
			n := s.environmentsWith(e.file)
			if e.times < n || r.Several && n < 2 || r.Shared && n < 2 && !s.whole[e.file] {
				continue
			}
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b *entry) int {
		if a.file != b.file {
			if a.file < b.file {
				return -1
			}
			return 1
		}
		return a.d.At.Offset() - b.d.At.Offset()
	})
	var out diag.List
	for _, e := range list {
		out = append(out, e.d)
	}
	return out
}

// environmentsWith returns the number of environments that have a file.
func (s *seen) environmentsWith(file string) int {
	n := 0
	for _, names := range s.envs {
		if names[file] {
			n++
		}
	}
	return n
}
