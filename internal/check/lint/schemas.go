package lint

import (
	"io/fs"

	"weft/internal/lang/source"
)

// Schemas says which schemas of Kubernetes documents are checked against.
type Schemas struct {
	Version   string   // 1.31, 1.31.4 or master; "" means that nothing is checked
	Locations []string // where schemas are found

	FS    fs.FS              // that they are read from; nil is the disk
	Reads func(path string)  // called with each path on disk before it is looked at; may be nil
	Held  int                // how many of Locations, the last ones, a project names
	Stays func(string) error // says why a project may not lead to a path

	At    source.Span // where a project names the version, if it does
	Files *source.Set // that At points into
}
