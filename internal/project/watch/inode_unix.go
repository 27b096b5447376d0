//go:build unix

package watch

import (
	"io/fs"
	"syscall"
)

// inodeOf tells a file from another one of the same name.
func inodeOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino) // of another type on some systems
	}
	return 0
}
