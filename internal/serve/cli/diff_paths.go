package cli

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft"
	"weft/internal/serve/cli/process"
)

// localTo converts the path of a file below the current directory to one in a file system, in which the current
// directory is here. who needs that, for messages.
func localTo(here, who string) func(p string) (string, error) {
	return func(p string) (string, error) {
		if !filepath.IsLocal(p) {
			return "", process.Usagef("%s reads files below the current directory only, but found '%s'", who, p).
				WithHint("change to a directory above it")
		}
		return path.Join(here, filepath.ToSlash(filepath.Clean(p))), nil
	}
}

// below converts the paths of a side to paths in a file system. check is called for each path, with its flag.
// Where no link may lead to is left out.
func below(
	s *weft.Side, in func(p string) (string, error), check func(flag, arg, path string) error,
) error {
	place := func(flag, arg, p string) (string, error) {
		if p == "-" || strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") {
			return p, nil
		}
		p, err := in(p)
		if err != nil {
			return "", err
		}
		return p, check(flag, arg, p)
	}
	// each converts arguments in which the path may follow a separator.
	each := func(flag string, list []string, sep string, always bool) ([]string, error) {
		out := slices.Clone(list)
		for i, arg := range out {
			prefix, p := "", arg
			if before, after, ok := strings.Cut(arg, sep); ok && (always || strings.HasPrefix(arg, "@")) {
				prefix, p = before+sep, after
			}
			p, err := place(flag, arg, p)
			if err != nil {
				return nil, err
			}
			out[i] = prefix + p
		}
		return out, nil
	}
	var err error
	inputs := "-f"
	if s.Plain {
		inputs = ""
	}
	if s.Inputs, err = each(inputs, s.Inputs, "=", !s.Plain); err != nil {
		return err
	}
	files := &s.DataValues.Files
	if *files, err = each("--data-values-file", *files, ":", false); err != nil {
		return err
	}
	files = &s.DataValues.JSONSchemas
	if *files, err = each("--data-values-json-schema", *files, "", false); err != nil {
		return err
	}
	files = &s.DataValues.KVFile
	if *files, err = each("--data-value-file", *files, "=", true); err != nil {
		return err
	}
	var allowed []string
	for _, x := range s.Symlinks.Allowed {
		if x, err := in(x); err == nil {
			allowed = append(allowed, x)
		}
	}
	s.Symlinks.Allowed = allowed
	s.Overrides = slices.Clone(s.Overrides)
	for i, o := range s.Overrides {
		if o.File {
			if s.Overrides[i].Text, err = place("--overrides-file", o.Text, o.Text); err != nil {
				return err
			}
		}
	}
	return nil
}
