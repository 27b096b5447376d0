//go:build !linux

package process

// Guard is for systems that limit the memory of a program.
func (p Program) Guard() (code int, done bool) { return 0, false }
