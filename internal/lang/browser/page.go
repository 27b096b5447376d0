//go:build playground

package browser

// IsPage means that the program is built for the page of the playground. The page shows blame by line,
// explanations as JSON and differences as text; it proves nothing, and runs no tests.
const IsPage = true
