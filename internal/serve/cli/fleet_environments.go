package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"weft"
	"weft/internal/serve/cli/process"
)

// environments finds the environments that patterns match, sorted by name.
func environments(patterns []string) ([]weft.Environment, error) {
	if len(patterns) == 0 {
		return nil, process.Usagef("fleet needs at least one environment").WithHint("add --env " +
			"'envs/*.yml'")
	}
	var envs []weft.Environment
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			return nil, process.Usagef("cannot understand --env '%s': %s", pattern, err)
		}
		hidden := strings.HasPrefix(filepath.Base(pattern), ".")
		found := 0
		for _, p := range paths {
			if strings.HasPrefix(filepath.Base(p), ".") && !hidden { // as in a shell
				continue
			}
			if info, err := os.Stat(p); err == nil && p != pattern && !info.IsDir() &&
				!info.Mode().IsRegular() { // the user did not name it explicitly
				return nil, process.Usagef("'%s' is not a regular file", p).WithHint("move it "+
					"elsewhere, or use a narrower pattern than '%s'", pattern)
			}
			env, err := environment(p)
			if err != nil {
				return nil, err
			}
			envs = append(envs, env)
			found++
		}
		if found == 0 {
			return nil, process.Usagef("--env '%s' matches no file", pattern)
		}
	}
	slices.SortFunc(envs, func(a, b weft.Environment) int {
		return strings.Compare(a.Name+"\x00"+a.Values, b.Name+"\x00"+b.Values)
	})
	envs = slices.CompactFunc(envs, func(a, b weft.Environment) bool { // patterns may overlap
		return a.Name == b.Name && a.Values == b.Values
	})
	for i := range envs[1:] {
		if a, b := envs[i], envs[i+1]; a.Name == b.Name {
			return nil, process.Usagef(
				"two environments have the name '%s': '%s' and '%s'",
				a.Name,
				a.Values,
				b.Values,
			)
		}
	}
	return envs, nil
}

// beforePattern returns the directory that contains everything that a pattern matches.
func beforePattern(pattern string) string {
	for strings.ContainsAny(pattern, `*?[`) {
		pattern = filepath.Dir(pattern)
	}
	return pattern
}

// environment returns the environment for a file, or for a directory of files.
func environment(path string) (weft.Environment, error) {
	name := filepath.Base(path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	switch {
	case name == "" || name == "." || name == "..":
		return weft.Environment{}, process.Usagef("cannot name an environment after the file "+
			"'%s'", path).WithHint("an environment is named after its file, without the " +
			"extension: rename the file")
	case strings.Contains(path, "="):
		return weft.Environment{}, process.Usagef("the path '%s' of an environment contains '=', which "+
			"other flags use to separate a name from a path", path).WithHint("rename the file")
	case strings.HasPrefix(path, "@"): // otherwise it would mean a library
		path = "." + string(filepath.Separator) + path
	}
	return weft.Environment{Name: name, Values: path}, nil
}

// shard is a share of the environments.
type shard struct{ index, count int }

// parseShard reads I/N.
func parseShard(s string) (shard, error) {
	first, second, ok := strings.Cut(s, "/")
	i, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(second)
	if !ok || err != nil || err2 != nil || n < 1 {
		return shard{}, process.Usagef(
			"--shard takes I/N, such as 0/4 for the first of four parts, but found '%s'",
			s,
		)
	}
	if i < 0 || i >= n {
		return shard{}, process.Usagef("--shard %s is out of range: of %d parts, the first is 0/%d and "+
			"the last %d/%d", s, n, n, n-1, n)
	}
	return shard{i, n}, nil
}

// partOf returns every count-th environment, starting with the index-th: neighbors by name often have
// a similar size, so each share gets some of them.
func partOf[T any](s shard, envs []T) []T {
	var part []T
	for i := s.index; i < len(envs); i += s.count {
		part = append(part, envs[i])
	}
	return part
}
