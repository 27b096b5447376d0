package hints

import (
	"fmt"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// StepError is what went wrong with a node that is not where the call is.
type StepError struct {
	File *source.File
	At   source.Pos
	Err  error
}

func (e *StepError) Error() string { return e.Err.Error() }
func (e *StepError) Unwrap() error { return e.Err }

// DuplicateKey says that a map would have a key twice.
type DuplicateKey struct {
	Key           tree.Value
	First, Second source.Pos
	Elsewhere     bool // the second is not written where it is added
	// both are maps, or both are arrays: the second may have been meant to add to the first
	Mergeable bool
}

func (e *DuplicateKey) Error() string {
	v, text := e.Key.Scalar()
	return fmt.Sprintf(
		"expected key '%s' to not be specified again (unless 'yaml/map-key-override' annotation is added)",
		yaml.AppendValue(nil, v, text, 0),
	)
}

// DocumentSet is the error of a value that is several documents where one node is made.
func DocumentSet(kind tree.NodeKind) error {
	hint := "use one of them: `[0]` is the first"
	if kind == tree.DocumentNode {
		hint = "insert them with `--- #@ template.replace(...)`, after `#@ load(\"@ytt:template\", \"template\")`"
	}
	err := fmt.Errorf("%ss can only contain arrays, maps, or scalars; this is a document set", kind)
	return diag.Hintf(err, "%s", hint)
}
