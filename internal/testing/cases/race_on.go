//go:build race

package cases

// Race reports whether tests run under the race detector, which makes them slow and needs more
// address space than any limit leaves.
const Race = true
