package format

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
)

// CodePath reports a path that cannot be formatted.
const CodePath diag.Code = "fmt/path"

// extensions are those of the files to format.
var extensions = []string{".yml", ".yaml", ".star"}

// Find lists the files at paths and below directories, sorted and without duplicates. In directories, it
// skips names that begin with a dot, symbolic links and excluded files. If forced, it skips excluded files
// everywhere.
func Find(paths, exclude []string, forced bool) ([]string, error) {
	var names []string
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, cannotRead(path, err)
		case forced && isWithinExcluded(path, exclude):
		case info.IsDir():
			if names, err = below(names, path, exclude); err != nil {
				return nil, err
			}
		case !info.Mode().IsRegular():
			return nil, diag.Failf(CodePath, "'%s' is not a regular file", path)
		case !slices.Contains(extensions, filepath.Ext(path)):
			return nil, diag.Failf(CodePath, "cannot format '%s': expected a file that ends in %s",
				path, strings.Join(extensions, ", ")).
				WithHint("for YAML with another name, use standard input: weft fmt - <%s",
					diag.PathInShell(path))
		default:
			names = append(names, filepath.Clean(path))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// below adds the files below a directory.
func below(names []string, dir string, exclude []string) ([]string, error) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return cannotRead(path, err)
		case isExcluded(path, exclude):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case path != dir && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.Type().IsRegular() && slices.Contains(extensions, filepath.Ext(path)):
			names = append(names, filepath.Clean(path))
		}
		return nil
	})
	return names, err
}

// isExcluded reports whether one of the patterns matches a path. Patterns are absolute, because a path can
// be written in many ways.
func isExcluded(path string, patterns []string) bool {
	if len(patterns) == 0 {
		return false
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(patterns, func(p string) bool {
		return load.MatchPath(p, filepath.ToSlash(whole))
	})
}

// isWithinExcluded reports whether one of the patterns matches a path or a directory above it.
func isWithinExcluded(path string, patterns []string) bool {
	whole, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for up := filepath.Dir(whole); up != whole; whole, up = up, filepath.Dir(up) {
		if isExcluded(whole, patterns) {
			return true
		}
	}
	return false
}

func cannotRead(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		d := diag.Failf(CodePath, "'%s' does not exist", path)
		if near := similarName(path); near != "" {
			d.WithHint("did you mean %s?", diag.QuotedPathInShell(near))
		}
		return d
	}
	return diag.Failf(CodePath, "cannot read '%s': %s", path, errors.Unwrap(err))
}

// similarName returns an existing file or directory with a name similar to that of path, in the same
// directory, or "".
func similarName(path string) string {
	dir, base := filepath.Split(path)
	at := dir
	if at == "" {
		at = "."
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return ""
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	near := diag.Nearest(base, names)
	if near == "" || near == base {
		return ""
	}
	return dir + near
}
