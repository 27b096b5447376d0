//go:build !linux

package outdir

import "errors"

// exchange is not supported on this system.
func (d *directory) exchange(string, string) error { return errors.ErrUnsupported }
