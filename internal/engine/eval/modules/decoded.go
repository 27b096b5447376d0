package modules

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"go.starlark.net/starlark"
)

// fromGo converts a value that a JSON or TOML decoder returned to a Starlark value. It needs no
// limit because decoders reject deep nesting.
func fromGo(x any) (starlark.Value, error) {
	switch x := x.(type) {
	case nil:
		return starlark.None, nil
	case bool:
		return starlark.Bool(x), nil
	case int64:
		return starlark.MakeInt64(x), nil
	case float64:
		return starlark.Float(x), nil
	case string:
		return starlark.String(x), nil
	case time.Time:
		return starlark.String(timeText(x)), nil
	case []any:
		return listFromGo(x)
	case []map[string]any:
		return listFromGo(x)
	case map[string]any:
		return dictFromGo(x)
	}
	return nil, fmt.Errorf("unknown value of type %T", x)
}

func listFromGo[T any](list []T) (starlark.Value, error) {
	elems := make([]starlark.Value, len(list))
	for i := range list {
		e, err := fromGo(list[i])
		if err != nil {
			return nil, err
		}
		elems[i] = e
	}
	return starlark.NewList(elems), nil
}

// dictFromGo sorts the keys, because Go's maps are unordered.
func dictFromGo(m map[string]any) (starlark.Value, error) {
	d := starlark.NewDict(len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		v, err := fromGo(m[key])
		if err != nil {
			return nil, err
		}
		if err := d.SetKey(starlark.String(key), v); err != nil {
			return nil, err
		}
	}
	return d, nil
}
