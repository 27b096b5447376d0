package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"weft/internal/lang/diag"
)

// Symlinks decides which symbolic links may be followed. By default none are: otherwise an
// untrusted tree of files could point at any secret of the machine.
type Symlinks struct {
	All     bool     // every link
	Allowed []string // links whose final target is one of these paths or is below one
}

// follow returns the target of the link at path, and the target's path, if the link may be followed.
func (s Symlinks) follow(path string) (fs.FileInfo, string, error) {
	next, _ := os.Readlink(path)
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", linkError(path, next, err)
	}
	if isDescriptor(path) && info.Mode()&fs.ModeNamedPipe != 0 {
		return info, path, nil
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, "", linkError(path, next, err)
	}
	if s.All {
		return info, target, nil
	}
	for _, allowed := range s.Allowed {
		ok, err := inside(target, allowed)
		if err != nil {
			return nil, "", linkError(path, next, err)
		}
		if ok {
			return info, target, nil
		}
	}
	return nil, "", notAllowed(path, target)
}

// notAllowed returns the error that a link must not be followed.
func notAllowed(path, target string) *diag.Diagnostic {
	return diag.Failf(CodeSymlink,
		"checking symlink file '%s': expected symlink file '%s' -> '%s' to be allowed, but was not",
		path, path, target).
		WithHint("symlinks are disallowed as a security feature, use " +
			"'--allow-symlink-destination' flags to override")
}

// linkError returns the error that the link at path, which leads to target if known, cannot be
// followed.
func linkError(path, target string, err error) error {
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return diag.Failf(CodeUnreadable, "checking symlink file '%s': %s", path, reason(err))
	case target == "":
		return diag.Failf(CodeNotFound, "checking symlink file '%s': %s", path, reason(err))
	}
	return diag.Failf(
		CodeNotFound,
		"checking symlink file '%s': it leads to '%s', which does not exist",
		path,
		target,
	)
}

// isDescriptor reports whether path is an open file of this process, like <(command) in a shell.
// Such links lead nowhere in the file system.
func isDescriptor(path string) bool {
	if path == "/dev/stdin" {
		return true
	}
	rest, ok := strings.CutPrefix(path, "/dev/fd/")
	if !ok {
		rest, ok = strings.CutPrefix(path, "/proc/self/fd/")
	}
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// inside reports whether the resolved path target is root or below it. root may itself be reached
// through a link (/tmp often is), so both forms are tried.
func inside(target, root string) (bool, error) {
	target, err := filepath.Abs(target)
	if err != nil {
		return false, err
	}
	if root, err = filepath.Abs(root); err != nil {
		return false, err
	}
	if hasPathPrefix(target, root, filepath.Separator) {
		return true, nil
	}
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false, nil // nothing is below a missing path
	}
	return hasPathPrefix(target, resolved, filepath.Separator), nil
}

// hasPathPrefix compares whole parts of clean, absolute paths: /a/bc is not inside /a/b.
func hasPathPrefix(path, prefix string, sep byte) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == sep || prefix[len(prefix)-1] == sep)
}
