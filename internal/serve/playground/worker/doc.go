// Package worker makes a Go program one function of a worker in a browser: JSON goes in, JSON comes
// out.
package worker
