package modules

import (
	"crypto/md5"
	"encoding/hex"

	"weft/internal/lang/lazy"

	"go.starlark.net/starlark"
)

var md5Module = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("md5", map[string]function{
		"sum": ofString(func(s string) (starlark.Value, error) {
			sum := md5.Sum([]byte(s))
			return starlark.String(hex.EncodeToString(sum[:])), nil
		}),
	}, nil)
}}
