package tree

// NodeKind is the kind of a node that annotations are on, and its name in messages.
type NodeKind uint8

// The kinds of node.
const (
	DocumentNode NodeKind = iota
	MapItem
	ArrayItem
)

func (k NodeKind) String() string { return [...]string{"document", "map item", "array item"}[k] }
