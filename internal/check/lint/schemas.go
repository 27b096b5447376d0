package lint

import (
	"io/fs"

	"weft/internal/lang/source"
)

// Schemas selects the Kubernetes schemas to check documents against.
type Schemas struct {
	Version   string   // 1.31, 1.31.4 or master; "" means that nothing is checked
	Locations []string // where schemas are found

	FS          fs.FS              // the file system to read from; nil means the disk
	Reads       func(path string)  // called with each path on disk before it is read; may be nil
	FromProject int                // the number of Locations that come from a project; they are the last ones
	CheckPath   func(string) error // returns why a project may not use a path

	At    source.Span // where a project names the version, if it does
	Files *source.Set // the files that At refers to
}
