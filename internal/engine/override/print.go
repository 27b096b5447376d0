package override

import (
	"errors"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Text returns the text of a file with overridden documents: see edit.TextFrom.
func Text(trees []*yaml.Tree, drafts, values []tree.Value, opt yaml.Options) ([][]byte, error) {
	texts, err := edit.TextFrom(trees, drafts, values, opt)
	return texts, unwritable(err)
}

// unwritable returns the error for a document that cannot be edited.
func unwritable(err error) error {
	r, ok := errors.AsType[*edit.Refusal](err)
	switch {
	case !ok:
		return err
	case r.Repeated:
		return diag.Errorf(r.At, CodeRepeated,
			"this mapping defines a key twice, and the override around it cannot be edited in place").
			WithHint("remove one of the two from the file")
	}
	return diag.Errorf(r.At, CodeInternal,
		"this document cannot be written with its overrides: the text would differ from the "+
			"values, which is a bug in weft").
		WithHint("print the values with -o yaml, and report the document and its overrides")
}
