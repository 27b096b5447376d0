// Package weft shapes YAML by its structure: it reads templates, data values, schemas and overlays, works on documents, maps and arrays
// rather than on text, and gives the result. It reads what ytt reads.
//
//	res, err := weft.Render(ctx, weft.Options{Inputs: []string{"config/"}})
//	if err != nil {
//		return err // every line begins with file:line:column
//	}
//	_, err = res.WriteTo(os.Stdout)
//
// Options say where the inputs come from: files in memory (Options.Files), a file system of any kind (Options.FS), the disk, standard input or URLs
// (Options.Inputs). A run has no state outside of its Options and its Result, so that any number of them may go on at the same time; it ends when its
// context does.
//
// Whatever is wrong with the input is an *Error, never a panic. Error.Diagnostics gives its parts, each with code, message, file, line and column; Error.Render
// writes it for people, with excerpts of the files.
//
// The folder list is the pipeline; docs/architecture.md says which package does what. The command is
// cmd/weft, which turns flags into Options and does nothing else of its own.
package weft
