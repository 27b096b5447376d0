package modules

import (
	"encoding/base64"

	"weft/internal/lang/lazy"

	"go.starlark.net/starlark"
)

var base64Module = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("base64", map[string]function{
		"encode": func(
			thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			s, encoding, err := base64Args(thread, args, kwargs)
			if err != nil {
				return nil, err
			}
			look(thread, s)
			return starlark.String(encoding.EncodeToString([]byte(s))), nil
		},
		"decode": func(
			thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			s, encoding, err := base64Args(thread, args, kwargs)
			if err != nil {
				return nil, err
			}
			data, err := encoding.DecodeString(s)
			if err != nil {
				return nil, err
			}
			return starlark.String(data), nil
		},
	}, nil)
}}

// base64Args returns the string, and the encoding that the keyword arguments select.
func base64Args(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (string, *base64.Encoding, error) {
	s, err := oneString(args)
	if err != nil {
		return "", nil, err
	}
	if err := fits(thread, 2*uint64(len(s))); err != nil {
		return "", nil, err
	}
	var url, raw, strict bool
	for _, f := range []struct {
		name string
		set  *bool
	}{{"url", &url}, {"raw", &raw}, {"strict", &strict}} {
		if *f.set, err = flag(kwargs, f.name, false); err != nil {
			return "", nil, err
		}
	}
	encoding := base64.StdEncoding
	if url {
		encoding = base64.URLEncoding
	}
	if raw {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	if strict {
		encoding = encoding.Strict()
	}
	return s, encoding, nil
}
