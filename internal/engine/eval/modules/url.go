package modules

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

var urlModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("url", map[string]function{
		"path_segment_encode": ofString(
			func(s string) (starlark.Value, error) { return starlark.String(url.PathEscape(s)), nil },
		),
		"path_segment_decode": ofString(unescaping(url.PathUnescape)),
		"query_param_value_encode": ofString(
			func(s string) (starlark.Value, error) { return starlark.String(url.QueryEscape(s)), nil },
		),
		"query_param_value_decode": ofString(unescaping(url.QueryUnescape)),
		"query_params_encode":      queryParamsEncode,
		"query_params_decode":      ofString(queryParamsDecode),
		"parse": ofString(func(s string) (starlark.Value, error) {
			u, err := url.Parse(s)
			if err != nil {
				return nil, err
			}
			return newURL(u), nil
		}),
	}, nil)
}}

func unescaping(f func(string) (string, error)) func(string) (starlark.Value, error) {
	return func(s string) (starlark.Value, error) {
		u, err := f(s)
		if err != nil {
			return nil, err
		}
		return starlark.String(u), nil
	}
}

func queryParamsEncode(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if err := exactly(1, args); err != nil {
		return nil, err
	}
	v, err := tree.FromStarlark(args[0])
	if err != nil {
		return nil, err
	}
	m, ok := v.Map()
	if !ok {
		return nil, fmt.Errorf("expected argument to be a map, but was %s", args[0].Type())
	}
	values := make(url.Values, len(m.Entries()))
	for _, item := range m.Entries() {
		key, ok := item.Key.Starlark().(starlark.String)
		if !ok {
			return nil, fmt.Errorf(
				"expected map key to be string, but was %s",
				item.Key.Starlark().Type(),
			)
		}
		a, ok := item.Value.Array()
		if !ok {
			return nil, fmt.Errorf(
				"expected map value to be array, but was %s",
				item.Value.Starlark().Type(),
			)
		}
		for _, e := range a.Entries() {
			s, ok := e.Value.Starlark().(starlark.String)
			if !ok {
				return nil, fmt.Errorf(
					"expected array value to be string, but was %s",
					e.Value.Starlark().Type(),
				)
			}
			values[string(key)] = append(values[string(key)], string(s))
		}
	}
	return starlark.String(values.Encode()), nil
}

// queryParamsDecode treats `;` like `&`, which was once common and which ytt still does.
func queryParamsDecode(s string) (starlark.Value, error) {
	values, err := url.ParseQuery(strings.ReplaceAll(s, ";", "&"))
	if err != nil {
		return nil, err
	}
	d := starlark.NewDict(len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		list := make([]starlark.Value, len(values[key]))
		for i, v := range values[key] {
			list[i] = starlark.String(v)
		}
		if err := d.SetKey(starlark.String(key), starlark.NewList(list)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// newURL returns the object for u, which must not be modified.
func newURL(u *url.URL) *object {
	return newObject("@ytt:url.value", map[string]function{
		"string":   getter(starlark.String(u.String())),
		"hostname": getter(starlark.String(u.Hostname())),
		"without_user": func(
			_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
		) (starlark.Value, error) {
			if err := exactly(0, args); err != nil {
				return nil, err
			}
			bare := *u
			bare.User = nil
			return newURL(&bare), nil
		},
	}, starlark.StringDict{"user": newUser(u.User)})
}

// newUser returns the object for the user of a URL, or None if there is none.
func newUser(user *url.Userinfo) starlark.Value {
	if user == nil {
		return starlark.None
	}
	var password starlark.Value = starlark.None
	if p, ok := user.Password(); ok {
		password = starlark.String(p)
	}
	return newObject("@ytt:url.user", map[string]function{
		"string": getter(starlark.String(user.String())),
	}, starlark.StringDict{"name": starlark.String(user.Username()), "password": password})
}
