//go:build !linux

package process

// Guard does nothing on systems that do not limit the memory of a program.
func (p Program) Guard() (code int, done bool) { return 0, false }
