//go:build playground

package browser

// IsPage means that the program is built for the page of the playground. The page shows differences as text, and
// runs no tests.
const IsPage = true
