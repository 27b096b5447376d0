package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/project"
	"weft/internal/serve/lsp/index"
)

// The keys of projects that no weft.yml describes. All others are paths of weft.yml.
const (
	settingsKey = "settings"  // of what the settings name
	folderKey   = "folder "   // and a path
	unknownKey  = "unknown ." // of files that may belong to anything
)

// folderOfKey returns the folder whose files a project has that no weft.yml describes.
func folderOfKey(key string) string {
	_, dir, _ := strings.Cut(key, " ")
	return dir
}

// IsUnknown reports whether no one knows which files are rendered together with those of the
// project: there is no weft.yml, no folder above them has both data values and templates, and other
// folders do have data values. It is everything in the workspace folder, for features; what its
// evaluation finds wrong says nothing about what a command line would.
func (p *Configuration) IsUnknown() bool { return p.key == unknownKey }

// keyOf tells the project that a file belongs to: the nearest weft.yml above it, what the settings
// name, or the nearest folder above it that has data values and templates.
func (f *Folder) keyOf(s *Snapshot, name string, settings Settings) (key, file string) {
	dir := path.Dir(name)
	if at := s.projectFileAbove(dir); at != "" {
		return at, at
	}
	if len(settings.Inputs) > 0 {
		return settingsKey, ""
	}
	return s.folderKeyOf(outsideLibraries(dir)), ""
}

// projectFileAbove returns the nearest weft.yml in a folder or above it, or "".
func (s *Snapshot) projectFileAbove(dir string) string {
	for ; ; dir = path.Dir(dir) {
		at := path.Join(dir, project.FileName)
		if info, err := s.Files().Stat(at); err == nil && info.Mode().IsRegular() {
			return at
		}
		if dir == "." {
			return ""
		}
	}
}

// folderKeyOf returns the project that the files of a folder belong to if no one says so.
func (s *Snapshot) folderKeyOf(dir string) string {
	s.mu.Lock()
	key, ok := s.keys[dir]
	s.mu.Unlock()
	if ok {
		return key
	}
	key = s.findFolderKey(dir)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil {
		s.keys = map[string]string{}
	}
	s.keys[dir] = key
	return key
}

func (s *Snapshot) findFolderKey(dir string) string {
	for at := dir; ; at = path.Dir(at) {
		if s.isProject(at) {
			return folderKey + at
		}
		if at == "." {
			break
		}
	}
	if s.has(".", declaresValues, true) && s.has(".", isTemplate, true) {
		return unknownKey
	}
	return folderKey + "."
}

// isProject reports whether a folder has data values and templates that belong together: it has the
// ones, and the others are in it or in a folder of it. Data values next to templates of their own are
// not for those of a folder above.
func (s *Snapshot) isProject(dir string) bool {
	return s.has(dir, declaresValues, false) && s.has(dir, isTemplate, true) ||
		s.has(dir, isTemplate, false) && s.hasBareValues(dir)
}

// hasBareValues reports whether a folder of a folder has data values, and no templates.
func (s *Snapshot) hasBareValues(dir string) bool {
	entries, err := s.Files().ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		name := path.Join(dir, e.Name())
		return e.IsDir() && e.Name() != index.PrivateDir && s.has(name, declaresValues, true) &&
			!s.has(name, isTemplate, true)
	})
}

// outsideLibraries returns the folder whose files use the private libraries that a folder is in;
// itself if it is in none.
func outsideLibraries(dir string) string {
	if before, _, ok := strings.Cut("/"+dir+"/", "/"+index.PrivateDir+"/"); ok {
		return path.Clean(strings.TrimPrefix(before, "/"))
	}
	return dir
}

// nature is what a file is for a project, by the look of it.
type nature uint8

const (
	isOther nature = iota
	declaresValues
	isTemplate
)

// natured is the nature of a file, and at which change it was looked at.
type natured struct {
	changed int
	is      nature
}

// errFound ends a walk.
var errFound = errors.New("found")

// has reports whether a folder has a file of a nature, or one of its folders does, except for private
// libraries.
func (s *Snapshot) has(dir string, wanted nature, deep bool) bool {
	err := fs.WalkDir(s.Files(), dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read has nothing
		case e.IsDir() && name != dir && (!deep || e.Name() == index.PrivateDir):
			return fs.SkipDir
		case !e.IsDir() && s.natureOf(name) == wanted:
			return errFound
		}
		return nil
	})
	return err != nil
}

// natureOf returns the nature of a file. It is found out once, until the file changes.
func (s *Snapshot) natureOf(name string) nature {
	if t := load.Named(name).Type; t != load.YAML && t != load.Text {
		return isOther
	}
	f := s.folder
	f.mu.Lock()
	known, ok := f.natures[name]
	changed := f.changes[name]
	f.mu.Unlock()
	if ok && known.changed == changed {
		return known.is
	}
	data, err := s.Files().ReadFile(name)
	is := isOther
	switch {
	case err != nil || !hasMarks(data):
	case bytes.Contains(data, []byte("#@"+compile.ValuesAnnotation)),
		bytes.Contains(data, []byte("#@ "+compile.ValuesAnnotation)):
		is = declaresValues
	default:
		is = isTemplate
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.natures[name] = natured{changed, is}
	return is
}
