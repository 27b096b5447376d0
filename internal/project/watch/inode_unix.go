//go:build unix

package watch

import (
	"io/fs"
	"syscall"
)

// inodeOf returns a number that differs between two files of the same name.
func inodeOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino) // the type differs between systems
	}
	return 0
}
