// Package schemas converts schemas of data values. The schemas of other programs come in (JSON Schema,
// OpenAPI, definitions of custom resources, values of Helm charts, plain values), and the text of a weft
// schema comes out (Import, Infer). A weft schema comes in, and a page about it or a file of values to
// fill in comes out (Markdown, Skeleton).
//
//	node.go                   a schema that is being written
//	write.go, literal.go      its text
//	language.go               what this version of weft has annotations for
//	settle.go                 which values have a default, and which are required
//	import.go, detect.go      what a file is, and where its schema is
//	parts.go, references.go   writing out allOf and $ref
//	facts.go                  the keywords of a JSON Schema
//	read.go, maps.go          keywords to types
//	alternatives.go           anyOf and oneOf
//	values.go, comments.go    types of plain values, and what comments say about them
//	helm.go                   charts
//	infer.go                  values files, and what templates read
//	skeleton.go, markdown.go  a file of values and a table, for people
//	region.go                 the part of a file between two marks
//
// Package engine/schema has the types themselves, and writes them as JSON Schema and OpenAPI.
package schemas
