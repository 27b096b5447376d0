// Command weft shapes YAML by its structure. See weft --help.
package main

import (
	"os"

	"weft/internal/serve/cli"
	"weft/internal/serve/cli/process"
)

func main() {
	if code, done := cli.Guard(); done {
		os.Exit(code)
	}
	process.PutOffGC()
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
