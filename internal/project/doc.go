// Package project is the sixth floor: weft.yml, and packages that render, test, write and watch
// projects.
//
// The package itself reads weft.yml: the file that declares a project, its environments, and how each
// is rendered. It takes the path of such a file, or finds one, and returns a Description:
// environments, each with its settings and their origins.
package project
