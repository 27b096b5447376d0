// Package weft renders, patches and checks YAML. It evaluates templates with data values and
// schemas, applies overlays and overrides, and returns documents or files. It reads the same files
// as ytt.
//
//	res, err := weft.Render(ctx, weft.Options{Inputs: []string{"config/"}})
//	if err != nil {
//		return err // each line starts with file:line:column
//	}
//	_, err = res.WriteTo(os.Stdout)
//
// Inputs are files in memory (Options.Files), files of an fs.FS (Options.FS), or files on disk,
// standard input and URLs (Options.Inputs). A run has no state outside its Options and its Result,
// so any number of runs may be active at the same time. A run ends when its context does.
//
// Bad input never causes a panic: every problem with it is reported as an *Error. Error.Diagnostics
// returns the problems one by one, each with code, message, file, line and column. Error.Render
// prints them for people, with excerpts of the files.
//
// The command in cmd/weft turns flags into Options and calls this package. docs/architecture.md
// describes the packages in internal.
package weft
