//go:build race

package lsp_test

// raceDetector says that the tests run under the race detector, which makes them slow.
const raceDetector = true
