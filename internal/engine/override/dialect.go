package override

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Dialect describes, as values, how one kind of document differs from other YAML. The merge itself
// is the same for all kinds.
type Dialect struct {
	// Rule is the rule for the documents.
	Rule *Rule

	// View returns a scalar as the consumer of the documents reads it.
	View func(tree.Value) tree.Value

	// AppendIdentity appends bytes that are the same for two scalars if and only if they are equal
	// when lists are united.
	AppendIdentity func(dst []byte, scalar tree.Value) []byte

	// Ignored returns a warning if the value of an override at a path has no effect, so that the
	// old value stays.
	Ignored func(path Path, over tree.Value) *diag.Diagnostic

	// OnNull returns a diagnostic about a null item of an override, which removes old, or nil.
	OnNull func(it tree.Item, old tree.Value) *diag.Diagnostic
}

// view converts a scalar for comparison; nil leaves it as in YAML.
type view func(tree.Value) tree.Value

// of returns a value as it is compared with others.
func (w view) of(v tree.Value) tree.Value {
	if w != nil && v.Kind() == tree.ScalarKind {
		return w(v)
	}
	return v
}
