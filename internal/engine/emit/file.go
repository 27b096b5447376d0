package emit

import "weft/internal/lang/source"

// File is a file to write: its path inside the output directory, with forward slashes, and its
// content.
type File struct {
	Path string
	Data []byte
	From source.Span // the input file that it comes from; may be zero
}
