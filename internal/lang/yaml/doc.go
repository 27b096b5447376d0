// Package yaml reads YAML text into an immutable syntax tree that loses nothing, and prints it
// again: as it was, in canonical form, or as JSON.
//
// It takes a source.File and gives a Tree: nodes in one flat slice without pointers, in the order
// of the text, with scalars as offsets into the source and comments in a table beside them. It
// knows YAML alone: what a comment means, and what a document is evaluated to, is for the packages
// above.
//
// # The tree
//
// Nodes are in pre-order, each with the index of the node after its subtree, so that the first
// child of n is n+1 and its next sibling is n's Next:
//
//	a: 1          0 document Next=8
//	b: [x, y]     1   mapping Next=8
//	              2     scalar a Next=3
//	              3     scalar 1 Next=4
//	              4     scalar b Next=5
//	              5     sequence Next=8
//	              6       scalar x Next=7
//	              7       scalar y Next=8
//
// The children of a mapping are key, value, key, value.
//
// Writing such a tree is one append per node, reading it is a scan of memory, and the garbage
// collector never looks into it.
//
// # The files
//
//	parse*.go                      the parser: text to nodes, and nothing else
//	fail*.go                       diagnosis: what is wrong with a text that the parser refuses
//	tolerant.go, invalid.go        what is right in a text that the parser refuses
//	doc.go, errors.go              this page, and the codes of messages
//	parts.go                       large files, parsed in parallel
//	tree.go, text.go, comment.go   what can be asked of a tree
//	written.go                     how its nodes are written
//	resolve.go, compose.go         what plain scalars, tags, aliases and merge keys mean
//	meanings.go, changed.go        scalars that YAML 1.1 and 1.2 read in different ways
//	watch.go                       which of them code has read
//	check.go, strict.go            what is refused of a tree that was parsed
//	duplicates.go                  duplicate keys
//	write.go, quote.go, lossless.go, dump.go   ways to print it
//	jsonscalar.go, long.go         strings as JSON, and long strings in pieces
//
// # The grammars
//
// YAML12 is the grammar of YAML 1.2.2. Lenient, the default, accepts besides what files in use rely
// on: lines of a flow collection or a quoted scalar at their parent's indentation, a comment
// without a space before it, `-` as a plain scalar inside a flow sequence, `\'` in double
// quotes, a comma in a tag, a directive without the `...` that should be before it.
package yaml
