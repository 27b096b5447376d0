//go:build !linux

package watch

// isNetwork returns false on systems that report changes of network file systems, or have none.
func isNetwork(string) bool { return false }
