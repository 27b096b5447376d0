//go:build first

package playground

// wantedLater is empty in the program that renders: see more.go.
var wantedLater []want
