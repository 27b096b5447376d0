//go:build race

package budget

// stackScale is how much larger stacks are than usual: the race detector makes every call take
// more, and tests make many at once.
const stackScale = 4
