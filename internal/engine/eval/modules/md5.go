package modules

import (
	"encoding/hex"
	"sync"

	"go.starlark.net/starlark"
)

var md5Module = sync.OnceValue(func() starlark.StringDict {
	return export("md5", map[string]function{
		"sum": ofString(func(s string) (starlark.Value, error) {
			sum := md5Sum(s)
			return starlark.String(hex.EncodeToString(sum[:])), nil
		}),
	}, nil)
})
