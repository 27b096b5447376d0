package outdir

import (
	"errors"
	"path/filepath"
	"syscall"
)

// holdName is the file that keeps other runs out of a directory. It is deleted when the process
// that opened it ends, however that happens.
const holdName = ".weft-lock"

const (
	deleteOnClose    = 0x04000000           // FILE_FLAG_DELETE_ON_CLOSE
	sharingViolation = syscall.Errno(32)    // ERROR_SHARING_VIOLATION: another run has it open
	deletePending    = syscall.Errno(0x12f) // ERROR_DELETE_PENDING: another run is just closing it
)

// tryHold opens a file in a directory so that no other process can open it. It succeeds if no file
// can be created there: then there is nothing to protect.
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
