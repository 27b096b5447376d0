// Package yaml reads YAML text into an immutable syntax tree that loses nothing, and prints it again:
// as it was, in canonical form, or as JSON.
//
// It takes a source.File and gives a Tree: nodes in one flat slice without pointers, in the order of the
// text, with scalars as offsets into the source and comments in a table beside them. It knows YAML alone:
// what a comment means, and what a document is evaluated to, is for the packages above.
//
// # The tree
//
// Nodes stand in pre-order, each with the index of the node behind its subtree, so that the first child of
// n is n+1 and its next sibling is n's Next:
//
//	a: 1          0 Document Next=7
//	b: [x, y]     1   Mapping Next=7
//	              2     Scalar a    Next=3      a mapping's children are key, value, key, value, …
//	              3     Scalar 1    Next=4
//	              4     Scalar b    Next=5
//	              5     Sequence    Next=8
//	              …
//
// Writing such a tree is one append per node, reading it is a scan of memory, and the garbage collector
// never looks into it.
//
// # The grammars
//
// YAML12 is the grammar of YAML 1.2.2. Lenient, the default, accepts besides what files in use rely on:
// lines of a flow collection or a quoted scalar at their parent's indentation, a comment without a space
// before it, `-` as a plain scalar inside of a flow sequence, `\'` in double quotes, a comma in a tag, a directive without the
// `...` that should stand before it.
package yaml
