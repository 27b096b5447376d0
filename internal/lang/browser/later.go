//go:build !first

package browser

// IsFirst means that the program is the first one that the page of the playground loads, which renders.
const IsFirst = false
