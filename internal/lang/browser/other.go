//go:build !playground

package browser

// IsPage means that the program is built for the page of the playground.
const IsPage = false
