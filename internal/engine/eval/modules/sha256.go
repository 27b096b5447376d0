package modules

import (
	"crypto/sha256"
	"encoding/hex"

	"weft/internal/lang/lazy"

	"go.starlark.net/starlark"
)

var sha256Module = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("sha256", map[string]function{
		"sum": ofString(func(s string) (starlark.Value, error) {
			sum := sha256.Sum256([]byte(s))
			return starlark.String(hex.EncodeToString(sum[:])), nil
		}),
	}, nil)
}}
