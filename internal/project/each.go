package project

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/budget"
	"weft/internal/lang/diag"
	"weft/internal/lang/shape"
)

// maxFamily is the maximum number of environments of one `each`.
const maxFamily = 100_000

// The names, paths and definitions of this many environments take tens of megabytes. Garbage is then
// collected sooner, so that 100,000 environments need no more than 300 MB.
const (
	manyMembers = 20_000
	roomOfMany  = 128 << 20
)

// member is an environment of an `each`, and its file.
type member struct{ name, file string }

// family lists the environments of an entry with `each`, sorted by name.
func (p *places) family(f *File, e Entry) ([]*member, error) {
	each := e.Value.Get(keyEach)
	dir, before, after, rest := splitEach(each.Text)
	start := p.from(f, dir)
	if d := p.check(start, each.At); d != nil {
		return nil, d
	}
	names, err := p.list(start)
	if err != nil {
		return nil, diag.Errorf(each.At, CodePath, "listing '%s': %s", start, reason(err))
	}
	if len(names) >= manyMembers {
		budget.Tighten(roomOfMany)
	}
	var members []*member
	var list diag.List
	for _, n := range names {
		star, ok := cutBoth(n, before, after)
		if !ok || before == "" && strings.HasPrefix(n, ".") {
			continue
		}
		file := p.join(start, n, rest)
		if rest != "" && p.check(file, each.At) != nil {
			continue // a directory without such a file
		}
		if d := p.check(file, each.At); d != nil {
			list = append(list, d)
			continue
		}
		name := strings.Replace(e.Key, "*", star, 1)
		if !shape.Matches(namePattern, name) {
			list = append(list, diag.Errorf(each.At, CodeEnvironment,
				"cannot name an environment after the file '%s': '%s' cannot be the name of an environment",
				file, name).WithHint("rename the file: names have letters, digits, '.', '_' and '-'"))
			continue
		}
		members = append(members, &member{name, file})
	}
	switch {
	case list != nil:
		return nil, list
	case len(members) == 0:
		return nil, diag.Errorf(each.At, CodePath, "no file matches '%s'", each.Text)
	case len(members) > maxFamily:
		return nil, diag.Errorf(each.At, CodeEnvironment, "'%s' matches %d files, but at most %d "+
			"environments can be made", each.Text, len(members), maxFamily)
	}
	slices.SortFunc(members, func(a, b *member) int { return strings.Compare(a.name, b.name) })
	return members, nil
}

// splitEach splits a pattern at its star: the directory to list, the prefix and suffix of a name in
// it, and the path below it.
func splitEach(pattern string) (dir, before, after, rest string) {
	before, after, _ = strings.Cut(pattern, "*")
	if i := strings.LastIndexByte(before, '/'); i >= 0 {
		dir, before = before[:i], before[i+1:]
		if dir == "" {
			dir = "/"
		}
	} else {
		dir = "."
	}
	after, rest, _ = strings.Cut(after, "/")
	return dir, before, after, rest
}

// cutBoth returns the nonempty part of a name between a prefix and a suffix.
func cutBoth(name, before, after string) (string, bool) {
	if len(name) <= len(before)+len(after) {
		return "", false
	}
	middle, ok := strings.CutPrefix(name, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(middle, after)
}

// list returns the names in a directory.
func (p *places) list(dir string) ([]string, error) {
	var entries []fs.DirEntry
	var err error
	if p.fsys != nil {
		entries, err = fs.ReadDir(p.fsys, dir)
	} else {
		p.reads(dir)
		entries, err = os.ReadDir(dir)
	}
	return entryNames(entries), err
}

func (p *places) join(parts ...string) string {
	if p.fsys != nil {
		return path.Join(parts...)
	}
	for i := range parts {
		parts[i] = filepath.FromSlash(parts[i])
	}
	return filepath.Join(parts...)
}
