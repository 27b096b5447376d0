//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package outdir

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock locks an open directory, and reports whether it succeeded. The lock leaves nothing on disk
// and ends with the process, however that happens. If the file system has no locks, it reports
// success.
func tryLock(f *os.File) bool {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			return !errors.Is(err, syscall.EWOULDBLOCK)
		}
	}
}

// mayWrite reports in advance whether files can be created in a directory, so that a run that
// cannot finish does not start.
func mayWrite(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
