//go:build !race

package budget

// stackScale is how much larger stacks are than usual.
const stackScale = 1
