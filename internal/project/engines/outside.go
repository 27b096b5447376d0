package engines

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/project/engines/wire"
)

// outsideName is the folder in which weft-engines sees what is outside of the repository, by its whole path.
// So a kustomization there finds the directories next to it, if they are allowed, too.
const outsideName = "(outside)"

// outside is the charts and kustomizations outside of the repository that a project names. What may be read
// there is for Repository.Allow to say.
type outside struct {
	shown map[string]string // their paths as messages show them, by their names
	above map[string]bool   // the names of the directories above them, which look empty
}

// add returns the name of a path. It is absolute without links, and shown as given.
func (o *outside) add(abs, given string) string {
	name := path.Join(outsideName, strings.TrimPrefix(filepath.ToSlash(abs), "/"))
	if o.shown == nil {
		o.shown, o.above = map[string]string{}, map[string]bool{}
	}
	o.shown[name] = given
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		o.above[dir] = true
	}
	return name
}

// path returns the path for a name, or false if the name is in the repository.
func (o *outside) path(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, outsideName+"/")
	if !ok || o.shown == nil {
		return "", false
	}
	for dir := name; dir != "."; dir = path.Dir(dir) {
		if given, ok := o.shown[dir]; ok {
			return filepath.Join(given, filepath.FromSlash(strings.TrimPrefix(name, dir))), true
		}
	}
	if filepath.VolumeName(filepath.FromSlash(rest)) == "" {
		rest = "/" + rest
	}
	return filepath.FromSlash(rest), true
}

// look returns what weft-engines sees of a directory above, which may not be read itself.
func (o *outside) look(name string) (wire.Reply, bool) { return wire.Reply{Dir: true}, o.above[name] }

// Shown returns a message of weft-engines with paths as people know them.
func (f *Files) Shown(message string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	for _, name := range slices.SortedFunc(maps.Keys(f.outside.shown), longestFirst) {
		message = strings.ReplaceAll(message, name, f.outside.shown[name])
	}
	if f.outside.shown != nil {
		message = strings.ReplaceAll(message, outsideName+"/", "/")
	}
	return message
}
