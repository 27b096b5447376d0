package override

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Dialect is what one kind of documents does differently from any YAML, as values: the merge knows
// nothing of any kind.
type Dialect struct {
	// Rule is that of the documents.
	Rule *Rule

	// View is a scalar as those read it for whom the documents are.
	View func(tree.Value) tree.Value

	// AppendIdentity adds what two scalars have in common if and only if they are equal, to those
	// who unite lists.
	AppendIdentity func(dst []byte, scalar tree.Value) []byte

	// Ignored returns a warning if the value of an override at a path has no effect, so that the
	// old value stays.
	Ignored func(path Path, over tree.Value) *diag.Diagnostic

	// Nulled returns a diagnostic about a null item of an override, which removes old, or nil.
	Nulled func(it tree.Item, old tree.Value) *diag.Diagnostic
}

// view is a scalar as it is compared with others; nil is as YAML has it.
type view func(tree.Value) tree.Value

// of returns a value as it is compared with others.
func (w view) of(v tree.Value) tree.Value {
	if w != nil && v.Kind() == tree.ScalarKind {
		return w(v)
	}
	return v
}
