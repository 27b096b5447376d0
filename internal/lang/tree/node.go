package tree

// NodeKind tells what a node of a file is: what annotations are on, and what messages call it.
type NodeKind uint8

// The kinds of node.
const (
	DocumentNode NodeKind = iota
	MapItem
	ArrayItem
)

func (k NodeKind) String() string { return [...]string{"document", "map item", "array item"}[k] }
