package modules

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

var structModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("struct", map[string]function{
		"make":          structMake,
		"make_and_bind": structMakeAndBind,
		"bind":          structBind,
		"encode":        structEncode,
		"decode":        structDecode,
	}, nil)
}}

func structMake(
	_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) > 0 {
		return nil, errors.New(
			"unexpected positional arguments (structs are made from keyword arguments only)",
		)
	}
	return newStruct(kwargs, func(v starlark.Value) starlark.Value { return v }), nil
}

func structMakeAndBind(
	_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if err := exactly(1, args); err != nil {
		return nil, err
	}
	lead := slices.Clone(args) // the interpreter reuses this memory
	return newStruct(kwargs, func(v starlark.Value) starlark.Value {
		if f, ok := v.(starlark.Callable); ok {
			return &bound{f: f, lead: lead}
		}
		return v
	}), nil
}

func newStruct(kwargs []starlark.Tuple, field func(starlark.Value) starlark.Value) *tree.Struct {
	names := make([]string, len(kwargs))
	fields := make(map[string]starlark.Value, len(kwargs))
	for i, kv := range kwargs {
		names[i] = string(kv[0].(starlark.String))
		fields[names[i]] = field(kv[1])
	}
	return tree.NewStruct(names, fields)
}

func structBind(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) < 2 {
		return nil, errors.New("expected at least two arguments")
	}
	f, ok := args[0].(starlark.Callable)
	if !ok {
		return nil, fmt.Errorf("expected function, but was %s", args[0].Type())
	}
	return &bound{f: f, lead: slices.Clone(args[1:])}, nil
}

// bound is a function with its leading arguments bound. It is a type rather than a closure in a
// builtin, so that freezing it freezes the bound values: threads may share it.
type bound struct {
	f    starlark.Callable
	lead starlark.Tuple
}

var _ starlark.Callable = (*bound)(nil)

// Name implements starlark.Callable.
func (b *bound) Name() string { return b.f.Name() }

// CallInternal implements starlark.Callable.
func (b *bound) CallInternal(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	return starlark.Call(thread, b.f, slices.Concat(b.lead, args), kwargs)
}

// Type implements starlark.Value.
func (b *bound) Type() string { return "builtin_function_or_method" }

// String implements starlark.Value.
func (b *bound) String() string { return fmt.Sprintf("<built-in function %s>", b.Name()) }

// Freeze implements starlark.Value.
func (b *bound) Freeze() {
	b.f.Freeze()
	b.lead.Freeze()
}

// Visit implements tree.Holder.
func (b *bound) Visit(f func(starlark.Value) bool) { _ = f(b.f) && f(b.lead) }

// Truth implements starlark.Value.
func (b *bound) Truth() starlark.Bool { return true }

// Hash implements starlark.Value.
func (b *bound) Hash() (uint32, error) { return b.f.Hash() }

func structEncode(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if err := exactly(1, args); err != nil {
		return nil, err
	}
	v, err := tree.FromStarlark(args[0])
	if err != nil {
		return nil, err
	}
	return toStruct(v)
}

func toStruct(v tree.Value) (starlark.Value, error) {
	switch x := v.Starlark().(type) {
	case *tree.Map:
		items := x.Entries()
		names := make([]string, len(items))
		fields := make(map[string]starlark.Value, len(items))
		for i := range items {
			name, ok := items[i].Key.Starlark().(starlark.String)
			if !ok {
				return nil, fmt.Errorf("expected keys to be strings, but found %s",
					describe(items[i].Key.Starlark()))
			}
			field, err := toStruct(items[i].Value)
			if err != nil {
				return nil, err
			}
			names[i], fields[string(name)] = string(name), field
		}
		return tree.NewStruct(names, fields), nil
	case *tree.Array:
		return x.List(toStruct)
	default:
		return x, nil
	}
}

// describe names a value in a message: "int 5".
func describe(v starlark.Value) string {
	switch v.(type) {
	case *tree.Map, *tree.Array:
		return v.Type()
	}
	return v.Type() + " " + v.String()
}

func structDecode(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if err := exactly(1, args); err != nil {
		return nil, err
	}
	return plain(args[0])
}

// plain converts x to dicts, lists and scalars.
func plain(x starlark.Value) (starlark.Value, error) {
	v, err := tree.FromStarlark(x)
	if err != nil {
		return nil, err
	}
	return tree.ToStarlark(v)
}
