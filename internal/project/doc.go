// Package project is the sixth floor: weft.yml, and what renders, tests, writes and watches projects.
//
// The package itself reads weft.yml: the file that says what a project is, which environments it has,
// and how each is rendered. The path of such a file comes in, or it finds one; a Project comes out:
// environments, each with its settings and where each of them comes from.
package project
