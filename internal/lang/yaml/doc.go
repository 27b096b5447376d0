// Package yaml parses YAML text into an immutable, lossless syntax tree, and prints it again: as it
// was, in canonical form, or as JSON.
//
// Parse turns a source.File into a Tree: nodes in one flat slice without pointers, in the order of
// the text, with scalars as offsets into the source and a table of comments. The package knows only
// YAML: the packages above decide what a comment means and how a document is evaluated.
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
// Building the tree is one append per node, reading it is a linear scan of memory, and the garbage
// collector never has to look into it.
//
// # The files
//
//	parse*.go                      the parser: text to nodes, and nothing else
//	fail*.go                       diagnosis: what is wrong with a text that the parser rejects
//	tolerant.go, invalid.go        reads the valid parts of a text that the parser rejects
//	doc.go, errors.go              this page, and the codes of messages
//	parts.go                       parses large files in parallel
//	tree.go, text.go, comment.go   methods that read a tree
//	written.go                     how nodes are written in the file
//	resolve.go, compose.go         what plain scalars, tags, aliases and merge keys mean
//	meanings.go, changed.go        scalars that YAML 1.1 and 1.2 read differently
//	watch.go                       records which of them code has read
//	check.go, strict.go            errors in a tree that was parsed
//	duplicates.go                  duplicate keys
//	write.go, quote.go, lossless.go, dump.go   ways to print a tree
//	jsonscalar.go, long.go         strings as JSON, and long strings in pieces
//
// # The grammars
//
// YAML12 is the grammar of YAML 1.2.2. Lenient, the default, also accepts what existing files rely
// on: lines of a flow collection or a quoted scalar at their parent's indentation, a comment
// without a space before it, `-` as a plain scalar inside a flow sequence, `\'` in double
// quotes, a comma in a tag, a directive without the `...` that should precede it.
package yaml
