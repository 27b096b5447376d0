package tree

import "weft/internal/lang/yaml"

// Limits for converting Starlark values. Fragments and lists are shared, so a few lines of code can
// describe a value that no machine could print.
const (
	MaxDepth = 10_000
	// depth of values that code creates: each level is indentation on every line that is printed
	MaxCodeDepth = 500
	MaxNodes     = 2_500_000 // each takes a few hundred bytes until it is printed
)

// LimitError reports that a limit was exceeded. It ends the run and must not be caught.
type LimitError struct {
	Message string
	Hint    string // what can be done about it, or ""
}

func (e *LimitError) Error() string { return e.Message }

// weight is the size of a collection. Shared content counts each time it occurs; an alias in a part
// that is still a syntax tree counts as one node.
type weight struct {
	nodes int
	depth int
}

// heaviest is where counting stops: far above any limit, and far below an overflow.
const heaviest = 1 << 40

func weigh(items []Item) weight {
	w := weight{nodes: 1, depth: 1}
	for i := range items {
		nodes, depth := items[i].Value.Weight()
		w.nodes = min(w.nodes+nodes, heaviest)
		w.depth = max(w.depth, depth+1)
	}
	return w
}

func weighSyntax(t *yaml.Tree, n yaml.NodeID) weight {
	return weight{nodes: int(t.Next(n) - n), depth: 1}
}

// Weight returns the number of nodes that v consists of, and how deep they are nested.
func (v Value) Weight() (nodes, depth int) {
	switch x := v.x.(type) {
	case *Map:
		return x.nodes, x.depth
	case *Array:
		return x.nodes, x.depth
	case nil:
		if v.tree != nil {
			w := weighSyntax(v.tree, v.node)
			return w.nodes, w.depth
		}
	}
	return 1, 0
}
