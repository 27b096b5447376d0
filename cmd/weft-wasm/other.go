//go:build !js

package main

import (
	"fmt"
	"os"
)

// This program only runs in a browser. To build it, run go run ./tools/web.
func main() {
	fmt.Fprintln(os.Stderr, "weft-wasm: build it for browsers, with GOOS=js GOARCH=wasm")
	os.Exit(1)
}
