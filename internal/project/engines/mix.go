package engines

import (
	"slices"
	"strings"

	"weft/internal/project/engines/wire"
)

// mix is two snapshots, of which the second has some of the files.
type mix struct {
	own, other *Files
	taken      []string
}

// Taking returns the files with some of them as others have them, by their names. It shows what a change of
// these files alone does.
func (f *Files) Taking(other *Files, names []string) *Files {
	return &Files{Repository: f.Repository, mix: &mix{f, other, names}}
}

// of returns the snapshot that a file is read from.
func (m *mix) of(name string) *Files {
	if slices.Contains(m.taken, name) {
		return m.other
	}
	return m.own
}

// at returns what is at a name, and its digest. Directories have the files that are taken, and lack those
// that others do not have.
func (m *mix) at(name string) (wire.Reply, digest) {
	reply, sum := m.of(name).at(name)
	if slices.Contains(m.taken, name) || reply.File != nil || reply.Denied != "" {
		return reply, sum
	}
	changed := false
	for _, taken := range m.taken {
		rest, ok := strings.CutPrefix("/"+taken, strings.TrimSuffix("/"+name, "/")+"/")
		if !ok {
			continue
		}
		entry, _, deeper := strings.Cut(rest, "/")
		there, _ := m.other.at(taken)
		switch listed := slices.Contains(reply.Entries, entry); {
		case there.File != nil && !listed:
			reply.Dir, changed = true, true
			reply.Entries = append(slices.Clone(reply.Entries), entry)
		case there.File == nil && !deeper && listed:
			changed = true
			reply.Entries = slices.DeleteFunc(slices.Clone(reply.Entries), func(x string) bool { return x == entry })
		}
	}
	if changed {
		slices.Sort(reply.Entries)
		sum = sumOf(reply)
	}
	return reply, sum
}
