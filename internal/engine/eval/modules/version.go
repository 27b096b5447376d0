package modules

import (
	"fmt"

	"weft/internal/lang/lazy"

	"go.starlark.net/starlark"
	"golang.org/x/mod/semver"
)

// LanguageLevel is the version of ytt whose language weft implements.
const LanguageLevel = "0.49.0"

var versionModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("version", map[string]function{
		"require_at_least": ofString(func(s string) (starlark.Value, error) {
			want, ok := canonical(s)
			if !ok {
				return nil, fmt.Errorf("version string '%s' must be a valid semver", s)
			}
			if have, _ := canonical(LanguageLevel); semver.Compare(have, want) < 0 {
				return nil, fmt.Errorf(
					"ytt version '%s' does not meet the minimum required version '%s'",
					LanguageLevel,
					s,
				)
			}
			return starlark.None, nil
		}),
	}, nil)
}}

// canonical returns a version in the form that package semver compares. That package accepts v1 and
// v1.2, but ytt does not.
func canonical(s string) (v string, ok bool) {
	v = "v" + s
	return v, semver.IsValid(v) && semver.Canonical(v)+semver.Build(v) == v
}
