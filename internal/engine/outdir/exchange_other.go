//go:build !linux

package outdir

import "errors"

// exchange would swap two names in one step.
func (d *directory) exchange(string, string) error { return errors.ErrUnsupported }
