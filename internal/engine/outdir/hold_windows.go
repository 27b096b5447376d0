package outdir

import (
	"errors"
	"path/filepath"
	"syscall"
)

// holdName is the file that keeps other runs out of a directory. It goes away with the process that
// opened it, however that ends.
const holdName = ".weft-lock"

const (
	deleteOnClose    = 0x04000000           // FILE_FLAG_DELETE_ON_CLOSE
	sharingViolation = syscall.Errno(32)    // ERROR_SHARING_VIOLATION: another run has it open
	deletePending    = syscall.Errno(0x12f) // ERROR_DELETE_PENDING: another run is just closing it
)

// tryHold opens a file in a directory that no one else can open meanwhile. A directory in which no
// file can be made is taken as held: then there is nothing to lose there.
func tryHold(dir string) (release func(), ok bool) {
	name, err := syscall.UTF16PtrFromString(filepath.Join(dir, holdName))
	if err != nil {
		return func() {}, true
	}
	h, err := syscall.CreateFile(
		name,
		syscall.GENERIC_WRITE,
		0,
		nil,
		syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_HIDDEN|deleteOnClose,
		0,
	)
	switch {
	case err == nil:
		return func() { _ = syscall.CloseHandle(h) }, true
	case errors.Is(err, sharingViolation), errors.Is(err, deletePending):
		return nil, false
	}
	return func() {}, true
}
