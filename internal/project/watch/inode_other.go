//go:build !unix

package watch

import "io/fs"

// inodeOf is for systems on which a directory does not list it.
func inodeOf(fs.FileInfo) uint64 { return 0 }
