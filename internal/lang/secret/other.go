package secret

import (
	"context"
	"strings"
	"unicode"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// This file is about runs with other secrets: what such a run does differently depends on the secrets, however it
// was computed from them.

type othersKey struct{}

// WithOthers returns a context in whose runs all secret data values are others of the same form, also those of
// libraries.
func WithOthers(ctx context.Context) context.Context {
	return context.WithValue(ctx, othersKey{}, true)
}

// HasOthers reports whether the runs of a context have other secrets.
func HasOthers(ctx context.Context) bool { return ctx.Value(othersKey{}) != nil }

// Other returns another value of the same type. A text keeps its length and its kinds of characters: code may
// check them. Other of Other is another value again, unless it is a truth value: a secret may be one of the project
// and, passed on, one of a library.
func Other(v tree.Value) tree.Value {
	switch x := v.Starlark().(type) {
	case starlark.Bool:
		return tree.Of(!x).WithOrigin(v.Origin())
	case starlark.String:
		return tree.String(otherText(string(x))).WithOrigin(v.Origin())
	case starlark.Int:
		return tree.Of(x.Add(starlark.MakeInt(7))).WithOrigin(v.Origin())
	case starlark.Float:
		return tree.Of(x + 7).WithOrigin(v.Origin())
	case *tree.Map:
		return tree.Of(tree.NewMap(others(x.Entries()), x.Pos)).WithOrigin(v.Origin())
	case *tree.Array:
		return tree.Of(tree.NewArray(others(x.Entries()), x.Pos)).WithOrigin(v.Origin())
	}
	return v
}

func others(items []tree.Item) []tree.Item {
	list := make([]tree.Item, len(items))
	for i, it := range items {
		it.Value = Other(it.Value)
		list[i] = it
	}
	return list
}

func otherText(text string) string {
	if other := strings.Map(otherLetter, text); other != text {
		return other
	}
	return strings.Map(func(r rune) rune { // it has neither letters nor digits
		if r == '*' {
			return '+'
		}
		return '*'
	}, text)
}

// otherLetter returns another letter of the same case, or another digit. Other characters stay.
func otherLetter(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return 'a' + (r-'a'+7)%26
	case 'A' <= r && r <= 'Z':
		return 'A' + (r-'A'+7)%26
	case '0' <= r && r <= '9':
		return '0' + (r-'0'+7)%10
	}
	for _, is := range []func(rune) bool{unicode.IsUpper, unicode.IsLower, unicode.IsDigit, unicode.IsLetter} {
		for step := rune(1); is(r) && step < 8; step++ {
			if is(r + step) {
				return r + step
			}
		}
	}
	return r
}
