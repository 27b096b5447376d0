package overlay

import (
	"fmt"

	"weft/internal/lang/tree"
)

// maxNodes returns how many nodes a document may have.
func (o *Options) maxNodes() int {
	if o.MaxNodes > 0 {
		return o.MaxNodes
	}
	return tree.MaxNodes
}

// checkSize refuses a document that is too large to be printed. Items are shared, so that little
// memory can hold a document of any size.
func (o *Options) checkSize(v tree.Value) error {
	nodes, depth := v.Weight()
	switch {
	case depth > tree.MaxDepth:
		return &tree.LimitError{Message: fmt.Sprintf(
			"with its overlays a document is nested more than %d levels deep", tree.MaxDepth)}
	case nodes > o.maxNodes():
		return o.tooLarge()
	}
	return nil
}

// checkLength refuses a collection that grows too large while it is edited, as one does that each
// of many overlays doubles.
func (o *Options) checkLength(d *draft) error {
	added := d.n - d.given
	if d.docs {
		added *= 2 // a document, and what it holds
	}
	if added <= o.maxNodes() {
		return nil
	}
	return o.tooLarge()
}

func (o *Options) tooLarge() *tree.LimitError {
	return &tree.LimitError{Message: fmt.Sprintf(
		"with its overlays a document has more than %d nodes", o.maxNodes())}
}
