package outdir

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange swaps two names atomically.
func (d *directory) exchange(a, b string) error {
	if d.self == nil {
		return errors.ErrUnsupported
	}
	fd := int(d.self.Fd())
	for {
		err := unix.Renameat2(fd, a, fd, b, unix.RENAME_EXCHANGE)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EINVAL || err == unix.ENOSYS || err == unix.EOPNOTSUPP:
			return errors.ErrUnsupported // an old kernel, or a file system that cannot do it
		}
		return err
	}
}
