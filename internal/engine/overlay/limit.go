package overlay

import (
	"fmt"

	"weft/internal/lang/tree"
)

// maxNodes returns the maximum number of nodes in a document.
func (o *Options) maxNodes() int {
	if o.MaxNodes > 0 {
		return o.MaxNodes
	}
	return tree.MaxNodes
}

// checkSize returns an error if a document is too large to print. Items are shared, so a document
// of any size may fit into little memory.
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

// checkLength returns an error if a collection grows too large while it is edited, for example if
// each of many overlays doubles it.
func (o *Options) checkLength(d *draft) error {
	added := d.n - d.given
	if d.docs {
		added *= 2 // a document and its value
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
