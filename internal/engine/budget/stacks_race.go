//go:build race

package budget

// stackScale is how much larger stacks are than usual: with the race detector every call needs more,
// and tests run many calls at once.
const stackScale = 4
