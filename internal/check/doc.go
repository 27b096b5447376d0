// Package check holds the fifth floor: what is wrong. Files, runs and output come in; findings come
// out.
package check
