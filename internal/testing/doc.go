// Package testing holds helpers for tests. Programs do not import it.
package testing
