// Package worker turns a Go program into one function of a browser's worker: JSON goes in, JSON comes
// out.
package worker
