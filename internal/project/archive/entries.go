package archive

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
)

// entries collects what an archive, or the layers of an image one after the other, contain.
type entries struct {
	source string
	limits Limits
	layer  int
	count  int   // entries so far, directories included
	bytes  int64 // bytes of files so far
	byName map[string]entry
	gone   map[string]bool // what this layer deletes of lower ones, with everything below
	opaque map[string]bool // directories of which it deletes all that lower ones have
}

// entry is a file, a link, a directory, or something that is refused if it is selected.
type entry struct {
	layer int
	file  File
	dir   bool
	to    string // where a link leads, from the top of the archive
	link  bool
	why   string // why it cannot be a file of a project
}

func newEntries(source string, limits Limits) *entries {
	return &entries{source: source, limits: limits.orDefault(), byName: map[string]entry{}}
}

// add adds an entry by the name that the archive has for it. Names that no honest archive has are an
// error of the whole archive.
func (e *entries) add(raw string, n entry) error {
	name, problem := cleanName(raw, n.dir)
	if problem != "" {
		return e.failf("the entry '%s' %s", raw, problem).WithHint(hintHostile)
	}
	if err := e.counted(int64(len(n.file.Data))); err != nil {
		return err
	}
	if name == "." {
		return nil
	}
	n.layer = e.layer
	n.file.Name = name
	if err := e.fits(name, n); err != nil {
		return err
	}
	e.byName[name] = n
	return nil
}

// hintHostile is the hint for archives that are refused as a whole.
const hintHostile = "use another version or another source: weft does not unpack such an archive"

// counted counts an entry against the limits.
func (e *entries) counted(size int64) error {
	if e.count++; e.count > e.limits.Entries {
		return e.failf("it has more than %d entries", e.limits.Entries).WithHint(hintHostile)
	}
	if e.bytes += size; e.bytes > e.limits.Bytes {
		return e.tooLarge()
	}
	return nil
}

func (e *entries) tooLarge() error {
	return e.failf("it has more than %d MiB when unpacked", e.limits.Bytes>>20).
		WithHint("use a source with fewer files, or split this one")
}

// fits returns an error if an entry cannot be beside those before it. Layers replace what is below them.
func (e *entries) fits(name string, n entry) error {
	switch old, ok := e.byName[name]; {
	case !ok || old.dir && n.dir:
	case old.layer != e.layer:
		e.gone[name] = true
	default:
		return e.failf("it has two entries '%s'", name).WithHint(hintHostile)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		above, ok := e.byName[dir]
		switch {
		case !ok || above.layer != e.layer:
			e.byName[dir] = entry{layer: e.layer, dir: true}
		case above.dir:
			return nil // and so are those above it
		default: // writing through a link is how archives escape
			return e.failf("it has an entry '%s' below '%s', which is not a directory", name, dir).
				WithHint(hintHostile)
		}
	}
	return nil
}

// readLayer reads a layer on top of those before it.
func (e *entries) readLayer(l Layer) error {
	e.gone, e.opaque = map[string]bool{}, map[string]bool{}
	err := error(nil)
	if l.Name != "" {
		err = e.add(l.Name, entry{file: File{Data: l.Data}})
	} else {
		err = e.read(l.Data)
	}
	if err != nil {
		return err
	}
	if len(e.gone)+len(e.opaque) > 0 {
		for name, n := range e.byName {
			if n.layer < e.layer && e.isGone(name) {
				delete(e.byName, name)
			}
		}
	}
	e.layer++
	return nil
}

// isGone reports whether the current layer deletes a name of a lower one.
func (e *entries) isGone(name string) bool {
	if e.gone[name] {
		return true
	}
	for name != "." {
		name = path.Dir(name)
		if e.gone[name] || e.opaque[name] {
			return true
		}
	}
	return false
}

// longestName is the maximum number of bytes of a name with its directories.
const longestName = 1024

// cleanName returns the name of an entry in its shortest form, or what is wrong with it.
func cleanName(raw string, dir bool) (name, problem string) {
	if dir {
		raw = strings.TrimRight(raw, "/")
		if raw == "" {
			raw = "."
		}
	}
	switch {
	case raw == "" || strings.HasSuffix(raw, "/"):
		return "", "has no name"
	case strings.HasPrefix(raw, "/"):
		return "", "has an absolute name"
	case len(raw) > longestName:
		return "", "has a name that is too long"
	case strings.Contains(raw, `\`):
		return "", "has a backslash in its name"
	case !utf8.ValidString(raw):
		return "", "has a name that is not UTF-8"
	case strings.ContainsFunc(raw, unicode.IsControl):
		return "", "has a control character in its name"
	case len(raw) > 1 && raw[1] == ':' && unicode.IsLetter(rune(raw[0])):
		return "", "has an absolute name on Windows"
	case slices.Contains(strings.Split(raw, "/"), ".."):
		return "", "leads out of the archive"
	case gitdir.IsBelow(raw):
		return "", "belongs to git"
	}
	name = path.Clean(raw)
	if name == "." && !dir {
		return "", "has no name"
	}
	return name, ""
}

// files returns the files, with links replaced by copies of what they lead to.
func (e *entries) files() (*Files, error) {
	if err := e.followLinks(); err != nil {
		return nil, err
	}
	f := &Files{source: e.source}
	for name, n := range e.byName {
		switch {
		case n.dir:
		case n.why != "":
			f.refused = append(f.refused, refusal{name, n.why})
		default:
			f.list = append(f.list, n.file)
		}
	}
	slices.SortFunc(f.list, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(f.refused, func(a, b refusal) int { return cmp.Compare(a.name, b.name) })
	return f, nil
}

func (e *entries) failf(format string, args ...any) *diag.Diagnostic {
	return failf(e.source, format, args...)
}

func failf(source, format string, args ...any) *diag.Diagnostic {
	d := diag.Failf(CodeArchive, format, args...)
	d.Message = "cannot use '" + source + "': " + d.Message
	return d
}
