package modules

import (
	"crypto/md5"
	"encoding/hex"
	"sync"

	"go.starlark.net/starlark"
)

var md5Module = sync.OnceValue(func() starlark.StringDict {
	return export("md5", map[string]function{
		"sum": ofString(func(s string) (starlark.Value, error) {
			sum := md5.Sum([]byte(s))
			return starlark.String(hex.EncodeToString(sum[:])), nil
		}),
	}, nil)
})
