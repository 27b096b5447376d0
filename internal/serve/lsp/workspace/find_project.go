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
	settingsKey = "settings"  // the settings name the inputs
	folderKey   = "folder "   // followed by a path
	unknownKey  = "unknown ." // the files may belong to any project
)

// folderOfKey returns the folder of a project without weft.yml.
func folderOfKey(key string) string {
	_, dir, _ := strings.Cut(key, " ")
	return dir
}

// IsUnknown reports whether it is unknown which files are rendered together: there is no weft.yml, no
// folder above the files has both data values and templates, and other folders have data values.
// Features treat the whole workspace folder as the project, but errors of its evaluation are not
// reported, since a command line would render other files.
func (p *Configuration) IsUnknown() bool { return p.key == unknownKey }

// keyOf returns the key of the project that a file belongs to: the nearest weft.yml above it, the
// settings, or the nearest folder above it that has data values and templates. It also returns the
// path of weft.yml, or "".
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

// folderKeyOf returns the key of the project that the files of a folder belong to without weft.yml and
// settings.
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

// isProject reports whether a folder has data values and templates that belong together: it contains
// one of them directly, and the other directly or in a subfolder. Data values in a subfolder that
// also has templates belong to those.
func (s *Snapshot) isProject(dir string) bool {
	return s.has(dir, declaresValues, false) && s.has(dir, isTemplate, true) ||
		s.has(dir, isTemplate, false) && s.hasBareValues(dir)
}

// hasBareValues reports whether a subfolder has data values but no templates.
func (s *Snapshot) hasBareValues(dir string) bool {
	entries, err := s.Files().ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		name := path.Join(dir, e.Name())
		return e.IsDir() && e.Name() != index.PrivateDir && s.has(name, declaresValues, true) &&
			!s.has(name, isTemplate, true)
	})
}

// outsideLibraries returns the folder that contains the private libraries that a folder is in, or the
// folder itself if it is in none.
func outsideLibraries(dir string) string {
	if before, _, ok := strings.Cut("/"+dir+"/", "/"+index.PrivateDir+"/"); ok {
		return path.Clean(strings.TrimPrefix(before, "/"))
	}
	return dir
}

// category is what a project may use a file for, judged by its name and text.
type category uint8

const (
	isOther category = iota
	declaresValues
	isTemplate
)

// categorized is the category of a file after a change.
type categorized struct {
	changed int
	is      category
}

// errFound ends a walk.
var errFound = errors.New("found")

// has reports whether a folder has a file of a category. If deep, it also looks into subfolders,
// except for private libraries.
func (s *Snapshot) has(dir string, wanted category, deep bool) bool {
	err := fs.WalkDir(s.Files(), dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is not rendered
		case e.IsDir() && name != dir && (!deep || e.Name() == index.PrivateDir):
			return fs.SkipDir
		case !e.IsDir() && s.categoryOf(name) == wanted:
			return errFound
		}
		return nil
	})
	return err != nil
}

// categoryOf returns the category of a file, which is kept until the file changes.
func (s *Snapshot) categoryOf(name string) category {
	if t := load.Named(name).Type; t != load.YAML && t != load.Text {
		return isOther
	}
	f := s.folder
	f.mu.Lock()
	known, ok := f.categories[name]
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
	f.categories[name] = categorized{changed, is}
	return is
}
