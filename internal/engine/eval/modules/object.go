package modules

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// object is an immutable value with attributes and its own type name, such as an IP address or a
// URL. All its attributes are immutable too.
type object struct {
	kind  string // as type() returns it: "@ytt:ip.addr"
	attrs starlark.StringDict
}

var (
	_ starlark.HasAttrs = (*object)(nil)
	_ tree.Opaque       = (*object)(nil)
)

// newObject returns an object. Messages name its methods after its kind.
func newObject(kind string, methods map[string]function, values starlark.StringDict) *object {
	o := &object{kind: kind, attrs: make(starlark.StringDict, len(methods)+len(values))}
	for name, f := range methods {
		o.attrs[name] = newBuiltin(kind[len("@ytt:"):]+"."+name, f)
	}
	for name, v := range values {
		o.attrs[name] = v
	}
	return o
}

// Type implements starlark.Value.
func (o *object) Type() string { return o.kind }

// String implements starlark.Value.
func (o *object) String() string { return o.kind }

// Freeze implements starlark.Value: there is nothing to freeze.
func (o *object) Freeze() {}

// Truth implements starlark.Value.
func (o *object) Truth() starlark.Bool { return true }

// Hash implements starlark.Value.
func (o *object) Hash() (uint32, error) { return unhashable(o) }

// Attr implements starlark.HasAttrs.
func (o *object) Attr(name string) (starlark.Value, error) { return o.attrs[name], nil }

// AttrNames implements starlark.HasAttrs.
func (o *object) AttrNames() []string { return o.attrs.Keys() }

// NotYAML implements tree.Opaque.
func (o *object) NotYAML() error {
	return diag.Hintf(errors.New(o.kind+" does not automatically encode"), "use .string()")
}

func unhashable(v starlark.Value) (uint32, error) {
	return 0, fmt.Errorf("unhashable type: %s", v.Type())
}
