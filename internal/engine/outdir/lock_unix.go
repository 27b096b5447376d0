//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package outdir

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock locks an open directory, and reports whether no one else has. The lock leaves nothing on
// disk and ends with the process, however it ends. A file system that knows no locks is taken as
// unlocked.
func tryLock(f *os.File) bool {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			return !errors.Is(err, syscall.EWOULDBLOCK)
		}
	}
}

// mayWrite asks the system beforehand whether files can be made in a directory, so that a run that
// could not be finished is not begun.
func mayWrite(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
