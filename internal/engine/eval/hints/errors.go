package hints

import (
	"fmt"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// StepError is an error about a node that is not at the location of the call.
type StepError struct {
	File *source.File
	At   source.Pos
	Err  error
}

func (e *StepError) Error() string { return e.Err.Error() }
func (e *StepError) Unwrap() error { return e.Err }

// DuplicateKey reports that a map would have a key twice.
type DuplicateKey struct {
	Key           tree.Value
	First, Second source.Pos
	Elsewhere     bool // the second key is not written at the place where it is added
	// both values are maps, or both are arrays: the second may be meant to extend the first
	Mergeable bool
	Matched   bool // both are placeholders of overlays, each with its matcher
}

func (e *DuplicateKey) Error() string {
	v, text := e.Key.Scalar()
	return fmt.Sprintf(
		"expected key '%s' to not be specified again (unless 'yaml/map-key-override' annotation is added)",
		yaml.AppendValue(nil, v, text, 0),
	)
}

// DocumentSet returns the error for a value with several documents where one node is expected.
func DocumentSet(kind tree.NodeKind) error {
	hint := "use one of them: `[0]` is the first"
	if kind == tree.DocumentNode {
		hint = "insert them with `--- #@ template.replace(...)`, after `#@ load(\"@ytt:template\", \"template\")`"
	}
	err := fmt.Errorf("%ss can only contain arrays, maps, or scalars; this is a document set", kind)
	return diag.Hintf(err, "%s", hint)
}
