// Command weft shapes YAML by its structure. See weft --help.
package main

import (
	"os"

	"weft/internal/cli"
)

func main() {
	cli.PutOffGC()
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
