//go:build first

package browser

// IsFirst means that the program is the first one that the page of the playground loads, which renders. The page
// shows blame by line and explanations as JSON; it proves nothing.
const IsFirst = true
