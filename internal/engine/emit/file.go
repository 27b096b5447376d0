package emit

import "weft/internal/lang/source"

// File is a file to write: its path inside the output directory, with forward slashes, and its
// content.
type File struct {
	Path string
	Data []byte
	From source.Span // the input file or the document that it comes from; may be zero
	By   PathBy
}

// PathBy is what decides the path of a file.
type PathBy uint8

const (
	ByInput      PathBy = iota // the path of the input
	BySplit                    // the pattern of --split
	ByAnnotation               // @output/file of a document
)
