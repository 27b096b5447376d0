package tree

import (
	"unsafe"

	"go.starlark.net/starlark"

	"weft/internal/lang/yaml"
)

// Printer passes values to a writer of package yaml. It reuses its buffers, and only one goroutine
// may use it.
type Printer struct {
	composer yaml.Composer
}

// Write writes v and everything in it.
func (p *Printer) Write(w yaml.Writer, v Value) {
	if v.tree != nil {
		p.composer.Tree = v.tree // its buffers are reused for every tree
		p.composer.Write(w, v.node)
		return
	}
	switch x := v.x.(type) {
	case *Map:
		w.Mapping(len(x.items) == 0)
		if len(x.items) == 0 {
			return
		}
		for i := range x.items {
			p.Write(w, x.items[i].Key)
			p.Write(w, x.items[i].Value)
		}
		w.End()
	case *Array:
		w.Sequence(len(x.items) == 0)
		if len(x.items) == 0 {
			return
		}
		for i := range x.items {
			p.Write(w, x.items[i].Value)
		}
		w.End()
	default:
		w.Scalar(v.Scalar())
	}
}

// Scalar returns the scalar v for package yaml; text is the text of a string.
func (v Value) Scalar() (yaml.Value, []byte) {
	if v.tree != nil {
		c := yaml.Composer{Tree: v.tree}
		return c.Scalar(v.node)
	}
	switch x := v.x.(type) {
	case starlark.Bool:
		return yaml.BoolValue(bool(x)), nil
	case starlark.Int:
		if i, ok := x.Int64(); ok {
			return yaml.IntValue(i), nil
		}
		u, _ := x.Uint64() // FromStarlark has rejected larger integers
		return yaml.UintValue(u), nil
	case starlark.Float:
		return yaml.FloatValue(float64(x)), nil
	case starlark.String:
		// The bytes are only read, so they need not be copied.
		return yaml.StringValue(), unsafe.Slice(unsafe.StringData(string(x)), len(x))
	}
	return yaml.Value{Kind: yaml.Null}, nil
}
