// Package weft shapes YAML by its structure: it reads YAML files, works on documents, maps and arrays
// rather than on text, and prints the result.
//
//	res, err := weft.Render(ctx, weft.Options{Inputs: []string{"config/"}})
//	if err != nil {
//		return err // every line begins with file:line:column
//	}
//	_, err = res.WriteTo(os.Stdout)
//
// The folder list is the pipeline; docs/architecture.md says which package does what. The command is
// cmd/weft, which turns flags into Options and does nothing else of its own.
package weft
