//go:build !race

package weft_test

// raceDetector says that the tests run under the race detector, which needs more address space than
// any limit leaves.
const raceDetector = false
