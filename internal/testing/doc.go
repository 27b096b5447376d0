// Package testing holds helpers of tests, which no program imports.
package testing
