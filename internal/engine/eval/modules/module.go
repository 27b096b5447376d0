package modules

import (
	"errors"

	"weft/internal/lang/lazy"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

var moduleModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("module", map[string]function{
		"make": func(
			_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			if len(args) != 1 {
				return nil, errors.New(
					"expected exactly one argument, the name of the module; its members are " +
						"keyword arguments",
				)
			}
			name, err := toString(args[0])
			if err != nil {
				return nil, err
			}
			members := make(starlark.StringDict, len(kwargs))
			for _, kv := range kwargs {
				members[string(kv[0].(starlark.String))] = kv[1]
			}
			return &starlarkstruct.Module{Name: name, Members: members}, nil
		},
	}, nil)
}}
