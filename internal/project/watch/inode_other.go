//go:build !unix

package watch

import "io/fs"

// inodeOf returns 0 on systems whose directory entries have no inode numbers.
func inodeOf(fs.FileInfo) uint64 { return 0 }
