package values

import (
	"errors"
	"fmt"
	"strings"
)

// Ref identifies a library, or one inside another: "@lib@child~alias". The zero Ref is the run
// itself.
type Ref []RefPart

// RefPart is one step of a Ref.
type RefPart struct {
	Path, Alias string // at least one of them
}

// ParseRef reads a reference.
func ParseRef(s string) (Ref, error) {
	if s == "" || s == "@" {
		return nil, errors.New("expected library ref to not be empty")
	}
	if !strings.HasPrefix(s, "@") {
		return nil, fmt.Errorf("expected library ref to start with '@', as in '@%s'", s)
	}
	var ref Ref
	for _, piece := range strings.Split(s[1:], "@") {
		path, alias, hasAlias := strings.Cut(piece, "~")
		switch {
		case piece == "":
			return nil, errors.New("expected library ref to not be empty")
		case hasAlias && alias == "":
			return nil, errors.New("expected library alias to not be empty")
		case strings.Contains(alias, "~"):
			return nil, fmt.Errorf(
				"expected library ref to have form: '@path', '@~alias', or '@path~alias', got: '%s'",
				s,
			)
		}
		ref = append(ref, RefPart{Path: path, Alias: alias})
	}
	return ref, nil
}

// Matches reports whether p is the library that was requested by path and alias.
func (p RefPart) Matches(path, alias string) bool {
	if p.Alias == "" {
		return p.Path == path
	}
	return p.Alias == alias && (p.Path == "" || p.Path == path)
}

func (r Ref) String() string {
	var b strings.Builder
	for _, p := range r {
		b.WriteString("@" + p.Path)
		if p.Alias != "" {
			b.WriteString("~" + p.Alias)
		}
	}
	return b.String()
}
