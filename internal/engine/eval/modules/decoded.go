package modules

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"go.starlark.net/starlark"
)

// fromGo returns a value that a decoder of JSON or TOML made, as Starlark sees it. It needs no
// limit: decoders refuse what is nested too deep.
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

// dictFromGo puts keys in the order of their names: Go's maps have none.
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
